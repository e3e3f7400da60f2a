"""What an agent is: a player of any kind, with four calls that it may answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .clock import TimeControl
from .record import Fault, Result


@dataclass(frozen=True)
class Start:
    """What an agent is told when a game begins."""

    game: Any  # a Game
    seat: int
    names: tuple[str, ...]  # of the agents, by seat
    seed: int  # for the agent's own chance; nothing of the game's follows from it
    device: str = "cpu"  # where built-in bots run
    view: Any = None  # what the seat sees as the game begins, for those who think ahead
    control: TimeControl | None = None  # how long it may think


class Answer(NamedTuple):
    """What an agent answers: the decisions of a turn in the order in which they are asked for, and remarks.

    A remark is something that was wrong in an answer that can be played all the same: an order that means nothing.
    """

    actions: Sequence[int]
    remarks: Sequence[str] = ()


class Agent:
    """A player. It sees its view and nothing else; what it is given is its own."""

    name = "agent"
    level = "in-process"  # what keeps it apart from the rest: "in-process", "process" or "contained"
    hash = ""  # of the contents of its files, where it came from any
    files: Sequence[Path] | None = None  # that make it what it is; None where the word for it tells
    is_elsewhere = False  # whether it thinks in a process of its own: then `ask` lets it begin
    is_timed = True  # whether clocks count for it; not for people and the game's own bots
    left: float | None = None  # seconds on its clock as it is asked
    limit: float | None = None  # seconds after which its answer is too late
    spent: float | None = None  # seconds that its last answer took, if it can tell better than who asks
    hear: Callable[[str], None] | None = None  # is given each line that it prints, as it happens; who judges it sets it
    verdicts: tuple[Fault, ...] = ()  # what went wrong in the game, as it ends
    _asked: tuple[Any, list[int]] = (None, [])

    def start(self, start: Start) -> None:
        """Get ready for a game."""

    def act(self, view: Any, legal: list[int]) -> int | Sequence[int] | Answer:
        """Choose among the legal actions: one decision, or those of a whole turn."""
        raise NotImplementedError

    def ask(self, view: Any, legal: list[int]) -> None:
        """Be asked; whoever thinks elsewhere, in a process of its own, begins now."""
        self._asked = view, legal

    def wait(self) -> None:
        """Wait until an answer is there; for whoever thinks elsewhere."""

    def answer(self) -> int | Sequence[int] | Answer:
        """Answer what was asked last."""
        view, legal = self._asked
        return self.act(view, legal)

    def after(self, view: Any) -> None:
        """Learn what came of a decision: the view right after it."""

    def end(self, result: Result) -> None:
        """Learn how the game ended."""

    def close(self) -> None:
        """Let go of all that is held; no game follows."""


def listens(agent: Agent) -> bool:
    """Whether an agent wants to be told what came of its decisions."""
    return type(agent).after is not Agent.after
