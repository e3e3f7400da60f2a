"""Reels: the scenes of a game in a row, made from its rows when they are looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from ludus.core import NOBODY, Scene
from ludus.engine import Table

KEPT = 64  # scenes


class Reel:
    """Rows of one game. While somebody who plays must not see all of it, one looks through that seat's eyes alone."""

    def __init__(self, table: Table, names: Sequence[str] = ()) -> None:
        self._table, self.names, self.is_done = table.copy(), tuple(names), False
        self._rows: list[bytes] = []
        self._seat: int | None = None
        self._kept: OrderedDict[tuple[int, int], Scene] = OrderedDict()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Any) -> None:
        """Add a position."""
        self._rows.append(bytes(row.bytes))

    def look_through(self, seat: int | None) -> None:
        """Show a seat's side alone, or (None) whatever is asked for."""
        self._seat = seat

    @property
    def eyes(self) -> Sequence[int]:
        """Whose eyes one may look through."""
        if self._seat is not None:
            return [self._seat]
        return [NOBODY, *range(len(self._table.spec.seats))] if self._table.game.hidden else [NOBODY]

    def scene(self, k: int, eyes: int) -> Scene:
        """Return the k-th scene; the same object as long as it is remembered."""
        eyes = eyes if eyes in self.eyes else self.eyes[0]
        found = self._kept.get((k, eyes))
        if found is None:
            self._table.s.bytes[:] = self._rows[k]  # play has reached it: it needs no check
            found = self._kept[k, eyes] = self._table.scene(eyes)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found
