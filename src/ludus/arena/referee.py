"""The referee lets agents play one game and returns its record. Wrong play is recorded and judged, never raised."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from time import perf_counter

from ludus.agents import Agent, Asker, Interrupts
from ludus.core import DECIDED, RUNNING, BadValue, Decision, Fault, Record, Result, Spec, TimeControl, UnknownName, one_line
from ludus.engine import Table

POLICIES = ("replace", "forfeit")  # for faults: another action stands in, or the seat's side has lost


class Referee:
    """Let agents play a game at a table that stands where it begins, under clocks: one time control for all, or one a seat.

    Without a policy for faults that of the game holds, and an agent that cannot play on has lost.
    """

    def __init__(
        self,
        table: Table,
        agents: Sequence[Agent],
        on_fault: str | None = None,
        control: TimeControl | Sequence[TimeControl | None] | None = None,
    ) -> None:
        seats = table.spec.seats
        if len(agents) != len(seats):
            raise BadValue(f"{table.spec.title} has {len(seats)} seats ({', '.join(seats)}), not {len(agents)}")
        if len({id(agent) for agent in agents}) < len(agents):
            raise BadValue("one agent cannot sit on two seats: they would share its memory; give each seat one of its own")
        self.on_fault = table.spec.contest.on_fault if on_fault is None else on_fault
        self._spares_ended = on_fault == "replace"
        if self.on_fault not in POLICIES:
            raise UnknownName("policy for faults", on_fault, POLICIES)
        self.table, self.agents = table, list(agents)
        self.names = tuple(one_line(str(agent.name), 60) for agent in agents)
        self.forfeit: int | None = None
        self._interrupts = Interrupts()
        self.is_void = False  # whether the game stopped through no fault of the agents
        self.overheads = array("f")  # seconds that each decision took beside the agents' own time
        controls = control if isinstance(control, Sequence) else [control] * len(agents)
        self._askers = [Asker(table, k, agents[k], self._interrupts, controls[k]) for k in range(len(agents))]
        self._asked_turn: int | None = None
        self._played: list[tuple[int, int]] = []
        self._spent: list[float] = []  # milliseconds that the answers of each run of decisions of one seat took
        self._digests: list[int] = []

    @property
    def decisions(self) -> int:
        """How many decisions have been taken."""
        return len(self._played)

    @property
    def faults(self) -> list[Fault]:
        """What went wrong so far, in its order."""
        return sorted((fault for asker in self._askers for fault in asker.faults), key=lambda fault: fault.decision)

    def finish(self) -> Record:
        """Play to the end and return the record."""
        for _ in self.play():
            pass
        return self.record()

    def play(self) -> Iterator[Decision]:
        """Play decision by decision; the table shows each after it was played."""
        table = self.table
        with self._interrupts:
            for asker in self._askers:
                asker.start(self.names)
            while not table.over:
                begun, asker, turn = perf_counter(), self._askers[table.seat], table.turn
                asker.decisions, asker.waited = len(self._played), 0.0
                if table.spec.simultaneous and self._asked_turn != table.turn:
                    self._asked_turn = table.turn
                    self._ask_all()
                    begun = perf_counter()  # all have answered
                answers = len(asker.times)
                asker.ask()
                decision = asker.take()
                if decision.fault is not None and self._stops(decision.fault):
                    break
                table.apply(decision.action)
                self._note(decision, 1000 * sum(asker.times[answers:]))
                if table.turn != turn or table.over:
                    self._digests.append(table.digest())
                asker.after()
                self.overheads.append(perf_counter() - begun - asker.waited)
                yield decision
            result, faults = self.result(), self.faults
            for asker in self._askers:
                asker.decisions = len(self._played)
                asker.end(result, faults)

    def times(self, seat: int) -> list[float]:
        """Return the seconds that each answer of a seat took."""
        return self._askers[seat].times

    def _note(self, decision: Decision, spent: float) -> None:
        """Keep a decision, and what its answer took."""
        if self._played and self._played[-1][0] == decision.seat:
            self._spent[-1] += spent
        else:
            self._spent.append(spent)
        self._played.append((decision.seat, decision.action))

    def _ask_all(self) -> None:
        """Ask every seat at once, as a turn begins in which they commit without seeing each other's choice.

        Whoever thinks elsewhere is waited for before others think here: each one's clock stops when its answer is there.
        """
        elsewhere = [asker for asker in self._askers if asker.agent.is_elsewhere]
        for asker in elsewhere:
            table = self.table if asker.seat == self.table.seat else self.table.peek(asker.seat)
            if not table.over:
                asker.ask(table)
        for asker in elsewhere:
            asker.wait()

    def _stops(self, fault: Fault) -> bool:
        """Judge whether a fault ends the game, and who has lost it."""
        self.is_void = fault.kind == "void"
        if not self.is_void and (self.on_fault == "forfeit" or (fault.ends and not self._spares_ended)):
            self.forfeit = fault.seat
        return self.is_void or self.forfeit is not None

    def result(self) -> Result:
        """Return how the game ended, or stands; a forfeit loses for the whole side."""
        if self.is_void:
            return Result(RUNNING, (0.0,) * len(self.names), (0.0,) * len(self.names))
        if self.forfeit is None:
            return self.table.result()
        return forfeited(self.table.spec, self.forfeit)

    def record(self) -> Record:
        """Return the game as it was played so far."""
        table, times = self.table, tuple(round(spent, 1) for spent in self._spent)
        hashes = tuple(one_line(str(agent.hash), 64) for agent in self.agents)
        return Record(
            table.game.name, table.spec.version, dict(table.game.options), table.seed, self.names, self.result(),
            tuple(self._played), tuple(self._digests), tuple(self.faults), self.forfeit, table.position, table.spec.seats,
            hashes if any(hashes) else (), times if any(times) else (),
        )  # fmt: skip


def forfeited(spec: Spec, loser: int) -> Result:
    """Return the result of a game that a seat has lost by a fault: its whole side has."""
    signs = tuple(-1.0 if spec.side(seat) == spec.side(loser) else 1.0 for seat in range(len(spec.seats)))
    return Result(DECIDED, signs, tuple(sign * spec.contest.forfeit_points for sign in signs))
