"""The command line as people use it: in a process of its own."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import START

from ludus.core import dealt_seed, read_traces
from ludus.engine import Table
from ludus.games import load, names
from ludus.golden import files_of

GAME = names()[0]
SEAT = load(GAME).spec.seats[0]
SEATS = len(load(GAME).spec.seats)


def ludus(*words: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START, *words]
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
        (["play", GAME, "--from", "nofile"], "a position is a text or a file; 'nofile' is neither"),
        (["match", GAME, *["human"] * SEATS], "a person can only sit down"),
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
    table = Table(name, 8, "pure")
    file = tmp_path / "position.txt"
    file.write_text(table.game.text(table.s))
    assert ludus("play", name, "--from", str(file), "--quiet", "--seed", "1").returncode == 0
    broken = ludus("play", name, "--from", "no position")
    assert broken.returncode == 2
    assert len(broken.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("name", names())
def test_faults_are_named_before_the_last_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def act(view, legal):\n    raise ValueError('I give up')\n")
    done = ludus("play", name, "bad.py", "--quiet", "--seed", "1", cwd=tmp_path)
    *lines, last = done.stdout.splitlines()
    faults = [line for line in lines if not line.startswith("  ")]  # below stand traceback and advice
    assert len(faults) == 1
    assert any("line 2, in act" in line for line in lines)
    assert "(bad)" in faults[0]
    assert "crash: ValueError: I give up (line 2 of bad.py)" in faults[0]
    assert last
    assert done.returncode == 0


def test_matches_report_as_a_table_and_as_json() -> None:
    words = ["match", GAME, *["random"] * SEATS, "--games", "20"]
    assert "wins" in ludus(*words).stdout
    report = json.loads(ludus(*words, "--json").stdout)
    assert len(report["agents"]) == SEATS
    for row in report["agents"]:
        assert row["wins"] + row["draws"] + row["losses"] == 20
        assert row["score_low"] <= row["score"] <= row["score_high"]
    secret = bytes.fromhex(report["secret"])
    assert [game["seed"] for game in report["games"]] == [dealt_seed(secret, k) for k in range(20)]


def test_a_match_that_is_interrupted_tells_what_was_played(tmp_path: Path) -> None:
    """The signal comes from inside, in the third game; one before the first game is over ends the command."""
    code = "import signal\ngames = 0\ndef act(view, legal):\n    global games\n"
    code += "    games += view['turn'] == 0\n    if games == {}: signal.raise_signal(signal.SIGINT)\n    return legal[0]\n"
    for name, number in (("third", 3), ("first", 1)):
        (tmp_path / f"{name}.py").write_text(code.format(number))
    others = ["random"] * (SEATS - 1)
    done = ludus("match", GAME, "third.py", *others, "--games", "9", "--seed", "1", "--json", "--inproc", cwd=tmp_path)
    assert done.returncode == 0
    assert "stopped after" in done.stderr
    report = json.loads(done.stdout)
    assert 0 < len(report["games"]) < 9
    assert report["agents"][0]["games"] == len(report["games"])
    done = ludus("match", GAME, "first.py", *others, "--games", "9", "--seed", "1", "--inproc", cwd=tmp_path)
    assert done.returncode == 130
    assert done.stderr.endswith("stopped after 0 of 9 games\n")
    assert done.stdout == ""


def test_hostile_output_cannot_reach_the_terminal(tmp_path: Path) -> None:
    code = "print('\\x1b[2J' * 10**6)\ndef act(view, legal):\n    print('x' * 10**6)\n"
    code += "    raise ValueError('\\x1b[31m\\n' * 10**6)\n"
    (tmp_path / "bad.py").write_text(code)
    done = ludus("play", GAME, "bad.py", "--quiet", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.replace("\n", "").isprintable()
    assert len(done.stdout) < 1000


def test_golden_differences_are_shown_with_exit_code_1(tmp_path: Path) -> None:
    record = next(iter(read_traces(files_of(load(GAME))[0])))
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


@pytest.mark.parametrize(
    ("words", "closed", "code", "said"),
    [
        (["play", GAME, f"{SEAT}=human"], "<&-", 0, "end of input: the game stops here"),
        (["match", GAME, *["random"] * SEATS, "--games", "1", "--seed", "1"], "2>&-", 0, "isolation:"),
        (["match", GAME, *["random"] * SEATS, "--games", "1", "--seed", "1"], "<&- 2>&-", 0, "isolation:"),
        (["games"], ">&-", 2, ""),
        (["play", GAME, "\x1b[31mred.py"], "2>&1", 2, "there is no agent file [31mred.py"),
    ],
)
def test_a_program_without_input_or_errors_works_all_the_same(words: list[str], closed: str, code: int, said: str) -> None:
    command = shlex.join([sys.executable, "-c", START, *words])
    done = subprocess.run(["sh", "-c", f"exec {command} {closed}"], stdout=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == code
    assert said in done.stdout
    assert "\x1b" not in done.stdout


def test_a_report_that_is_nested_too_deeply_is_no_report(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    done = ludus("verify-deal", "deep.json", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is no report of a match" in done.stderr
