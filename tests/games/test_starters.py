"""What `ludus new bot` writes plays better than random; starters of the originals' kind run; examples decide and win."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.agents import agent_from_file, seat_agents
from ludus.arena import Referee
from ludus.core import Start, time_control
from ludus.engine import Table
from ludus.engine.compiled import address, code_of
from ludus.games import Game, load, names

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = {"quantum_harvest": {"max_turns": 60}}  # else a game takes half a minute in Python
SEARCH = {
    "unit": ("unit_search.py", "greedy"),
    "battlegrid": ("battlegrid_search.py", "hunter"),
    "plantation": ("plantation_search.py", "scry_and_die"),
    "quantum_harvest": ("quantum_harvest_search.py", "raider"),
    "chase": ("chase_minimax.py", "greedy"),
}


def outcomes(game: Game, file: Path, rival: str, seeds: range, clock: str = "inf") -> list[float]:
    """Return how a file fares against bots, once at every seat for each seed."""
    found = []
    for seed in seeds:
        for seat in range(len(game.spec.seats)):
            agents: list[Any] = [rival] * len(game.spec.seats)
            agents[seat] = agent_from_file(game, file)
            seated = seat_agents(game, agents, "in-process")
            record = Referee(Table(game, seed), seated, control=time_control(clock)).finish()
            assert record.faults == ()
            found.append(record.result.outcome[seat])
    return found


@pytest.mark.parametrize("name", names())
def test_starters_play_better_than_random(name: str) -> None:
    game = load(name, **SHORT.get(name, {}))
    found = outcomes(game, game.folder / "starter.py", "random", range(10))
    assert sum(found) / len(found) > 0.3


@pytest.mark.parametrize("name", names())
def test_starters_of_the_originals_kind_run(name: str) -> None:
    game = load(name, **SHORT.get(name, {}))
    outcomes(game, game.folder / "original" / "starter.py", "random", range(1))


@pytest.mark.parametrize("name", SEARCH)
def test_examples_decide(name: str) -> None:
    file, rival = SEARCH[name]
    game = load(name)
    table = Table(game, 2)
    agents: list[Any] = [rival] * len(game.spec.seats)
    agents[0] = agent_from_file(game, EXAMPLES / file)
    referee = Referee(table, seat_agents(game, agents, "in-process"))
    played = list(islice(referee.play(), 8))
    assert any(decision.seat == 0 for decision in played)
    assert referee.faults == []


@pytest.mark.parametrize("name", SEARCH)
def test_examples_compile_before_the_clock_runs(name: str) -> None:
    """Machine code that this process has is forgotten first, so that it can be seen who asks for it."""
    game = load(name)
    table, agent = Table(game, 2), agent_from_file(game, EXAMPLES / SEARCH[name][0])
    view, legal = table.observe().copy(), table.legal()
    address.cache_clear()
    code_of.cache_clear()
    agent.start(Start(game, 0, tuple(game.spec.seats), 7))
    asked = code_of.cache_info().misses
    agent.act(view, legal)
    assert asked > 0
    assert code_of.cache_info().misses == asked


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCH)
def test_examples_beat_the_middle_bot(name: str) -> None:
    file, rival = SEARCH[name]
    game = load(name)
    found = outcomes(game, EXAMPLES / file, rival, range(100, 110), game.spec.contest.clock)
    assert sum(found) / len(found) > 0.3


def test_the_front_door_has_what_a_searching_bot_needs() -> None:
    assert {"Agent", "Batch", "Table", "games"} <= set(ludus.__all__)
