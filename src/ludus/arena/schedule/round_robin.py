"""Round robin: everybody meets everybody; in games of more places every group of so many meets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from .pairing import Field, Pairing


def round_robin(field: Field) -> Iterator[list[Pairing]]:
    """Give all pairings, set-up by set-up: whoever stops early has met all others about as often."""
    groups = list(combinations(field.entrants, field.places))
    yield [Pairing(setup + 1, group, setup) for setup in range(field.setups) for group in groups]
