"""The server over streamable HTTP: on loopback for all of this machine, elsewhere for holders of a token."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from memory_server.domain.errors import InvalidArgument

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.types import ASGIApp, Receive, Scope, Send

    from memory_server.server import MemoryServer

TOKEN_VARIABLE = "MEMORY_SERVER_HTTP_TOKEN"
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


def serve_http(
    server: MemoryServer,
    exposition: Callable[[], str],
    host: str,
    port: int,
    allowed: Sequence[str] = (),
    token: str | None = None,
) -> None:
    """Serves `/mcp` and `/metrics` until the process ends.

    Args:
        exposition: gives the text that `/metrics` answers.
        allowed: further names under which clients may reach this server.
        token: what clients have to send as bearer token; without one, no token is asked for.

    Raises:
        InvalidArgument: the address is reachable from elsewhere and there is no token.
    """
    import uvicorn

    config = uvicorn.Config(
        http_app(server, exposition, host, port, allowed, token),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    runner = uvicorn.Server(config)
    # signals are ours: uvicorn would wait for open streams
    runner.capture_signals = nullcontext  # type: ignore[method-assign, assignment]
    runner.run()


def http_app(
    server: MemoryServer,
    exposition: Callable[[], str],
    host: str,
    port: int,
    allowed: Sequence[str] = (),
    token: str | None = None,
) -> ASGIApp:
    """The guarded ASGI application.

    Raises:
        InvalidArgument: as for `serve_http`.
    """
    if not is_loopback(host) and not token:
        raise InvalidArgument(
            f"{host} can be reached from elsewhere: set {TOKEN_VARIABLE} to a secret that clients send "
            "as bearer token, or bind to 127.0.0.1",
            argument="host",
        )
    import anyio.to_thread
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response

    async def metrics(request: Request) -> Response:
        text = await anyio.to_thread.run_sync(exposition)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    server.custom_route("/metrics", methods=["GET"])(metrics)
    security = security_of(host, port, allowed)
    inner = server.streamable_http_app(host=host, transport_security=security)
    return _Guard(inner, security, token)


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def security_of(host: str, port: int, allowed: Sequence[str]) -> TransportSecuritySettings:
    """The Host and Origin headers that are let in: loopback, the bound address, our name, and `allowed`."""
    from mcp.server.transport_security import TransportSecuritySettings

    names = [*_LOOPBACK_NAMES, *allowed]
    if not is_loopback(host):
        names += [f"[{host}]" if ":" in host else host, socket.gethostname()]
    names = list(dict.fromkeys(names))
    hosts = [entry for name in names for entry in (name, f"{name}:{port}")]
    origins = [f"{scheme}://{entry}" for entry in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


class _Guard:
    """Looks at Host, Origin and bearer token of every request, whatever its route."""

    def __init__(self, inner: ASGIApp, security: TransportSecuritySettings, token: str | None) -> None:
        from mcp.server.transport_security import TransportSecurityMiddleware

        self._inner = inner
        self._headers = TransportSecurityMiddleware(security)
        self._token = token.encode() if token else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.requests import Request
        from starlette.responses import PlainTextResponse

        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        request = Request(scope)
        refusal = await self._headers.validate_request(request)
        if refusal is None and not self._knows(request.headers.get("authorization", "")):
            refusal = PlainTextResponse(
                "a bearer token is needed", status_code=401, headers={"WWW-Authenticate": "Bearer"}
            )
        await (refusal or self._inner)(scope, receive, send)

    def _knows(self, authorization: str) -> bool:
        if self._token is None:
            return True
        scheme, _, given = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token)
