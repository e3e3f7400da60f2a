"""How sure ratings are: the rounds are drawn again, with replacement, thousands of times (Efron's bootstrap).

Each drawn field is not fitted anew from nothing: one step of Newton's from the maximum is as good, and turns thousands of
fits into one product of matrices. So that a few equal results do not pass for certainty, every pairing has one more
game in the pot, which may end otherwise.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from .scored import Field
from .strength import RIDGE, SIDE_DEVIATION, Array, Choices, choices_of_kinds

RESAMPLES = 2000
AT_ONCE = 500  # resamples in memory
SEED = 20_000  # of the resamples: the same games give the same table


def resampled(field: Field, choices: Choices, of_game: list[int], strength: Array, counts: Array) -> Array:
    """Return the strengths of the entrants in every resample [resamples, entrants]."""
    pulls, times = _pulls(field, choices, of_game, strength, len(counts))
    holds = np.full(len(strength), RIDGE)
    holds[choices.entrants :] = SIDE_DEVIATION**-2
    moves = np.linalg.solve(choices.bend(strength, counts) + np.diag(holds), pulls.T).T  # [patterns, strengths]
    rounds, rng = round(float(times.sum())), np.random.default_rng(SEED)
    expected = (times / times.sum() * rounds) @ moves
    found = []
    for _ in range(RESAMPLES // AT_ONCE):
        drawn = rng.multinomial(rounds, times / times.sum(), size=AT_ONCE)
        found.append((drawn @ moves - expected)[:, : choices.entrants])
    return np.asarray(strength[: choices.entrants] + np.concatenate(found))


def _pulls(field: Field, choices: Choices, of_game: list[int], strength: Array, kinds: int) -> tuple[Array, Array]:
    """Return by how much rounds of each pattern pull at the strengths, and how often each pattern was seen."""
    rounds: dict[Any, list[int]] = {}
    line_ups: dict[Any, list[tuple[int, ...]]] = {}  # the seatings of a round, by the first game's kind
    for game, kind in zip(field.games, of_game, strict=True):
        rounds.setdefault(game.pair, []).append(kind)
        line_ups.setdefault(game.pair, []).append(game.entrants)
    patterns = Counter(tuple(sorted(some)) for some in rounds.values())
    slopes = choices.slopes(strength, kinds)
    seen = np.array([slopes[list(pattern)].sum(axis=0) for pattern in patterns])
    imagined, weights = _imagined(field, {tuple(sorted(some)) for some in line_ups.values()}, strength, choices)
    return np.concatenate([seen, imagined]), np.concatenate([np.array(list(patterns.values()), float), weights])


def _imagined(field: Field, pairings: Any, strength: Array, choices: Choices) -> tuple[Array, Array]:
    """Return the pulls of one more game of every pairing, for each side that may win it, and the chances of that.

    They follow Laplace's rule: a side that won k of n such games wins the next with (k + 1) chances in n + sides.
    """
    won: Counter[Any] = Counter()
    for game in field.games:
        _, ranking = field.kind(game)
        if ranking.count(0) == 1:
            won[game.entrants, ranking.index(0)] += 1
    played = Counter(game.entrants for game in field.games)
    kinds: list[tuple[Any, Any]] = []
    chances: list[float] = []
    for seatings in sorted(pairings):
        for seating in seatings:
            line_up = field.line_up(seating)
            for best in range(len(line_up)):
                kinds.append((line_up, tuple(int(side != best) for side in range(len(line_up)))))
                chances.append((won[seating, best] + 1) / (played[seating] + len(line_up)) / len(seatings))
    laid_out = choices_of_kinds(kinds, choices.entrants, choices.sides)
    return laid_out.slopes(strength, len(kinds)), np.array(chances)
