"""What the author of a bot is told: its prints with seat and turn, its own lines of an error, what to try; a debugger."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import START

from ludus.agents import Limits, make_agent
from ludus.agents.stories import cut_tracebacks
from ludus.arena import Conditions, PrintFiles, Referee, play_match
from ludus.cli.prints import MOST_LINES, Shown
from ludus.core import VERDICTS, BadValue, Fault, printed_line, time_control
from ludus.engine import Table
from ludus.games import Game, load, names
from ludus.testing import CheckFailed, check_bot

GAME = names()[0]
SEATS = load(GAME).spec.seats
TALKS = "print('loaded')\ndef act(view, legal):\n    print('\\x1b[2Jturn', view['turn'])\n    return legal[0]\n"


def ludus(*words: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START, *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd, timeout=300)


@pytest.mark.parametrize("isolation", ["in-process", "process"])
def test_prints_are_heard_with_seat_and_turn(tiny: Game, tmp_path: Path, isolation: str) -> None:
    (tmp_path / "talks.py").write_text(TALKS)
    heard: list[tuple[int, int, str]] = []
    agents = [make_agent(tiny, word, isolation) for word in ("random", str(tmp_path / "talks.py"), "random")]
    for seed in (1, 2):
        referee = Referee(Table(tiny, seed, "pure"), agents, hear=lambda *line: heard.append(line))
        played = referee.finish()
        asked = [turn for seat, turn, line in heard if line != "loaded"]
        assert len(asked) == sum(seat == 1 for seat, _ in played.decisions)
        assert {seat for seat, _, _ in heard} == {1}
        assert all(line == f"\ufffd[2Jturn {turn}" for _, turn, line in heard if line != "loaded")
        assert [line for _, _, line in heard].count("loaded") == (1 if seed == 1 else 0)
        heard.clear()
    for agent in agents:
        agent.close()


def test_a_line_is_heard_before_the_answer_comes(tiny: Game, tmp_path: Path) -> None:
    """The bot waits until its line was heard: the file that says so is made by who hears."""
    file = tmp_path / "heard"
    code = "import os, time\ndef act(view, legal):\n    print('think')\n    while not os.path.exists('heard'):\n"
    (tmp_path / "waits.py").write_text(code + "        time.sleep(0.005)\n    return legal[0]\n")
    agents = [make_agent(tiny, word, "process") for word in (str(tmp_path / "waits.py"), "random", "random")]
    clock = time_control("move=30")
    played = Referee(Table(tiny, 1, "pure"), agents, control=clock, hear=lambda seat, turn, line: file.touch()).finish()
    agents[0].close()
    assert played.faults == ()


def test_who_hears_cannot_make_a_fault(tiny: Game, tmp_path: Path) -> None:
    def hear(seat: int, turn: int, line: str) -> None:
        raise BrokenPipeError

    (tmp_path / "talks.py").write_text(TALKS)
    referee = Referee(Table(tiny, 1, "pure"), [make_agent(tiny, str(tmp_path / "talks.py")), *others(tiny)], hear=hear)
    with pytest.raises(BrokenPipeError):
        referee.finish()
    assert referee.faults == []


def others(game: Game) -> list[object]:
    return [make_agent(game, "random") for _ in game.spec.seats[1:]]


def test_the_terminal_is_not_flooded() -> None:
    lines: list[str] = []
    shown = Shown(["north", "south"], lines.append)
    for turn in (0, 1):
        for _ in range(3 * MOST_LINES):
            shown.hear(1, turn, "x")
        shown.hear(0, turn, "y")
    assert len(lines) == 2 * (MOST_LINES + 2)
    assert lines[0] == "[south, turn 0] x"
    assert "--log" in lines[MOST_LINES]


def test_printed_lines_keep_their_spaces_alone() -> None:
    assert printed_line("  a\tb\x1b[31m\u202e \n") == "  a b\ufffd[31m\ufffd"
    assert len(printed_line("x" * 10**6)) == 500


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_keeps_prints_in_a_file_a_game_and_seat(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "talks.py").write_text(TALKS + "raise_at = None\n")
    bots = [str(tmp_path / "talks.py"), *["random"] * (len(SEATS) - 1)]
    conditions = Conditions(time_control("move=30"), None, "in-process", log=tmp_path / "logs")
    play_match(load(GAME), bots, len(SEATS), seed=1, swap=True, conditions=conditions, jobs=jobs)
    files = sorted(file.name for file in (tmp_path / "logs").iterdir())
    assert [name.split("-")[1] for name in files] == [f"{k + 1:05}" for k in range(len(SEATS))]
    assert {name.split("-")[2] for name in files} == set(SEATS)
    assert all(name.endswith("-talks.log") for name in files)
    assert "turn 0: \ufffd[2Jturn 0\n" in (tmp_path / "logs" / files[0]).read_text()


def test_a_file_of_prints_is_bounded_and_holds_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.arena.prints.MOST_BYTES", 100)
    files = PrintFiles(tmp_path, 7, ["north", "south"], ["../x y", "b"])
    files.judge([Fault(1, 4, "illegal", "it flew", 2)])
    for _ in range(50):
        files.hear(0, 3, "0123456789")
    assert (tmp_path / "game-00007-south-b.log").read_text().startswith("verdict in turn 2: illegal: it flew; what to try: ")
    text = (tmp_path / "game-00007-north-.._x_y.log").read_text()
    assert len(text) < 200
    assert text.endswith("left out\n")
    (tmp_path / "file").touch()
    with pytest.raises(BadValue, match="cannot keep what bots print"):
        PrintFiles(tmp_path / "file", 1, [], [])


def test_play_shows_and_keeps_what_bots_print(tmp_path: Path) -> None:
    (tmp_path / "talks.py").write_text(TALKS)
    done = ludus("play", GAME, "talks.py", "--seed", "1", "--log", "logs", cwd=tmp_path)
    assert f"\n[{SEATS[0]}, turn 0] loaded\n" in done.stdout
    assert "\x1b" not in done.stdout
    assert (tmp_path / "logs" / f"game-00001-{SEATS[0]}-talks.log").read_text().startswith("turn 0: loaded\n")
    quiet = ludus("play", GAME, "talks.py", "--seed", "1", "--quiet", cwd=tmp_path)
    assert len(quiet.stdout.splitlines()) == 1


STOPS = "def act(view, legal):\n    secret = 41 + 1\n    breakpoint()\n    return legal[0]\n"


def test_breakpoints_work_with_debug_alone(tmp_path: Path) -> None:
    (tmp_path / "stops.py").write_text(STOPS)
    done = ludus("play", GAME, "stops.py", "--debug", cwd=tmp_path, stdin="print('secret is', secret)\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "secret is 42" in done.stdout
    assert done.stdout.endswith("the game stops here\n")
    for level in ((), ("--inproc",)):
        done = ludus("play", GAME, "stops.py", "--quiet", *level, cwd=tmp_path, stdin="quit\n")
        assert "breakpoint() works in `ludus play … --debug`" in done.stdout
        assert "(line 3 of stops.py)" in done.stdout


def test_errors_of_a_debugged_bot_are_faults(tiny: Game, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def act(view, legal):\n    return 1 / 0\n")
    agents = [make_agent(tiny, str(tmp_path / "bad.py"), is_debugged=True), *others(tiny)]
    fault = Referee(Table(tiny, 1, "pure"), agents).finish().faults[0]
    assert (fault.kind, fault.text) == ("crash", "ZeroDivisionError: division by zero (line 2 of bad.py)")


def test_tracebacks_are_cut_to_the_authors_lines() -> None:
    head, error = "Traceback (most recent call last):", "ValueError: no"
    own, foreign = (
        ['  File "/home/me/bot.py", line 3, in act', "    f()"],
        ['  File "/usr/lib/json.py", line 9, in f', "    g()"],
    )
    folder = Path("/home/me")
    assert cut_tracebacks(["hello", head, *own, *foreign, error, "bye"], folder) == ["hello", head, *own, error, "bye"]
    assert cut_tracebacks([head, *foreign, error], folder) == [head, *foreign, error]
    assert cut_tracebacks([head, *foreign, *own], folder) == [head, *own]
    two = [head, *foreign, error, "", "During handling", "", head, *own, *foreign, error]
    assert cut_tracebacks(two, folder) == [*two[:-3], error]


@pytest.mark.parametrize("isolation", ["in-process", "process"])
def test_a_crash_shows_the_authors_lines(tiny: Game, tmp_path: Path, isolation: str) -> None:
    (tmp_path / "helper.py").write_text("import json\ndef read():\n    return json.loads('{')\n")
    (tmp_path / "bad.py").write_text("import helper\ndef act(view, legal):\n    return helper.read()\n")
    agents = [make_agent(tiny, str(tmp_path / "bad.py"), isolation), *others(tiny)]
    fault = Referee(Table(tiny, 1, "pure"), agents).finish().faults[0]
    agents[0].close()  # type: ignore[attr-defined]
    assert fault.text.endswith("(line 3 of helper.py)")
    places = [line.strip() for line in fault.stderr if line.startswith("  File")]
    assert [place.rpartition("/")[2] for place in places] == ['bad.py", line 3, in act', 'helper.py", line 3, in read']


def test_every_kind_of_verdict_says_what_to_try() -> None:
    for kind, advice in VERDICTS.items():
        assert Fault(0, 0, kind, "text").advice == advice
        assert len(advice) > 20


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return legal[0]", None),
        ("return 'fly'", "as one against first_legal, game 0, turn 0, decision 0: illegal: "),
        ("print('so far')\n    raise ValueError('no')", "stderr: so far"),
    ],
)
def test_checks_of_bots_name_the_first_fault(tiny: Game, tmp_path: Path, body: str, words: str | None) -> None:
    (tmp_path / "bot.py").write_text(f"def act(view, legal):\n    {body}\n")
    said: list[str] = []
    if words is None:
        check_bot("tiny", str(tmp_path / "bot.py"), 2, said.append, "process")
        assert [line.split(":")[0] for line in said] == list(tiny.spec.seats)
        return
    with pytest.raises(CheckFailed) as failed:
        check_bot("tiny", str(tmp_path / "bot.py"), 2, said.append, "process")
    assert words in str(failed.value)
    assert "\n  what to try: " in str(failed.value)


def test_a_bot_that_is_found_wanting_is_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text("def act(view, legal):\n    if view['turn'] > 3: return 'fly'\n    return legal[0]\n")
    done = ludus("check", GAME, "--bot", "late.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(f"FAILED: as {SEATS[0]} against ")


def test_limits_are_part_of_a_word(tiny: Game, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('command = ["python", "bot.py"]\nmemory_mb = 7\n')
    agent = make_agent(tiny, str(tmp_path / "bot.toml"), "process", Limits(memory=1))
    assert agent.command.limits.memory == 7 << 20  # type: ignore[attr-defined]
