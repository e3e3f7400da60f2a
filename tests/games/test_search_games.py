"""What the docs say of search is run, and `mcts` is stronger than bots of the games; minutes, so all of it is slow."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.arena import play_match
from ludus.games import load
from ludus.school import evaluate

PAGE = (Path(__file__).parent.parent.parent / "docs" / "search.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_python_of_the_page_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M)
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("(8,)")


@pytest.mark.slow
def test_the_command_of_the_page_runs() -> None:
    (command,) = re.findall(r"^\$ ludus (.*)$", PAGE, re.M)
    words = [sys.executable, "-c", "from ludus.cli import main; main()", *command.split()]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "mcts:200" in done.stdout


@pytest.mark.slow
def test_search_catches_and_escapes_more_than_the_middle_bot_of_chase() -> None:
    """Both sides of the same ten set-ups: greedy runners are caught, and of greedy chasers some are escaped."""
    game = load("chase")
    chasing = play_match(game, ["greedy", "mcts:300", "mcts:300"], 10, seed=1)
    running = play_match(game, ["mcts:300", "greedy", "greedy"], 10, seed=1)
    assert chasing.summary(1)["score"] + running.summary(0)["score"] > 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "bot"), [("battlegrid", "hunter"), ("unit", "dynamic")])
def test_search_beats_the_middle_bot(name: str, bot: str) -> None:
    """Surely so: the lower end of the interval is above a half, with a tenth of the thousand simulations of the docs."""
    *_, match = evaluate(load(name), "mcts:100", bot, 40, seed=1)
    assert match.summary(0)["score_low"] > 0.5


@pytest.mark.slow
def test_judge_tells_what_points_do_not() -> None:
    """Unit's points are 0 until the end; what `mcts` judges by is not."""
    from ludus.engine import Table

    game = load("unit")
    table, points = Table(game, 1, "pure"), [0.0, 0.0]
    for _ in range(40):
        table.apply(table.legal()[-1])
    game.part("bots").judge(table.s, points)
    assert points[0] != points[1]
    assert table.result().points == (0, 0)
