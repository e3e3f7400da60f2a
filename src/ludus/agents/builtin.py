"""A game's own bots as agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.core import Agent, Result, Start, UnknownName, streams
from ludus.engine import BotCall, Tools, compiled_bots


class Builtin(Agent):
    """A bot that comes with the game; it runs as the table does, compiled or not."""

    is_timed = False  # the first call may compile it

    def __init__(self, name: str) -> None:
        self.name = self.bot = name

    def start(self, start: Start) -> None:
        """Take the seat."""
        known = compiled_bots(start.game)
        if self.bot not in known:
            raise UnknownName("bot", self.bot, known)
        self._choose = BotCall(start.game, self.bot, start.seat, start.seed, start.device)

    def act(self, view: Any, legal: list[int]) -> int:
        """Ask the bot."""
        action: int = self._choose(view, legal)
        return action


class Prepared(Agent):
    """A bot of the game that needs tables: they are made from the first view it gets, if it can be at the start."""

    is_timed = False

    def __init__(self, name: str) -> None:
        self.name = self.bot = name

    def start(self, start: Start) -> None:
        """Take the seat."""
        self._start = start
        self._bot: Callable[..., int] | None = None
        self._dice = streams(start.seed, 1)[0]
        self._mask = np.zeros(start.game.spec.actions, np.int8)
        if start.view is not None:
            self._prepare(start.view)

    def act(self, view: Any, legal: list[int]) -> int:
        """Ask the bot."""
        bot = self._bot or self._prepare(view)
        self._mask[:] = 0
        self._mask[legal] = 1
        return int(bot(self._record(view), self._mask, self._dice, self._tables))

    def end(self, result: Result) -> None:
        """Let go of the tables."""
        self._bot = self._tables = None

    def _prepare(self, view: Any) -> Callable[..., int]:
        tools = Tools(self._start.game, self._start.device)
        self._tables = tools.tables(self.bot, self._record(view))
        self._bot = tools.compiled(self._start.game.bots[self.bot])
        return self._bot

    def _record(self, view: Any) -> Any:
        """Return a view as compiled rules take it."""
        return view if self._start.device == "pure" else view.array.view(np.recarray)[0]
