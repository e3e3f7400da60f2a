"""The command line as people use it: in a process of its own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludus.games import load, names

GAME = names()[0]
SEAT = load(GAME).spec.seats[0]


def ludus(*words: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from ludus.cli import main; main()", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd, timeout=300)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["play", "nim"], "unknown game 'nim'; there is: "),
        (["rules", "nim"], "unknown game 'nim'"),
        (["bench", "nim"], "unknown game 'nim'"),
        (["check", "nim"], "unknown game 'nim'"),
        (["golden", "check", "nim"], "unknown game 'nim'"),
        (["match", "nim", "random"], "unknown game 'nim'"),
        (["play", GAME, "nobody=random"], "unknown seat 'nobody'; there is: "),
        (["play", GAME, "nobody"], "unknown bot 'nobody'; there is: random"),
        (["play", GAME, "nobody.py"], "there is no agent file"),
        (["play", GAME, *["random"] * 9], "finds no free seat"),
        (["play", GAME, "-o", "colour=3"], "unknown option 'colour'; there is: "),
        (["play", GAME, "-o", "colour"], "an option is written name=number"),
        (["play", GAME, "-o", "colour=3", "-o", "colour=4"], "option colour is given twice"),
        (["play", GAME, f"{SEAT}=random", f"{SEAT}=random"], f"{SEAT} is given twice"),
        (["play", GAME, "--seed", "-1"], "seed must be"),
        (["match", GAME, "random"], "needs"),
        (["match", GAME, "random", "--report", "song"], "unknown report 'song'; there is: table, original"),
        (["golden", "check", GAME, "none.jsonl"], "none.jsonl does not exist"),
        (["golden", "check", GAME, "."], "is a folder"),
        (["play", GAME, "--from", "nofile"], "a position is a text or a file; nofile is neither"),
        (["match", GAME, *["human"] * len(load(GAME).spec.seats)], "a person can only sit down"),
        (["match", GAME, "x=random"], "a match takes one bot a seat"),
        (["new", "bot", GAME, "bot.txt"], "a bot's file ends in .py"),
        (["golden", "check", GAME, "--backend", "gpu"], "unknown backend 'gpu'; there is: pure, cpu"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(words: list[str], complaint: str) -> None:
    done = ludus(*words)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len([line for line in done.stderr.strip().splitlines() if not line.startswith("compiling ")]) == 1
    assert done.stdout == ""


@pytest.mark.parametrize("name", names())
def test_every_game_is_played_listed_and_explained(name: str) -> None:
    listed = ludus("games").stdout
    assert name in listed
    assert ludus("rules", name).stdout.startswith("# ")
    first, second = (ludus("play", name, "--seed", "4", "--quiet").stdout for _ in range(2))
    assert first == second
    assert len(first.splitlines()) == 1
    shown = ludus("play", name, "--seed", "4").stdout
    assert shown.endswith(first)
    assert len(shown.splitlines()) > 10


@pytest.mark.parametrize("name", names())
def test_people_may_err_and_may_leave(name: str) -> None:
    done = ludus("play", name, "human", "--seed", "4", stdin="what?\n")
    assert done.returncode == 0
    assert "what?" in done.stdout
    assert done.stdout.rstrip().endswith("end of input: the game stops here")
    assert done.stderr == ""


@pytest.mark.parametrize("name", names())
def test_a_game_starts_from_a_position(name: str, tmp_path: Path) -> None:
    game = load(name)
    row = game.empty()[0]
    from ludus.core import streams

    game.rules.new(row, streams(8, 1)[0])
    file = tmp_path / "position.txt"
    file.write_text(game.view.text(row))
    assert ludus("play", name, "--from", str(file), "--quiet", "--seed", "1").returncode == 0
    broken = ludus("play", name, "--from", "no position")
    assert broken.returncode == 2
    assert len(broken.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", names())
def test_faults_are_named_before_the_last_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def act(view, legal):\n    raise ValueError('I give up')\n")
    done = ludus("play", name, "bad.py", "--quiet", "--seed", "1", cwd=tmp_path)
    *faults, last = done.stdout.splitlines()
    assert len(faults) == 1
    assert "(bad)" in faults[0]
    assert "crash: ValueError: I give up (line 2 of bad.py)" in faults[0]
    assert last
    assert done.returncode == 0


def test_matches_report_as_a_table_and_as_json() -> None:
    seats = len(load(GAME).spec.seats)
    words = ["match", GAME, *["random"] * seats, "--games", "20"]
    assert "wins" in ludus(*words).stdout
    report = json.loads(ludus(*words, "--json").stdout)
    assert len(report["agents"]) == seats
    for row in report["agents"]:
        assert row["wins"] + row["draws"] + row["losses"] == 20
        assert row["score_low"] <= row["score"] <= row["score_high"]


def test_golden_differences_are_shown_with_exit_code_1(tmp_path: Path) -> None:
    from ludus.core.golden import read
    from ludus.golden import files_of

    record = next(iter(read(files_of(load(GAME))[0])))
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps(record))
    done = ludus("golden", "check", GAME, str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("1 games, ")
    assert done.stdout.rstrip().endswith(" values, 0 differences")
    file.write_text(json.dumps({**record, "surprise": 1}))
    done = ludus("golden", "check", GAME, str(file))
    assert done.returncode == 1
    assert "surprise" in done.stdout
    file.write_text(json.dumps({**record, "game": "nim"}))
    assert "is a record of nim, not of" in ludus("golden", "check", GAME, str(file)).stderr
    file.write_text(json.dumps({"game": GAME}))
    assert ludus("golden", "check", GAME, str(file)).returncode == 2


@pytest.mark.parametrize("name", names())
def test_a_starter_bot_runs_as_it_is(name: str, tmp_path: Path) -> None:
    assert ludus("new", "bot", name, "mine.py", cwd=tmp_path).returncode == 0
    done = ludus("play", name, "mine.py", "--quiet", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stdout
    assert "exists already" in ludus("new", "bot", name, "mine.py", cwd=tmp_path).stderr


def test_a_game_is_found_by_its_title() -> None:
    for name in names():
        title = load(name).spec.title
        assert load(title) == load(title.upper()) == load(name.replace("_", "-")) == load(name)


def test_small_commands() -> None:
    from ludus import __version__

    assert ludus("version").stdout.strip() == ludus("--version").stdout.strip() == __version__
    assert "compiled code" in ludus("info").stdout
    assert "numba" in ludus("doctor").stdout
    assert "golden" in ludus("--help").stdout


def test_starting_is_quick() -> None:
    """Best of several, in CPU time: the machine may be busy."""

    def best(code: str) -> float:
        times = []
        for _ in range(5):
            before = os.times()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
            after = os.times()
            times.append(after.children_user + after.children_system - before.children_user - before.children_system)
        return min(times)

    started = time.perf_counter()
    assert best("import ludus") < 0.15
    assert best("import sys; sys.argv = ['ludus', '--help']\nfrom ludus.cli import main\nmain()") < 0.6
    assert time.perf_counter() - started < 60
