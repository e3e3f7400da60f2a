"""What agents print, kept in files: one a game and seat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ludus.core import BadValue, Fault

MOST_BYTES = 10_000_000  # in one file
MOST_VERDICTS = 100  # of one game
LEFT_OUT = "… what it printed after this is left out\n"


class PrintFiles:
    """The files of one game; each is made when its seat prints its first line, or gets a verdict."""

    def __init__(self, folder: Path, number: int, seats: Sequence[str], names: Sequence[str]) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadValue(f"cannot keep what bots print in {folder}: {error.strerror}") from None
        self._files = [folder / f"game-{number:05}-{seat}-{_plain(name)}.log" for seat, name in zip(seats, names, strict=True)]
        for file in self._files:  # of an earlier match
            file.unlink(missing_ok=True)
        self._left = [MOST_BYTES] * len(self._files)

    def hear(self, seat: int, turn: int, line: str) -> None:
        """Keep a line that a seat printed."""
        text = f"turn {turn}: {line}\n"
        if self._left[seat] > 0:
            self._left[seat] -= len(text.encode())
            self._add(seat, text if self._left[seat] > 0 else LEFT_OUT)

    def judge(self, faults: Sequence[Fault]) -> None:
        """Write below it what went wrong, however much was printed."""
        for fault in faults[:MOST_VERDICTS]:
            self._add(fault.seat, f"verdict in turn {fault.turn}: {fault.kind}: {fault.text}; what to try: {fault.advice}\n")

    def _add(self, seat: int, text: str) -> None:
        """Add a text; the file is not held open, since a bot may go on after its game."""
        with self._files[seat].open("a", encoding="utf-8") as file:
            file.write(text)


def _plain(name: str) -> str:
    """Return a name as a part of a file's."""
    return re.sub(r"[^\w.-]+", "_", name)[:60] or "agent"
