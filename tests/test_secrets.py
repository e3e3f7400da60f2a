"""Nothing that an agent is given tells it what it may not see: a probe tries to turn all of it back into the game's seed."""

import random
import secrets
from itertools import islice
from typing import Any

import numpy as np
import pytest

from ludus.arena import Referee
from ludus.core import HIGHEST_SEED, Agent, Start, agent_seed, dealt_seed, streams_of
from ludus.engine import Table
from ludus.games import load, names

GAMES = 100
STEP, MIX_1, MIX_2, WORD = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 2**64 - 1
SMALL = 64  # seeds that anybody would try
hidden = [name for name in names() if load(name).hidden]


def unmixed(word: int) -> int:
    """Return what the mixer of the games' chance made this word of."""
    word = _unshifted(word, 31) * pow(MIX_2, -1, 2**64) & WORD
    word = _unshifted(word, 27) * pow(MIX_1, -1, 2**64) & WORD
    return _unshifted(word, 30)


def _unshifted(word: int, shift: int) -> int:
    found = word
    for _ in range(64 // shift + 1):
        found = word ^ (found >> shift)
    return found


def suspects(words: list[int], seat: int) -> list[int]:
    """Return every seed that could have led to one of these numbers if chance went no detours, and all small ones."""
    found = set(range(SMALL))
    for word in words:
        for form in (word, ~word & WORD, word ^ HIGHEST_SEED, word | 1 << 63):
            one = unmixed(form)
            for k in range(-4, 5):
                found |= {form + k * STEP & WORD, one + k * STEP & WORD, unmixed(one + k * STEP & WORD), word + k & WORD}
        found.add(agent_seed(word & HIGHEST_SEED, seat))
        found.add(word ^ seat)
    return sorted({seed & HIGHEST_SEED for seed in found})


class Probe(Agent):
    """It plays anything, and works out which seeds could be behind what it is given."""

    name = "probe"

    def start(self, start: Start) -> None:
        chance = random.Random(start.seed)  # as a file's own `random` is seeded
        seen = [start.seed, chance.getrandbits(64), *chance.getstate()[1][:4], hash(start.names) & WORD]
        seen += [int(number) for number in np.frombuffer(start.view.bytes, np.uint8)[:8].view(np.uint64)]
        self.suspects = suspects(seen, start.seat)

    def act(self, view: Any, legal: list[int]) -> int:
        return legal[0]


def probed(name: str, seed: int) -> int:
    """Return how many of the probes of a game found its seed, and with it all that is hidden and all that will be dealt."""
    table = Table(name, seed)
    probes = [Probe() for _ in table.spec.seats]
    for _ in islice(Referee(table, probes).play(), 1000):
        if all(hasattr(probe, "suspects") for probe in probes):
            break
    return sum(seed in probe.suspects for probe in probes)


@pytest.mark.parametrize("name", hidden)
def test_a_probe_finds_nothing_in_a_hundred_games(name: str) -> None:
    secret = secrets.token_bytes(16)
    assert [probed(name, dealt_seed(secret, k)) for k in range(GAMES)] == [0] * GAMES


@pytest.mark.parametrize("name", hidden)
def test_the_probe_finds_a_game_whose_seed_anybody_would_try(name: str) -> None:
    assert probed(name, SMALL - 1) == len(load(name).spec.seats)


def test_the_probe_finds_the_seed_behind_a_word_of_its_stream() -> None:
    seed = 123456789123456789
    word = int(streams_of(np.array([seed], np.uint64))[0, 0])
    assert seed in suspects([word], 0)
