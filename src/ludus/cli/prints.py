"""What bots print, shown while they play: each line with the seat and the turn it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludus.arena import Hear, PrintFiles

MOST_LINES = 100  # of one seat in one turn


class Shown:
    """Lines for people; a flood is cut."""

    def __init__(self, seats: Sequence[str], say: Callable[[str], None]) -> None:
        self._seats, self._say = seats, say
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
            self._say(f"[{self._seats[seat]}, turn {turn}] {line}")


def hearing(seats: Sequence[str], files: PrintFiles | None, say: Callable[[str], None] | None) -> Hear | None:
    """Return what is told of every line: `say` unless a person would learn what is hidden; the files; both, or nobody."""
    told = [*([Shown(seats, say).hear] if say else []), *([files.hear] if files else [])]

    def hear(seat: int, turn: int, line: str) -> None:
        for tell in told:
            tell(seat, turn, line)

    return hear if told else None
