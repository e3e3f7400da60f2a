"""What an agent is: a player of any kind, with four calls that it may answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .record import Result


@dataclass(frozen=True)
class Start:
    """What an agent is told when a game begins."""

    game: Any  # a Game
    seat: int
    names: tuple[str, ...]  # of the agents, by seat
    seed: int  # for the agent's own chance; nothing of the game's follows from it
    device: str = "cpu"  # where built-in bots run
    view: Any = None  # what the seat sees as the game begins, for those who think ahead


class Answer(NamedTuple):
    """What an agent answers: the decisions of a turn in the order in which they are asked for, and remarks.

    A remark is something that was wrong in an answer that can be played all the same: an order that means nothing.
    """

    actions: Sequence[int]
    remarks: Sequence[str] = ()


class Agent:
    """A player. It sees its view and nothing else; what it is given is its own."""

    name = "agent"
    _asked: tuple[Any, list[int]] = (None, [])

    def start(self, start: Start) -> None:
        """Get ready for a game."""

    def act(self, view: Any, legal: list[int]) -> int | Sequence[int] | Answer:
        """Choose among the legal actions: one decision, or those of a whole turn."""
        raise NotImplementedError

    def ask(self, view: Any, legal: list[int]) -> None:
        """Be asked; whoever thinks elsewhere, in a process of its own, begins now."""
        self._asked = view, legal

    def answer(self) -> int | Sequence[int] | Answer:
        """Answer what was asked last."""
        view, legal = self._asked
        return self.act(view, legal)

    def after(self, view: Any) -> None:
        """Learn what came of a decision: the view right after it."""

    def end(self, result: Result) -> None:
        """Learn how the game ended."""


def listens(agent: Agent) -> bool:
    """Whether an agent wants to be told what came of its decisions."""
    return type(agent).after is not Agent.after
