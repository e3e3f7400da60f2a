"""What `ludus new bot` writes plays better than random; starters of the originals' kind run; examples decide and win."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.agents import agent_from_file, seat_agents
from ludus.arena import Referee
from ludus.engine import Table
from ludus.games import Game, load, names

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = {"quantum_harvest": {"max_turns": 60}}  # else a game takes half a minute in Python
SEARCH = {
    "unit": ("unit_search.py", "greedy"),
    "plantation": ("plantation_search.py", "scry_and_die"),
    "quantum_harvest": ("quantum_harvest_search.py", "raider"),
    "chase": ("chase_minimax.py", "greedy"),
}


def outcomes(game: Game, file: Path, rival: str, seeds: range) -> list[float]:
    """Return how a file fares against bots, once at every seat for each seed."""
    found = []
    for seed in seeds:
        for seat in range(len(game.spec.seats)):
            agents: list[Any] = [rival] * len(game.spec.seats)
            agents[seat] = agent_from_file(game, file)
            record = Referee(Table(game, seed), seat_agents(game, agents, "in-process")).finish()
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


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCH)
def test_examples_beat_the_middle_bot(name: str) -> None:
    file, rival = SEARCH[name]
    found = outcomes(load(name), EXAMPLES / file, rival, range(100, 110))
    assert sum(found) / len(found) > 0.3


def test_the_front_door_has_what_a_searching_bot_needs() -> None:
    assert {"Agent", "Batch", "Table", "games"} <= set(ludus.__all__)
