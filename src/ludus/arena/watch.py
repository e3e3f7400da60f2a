"""What is shown when: a simultaneous turn after it happened, and to people their own side only, until the end.

Every viewer asks here, so that none shows what whoever sits before it may not know.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludus.core import Fault, one_line
from ludus.engine import Table

EVERYTHING = -1  # the eyes of a spectator


class Watch:
    """Say through whose eyes a game may be looked at, by whoever shares a screen with the people who play."""

    def __init__(self, table: Table, people: Iterable[int] = ()) -> None:
        self.table, self.people = table, frozenset(people)
        self._turn: int | None = None  # that was shown last

    @property
    def is_secret(self) -> bool:
        """Whether somebody who plays here must not see all of it."""
        return self.table.game.hidden and bool(self.people)

    @property
    def is_shared(self) -> bool:
        """Whether people who must not see each other's side share this screen."""
        return self.table.game.hidden and len(self.people) > 1

    def start(self) -> int | None:
        """Return the eyes through which a game is seen as it begins: EVERYTHING, a seat, or None for nobody's."""
        self._turn = self.table.turn
        return self._eyes(None)

    def after(self, seat: int) -> int | None:
        """Return the eyes after a decision of a seat; None while nothing has happened that may be shown."""
        table = self.table
        if table.over:
            return EVERYTHING
        if table.spec.simultaneous and table.turn == self._turn:
            return None
        self._turn = table.turn
        return self._eyes(seat)

    def fault(self, fault: Fault) -> str:
        """Return what is said of a fault while a game goes on: its words, which are a bot's own, may tell of its side."""
        if self.is_secret and fault.seat not in self.people and not self.table.over:
            return f"{fault.kind}, which is told in full at the end"
        return one_line(fault.text)

    def _eyes(self, seat: int | None) -> int | None:
        if not self.is_secret:
            return EVERYTHING
        if not self.is_shared:
            return min(self.people)
        return seat if seat in self.people else None
