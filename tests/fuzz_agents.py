"""Agents that answer rubbish, for fuzz.py."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from ludus.agents.remote import Command, Remote
from ludus.agents.wire import Ready
from ludus.core import Agent


class Lie:
    """A value whose own words for itself are traps."""

    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __index__(self) -> int:
        raise KeyboardInterrupt

    __str__ = __repr__


class Line(Remote):
    """A bot that wrote a line; there is no process behind it."""

    def __init__(self, line: bytes) -> None:
        super().__init__(Command([], Path(), "line"))
        self.line = line

    def start(self, start: Any) -> None:
        """Be greeted."""
        self._start, self._ready = start, Ready()

    def ask(self, view: Any, legal: list[int]) -> None:
        """Be asked."""
        self._asked = view, legal

    def _receive(self) -> bytes:
        return self.line


class Rubbish(Agent):
    """An agent that answers, or raises, anything."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def act(self, view: Any, legal: list[int]) -> Any:
        """Answer rubbish."""
        eager = [legal[0]] * 9
        what = self.chance.choice(
            (
                10**5000,
                -1,
                None,
                "x\x1b[31m",
                Lie(),
                [Lie()],
                [],
                eager,
                {},
                float("nan"),
                RuntimeError("\n\n"),
                GeneratorExit(),
            )
        )
        if isinstance(what, BaseException):
            raise what
        return what
