"""One game between agents, in this process. Wrong play is recorded and judged, never raised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.agents import Agent, Start
from ludus.agents.files import last_line
from ludus.core.errors import LudusError
from ludus.core.rng import draw, streams
from ludus.engine import Result, Table


@dataclass(frozen=True)
class Fault:
    """Something that an agent did wrong."""

    seat: int
    decision: int  # how many decisions had been taken
    kind: str  # "crash", "illegal", "rubbish", or "order": a part of an answer that means nothing
    text: str  # one line


@dataclass(frozen=True)
class Played:
    """A finished game."""

    names: tuple[str, ...]  # of the agents, by seat
    result: Result
    decisions: int
    faults: tuple[Fault, ...] = ()
    forfeit: int | None = None  # the seat that lost by a fault


@dataclass(frozen=True)
class Decision:
    """One action that was played."""

    seat: int
    action: int
    fault: Fault | None = None


class Stop(Exception):
    """Raised by an agent to end the game politely (a person who leaves)."""


class Match:
    """Let agents play a game at a table."""

    def __init__(self, table: Table, agents: Sequence[Agent], seed: int = 0) -> None:
        self.table, self.agents = table, list(agents)
        self.names = tuple(agent.name for agent in agents)
        self.faults: list[Fault] = []
        self.decisions = 0
        self.forfeit: int | None = None
        self._answers: list[list[int]] = [[] for _ in agents]
        self._seeds = [int(word) & (2**63 - 1) for word in streams(seed, len(agents) + 1, first=1)[:, 0]]
        self._dice = streams(self._seeds[-1], 1)[0]

    def finish(self) -> Played:
        """Play to the end and return the result."""
        for _ in self.play():
            pass
        return self.played()

    def play(self) -> Iterator[Decision]:
        """Play decision by decision; the table shows each after it was played."""
        table = self.table
        for seat, agent in enumerate(self.agents):
            view = table.observe(seat).copy()
            start = Start(table.game, seat, self.names, self._seeds[seat], table.batch.device, view)
            self._guarded(seat, agent.start, start)
        while not table.over and self.forfeit is None:
            seat, legal = table.seat, table.legal()
            action, fault = self._decision(seat, legal)
            if action < 0:
                break
            table.apply(action)
            self.decisions += 1
            if table.seat != seat:
                self._answers[seat].clear()  # what is left of an answer belongs to the turn that has ended
            told = getattr(self.agents[seat], "told", None)
            if told is not None:
                self._guarded(seat, told, table.observe(seat).copy())
            yield Decision(seat, action, fault)
        result = self.played().result
        for seat, agent in enumerate(self.agents):
            self._guarded(seat, agent.end, result)

    def played(self) -> Played:
        """Return how the game ended, or stands."""
        result = self.table.result()
        if self.forfeit is not None:
            seats, points = range(len(self.agents)), self.table.spec.contest.forfeit_points
            result = Result(
                1,
                tuple(-1.0 if seat == self.forfeit else 1.0 for seat in seats),
                tuple(-points if seat == self.forfeit else points for seat in seats),
            )
        return Played(self.names, result, self.decisions, tuple(self.faults), self.forfeit)

    def _decision(self, seat: int, legal: list[int]) -> tuple[int, Fault | None]:
        """Return the seat's next action; what is wrong is recorded and replaced, or forfeits the game."""
        if self._answers[seat]:
            action = self._answers[seat].pop(0)
            if action in legal or not self.table.spec.refuses:
                return action, None
            self._answers[seat].clear()  # the rest of the turn no longer fits the game
        before = len(self.faults)
        answer = self._guarded(seat, self.agents[seat].act, self.table.observe(seat).copy(), list(legal))
        is_answer = len(self.faults) == before
        self._take_problems(seat)
        if is_answer:
            actions = [answer] if isinstance(answer, int | np.integer) else answer
            try:
                numbers = [int(self._checked(action, legal)) for action in actions]
                self._answers[seat] = numbers[1:]
                return numbers[0], None
            except LudusError as error:
                self._blame(seat, "illegal", str(error))
            except (TypeError, IndexError, ValueError):
                self._blame(seat, "rubbish", f"answered {answer!r:.80} where an action was asked for")
        if self.table.spec.contest.on_fault == "forfeit":
            self.forfeit = seat
            return -1, self.faults[-1]
        return self._stand_in(legal), self.faults[-1]

    def _stand_in(self, legal: list[int]) -> int:
        """Return what is played for an agent that failed: what the game's `fallback` says, or any legal action."""
        default = self.table.game.verbs.default
        return int(default(self.table.s)) if default is not None else legal[draw(self._dice, len(legal))]

    def _checked(self, action: Any, legal: list[int]) -> int:
        """Return an action that may be played now or later in this turn."""
        if isinstance(action, bool):
            raise TypeError
        if action not in legal:
            self.table.check(action)
        return int(action)

    def _take_problems(self, seat: int) -> None:
        """Record what was wrong in an answer that could be played all the same: orders that mean nothing."""
        problems: list[str] = getattr(self.agents[seat], "problems", [])
        for text in problems:
            self._blame(seat, "order", text)
        problems.clear()

    def _guarded(self, seat: int, call: Any, *arguments: Any) -> Any:
        """Call an agent; what it raises is recorded."""
        try:
            return call(*arguments)
        except Stop:
            raise
        except LudusError as error:
            self._blame(seat, "illegal", str(error))
        except (Exception, SystemExit) as error:
            self._blame(seat, "crash", last_line(error))

    def _blame(self, seat: int, kind: str, text: str) -> None:
        self.faults.append(Fault(seat, self.decisions, kind, text))
