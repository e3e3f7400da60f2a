"""What can be said of bots that have lost nothing, or won nothing: no rating, but a bound.

A record without a loss is most likely for a bot that is infinitely strong. The bound is the strength at which such a record
would still happen once in forty; it counts rounds, not games, since the games of one depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .scored import Field
from .strength import Array, Choices

ONCE_IN_FORTY = math.log(0.025)
FARTHEST, HALVINGS = 40.0, 60


def bounds(
    field: Field, choices: Choices, of_game: list[int], strength: Array, groups: Sequence[Sequence[int]], core: Sequence[int]
) -> dict[int, tuple[float | None, float | None]]:
    """Return for each entrant outside the core the strength that it is above of, or below of, where games tell."""
    counts = np.bincount(of_game).astype(float) * len({game.pair for game in field.games}) / len(field.games)
    present = _present(field, of_game, len(counts))
    middle = float(strength[list(core)].mean())
    found: dict[int, tuple[float | None, float | None]] = {}
    for is_above in (True, False):
        some = [group for group in groups if group[0] not in core and (strength[list(group)].mean() > middle) == is_above]
        told, known = strength.copy(), set(core)
        for group in sorted(some, key=lambda group: abs(float(strength[list(group)].mean()) - middle)):
            counted = counts * present[:, list(group)].any(axis=1)
            others = [who for who in range(len(field.names)) if who not in known and who not in group]
            counted = counted * ~present[:, others].any(axis=1)
            moved = _bound(choices, told, counted, list(group), is_above) if counted.any() else None
            if moved is not None and abs(moved) < FARTHEST:
                told[list(group)] += moved
                known.update(group)
                found |= {who: (float(told[who]), None) if is_above else (None, float(told[who])) for who in group}
            else:
                found |= dict.fromkeys(group, (None, None))
    return found


def _bound(choices: Choices, strength: Array, counts: Array, group: list[int], is_above: bool) -> float:
    """Return by how much a group may be moved towards the others before its record becomes too unlikely."""
    low, high = -FARTHEST, FARTHEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        moved = strength.copy()
        moved[group] += middle
        is_likely = float(counts @ choices.logs(moved, len(counts))) >= ONCE_IN_FORTY
        if is_likely == is_above:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _present(field: Field, of_game: list[int], kinds: int) -> Any:
    """Return who takes part in games of each kind [kinds, entrants]."""
    found = np.zeros((kinds, len(field.names)), bool)
    for game, kind in zip(field.games, of_game, strict=True):
        if not found[kind].any():
            found[kind, list(game.entrants)] = True
    return found
