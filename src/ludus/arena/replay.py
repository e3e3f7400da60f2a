"""Records run again: every decision is played by the rules, and every turn is compared, so that a replay cannot lie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import DECIDED, RUNNING, BadRecord, Decision, Fault, LudusError, Record, Result, Row, one_line, plain, shown
from ludus.engine import Table
from ludus.games import Game, load, options_of

from .record import read_record
from .referee import forfeited


def rerun(record: Record, device: str = "cpu") -> Iterator[tuple[Table, Decision | None]]:
    """Play a record again and give the table at the start (with None) and after each decision.

    It stops with a BadRecord where something is not as it was recorded: a position, a seat, an action, the end. The table is
    the same one all the time; copy what you keep.
    """
    for table, decision, _ in _steps(record, device):
        yield table, decision


class Replay:
    """A record that was run again and is what it says: its positions as the turns ended, to walk through in any direction.

    Position 0 is the start and position `turns` the last one.
    """

    def __init__(self, record: Record, device: str = "cpu") -> None:
        rows, chances, self._played = [], [], [0]
        decisions: list[Decision] = []
        for table, decision, is_end in _steps(record, device):
            if decision is not None:
                decisions.append(decision)
            if decision is None or is_end:
                rows.append(table.s.tobytes())
                chances.append(int(table.rng[0]))
                self._played.append(len(decisions))
        if self._played[-1] < len(decisions):  # the game stopped within a turn
            rows.append(table.s.tobytes())
            chances.append(int(table.rng[0]))
            self._played.append(len(decisions))
        self.record, self.game, self._table, self._decisions = record, table.game, table, tuple(decisions)
        self.rows: Any = np.frombuffer(b"".join(rows), self.game.state_type)  # [turns + 1], which cannot be changed
        self._chances = chances

    @property
    def turns(self) -> int:
        """How many turns were played; one that was not finished counts."""
        return len(self.rows) - 1

    def row(self, turn: int) -> Row:
        """Return the position after so many turns, as a row of its own."""
        turn = self._place(turn)
        return plain(self.rows[turn : turn + 1].copy())

    def at(self, turn: int) -> Table:
        """Return a table of its own that stands where the game stood after so many turns, and goes on as it did."""
        turn, table = self._place(turn), self._table.copy()
        table.s.bytes[:] = self.rows[turn : turn + 1].view(np.uint8).data  # play has reached it: it needs no check
        table.rng[0] = self._chances[turn]
        return table

    def decisions(self, turn: int) -> tuple[Decision, ...]:
        """Return what was decided in the turn that led to this position, with the faults; nothing led to the start."""
        turn = self._place(turn)
        return self._decisions[self._played[turn] : self._played[turn + 1]]

    def steps(self, turn: int) -> list[Row]:
        """Return where the game stood after each decision of the turn that led to this position; the last one is `row`."""
        if not self._place(turn):
            return []
        table, rows = self.at(turn - 1), []
        for decision in self.decisions(turn):
            table.apply(decision.action)
            rows.append(table.s.copy())
        return rows

    def _place(self, turn: int) -> int:
        if not 0 <= turn <= self.turns:
            raise LudusError(f"turns of this game are 0 to {self.turns}, not {shown(turn)}")
        return turn


def open_replay(path: str | Path, device: str = "cpu") -> Replay:
    """Read a file with one record, run it again, and return it to be walked through."""
    record = read_record(path)
    try:
        return Replay(record, device)
    except BadRecord as error:
        raise BadRecord(f"{one_line(str(path))}: {error}") from None


def _steps(record: Record, device: str) -> Iterator[tuple[Table, Decision | None, bool]]:
    """Play a record again: the table, what was decided, and whether that ended a turn."""
    table, digests = _table(record, device), iter(record.digests)
    faults = _faults(record)
    yield table, None, False
    for number, (seat, action) in enumerate(record.decisions):
        turn = table.turn
        where = f"turn {turn}, decision {number}"
        if table.over:
            raise BadRecord(f"{where}: the game is over, and the record goes on")
        if seat != table.seat:
            raise BadRecord(f"{where}: it is the move of {_seat(table, table.seat)}, not of {_seat(table, seat)}")
        try:
            table.apply(action)
        except LudusError as error:
            raise BadRecord(f"{where}: {one_line(str(error))}") from None
        is_end = table.turn != turn or table.over
        if is_end and (due := next(digests, None)) != (came := table.digest()):
            what = "has no digest" if due is None else f"ends in another position ({came:016x}, not {due:016x})"
            raise BadRecord(f"turn {turn} (decision {number}) {what}: this is not the game that was played")
        yield table, Decision(seat, action, faults.get(number)), is_end
    if (left := sum(1 for _ in digests)) > 0:
        raise BadRecord(f"it has {left} digests of turns that were not played")
    _check_end(record, table)


def _table(record: Record, device: str) -> Table:
    """Return the table at which the game of a record began."""
    try:
        game = load(record.game)
        _check_head(record, game)
        game = load(record.game, **record.options)
        return Table(game, record.seed, device, record.position or None)
    except LudusError as error:
        raise BadRecord(one_line(str(error), 400)) from None


def _check_head(record: Record, game: Game) -> None:
    """Hold what a record says of itself against the game."""
    spec, known = game.spec, {option.name for option in options_of(game)}
    if record.rules != spec.version:
        raise BadRecord(
            f"it was played by version {record.rules} of the rules of {spec.title}, and this is version {spec.version}"
        )
    for name in record.options:
        if name not in known:
            raise BadRecord(f"unknown option {shown(name)}; there is: {', '.join(sorted(known)) or 'none'}")
    seats = len(spec.seats)
    if record.seats not in ((), spec.seats):
        raise BadRecord(f"{spec.title} has the seats {', '.join(spec.seats)}, not {shown(', '.join(record.seats))}")
    result = record.result
    lists = {"agents": record.agents, "outcomes": result.outcome, "points": result.points, "hashes": record.hashes}
    for what, values in lists.items():
        if len(values) != seats and (values or what != "hashes"):
            raise BadRecord(f"it has {len(values)} {what} for {seats} seats")
    if record.forfeit is not None and not 0 <= record.forfeit < seats:
        raise BadRecord(f"the seat {shown(record.forfeit)}, which forfeits, is none of the {seats}")


def _faults(record: Record) -> dict[int, Fault]:
    """Return the first fault at each decision."""
    found: dict[int, Fault] = {}
    for fault in record.faults:
        if not 0 <= fault.seat < len(record.agents) or not 0 <= fault.decision <= len(record.decisions):
            raise BadRecord(f"a fault is of seat {shown(fault.seat)} at decision {shown(fault.decision)}, which are not there")
        found.setdefault(fault.decision, fault)
    return found


def _check_end(record: Record, table: Table) -> None:
    """Hold the result against what was played."""
    seats = len(table.spec.seats)
    if record.forfeit is not None:
        due = forfeited(table.spec, record.forfeit)
        if table.over:
            raise BadRecord("the game was played to its end, and cannot be forfeited as well")
    elif record.result.status == RUNNING and not table.over:  # it was stopped: as it stood, or void
        due = record.result if record.result == Result(RUNNING, (0.0,) * seats, (0.0,) * seats) else table.result()
    elif not table.over:
        raise BadRecord(f"the record ends after {len(record.decisions)} decisions, and the game goes on")
    else:
        due = table.result()
    if record.result != due:
        raise BadRecord(f"the result is {_told(due)}, not {_told(record.result)}")


def _told(result: Result) -> str:
    ends = {RUNNING: "no end", DECIDED: "an end"}.get(result.status, "an end by a limit")
    return f"{ends} with outcomes {shown(list(result.outcome))} and points {shown(list(result.points))}"


def _seat(table: Table, seat: int) -> str:
    return table.spec.seats[seat] if 0 <= seat < len(table.spec.seats) else f"a seat {shown(seat)}"
