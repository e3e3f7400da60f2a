"""The tables of a ledger, their version, and the way from older ones."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    text,
)

from ludus.core import LudusError

VERSION = 2

tables = MetaData()
about = Table("about", tables, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))
entrants = Table(
    "entrants",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("word", Text, nullable=False),  # that names it on a command line
    Column("hash", Text, nullable=False),  # of the contents of its files
    Column("level", Text, nullable=False),  # what keeps it apart from the rest
    Column("is_current", Boolean, nullable=False),  # whether it is in the field now
    UniqueConstraint("name", "hash"),
)
pairs = Table(  # what is planned: a set-up between some entrants, which is played once for every order of the seats
    "pairs",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("label", Text, nullable=False, unique=True),  # round, entrants by place, number of the set-up
    Column("seed", BigInteger, nullable=False),
    Column("position", Text, nullable=False),  # "" = dealt
)
games = Table(  # what was played
    "games",
    tables,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("pair", Integer, ForeignKey("pairs.id"), nullable=False),
    Column("status", SmallInteger, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("forfeit", SmallInteger),  # the seat that lost by a fault
    Column("digest", Text, nullable=False),  # of the last position
    Column("at", Float, nullable=False),  # seconds since 1970
)
seats = Table(
    "seats",
    tables,
    Column("game", Integer, ForeignKey("games.number"), primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("entrant", Integer, ForeignKey("entrants.id"), nullable=False),
    Column("outcome", Float, nullable=False),
    Column("points", Float, nullable=False),
    Column("faults", Integer, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("seconds", Float, nullable=False),  # that the answers took together
    Column("worst", Float, nullable=False),  # the longest
    sqlite_with_rowid=False,
)
verdicts = Table(
    "verdicts",
    tables,
    Column("game", Integer, ForeignKey("games.number"), primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),  # among those of the game
    Column("seat", SmallInteger, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)
records = Table(
    "records",
    tables,
    Column("game", Integer, ForeignKey("games.number"), primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),  # JSON, gzipped
)
anomalies = Table(  # what went wrong with hosts, workers, the ledger itself
    "anomalies",
    tables,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("text", Text, nullable=False),
)

# By version: what makes the next one of it.
STEPS = {
    1: (
        "ALTER TABLE entrants ADD COLUMN is_current BOOLEAN NOT NULL DEFAULT TRUE",
        "ALTER TABLE games ADD COLUMN digest TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE seats ADD COLUMN worst FLOAT NOT NULL DEFAULT 0",
    ),
}


def prepare(connection: Connection, may_make: bool) -> bool:
    """Make the tables if there are none and one may, or bring older ones up to date; return whether there was a ledger."""
    if not inspect(connection).has_table("about"):
        if not may_make:
            return False
        tables.create_all(connection)
        connection.execute(about.insert().values(key="version", value=str(VERSION)))
        return False
    found = connection.execute(about.select().where(about.c.key == "version")).one_or_none()
    version = int(found.value) if found is not None else 0
    if not 1 <= version <= VERSION:
        raise LudusError(f"it is of version {version}, and this Ludus knows 1 to {VERSION}: get a newer one")
    for old in range(version, VERSION):
        for statement in STEPS[old]:
            connection.execute(text(statement))
    if version < VERSION:  # who only reads needs nobody's leave
        connection.execute(about.update().where(about.c.key == "version").values(value=str(VERSION)))
    return True
