"""Where a ledger is kept: a SQLite file, or a PostgreSQL database; and who writes it: one run at a time."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from ludus.core import BadValue, LudusError, MissingExtra, one_line

TAKEN = "another run is writing {name}; wait for it, or end it"
POSTGRESQL = "postgresql+psycopg"
KINDS = f"a ledger is a file or a URL such as {POSTGRESQL}://user@host/name"
KEY = 0x1D05  # of the lock in a PostgreSQL database


def ledger_url(place: str | Path) -> URL:
    """Return where a ledger is: a file's name, or a database's URL."""
    try:
        url = make_url(str(place)) if "://" in str(place) else URL.create("sqlite", database=str(place))
    except ArgumentError:
        raise BadValue(f"{KINDS}, not {str(place)!r}") from None
    return url.set(drivername=POSTGRESQL) if url.drivername in ("postgres", "postgresql") else url


def open_engine(url: URL) -> Any:
    try:
        engine = create_engine(url)
    except NoSuchModuleError:
        raise BadValue(f"there is no such kind of database: {url.drivername}; {KINDS}") from None
    except ModuleNotFoundError as error:
        raise MissingExtra(f"{error.name}, which speaks to that database,", "postgresql") from None
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _open_file)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def _open_file(connection: Any, _: Any) -> None:
    """Set a SQLite file up: readers do not wait for the writer, and tables change within transactions, too."""
    connection.isolation_level = None  # `BEGIN` is said by us
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite" and bool(url.database)


def why(error: DBAPIError) -> str:
    return one_line(str(error.orig), 200)


def why_closed(url: URL, name: str, error: DBAPIError) -> str:
    """Say why a ledger cannot be opened."""
    if is_file(url) and not (folder := Path(str(url.database)).parent).is_dir():
        return f"there is no folder {folder} for the ledger {name}"
    if is_file(url) and "not a database" in why(error):
        return f"{name} is no ledger but another kind of file"
    return f"the ledger {name} cannot be opened: {why(error)}; mend this and run the same command again"


class Hold:
    """A lock on a ledger, beside a file or within a PostgreSQL database; a run that was killed lets go by itself."""

    def __init__(self, url: URL, engine: Any) -> None:
        self._file, self._connection = -1, None
        if url.get_backend_name() == "postgresql":
            self._connection = engine.connect()
            if not self._connection.execute(text(f"SELECT pg_try_advisory_lock({KEY})")).scalar_one():
                self._connection.close()
                raise LudusError(TAKEN.format(name=url.render_as_string()))
        elif url.database:
            with suppress(ImportError):  # other systems have no such locks; there a game cannot be written twice, either
                self._lock(f"{url.database}.lock")

    def _lock(self, path: str) -> None:
        import fcntl

        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise LudusError(f"{path} cannot be made: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise LudusError(TAKEN.format(name=path.removesuffix(".lock"))) from None

    def close(self) -> None:
        """Let go."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._connection is not None:
            self._connection.close()
            self._connection = None
