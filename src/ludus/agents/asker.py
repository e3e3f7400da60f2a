"""The asker: how an agent at a seat is asked, and how its answer is judged, wherever it plays.

It has two halves. *ask* hands out the view and the legal actions; *take* reads the answer, judges it decision by decision as
it is played, and makes a fault of what is wrong. So several seats can think at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from time import perf_counter
from typing import Any

from ludus.core import (
    Agent,
    Answer,
    Clock,
    Decision,
    Fault,
    LudusError,
    Result,
    Start,
    TimeControl,
    agent_seed,
    listens,
    one_line,
    printed_line,
    shown,
    streams,
)
from ludus.engine import Table

from .guard import Complaint, Interrupts, guarded

MOST_DECISIONS = 100_000  # in one answer
MOST_REMARKS = 100
MOST_STDERR = 20  # lines with a fault
MOST_FAULTS = 1000  # in one game, after which remarks are no more
MOST_TOLD = 100  # faults in one game that are kept in their own words
UNTOLD = "one more fault, like many before it"


class Asker:
    """One agent at one seat of a table."""

    def __init__(
        self,
        table: Table,
        seat: int,
        agent: Agent,
        interrupts: Interrupts | None = None,
        control: TimeControl | None = None,
    ) -> None:
        self.table, self.seat, self.agent = table, seat, agent
        self.control = control if agent.is_timed else None
        self.faults: list[Fault] = []
        self.decisions = 0  # taken in the game so far; the caller counts
        self.times: list[float] = []  # seconds that each answer took
        self._interrupts = interrupts or Interrupts()
        self._is_person = bool(getattr(type(agent), "is_person", False))
        self._left: list[Any] = []  # decisions of an answer that are still to be played
        self._is_asked = self._is_absent = self._is_gone = False
        self._listens = listens(agent)
        self._is_waited = False  # whether its answer was waited for before it is taken
        self.waited = 0.0  # seconds that its answers took, since somebody set it to 0
        self._ending: Fault | None = None  # what ended the agent, until it is told
        self._clock: Clock | None = None
        self._used = 0.0  # seconds in this turn

    def start(self, names: tuple[str, ...]) -> None:
        """Tell the agent that a game begins; its chance is its own."""
        self.faults, self.decisions, self.times, self._is_gone, self._ending = [], 0, [], False, None
        self._clock = None
        self.end_turn()
        self._clock = self.control.clock() if self.control else None
        seed, view = agent_seed(self.table.seed, self.seat), self.table.observe(self.seat).copy()
        self._dice = streams(agent_seed(self.table.seed, self.seat + len(self.table.spec.seats)), 1)[0]
        about = Start(self.table.game, self.seat, names, seed, self.table.device, view, self.control)
        self._tell(self.agent.start, about)

    def ask(self, table: Table | None = None) -> None:
        """Hand out what the seat sees and may do, unless it has said already what it does.

        A table that is given shows the seat as it will be asked, while others have not committed yet.
        """
        if self._left or self._is_absent or self._is_gone or self._is_asked:
            return
        table = table or self.table
        self._is_asked = True
        if self._clock is not None and self.control is not None:
            self.agent.left = self._clock.seconds - self._used
            self.agent.limit = self.control.limit(self._clock, self._used)
        self._tell(self.agent.ask, table.observe(self.seat).copy(), table.legal())

    def wait(self) -> None:
        """Wait until the agent, which thinks elsewhere, has answered, or its time is up."""
        if self._is_asked and not self._is_gone:
            self._is_waited = True
            self._tell(self.agent.wait)

    def take(self) -> Decision:
        """Return the seat's next decision; what is wrong is a fault, and another action stands in."""
        if self._is_absent or self._is_gone:
            return Decision(self.seat, self.table.default(self._dice), self._end_of_agent())
        before = len(self.faults)
        try:
            if not self._left:
                self.ask()
                self._is_asked = False
                if len(self.faults) > before or self._is_gone:
                    return self._stand_in()
                self._read(self._answer())
            return Decision(self.seat, self.table.check(self._left.pop(0)))
        except Complaint as complaint:
            self._complain(complaint)
        except LudusError as error:
            self.blame("illegal", str(error))
        return self._stand_in()

    def after(self) -> None:
        """Tell the agent what came of its decision, and note if its turn is over."""
        if self._listens and not self._is_gone:
            self._tell(self.agent.after, self.table.observe(self.seat).copy())
        if self.table.seat != self.seat or self.table.over:
            self.end_turn()

    def end_turn(self) -> None:
        """Drop what is left of an answer: it belongs to a turn that has ended; the clock gets its increment."""
        self._left.clear()
        self._is_asked = self._is_absent = False
        if self._clock is not None and self.control is not None:
            self._clock = self.control.after(self._clock, self._used)
        self._used = 0.0

    def end(self, result: Result, verdicts: Sequence[Fault] = ()) -> None:
        """Tell the agent how the game ended, and what went wrong in it."""
        if not self._is_gone:
            self.agent.verdicts = tuple(verdicts)
            self._tell(self.agent.end, result)

    def blame(self, kind: str, text: str, ends: bool = False, stderr: Sequence[str] = ()) -> None:
        """Record a fault; of very many the first ones in their own words, and always one that ends the agent."""
        is_told = ends or len(self.faults) < MOST_TOLD
        last = tuple(printed_line(line, 200) for line in stderr[-MOST_STDERR:]) if is_told else ()
        words = one_line(text) if is_told else UNTOLD
        self.faults.append(Fault(self.seat, self.decisions, kind, words, self.table.turn, ends, last))

    def _answer(self) -> object:
        """Wait for the answer, and stop the clock."""
        started = perf_counter()
        try:
            return guarded(self._interrupts, self._is_person, self.agent.answer)
        finally:
            spent = perf_counter() - started if self.agent.spent is None else self.agent.spent
            self.times.append(spent)
            self._used += spent
            self.waited += 0.0 if self._is_waited else spent
            self._is_waited = False

    def _judge_time(self) -> None:
        """Complain of an answer that came too late: one from our own process cannot be stopped before."""
        if self._clock is not None and self.control is not None and self._used > self.control.limit(self._clock, 0.0):
            raise Complaint("timeout", f"took {self._used:.2f} s for a turn; {self._clock.seconds:.2f} s were left", True)

    def _complain(self, complaint: Complaint) -> None:
        self.blame(complaint.kind, str(complaint), complaint.ends, complaint.stderr)
        if complaint.ends and not self._is_gone:
            self._is_gone, self._ending = True, self.faults[-1]

    def _end_of_agent(self) -> Fault | None:
        """Return the fault that ended the agent, once: for the first decision that is played for it."""
        self._ending, fault = None, self._ending
        return fault

    def _stand_in(self) -> Decision:
        """Return what is played for the agent; where the game names a default, for the rest of the turn."""
        self._left.clear()
        self._is_asked, self._is_absent = False, self.table.game.verbs.default is not None
        self._ending = None
        return Decision(self.seat, self.table.default(self._dice), self.faults[-1])

    def _read(self, answer: object) -> None:
        """Take an answer apart: its decisions are judged when they are played."""
        self._judge_time()
        actions, remarks = guarded(self._interrupts, False, _parts, answer)
        for text in remarks[: max(0, MOST_FAULTS - len(self.faults))]:
            self.blame("order", text)
        self._left = actions

    def _tell(self, call: Any, *arguments: Any) -> None:
        try:
            guarded(self._interrupts, self._is_person, call, *arguments)
        except Complaint as complaint:
            self._complain(complaint)


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
