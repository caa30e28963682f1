"""`memory-server status`: sizes, lag, model, leases and errors of a data directory, at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_server.cli.options import AsJson, Db, Home, opened, settings_of
from memory_server.cli.printing import file_size, print_json, print_pairs, print_table

if TYPE_CHECKING:
    from memory_server.services.status import Status


def status(home: Home = None, db: Db = None, as_json: AsJson = False) -> None:
    """Show sizes, lag, model, leases and last errors."""
    settings = settings_of(home, db)
    path = settings.database_path
    if not path.exists() or not path.stat().st_size:
        # looking must not create what is looked for
        if as_json:
            print_json({"home": str(settings.home), "database": str(path), "schema_version": None})
        else:
            print(f"nothing is stored yet: {path} does not exist")
        return
    with opened(home, db) as app:
        from memory_server.services.status import take_status

        now = take_status(app)
    if as_json:
        print_json(now.model_dump())
    else:
        show(now)


def show(now: Status) -> None:
    """Prints a status for people."""
    print_table(
        ("memories", "all", "by state"),
        [
            (kind, sum(states.values()), ", ".join(f"{count} {state}" for state, count in states.items()))
            for kind, states in now.memories.items()
        ],
    )
    print_pairs("indexes", _indexes(now))
    print_pairs("model", _model(now.model))
    print_pairs("storage", _storage(now))
    print_pairs(
        "health",
        [
            *(
                ("lease", f"{one['name']}: {one['owner']}, {one['seconds_left']} s left")
                for one in now.leases
            ),
            *(("note", note) for note in now.notes),
            *(("error", error) for error in now.last_errors),
            ("errors", len(now.last_errors)),
        ],
    )


def _indexes(now: Status) -> list[tuple[str, Any]]:
    vectors = now.vectors
    lag = f"{vectors['behind']} changes behind" if vectors["enabled"] else "switched off"
    return [
        ("vectors", f"{vectors['backend']}, {lag}"),
        ("graph", f"{now.graph['facts']} facts, {now.graph['behind']} changes behind"),
        ("outbox", f"{now.outbox['pending']} pending, {now.outbox['failed']} failed"),
    ]


def _model(model: dict[str, Any]) -> list[tuple[str, Any]]:
    return [
        ("setting", model["setting"]),
        ("available", model["problem"] or ("yes" if model["available"] else "no")),
        ("loaded", "yes" if model["loaded"] else "no (a server loads it at the first need)"),
        ("path", model["path"] or "-"),
        ("vectors made by", model["fingerprint"] or "-"),
    ]


def _storage(now: Status) -> list[tuple[str, Any]]:
    return [
        ("home", now.home),
        ("database", now.database),
        ("schema", f"{now.schema_version} (newest {now.newest_schema})"),
        *((f"size of {name}", file_size(size)) for name, size in now.sizes.items()),
    ]
