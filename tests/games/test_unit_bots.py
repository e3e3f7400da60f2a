"""Unit's bots: the same on both backends, tactics of the planner, strength, and stacks of any size."""

from typing import Any

import numpy as np
import pytest

from ludus.core import plain
from ludus.engine import Batch
from ludus.games import load
from ludus.testing import positions

GAME = load("unit")
RULES = GAME.rules
POSITIONS = [plain(row) for row in positions(GAME, 3) if row.end == 0]


def choices(bot: str, rows: list[Any], device: str) -> list[int]:
    batch = Batch(GAME, len(rows), 5, device)
    batch.load(np.concatenate([row.array for row in rows]))
    chosen: list[int] = batch.choose([bot] * 2).tolist()
    return chosen


@pytest.mark.parametrize("bot", list(GAME.bots))
def test_bots_choose_the_same_uncompiled(bot: str) -> None:
    rows = POSITIONS[4::40] if bot == "planner" else POSITIONS[::5]
    assert choices(bot, rows, "pure") == choices(bot, rows, "cpu")


def finish_turns(row: Any, turns: int) -> Any:
    """Let planners play so many turns; return the position."""
    batch = Batch(GAME, 1, 1, restart=False)
    batch.load(row.array)
    while not batch.result()[0][0] and batch.states["turn"][0] < row.turn + turns:
        batch.step(batch.choose(["planner", "planner"]))
    return plain(batch.states[0])


def test_the_planner_takes_a_win_in_either_seat() -> None:
    t = GAME.parse("turn 9; player0 to act; pool 1 0\n" + ". . .\n. . A2:2\n. . B1:1")
    RULES.put(t, 0, 116, 1, 0)
    other = plain(GAME.empty())
    RULES.twin(t, other)
    assert [int(finish_turns(row, 1)["winner"]) for row in (t, other)] == [0, 1]


def test_the_planner_stops_a_win() -> None:
    t = GAME.parse("turn 9; player0 to act; pool 1 0\n" + ". . .\nB2:2 A9:1 .\n. . .")
    RULES.put(t, 1, 108, 1, 0)  # the enemy needs one more step
    assert int(finish_turns(t, 2)["winner"]) == -1
    t.seat = 1
    assert int(finish_turns(t, 1)["winner"]) == 1


def score(one: str, other: str, games: int) -> float:
    """Return the share of points of the first bot, seats swapped, a draw as half."""
    total = 0.0
    for seat, bots in enumerate(([one, other], [other, one])):
        batch = Batch(GAME, games // 2, seat, restart=False)
        batch.finish(bots)
        total += float((batch.result()[1][:, seat] + 1).sum() / 2)
    return total / (games // 2 * 2)


@pytest.mark.slow
def test_stronger_bots_win() -> None:
    assert score("greedy", "random", 200) >= 0.95
    assert score("greedy", "uniform", 200) >= 0.95
    assert score("planner", "greedy", 200) >= 0.8
    assert score("dynamic", "random", 100) >= 0.95
    assert score("aggressor", "random", 100) >= 0.95


MILLIONS = """turn 7; player0 to act; FLAGS; max_actions 0
B1000000:1000000 A3:3 .
A1:1 B90000000:99999999 .
. . A99999999:1"""


@pytest.mark.parametrize("bot", list(GAME.bots))
@pytest.mark.parametrize("device", ["pure", "cpu"])
def test_bots_answer_whatever_stands_on_the_board(bot: str, device: str) -> None:
    rows = [GAME.parse(MILLIONS.replace("FLAGS", flags)) for flags in ("placed", "placed; infused", "pool 3 3")]
    rows += [GAME.parse(GAME.text(row).replace("player0 to act", "player1 to act")) for row in rows]
    batch = Batch(GAME, len(rows), 5, device)
    batch.load(np.concatenate([row.array for row in rows]))
    chosen, masks = np.array(choices(bot, rows, device)), batch.legal()
    assert masks[np.arange(len(rows)), chosen].tolist() == [1] * len(rows)


def test_a_plan_for_another_position_is_dropped() -> None:
    batch = Batch(GAME, 1, 5)
    batch.load(GAME.parse("turn 7; pool 1 1\nA2:2 . .\n. . .\n. . B1:1").array)
    batch.step(batch.choose(["planner", "planner"]))
    for flags in ("placed; moved", "infused; moved", "placed; infused; moved"):  # all but the flags as the plan expects it
        s = plain(np.array(batch.states[:1]))
        s.placed, s.infused, s.moved = (int(flag in flags) for flag in ("placed", "infused", "moved"))
        batch.load(s.array)
        (chosen,) = batch.choose(["planner", "planner"])
        assert batch.legal()[0, chosen] == 1, flags
