"""The asker: how an agent at a seat is asked, and how its answer is judged, wherever it plays.

It has two halves. *ask* hands out the view and the legal actions; *take* reads the answer, judges it decision by decision as
it is played, and makes a fault of what is wrong. So several seats can think at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from ludus.core import Agent, Answer, Decision, Fault, LudusError, Result, Start, agent_seed, listens, one_line, shown, streams
from ludus.engine import Table

from .guard import Complaint, Interrupts, guarded

MOST_DECISIONS = 100_000  # in one answer
MOST_REMARKS = 100


class Asker:
    """One agent at one seat of a table."""

    def __init__(self, table: Table, seat: int, agent: Agent, interrupts: Interrupts | None = None) -> None:
        self.table, self.seat, self.agent = table, seat, agent
        self.faults: list[Fault] = []
        self.decisions = 0  # taken in the game so far; the caller counts
        self._interrupts = interrupts or Interrupts()
        self._is_person = bool(getattr(type(agent), "is_person", False))
        self._left: list[Any] = []  # decisions of an answer that are still to be played
        self._is_asked = self._is_absent = False
        self._listens = listens(agent)

    def start(self, names: tuple[str, ...]) -> None:
        """Tell the agent that a game begins; its chance is its own."""
        self.faults, self.decisions = [], 0
        self.end_turn()
        seed, view = agent_seed(self.table.seed, self.seat), self.table.observe(self.seat).copy()
        self._dice = streams(agent_seed(self.table.seed, self.seat + len(self.table.spec.seats)), 1)[0]
        self._tell(self.agent.start, Start(self.table.game, self.seat, names, seed, self.table.device, view))

    def ask(self) -> None:
        """Hand out what the seat sees and may do, unless it has said already what it does."""
        if not self._left and not self._is_absent and not self._is_asked:
            self._is_asked = True
            self._tell(self.agent.ask, self.table.observe(self.seat).copy(), self.table.legal())

    def take(self) -> Decision:
        """Return the seat's next decision; what is wrong is a fault, and another action stands in."""
        if self._is_absent:
            return Decision(self.seat, self.table.default(self._dice))
        before = len(self.faults)
        try:
            if not self._left:
                self.ask()
                self._is_asked = False
                if len(self.faults) > before:
                    return self._stand_in()
                self._read(guarded(self._interrupts, self._is_person, self.agent.answer))
            return Decision(self.seat, self.table.check(self._left.pop(0)))
        except Complaint as complaint:
            self.blame(complaint.kind, str(complaint))
        except LudusError as error:
            self.blame("illegal", str(error))
        return self._stand_in()

    def after(self) -> None:
        """Tell the agent what came of its decision, and note if its turn is over."""
        if self._listens:
            self._tell(self.agent.after, self.table.observe(self.seat).copy())
        if self.table.seat != self.seat or self.table.over:
            self.end_turn()

    def end_turn(self) -> None:
        """Drop what is left of an answer: it belongs to a turn that has ended."""
        self._left.clear()
        self._is_asked = self._is_absent = False

    def end(self, result: Result) -> None:
        """Tell the agent how the game ended."""
        self._tell(self.agent.end, result)

    def blame(self, kind: str, text: str) -> None:
        """Record a fault."""
        self.faults.append(Fault(self.seat, self.decisions, kind, one_line(text)))

    def _stand_in(self) -> Decision:
        """Return what is played for the agent; where the game names a default, for the rest of the turn."""
        self._left.clear()
        self._is_asked, self._is_absent = False, self.table.game.verbs.default is not None
        return Decision(self.seat, self.table.default(self._dice), self.faults[-1])

    def _read(self, answer: object) -> None:
        """Take an answer apart: its decisions are judged when they are played."""
        actions, remarks = guarded(self._interrupts, False, _parts, answer)
        for text in remarks:
            self.blame("order", text)
        self._left = actions

    def _tell(self, call: Any, *arguments: Any) -> None:
        try:
            guarded(self._interrupts, self._is_person, call, *arguments)
        except Complaint as complaint:
            self.blame(complaint.kind, str(complaint))


def _parts(answer: object) -> tuple[list[Any], list[str]]:
    """Return the decisions of an answer and its remarks, as plain data of our own."""
    actions, remarks = answer if isinstance(answer, Answer) else (answer, ())
    if isinstance(actions, Sequence) and not isinstance(actions, str | bytes):
        found = list(actions[:MOST_DECISIONS])
    elif hasattr(actions, "tolist"):  # a NumPy array, of any shape, or a number of NumPy's
        listed = actions.tolist()
        found = list(listed) if isinstance(listed, list) else [listed]
    else:
        found = [actions]
    numbers = [_number(action) for action in found]
    if not numbers or None in numbers:
        raise Complaint("rubbish", f"answered {shown(answer)} where an action was asked for")
    return numbers, [one_line(str(text)) for text in list(remarks)[:MOST_REMARKS]]


def _number(value: Any) -> int | None:
    """Return a number, Python's or NumPy's, as an int that has no ideas of its own; None for all else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int.__add__(value, 0)  # what a class of somebody's says of itself is not asked
    return index(value) if hasattr(value, "dtype") and hasattr(value, "__index__") else None
