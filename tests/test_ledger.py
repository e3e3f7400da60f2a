"""The ledger: one transaction a unit, nothing twice, older versions read, other databases, a changed bot another entrant."""

import os
import pwd
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ledgers import played, told

from ludus.arena import Entrant, Ledger, Pair, Terms, Tournament
from ludus.arena.database import Hold
from ludus.arena.entering import builtin_hash
from ludus.arena.units import Outcome
from ludus.core import LudusError, Result
from ludus.games import Game

TERMS = Terms(game="tiny", bots=("random", "counting"), games=6, seed=3)


def outcome(number: int, digest: str = "0" * 16) -> Outcome:
    return Outcome(number, (1, 2, 2), Result(1, (1.0, -1.0, -1.0), (1.0, 0.0, 0.0)), 9, digest)


@pytest.fixture
def begun(tiny: Game, tmp_path: Path) -> Iterator[Ledger]:
    """A ledger with a plan and no game."""
    with Tournament(TERMS, tmp_path / "cup.db") as tournament:
        tournament.ledger.plan([Pair(0, k + 1, f"{k + 1}/1-2/{k}", 3 + k, "") for k in range(3)])
        yield tournament.ledger


def test_a_game_cannot_be_written_twice_and_units_are_whole(begun: Ledger) -> None:
    begun.add([outcome(1)])
    with pytest.raises(LudusError, match="has a game already"):
        begun.add([outcome(2), outcome(1)])
    assert begun.played() == {1}
    assert begun.counts() == (6, 1, 0)


def test_what_cannot_be_written_loses_nothing_and_says_so(begun: Ledger, tmp_path: Path) -> None:
    begun.add([outcome(1)])
    other = sqlite3.connect(tmp_path / "cup.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with begun.reading() as connection:  # the one that is used for writing, too
        connection.exec_driver_sql("PRAGMA busy_timeout=50")
    with pytest.raises(LudusError, match=r"database is locked; what it holds is whole, .* run the same command again"):
        begun.add([outcome(2)])
    other.execute("ROLLBACK")
    begun.add([outcome(2)])
    assert begun.played() == {1, 2}


def test_who_reads_while_another_writes_mixes_up_no_games(begun: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    begun.add([outcome(2)._replace(entrants=(2, 1, 1))])
    ask, asked = begun._streamed, []

    def slowly(wanted: Any) -> Any:
        if len(asked) == 1:  # games are read already, and seats are not
            begun.add([outcome(1)])
        asked.append(wanted)
        return ask(wanted)

    monkeypatch.setattr(begun, "_streamed", slowly)
    (entry,) = begun.entries()
    assert (entry.number, entry.entrants) == (2, (2, 1, 1))
    assert begun.played() == {1, 2}


def test_one_run_at_a_time(begun: Ledger, tmp_path: Path) -> None:
    with pytest.raises(LudusError, match="another run is writing"):
        Tournament(TERMS, tmp_path / "cup.db")
    with Ledger.open(tmp_path / "cup.db") as reader:  # who looks does not wait
        assert reader.counts().played == 0


def test_what_is_no_ledger_is_said(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match="there is no ledger"):
        Ledger.open(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("no database at all, but long enough to look into\n" * 99)
    with pytest.raises(LudusError, match=r"text\.db is no ledger but another kind of file"):
        Ledger.open(tmp_path / "text.db")
    with pytest.raises(LudusError, match="no such kind of database"):
        Ledger.open("nothing://here")
    with pytest.raises(LudusError, match=r"there is no folder .*nowhere for the ledger"):
        Tournament(TERMS, tmp_path / "nowhere" / "cup.db")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE recipes (name)")
    with pytest.raises(LudusError, match="there is no tournament in"):
        Ledger.open(tmp_path / "other.db")
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]  # and none was made
    other.close()


def test_a_newer_ledger_is_left_alone(begun: Ledger, tmp_path: Path) -> None:
    with begun.writing() as connection:
        connection.exec_driver_sql("UPDATE about SET value = '99' WHERE key = 'version'")
    with pytest.raises(LudusError, match="of version 99, and this Ludus knows 1 to"):
        Ledger.open(tmp_path / "cup.db")


def test_a_ledger_of_version_1_is_brought_up_to_date_and_gone_on_with(tiny: Game, root: Path, tmp_path: Path) -> None:
    """tests/data/ledger-1.sql is a dump of one that was written by version 1, after 4 of 6 games."""
    file = sqlite3.connect(tmp_path / "old.db")
    file.executescript((root / "tests" / "data" / "ledger-1.sql").read_text())
    file.execute("UPDATE entrants SET hash = ?", (builtin_hash(tiny),))  # the game may have changed since
    file.commit()
    file.close()
    before = told(tmp_path / "old.db")
    assert len(before) == 4
    assert played(TERMS, tmp_path / "old.db") == 2
    played(TERMS, tmp_path / "new.db")
    after, fresh = told(tmp_path / "old.db"), told(tmp_path / "new.db")
    assert after[:4] == before
    assert [(one.number, one.outcome, one.decisions, kept) for (one, _), kept in after] == [
        (one.number, one.outcome, one.decisions, kept) for (one, _), kept in fresh
    ]
    with Ledger.open(tmp_path / "old.db") as ledger:
        assert all(isinstance(one, Entrant) and one.is_current for one in ledger.entrants())


def test_a_changed_bot_is_another_entrant(tiny: Game, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("from helper import CHOICE\n\ndef act(view, legal):\n    return legal[CHOICE]\n")
    (tmp_path / "helper.py").write_text("CHOICE = 0\n")
    terms = Terms(game="tiny", bots=(str(bot), "random", "counting"), games=2, seed=1, isolation="in-process")
    assert played(terms, tmp_path / "cup.db") == 6
    assert played(terms, tmp_path / "cup.db") == 0
    (tmp_path / "helper.py").write_text("CHOICE = -1\n")  # a module beside it counts
    assert played(terms, tmp_path / "cup.db") == 4  # the games of the others stay
    with Ledger.open(tmp_path / "cup.db") as ledger:
        known = ledger.entrants()
        assert [(one.id, one.name, one.is_current) for one in known] == [
            (1, "bot", False), (2, "random", True), (3, "counting", True), (4, "bot", True)
        ]  # fmt: skip
        assert known[0].hash != known[3].hash
        assert ledger.counts().played == 10


@pytest.fixture(scope="module")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL server of our own, in a temporary folder, and the URL of an empty database."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not binaries or (os.getuid() == 0 and not shutil.which("setpriv")):
        pytest.skip("Debian's postgresql is not installed")
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    folder = tmp_path_factory.mktemp("postgresql")
    as_user = _as_somebody(folder)
    run = {"check": True, "capture_output": True}
    data = ("-D", folder / "data")
    subprocess.run([*as_user, binaries[-1] / "initdb", *data, "-U", "ludus", "--no-sync", "-A", "trust"], **run)
    server = subprocess.Popen(
        [*as_user, binaries[-1] / "postgres", *data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        ready = [binaries[-1] / "pg_isready", "-h", folder, "-U", "ludus"]
        deadline = time.monotonic() + 120
        while subprocess.run(ready, capture_output=True).returncode and time.monotonic() < deadline:
            time.sleep(0.1)
        yield f"postgresql+psycopg://ludus@/postgres?host={folder}"
    finally:
        server.terminate()
        server.wait()


def _as_somebody(folder: Path) -> list[str]:
    """Return what runs a command as another user than root, to whom the folder is given: PostgreSQL refuses root."""
    if os.getuid():
        return []
    nobody = pwd.getpwnam("nobody")
    for path in (folder, *folder.parents):
        if path.is_relative_to("/tmp") and path != Path("/tmp"):
            path.chmod(path.stat().st_mode | 0o055)
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]


def test_the_same_tournament_in_postgresql(tiny: Game, postgresql: str, tmp_path: Path) -> None:
    played(TERMS, postgresql, most=1)
    there = len(told(postgresql))
    assert 0 < there < 6
    assert played(TERMS, postgresql) == 6 - there  # stopped, and gone on with
    assert played(TERMS, tmp_path / "cup.db") == 6
    assert told(postgresql) == told(tmp_path / "cup.db")
    with Ledger.open(postgresql) as ledger:
        Hold(ledger.url, ledger._engine)
        with Ledger.open(postgresql) as other, pytest.raises(LudusError, match="another run is writing"):
            other.hold()
        ledger.note("a host has gone")
        assert [text for _, text in ledger.anomalies()] == ["a host has gone"]
