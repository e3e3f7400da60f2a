"""Clocks: how they are written, what they count, who loses by them, and that all of a simultaneous turn run together."""

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ludus.agents import Remote, make_agent
from ludus.arena import Conditions, Referee, play_match
from ludus.core import Agent, BadValue, Clock, TimeControl, time_control
from ludus.engine import Table
from ludus.games import Game, load, names

BOTS = Path(__file__).parent / "bots"
SIMULTANEOUS = [name for name in names() if load(name).spec.simultaneous]


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("1+0.1", TimeControl("game", 1, 0.1)),
        ("5", TimeControl("game", 5)),
        ("bank=60", TimeControl("game", 60)),
        ("move=0.2", TimeControl("move", 0.2)),
        ("inf", None),
    ],
)
def test_clocks_are_written_and_read(text: str, control: TimeControl | None) -> None:
    assert time_control(text) == control
    if control is not None:
        assert time_control(str(control)) == control


@pytest.mark.parametrize("text", ["", "fast", "move=", "1+x", "-1+0", "1+-1", "nan", "inf+1", "bank=inf", "turn=3", "1e99"])
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(BadValue, match="a clock is written 1"):
        time_control(text)


def test_the_increment_of_a_turn_counts_in_it() -> None:
    control = TimeControl("game", 1.0, 0.5, margin=0.25)
    clock = control.clock()
    assert control.limit(clock, 0.0) == 1.75
    clock = control.after(clock, 1.25)
    assert (clock, clock.expired) == (Clock(0.25, 0.5), False)
    assert control.limit(clock, 0.5) == 0.5
    assert TimeControl("move", 2.0).after(clock, 1.0) == Clock(2.0)


class Slow(Agent):
    """Take a while in our own process; remember what the clock said."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self.seconds, self.seen = seconds, []  # type: ignore[var-annotated]

    def act(self, view: Any, legal: list[int]) -> int:
        self.seen.append(self.left)
        time.sleep(self.seconds)
        return legal[0]


def seats_with(game: Game, *agents: Agent) -> list[Agent]:
    return [*agents, *(make_agent(game, "random") for _ in range(len(game.spec.seats) - len(agents)))]


def test_whoever_is_late_in_our_own_process_has_lost_when_it_answers(tiny: Game) -> None:
    slow = Slow(0.05)
    record = Referee(Table(tiny, 1, "pure"), seats_with(tiny, slow), None, TimeControl("move", 0.01, margin=0.0)).finish()
    assert (record.forfeit, record.faults[0].kind, record.faults[0].ends) == (0, "timeout", True)
    record = Referee(Table(tiny, 1, "pure"), seats_with(tiny, slow), "replace", TimeControl("move", 0.01, margin=0.0)).finish()
    assert record.forfeit is None
    assert len(record.faults) == 1  # it is not asked again


def test_what_is_spent_is_taken_off_and_increments_are_given_back(tiny: Game) -> None:
    slow = Slow(0.01)
    Referee(Table(tiny, 1, "pure"), seats_with(tiny, slow), None, TimeControl("game", 100.0, 1.0)).finish()
    assert slow.seen[0] == 100.0
    assert 99 < slow.seen[1] < 100.0  # the second decision of the same turn
    assert 100.5 < slow.seen[2] < 101.0


def test_the_games_own_bots_have_no_clock(tiny: Game) -> None:
    assert Referee(Table(tiny, 1, "pure"), seats_with(tiny), None, TimeControl("move", 0.0, margin=0.0)).finish().faults == ()


@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_seats_that_move_at_once_are_asked_at_once_and_their_clocks_run_together(name: str) -> None:
    game = load(name)
    words = [f"name=zoo cmd:{sys.executable} {BOTS / 'sleeps_a_little.py'} {seconds}" for seconds in (0.2, 0.6)]
    bots = [make_agent(game, word) for word in words]
    referee = Referee(Table(game, 1, "pure"), bots, None, time_control("move=10"))
    for _ in zip(range(2), referee.play(), strict=False):
        pass
    logs = [bot.log[0][1].split() for bot in bots if isinstance(bot, Remote)]
    asked = [float(log[0]) for log in logs]
    assert abs(asked[1] - asked[0]) < 0.2  # before the first one had answered
    assert logs[0][1:] == ["10.0", "0.0"]
    assert referee.times(0)[0] < 0.55  # it is not charged for the other one, which is waited for first
    for bot in bots:
        bot.close()


def test_the_same_seed_gives_the_same_games_whatever_the_jobs_are(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import random\ndef act(view, legal):\n    return random.choice(legal)\n")
    game = load(names()[1])
    agents = [str(tmp_path / "bot.py"), *["random"] * (len(game.spec.seats) - 1)]
    matches = [
        play_match(game, agents, 4, seed=1, swap=True, conditions=Conditions(time_control("move=10"), None, level), jobs=jobs)
        for level, jobs in (("in-process", 1), ("process", 1), ("process", 2))
    ]
    assert matches[0].games == matches[1].games == matches[2].games
    assert matches[0].games[0].faults == ()
    assert [match.levels[0] for match in matches] == ["in-process", "process", "process"]
    assert matches[1].pace(0)["answers"] > 0
    assert 0 < matches[1].overhead_ms()[0] <= matches[1].overhead_ms()[1]


def test_more_jobs_than_cores_are_refused(tiny: Game) -> None:
    with pytest.raises(BadValue, match="use --jobs"):
        play_match(tiny, [f"cmd:{sys.executable} {BOTS / 'good.py'}", "random", "random"], 10, seed=1, jobs=1000)
    with pytest.raises(BadValue, match="named by words"):
        play_match(tiny, [Slow(0), "random", "random"], 10, seed=1, jobs=2)
