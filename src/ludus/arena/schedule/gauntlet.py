"""Gauntlet: the first entrant meets all others, who do not meet each other without it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from .pairing import Field, Pairing


def gauntlet(field: Field) -> Iterator[list[Pairing]]:
    """Give all pairings of the first entrant, set-up by set-up."""
    first, *others = field.entrants
    groups = [(first, *rest) for rest in combinations(others, field.places - 1)]
    yield [Pairing(setup + 1, group, setup) for setup in range(field.setups) for group in groups]
