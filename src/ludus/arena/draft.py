"""A person's turn in the making: decisions on a table of its own, which can be taken back as long as nothing was learned."""

from __future__ import annotations

from ludus.core import LudusError, plain, streams
from ludus.engine import Table

SAMPLES = 32  # positions in which a decision would have to show the same


class Draft:
    """Decisions of the seat to move, tried before they are handed over; chance falls as it will at the real table.

    A draft is done when the turn is over, or when a decision has shown something that its seat could not know: what was
    seen cannot be taken back.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.seat, self.actions = table.copy(), table.seat, list[int]()
        self.is_done = table.over
        self._turn, self._before = table.turn, list[Table]()

    def play(self, action: int) -> None:
        """Decide; what the rules refuse is an error and changes nothing."""
        before = self.table.copy()
        self.table.apply(action)
        self._before.append(before)
        self.actions.append(action)
        has_passed = self.table.over or self.table.seat != self.seat or self.table.turn != self._turn
        self.is_done = has_passed or teaches(before, action, self.table)

    def undo(self) -> bool:
        """Take the last decision back, if there is one."""
        if not self.actions:
            return False
        self.actions.pop()
        self.table, self.is_done = self._before.pop(), False
        return True


def teaches(before: Table, action: int, after: Table) -> bool:
    """Whether a decision within a turn has shown its seat something: what chance brought, or what was hidden.

    What was hidden is found by trying the decision in other positions that the seat cannot tell from this one.
    """
    if before.rng.tobytes() != after.rng.tobytes():
        return True
    game, seat = before.game, before.seat
    if not game.hidden or before.spec.simultaneous:  # what is committed happens when all have committed
        return False
    sample = game.verbs.sample
    if sample is None:
        return True
    view, seen = before.observe(seat).copy(), after.observe(seat)
    for chance in streams(0, SAMPLES):
        row, other = plain(game.empty(1)), before.copy()
        sample(view, row, chance)
        try:
            other.load(row)
            other.apply(action)
        except LudusError:  # it could not even be decided there
            return True
        if other.observe(seat) != seen:
            return True
    return False
