"""Tournaments: the same games whoever plays them, gone on with after every stop, checked by playing them again."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ledgers import played, told
from typer.testing import CliRunner

from ludus import games
from ludus.arena import FORMATS, Ledger, Terms, Tournament, export_bundle, make_terms, open_bundle, read_terms, verify_ledger
from ludus.arena import units as units_module
from ludus.cli.commands import app
from ludus.core import BadRecord, BadValue, LudusError, UnknownName, dealt_seed
from ludus.games import Game, names

FIELD = ("random", "counting", "name=Second random", "name=Third counting")


def terms(**more: Any) -> Terms:
    return Terms(**{"game": "tiny", "bots": FIELD, "games": 4, "seed": 5, **more})


@pytest.mark.parametrize(
    ("format_", "sides"), [*((format_, "one") for format_ in FORMATS), ("round-robin", "each"), ("knock-out", "each")]
)
def test_every_format_ends_and_goes_on_after_any_stop(tiny: Game, tmp_path: Path, format_: str, sides: str) -> None:
    wanted = terms(format=format_, sides=sides, records="seeds")
    whole = played(wanted, tmp_path / "whole.db")
    for most in (1, 2, 11, 10**9):  # stopped three times
        played(wanted, tmp_path / "parts.db", most)
    assert told(tmp_path / "parts.db") == told(tmp_path / "whole.db")
    assert whole == len(told(tmp_path / "whole.db"))
    with Ledger.open(tmp_path / "whole.db") as ledger:
        assert ledger.places == ledger.turns == (2 if sides == "one" else 3)
        assert ledger.counts().planned == ledger.counts().played == whole


def test_kernels_and_referees_play_the_same_games(tiny: Game, tmp_path: Path) -> None:
    for records in ("all", "seeds", "0.4"):
        played(terms(records=records), tmp_path / f"{records}.db")
    whole, seeds, share = (told(tmp_path / f"{records}.db") for records in ("all", "seeds", "0.4"))
    results = [[one._replace(answers=()) for (one, _), _ in some] for some in (whole, seeds, share)]
    assert results[0] == results[1] == results[2]
    assert len(whole) == 24
    assert all(kept is not None for _, kept in whole)
    assert all(kept is None for _, kept in seeds)
    assert 0 < sum(kept is not None for _, kept in share) < 24
    with Ledger.open(tmp_path / "seeds.db") as ledger:
        assert [ledger.record(number) for number in (1, 24)] == [whole[0][1], whole[-1][1]]  # played again from its seed


def test_pairs_share_a_set_up_and_change_seats(tiny: Game, tmp_path: Path) -> None:
    played(terms(bots=FIELD[:2], records="seeds"), tmp_path / "cup.db")
    with Ledger.open(tmp_path / "cup.db") as ledger:
        entries = list(ledger.entries())
    assert [(one.pair, one.seed, one.entrants) for one in entries] == [
        (1, 5, (1, 2, 2)), (1, 5, (2, 1, 1)), (2, 6, (1, 2, 2)), (2, 6, (2, 1, 1))
    ]  # fmt: skip


def test_seeds_are_dealt_from_a_secret_and_can_be_checked(tiny: Game, tmp_path: Path) -> None:
    played(terms(seed=None, records="seeds"), tmp_path / "cup.db")
    with Ledger.open(tmp_path / "cup.db") as ledger:
        assert len(ledger.secret) == 16
        assert all(pair.seed == dealt_seed(ledger.secret, pair.label) for pair in ledger.pairs())
        assert len({pair.seed for pair in ledger.pairs()}) == 12
        assert verify_ledger(ledger, 0.0, ledger.commitment).problems == []
        assert "was told before the first game" in verify_ledger(ledger, 0.0, "00" * 32).problems[0]


@pytest.mark.parametrize("change", [
    "UPDATE seats SET outcome = -outcome WHERE game = 3",
    "UPDATE seats SET points = points + 1 WHERE game = 3 AND seat = 0",
    "UPDATE pairs SET seed = seed + 1 WHERE id = 2",
    "UPDATE games SET decisions = decisions + 1 WHERE number = 3",
    "UPDATE games SET digest = '0123456789abcdef' WHERE number = 3",
    "UPDATE records SET data = (SELECT data FROM records WHERE game = 4) WHERE game = 3",
    "UPDATE entrants SET hash = 'another' WHERE id = 1",
])  # fmt: skip
@pytest.mark.parametrize("records", ["all", "seeds"])
def test_what_is_changed_in_a_ledger_is_found(tiny: Game, tmp_path: Path, change: str, records: str) -> None:
    played(terms(bots=FIELD[:2], seed=None, records=records), tmp_path / "cup.db")
    with Ledger.open(tmp_path / "cup.db") as ledger:
        assert verify_ledger(ledger).problems == []
        assert verify_ledger(ledger).checked == 4
        with ledger.writing() as connection:
            connection.exec_driver_sql(change)
        problems = verify_ledger(ledger).problems
    is_seen = records == "all" or "records" not in change
    is_seen = is_seen and not ("entrants" in change and records == "all")  # they have no files
    assert bool(problems) == is_seen, problems


def test_a_bundle_is_checked_without_the_ledger(tiny: Game, tmp_path: Path) -> None:
    played(terms(records="0.5"), tmp_path / "cup.db")
    with Ledger.open(tmp_path / "cup.db") as ledger:
        kept = export_bundle(ledger, tmp_path / "cup.zip")
        assert kept == sum(ledger.has_record(entry.number) for entry in ledger.entries())
    with open_bundle(tmp_path / "cup.zip") as copy:
        found = verify_ledger(copy)
        assert (found.games, found.checked, found.problems) == (24, 24, [])
        assert 0 < verify_ledger(copy, share=0.5).checked < 24
    with zipfile.ZipFile(tmp_path / "cup.zip") as bundle:
        assert sorted(bundle.namelist()) == ["hashes.json", "ledger.db", "records.jsonl.gz", "terms.json"]
        contents = {name: bundle.read(name) for name in bundle.namelist()}
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as bundle:
        for name, data in contents.items():
            bundle.writestr(name, data.replace(b"round-robin", b"round-ribon"))
    whole = bytearray((tmp_path / "cup.zip").read_bytes())
    start = whole.index(b"ledger.db") + len("ledger.db")
    whole[start : start + 50] = bytes(50)
    (tmp_path / "damaged.zip").write_bytes(whole)
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as bundle:
        for name, data in contents.items():
            bundle.writestr(name, b"[" * 100_000 if name == "hashes.json" else data)
    for name in ("damaged.zip", "deep.zip"):
        with pytest.raises(BadRecord, match="is no bundle of a tournament"), open_bundle(tmp_path / name):
            pass
    with pytest.raises(BadRecord, match="is not what was exported"), open_bundle(tmp_path / "bad.zip"):
        pass
    (tmp_path / "no.zip").write_bytes(b"PK nothing")
    with pytest.raises(BadRecord, match="no bundle"), open_bundle(tmp_path / "no.zip"):
        pass


def test_a_broken_bot_costs_its_own_games(tiny: Game, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def act(view, legal):\n    raise RuntimeError('no idea')\n")
    bots = (str(tmp_path / "bad.py"), "broken", "random", "counting")
    played(terms(bots=bots, isolation="in-process", on_fault="forfeit", records="seeds"), tmp_path / "cup.db")
    with Ledger.open(tmp_path / "cup.db") as ledger:
        names = {one.id: one.name for one in ledger.entrants()}
        lost = {names[entry.entrants[entry.forfeit]] for entry in ledger.entries() if entry.forfeit is not None}
        assert lost == {"bad", "broken"}
        assert all({names[k] for k in entry.entrants} & lost for entry in ledger.entries() if sum(entry.faults))
        assert {(names[one.entrant], one.kind) for one in ledger.verdicts()} == {("bad", "crash"), ("broken", "illegal")}
        assert verify_ledger(ledger).problems == []


def test_a_void_game_is_an_anomaly_and_is_played_again(tiny: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, failures = units_module._refereed, [3, 3, 7]

    def trouble(shared: Any, plan: Any) -> Any:
        one = real(shared, plan)
        if plan.number not in failures:
            return one
        failures.remove(plan.number)
        return one._replace(result=msgspec.structs.replace(one.result, status=0))

    monkeypatch.setattr(units_module, "_refereed", trouble)
    lines: list[str] = []
    assert played(terms(), tmp_path / "cup.db", tell=lines.append) == 24
    with Ledger.open(tmp_path / "cup.db") as ledger:
        assert [text for _, text in ledger.anomalies()] == lines
    assert len(lines) == 3
    assert all("was stopped and is played again" in line for line in lines)
    failures.extend([3] * 3)
    with pytest.raises(LudusError, match="game 3 was stopped 3 times"):
        played(terms(), tmp_path / "again.db")


def test_a_worker_of_another_version_plays_nothing(tiny: Game, tmp_path: Path) -> None:
    with Tournament(terms(), tmp_path / "cup.db") as tournament:
        shared = tournament._shared()
        with pytest.raises(LudusError, match=r"and the tournament is run with ludus 0\.0; install the same there"):
            units_module.play_unit(replace(shared, stamp="ludus 0.0"), [])
        assert units_module.play_unit(shared, []).outcomes == []


def test_suites_of_seeds_and_positions(tiny: Game, tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("# my favourites\n11\n\n12  # this one\n")
    two = {"bots": FIELD[:2], "seed": None, "records": "seeds"}
    played(terms(**two, seeds=str(tmp_path / "seeds.txt")), tmp_path / "suite.db")
    assert [one.seed for (one, _), _ in told(tmp_path / "suite.db")] == [11, 11, 12, 12]
    with pytest.raises(BadValue, match="3 set-ups, and there are 2 seeds"):
        played(terms(**{**two, "games": 6}, seeds=str(tmp_path / "seeds.txt")), tmp_path / "more.db")
    texts = []
    for total in (20, 25):
        row = tiny.empty(1)
        row["total"], row["left"], row["winner"], row["banned"] = total, 2, -1, -1
        texts.append(tiny.text(row))
    (tmp_path / "positions.txt").write_text("\n\n".join(texts))
    for records in ("seeds", "all"):
        wanted = terms(**{**two, "seed": 1, "records": records}, positions=str(tmp_path / "positions.txt"))
        played(wanted, tmp_path / f"{records}.db")
    kernels, referees = (told(tmp_path / f"{records}.db") for records in ("seeds", "all"))
    assert [one for (one, _), _ in kernels] == [one._replace(answers=(0, 0, 0)) for (one, _), _ in referees]
    assert {kept.position.strip() for _, kept in referees} == {text.strip() for text in texts}
    with Ledger.open(tmp_path / "all.db") as ledger:
        assert verify_ledger(ledger).problems == []


def test_a_folder_of_submissions_enters_as_a_whole(tiny: Game, tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    (folder / "swift").mkdir(parents=True)
    (folder / "swift" / "bot.toml").write_text('command = ["python", "bot.py"]\nname = "Swift"\n')
    for name in ("one.py", "two.py", "_helper.py", ".hidden.py"):
        (folder / name).write_text("def act(view, legal):\n    return legal[0]\n")
    (folder / "notes.txt").write_text("nothing\n")
    with Tournament(terms(bots=(str(folder), "random")), tmp_path / "cup.db") as tournament:
        assert [one.name for one in tournament.entrants] == ["one", "Swift", "two", "random"]
        assert len({one.hash for one in tournament.entrants}) == 3  # one and two hold the same
    (folder / "swift" / "bot.toml").write_text("command = []\n")
    with pytest.raises(BadValue, match=r"1 of the bots cannot play: .*needs a command"):
        Tournament(terms(bots=(str(folder),)), tmp_path / "other.db")


def test_another_tournament_does_not_get_into_a_ledger(tiny: Game, tmp_path: Path) -> None:
    played(terms(records="seeds"), tmp_path / "cup.db", most=1)
    for more, why in (
        ({"clock": "move=1"}, "clock was '', and is 'move=1' now"), ({"seed": 6}, "seed was 5, and is 6 now"),
        ({"format": "swiss"}, "format was 'round-robin'"), ({"options": {"goal": 40}}, "options was"),
    ):  # fmt: skip
        with pytest.raises(LudusError, match=why):
            played(terms(records="seeds", **more), tmp_path / "cup.db")
    assert played(terms(records="seeds", games=6), tmp_path / "cup.db") > 12  # more games are welcome
    played(terms(format="swiss", records="seeds"), tmp_path / "swiss.db", most=1)
    with pytest.raises(LudusError, match="a swiss that has begun keeps its field"):
        played(terms(format="swiss", records="seeds", bots=FIELD[:3]), tmp_path / "swiss.db")


def test_terms_are_read_from_files_and_checked(tiny: Game, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    spec = tmp_path / "cup.toml"
    spec.write_text('game = "tiny"\nbots = ["random", "bot.py", "cmd:./bot.py"]\nrecords = 0.5\n[options]\ngoal = 20\n')
    read = read_terms(spec)
    assert read.bots == ("random", str(tmp_path / "bot.py"), "cmd:./bot.py")
    assert (read.records, read.options, read.format) == ("0.5", {"goal": 20}, "round-robin")
    for text, why in (
        ('game = "tiny"\nbots = ["random"]\nclok = 1\n', "unknown key 'clok'; there is: game,"), ("game = [", "is no TOML"),
        ('game = "tiny"\nbots = "random"\n', "bots: expected array"), ('bots = ["random"]\n', "must say which game"),
    ):  # fmt: skip
        spec.write_text(text)
        with pytest.raises(BadValue, match=why):
            read_terms(spec)
    for more in ({"format": "league"}, {"sides": "two"}, {"isolation": "none"}, {"on_fault": "shout"}):
        with pytest.raises(UnknownName):
            terms(**more)
    for more in ({"records": "some"}, {"records": "2"}, {"games": 0}, {"clock": "soon"}, {"seed": -1}):
        with pytest.raises(BadValue):
            terms(**more)
    with pytest.raises(UnknownName, match="preset"):
        make_terms({"game": "tiny", "bots": ["random"], "preset": "none"})
    with pytest.raises(BadValue, match="needs 2 bots or more, not 1"):
        Tournament(terms(bots=("random",)), tmp_path / "cup.db")


def test_the_command_line(tiny: Game, tmp_path: Path) -> None:
    run, place = CliRunner(), str(tmp_path / "cup.db")
    command = ["tournament", "run", "tiny", "random", "counting", "--games", "4", "--ledger", place]
    first = run.invoke(app, command, catch_exceptions=False)
    assert first.exit_code == 0
    assert "its hash: " in first.output
    assert "4 of 4 games" in first.output
    assert "ms a game" in first.output
    again = run.invoke(app, [*command, "--json"], catch_exceptions=False)
    told_now = json.loads(again.stdout.splitlines()[-1])
    assert (told_now["played"], told_now["planned"]) == (4, 4)
    assert sum(row["wins"] for row in told_now["standing"]) == sum(row["losses"] for row in told_now["standing"]) == 4
    loser = max(told_now["standing"], key=lambda row: row["losses"])["name"]
    shown = run.invoke(app, ["tournament", "game", place, "--lost", loser, "--save", str(tmp_path / "game.json")])
    assert shown.output.startswith("game ")
    verified = run.invoke(app, ["replay", "verify", str(tmp_path / "game.json")])
    assert verified.exit_code == 0
    assert run.invoke(app, ["tournament", "export", place, str(tmp_path / "cup.zip")]).exit_code == 0
    assert "all of it is as it is told" in run.invoke(app, ["tournament", "verify", str(tmp_path / "cup.zip")]).output
    assert isinstance(run.invoke(app, ["tournament", "game", place, "--lost", "nobody"]).exception, UnknownName)
    assert games.load("tiny") == tiny


def test_the_terms_of_the_tournaments_in_the_docs_can_be_read(root: Path) -> None:
    specs = sorted((root / "docs" / "tournaments").glob("*.toml"))
    assert [read_terms(spec).game for spec in specs] == names()
    for word in (word for spec in specs for word in read_terms(spec).bots if "/" in word):
        assert Path(word).exists()
