"""What bots print, shown while they play: each line with the seat and the turn it belongs to."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ludus.arena import Hear, PrintFiles

MOST_LINES = 100  # of one seat in one turn


class Shown:
    """Lines on the terminal; a flood is cut."""

    def __init__(self, seats: Sequence[str]) -> None:
        self._seats = seats
        self._out = sys.stdout  # while a bot runs in our process, sys.stdout is its own
        self._turns = [-1] * len(seats)
        self._lines = [0] * len(seats)

    def hear(self, seat: int, turn: int, line: str) -> None:
        """Show a line."""
        if turn != self._turns[seat]:
            self._turns[seat], self._lines[seat] = turn, 0
        self._lines[seat] += 1
        if self._lines[seat] > MOST_LINES:
            line = "… more lines of this turn are not shown; --log DIR keeps them"
        if self._lines[seat] <= MOST_LINES + 1:
            print(f"[{self._seats[seat]}, turn {turn}] {line}", file=self._out, flush=True)


def hearing(seats: Sequence[str], files: PrintFiles | None, is_shown: bool) -> Hear | None:
    """Return what is told of every line: the terminal, unless a person would see what is hidden; the files; both, or nobody."""
    told = [*([Shown(seats).hear] if is_shown else []), *([files.hear] if files else [])]

    def hear(seat: int, turn: int, line: str) -> None:
        for tell in told:
            tell(seat, turn, line)

    return hear if told else None
