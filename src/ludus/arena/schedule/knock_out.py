"""Knock-out: who loses a heat is out."""

from __future__ import annotations

from collections.abc import Iterator

from .elimination import eliminate
from .pairing import Field, Pairing


def knock_out(field: Field) -> Iterator[list[Pairing]]:
    """Give the heats of a cup, round by round."""
    return eliminate(field, lives=1)
