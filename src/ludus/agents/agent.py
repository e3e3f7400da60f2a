"""What an agent is, and the built-in kinds: the game's own bots, and functions of two arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ludus.core.errors import BadValue, UnknownName
from ludus.core.rng import streams
from ludus.engine import Batch, Result
from ludus.engine.kernels import compiled_bots, needs, one_bot
from ludus.engine.tools import Tools
from ludus.games import Game

Answer = int | Sequence[int]  # one decision, or those of a whole turn


@dataclass(frozen=True)
class Start:
    """What an agent is told when a game begins."""

    game: Game
    seat: int
    names: tuple[str, ...]  # of the agents, by seat
    seed: int  # for the agent's own chance
    device: str = "cpu"  # where built-in bots run
    view: Any = None  # what the seat sees as the game begins, for those who think ahead


class Agent(Protocol):
    """A player. It sees its view and nothing else."""

    name: str

    def start(self, start: Start) -> None:
        """Get ready for a game."""

    def act(self, view: Any, legal: list[int]) -> Answer:
        """Choose among the legal actions."""

    def end(self, result: Result) -> None:
        """Learn how the game ended."""


class Builtin:
    """A bot that comes with the game; it runs compiled, on its own copy of the view."""

    def __init__(self, name: str) -> None:
        self.name = name

    def start(self, start: Start) -> None:
        """Take the seat."""
        known = compiled_bots(start.game)
        if self.name not in known:
            raise UnknownName("bot", self.name, known)
        self._batch, kernel = Batch(start.game, 1, 0, start.device), one_bot(self.name)
        desk = self._batch._need(*needs(self._batch._backend.kernel(kernel)))
        desk.dice[:] = streams(start.seed, 1)
        desk.states[0].seat = start.seat
        self._view, self._mask, self._action = desk.views, desk.masks[0], desk.actions
        self._choose = self._batch._backend.bound(kernel, desk)

    def act(self, view: Any, legal: list[int]) -> int:
        """Ask the bot."""
        self._view[0] = view
        self._mask[:] = 0
        self._mask[legal] = 1
        self._choose()
        return int(self._action[0])

    def end(self, result: Result) -> None:
        """Nothing to learn."""


class Prepared:
    """A bot of the game that needs tables: they are made from the first view it gets, if it can be at the start."""

    def __init__(self, name: str) -> None:
        self.name = name

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
        return int(bot(view, self._mask, self._dice, self._tables))

    def end(self, result: Result) -> None:
        """Let go of the tables."""
        self._bot = self._tables = None

    def _prepare(self, view: Any) -> Callable[..., int]:
        tools = Tools(self._start.game, self._start.device)
        self._tables = tools.tables(self.name, view)
        self._bot = tools.compiled(self._start.game.bots[self.name])
        return self._bot


class Function:
    """A plain function `act(view, legal)`: it is given a small dictionary and the names of the legal actions."""

    def __init__(self, function: Callable[[dict[str, Any], list[str]], object], name: str) -> None:
        self.name, self._function = name, function

    def start(self, start: Start) -> None:
        """Take the seat."""
        self._game = start.game

    def act(self, view: Any, legal: list[int]) -> int:
        """Ask the function; it may answer with a name or with a number."""
        names = [self._game.action_name(action, view) for action in legal]
        answer = self._function(self._game.public(view), names)
        if isinstance(answer, str):
            return int(self._game.parse_action(answer, view))
        if isinstance(answer, int | np.integer) and not isinstance(answer, bool):
            return int(answer)
        raise BadValue(f"act() must return the name or the number of an action, not {answer!r}")

    def end(self, result: Result) -> None:
        """Nothing to learn."""
