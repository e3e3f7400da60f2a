"""A program at the other end of a line, for whoever has a protocol of his own: one line out, one line back."""

from __future__ import annotations

from .containment import Limits, checked_level
from .process import Process
from .words import command_of

HARD_LIMIT_S = 60.0  # for an answer, where nobody sets a clock


class Line:
    """A bot's process; what is wrong with its answer is a Complaint. End it with `close`."""

    def __init__(self, word: str, limits: Limits | None = None, level: str = "process", limit_s: float = HARD_LIMIT_S) -> None:
        command = command_of(word)
        self.name, self._limit_s = command.name, limit_s
        self._process = Process(command.words, command.name, command.folder, limits or Limits(), checked_level(level))

    def exchange(self, line: str) -> str:
        """Send a line and return the one that answers it."""
        self._process.send(line.encode(), self._limit_s)
        return self._process.receive().decode("utf-8", "replace")

    def close(self) -> None:
        """End the process with all its children."""
        self._process.close()
