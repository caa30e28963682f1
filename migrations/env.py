"""Runs the migrations on the connection that the server hands over, or on the configured database."""

from __future__ import annotations

from alembic import context
from sqlalchemy import URL, Connection, create_engine, event


def run(connection: Connection) -> None:
    context.configure(connection=connection, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


def begin_immediate(connection: Connection) -> None:
    # pysqlite begins late and outside of DDL; an explicit BEGIN makes each upgrade one transaction
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def disable_implicit_begin(dbapi_connection: object, _record: object) -> None:
    dbapi_connection.isolation_level = None  # type: ignore[attr-defined]


def run_from_command_line() -> None:
    url: str | URL | None = context.config.get_main_option("sqlalchemy.url")
    if not url:
        from memory_server.settings import load_settings

        settings = load_settings()
        settings.prepare_home()
        # a path as it is: written out as a URL, a folder named "what?" would lose its end
        url = URL.create("sqlite", database=str(settings.database_path))
    engine = create_engine(url, connect_args={"timeout": 60})
    event.listen(engine, "connect", disable_implicit_begin)
    event.listen(engine, "begin", begin_immediate)
    with engine.connect() as connection:
        run(connection)
    engine.dispose()


given = context.config.attributes.get("connection")
if given is None:
    run_from_command_line()
else:
    run(given)
