"""What the examples with other people's learners share: who plays, and how often the learner's seat wins.

A chaser learns to catch a runner that runs by chance, with a partner that does so, too; with "greedy" ones it takes some
million decisions. It sees the game's features, a few numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ludus

GAME, SEAT, OPPONENTS = "chase", "chaser1", {"runner": "random", "chaser2": "random"}
OPTIONS = {"max_turns": 60}  # of the game: who knows nothing has little time
Policy = Callable[[Any, Any], Any]  # features [n, …] and masks [n, actions] to actions [n]


def score(policy: Policy, games: int = 256, seed: int = 999) -> float:
    """Play each game once; return the share that the seat wins, draws as half."""
    seat = ludus.make_vec(GAME, games, SEAT, OPPONENTS, seed=seed, **OPTIONS)
    seen, found = seat.reset(), np.full(games, np.nan)
    while np.isnan(found).any():
        seen = seat.step(np.asarray(policy(np.array(seen.obs), np.array(seen.mask))))
        ended = (seen.done != 0) & np.isnan(found)
        found[ended] = (np.sign(seat.final_outcomes[ended]) + 1) / 2
    return float(found.mean())


def by_chance(features: Any, masks: Any) -> Any:
    """Play anything legal: what whoever knows nothing does."""
    return np.where(masks != 0, np.random.default_rng(0).random(masks.shape), -1).argmax(1)
