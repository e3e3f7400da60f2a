"""What perfect play makes of a position and of its layout: value, best line, and how long captures take from every start."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ludus.core import Chart, Report, Sheet

from .perfect import CELLS, best_moves, prepare
from .rules import ACTIONS, CHASER2, CLEAR_ZONE, RUNNER, RUNNING, SEATS, SIZE, SPAWN_DISTANCE, SPEC, State, apply, legal
from .view import action_name

TURNS_SHOWN = (15, 18, 20, 21, 22, 25, 30, 33, 36, 40, 50, 100)  # of which the share caught by then is told
CLASSES = ("none", "one", "both")  # how many chasers start at an odd distance from the runner


def solve(s: Any, tools: Any) -> Report:
    """Solve the layout of a position and report on both."""
    table = prepare(s, tools)
    moves, never = value(s, table), int(np.iinfo(table.dtype).max)
    times = capture_times(s, table)
    return Report(
        title=f"{SPEC.title}, perfect play",
        facts=(*_facts(s, moves, never), *_layout_facts(times)),
        line=() if moves == never else _by_turn(s, best_line(s, table)),
        sheets=_sheets(times) if times.any() else (),
        charts=(_chart(times),) if times[:, :-1].any() else (),
    )


def value(s: Any, table: npt.NDArray[Any]) -> int:
    """Return the moves to capture under best play; the table's highest number if there will be none."""
    runner, chaser1, chaser2 = (int(s.y[seat]) * SIZE + int(s.x[seat]) for seat in range(SEATS))
    return int(table[s.seat, runner, chaser1, chaser2])


def best_line(s: Any, table: npt.NDArray[Any]) -> list[int]:
    """Return the actions to the end of the game, each the lowest of the best."""
    row = np.array([s], State).view(np.recarray)[0]
    actions = []
    while row.end == RUNNING:
        mask = np.zeros(ACTIONS, np.int8)
        legal(row, mask)
        actions.append(best_moves(row, mask, table)[0])
        apply(row, actions[-1], None)
    return actions


def turn_of(s: Any, moves: int) -> int:
    """Return the turn, from 1, in which the last of so many moves falls."""
    return int(s.turn) + (int(s.seat) + moves - 1) // SEATS + 1


def capture_times(s: Any, table: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Count the admissible starts of a layout [chasers at odd distance, moves to capture]; the last column is never."""
    columns = int(np.iinfo(table.dtype).max) + 1
    y, x = np.divmod(np.arange(CELLS), SIZE)
    wall = np.array([int(s.wall[cell // SIZE]) >> cell % SIZE & 1 == 1 for cell in range(CELLS)])
    near = np.maximum(abs(y[:, None] - y[wall]), abs(x[:, None] - x[wall])) <= CLEAR_ZONE
    is_clear = ~near.any(axis=1)
    times = np.zeros(len(CLASSES) * columns, np.int64)
    for runner in np.flatnonzero(is_clear):
        distance = abs(y - y[runner]) + abs(x - x[runner])
        cells = np.flatnonzero(is_clear & (distance >= SPAWN_DISTANCE))
        odd = distance[cells] % 2
        slots = (odd[:, None] + odd) * columns + table[RUNNER, runner][np.ix_(cells, cells)]
        times += np.bincount(slots[~np.eye(len(cells), dtype=bool)], minlength=len(times))
    return times.reshape(len(CLASSES), columns)


def _facts(s: Any, moves: int, never: int) -> tuple[tuple[str, str | int | float], ...]:
    odd = sum((abs(int(s.x[k]) - int(s.x[RUNNER])) + abs(int(s.y[k]) - int(s.y[RUNNER]))) % 2 for k in range(1, SEATS))
    facts = ("to move", SPEC.seats[s.seat]), ("chasers at odd distance", CLASSES[odd])
    if moves == never:
        return *facts, ("value", "the runner is never caught")
    turn, last = turn_of(s, moves), int(s.opt_max_turns)
    late = f", after the limit of {last}: the runner escapes" if turn > last else ""
    return *facts, ("moves to capture", moves), ("capture in turn", f"{turn}{late}")


def _layout_facts(times: npt.NDArray[np.int64]) -> tuple[tuple[str, str | int | float], ...]:
    """Tell about all admissible starts, each counted once."""
    starts = int(times.sum())
    if starts == 0:
        return (("admissible starts of this layout", 0),)
    caught = times[:, :-1]
    share = caught.sum() / starts
    facts: tuple[tuple[str, str | int | float], ...] = (
        ("admissible starts of this layout", starts),
        ("won by the chasers", f"{100 * share:.4g} %"),
    )
    if not caught.any():
        return facts
    return (
        *facts,
        ("mean turn of capture", _mean_turn(caught.sum(axis=0))),
        ("longest capture", _longest(caught.sum(axis=0))),
    )


def _sheets(times: npt.NDArray[np.int64]) -> tuple[Sheet, ...]:
    starts = times.sum()
    by_turn = np.cumsum(_turns(times[:, :-1].sum(axis=0))) / starts
    last = int(np.argmax(by_turn))  # the first turn by which all are caught that ever will be
    shown = [turn for turn in TURNS_SHOWN if turn < last] + [last]
    rows = []
    for name, row in zip(CLASSES, times, strict=True):
        caught = row[:-1]
        found = (_mean_turn(caught), _longest(caught)) if caught.any() else ("-", "-")
        rows.append((name, f"{100 * row.sum() / starts:.1f} %", *found))
    return (
        Sheet("caught by turn", ("turn", "share of starts"), tuple((t, f"{100 * by_turn[t]:.4g} %") for t in shown)),
        Sheet(
            "by chasers at an odd distance from the runner",
            ("at odd distance", "share of starts", "mean turn of capture", "longest"),
            tuple(rows),
        ),
    )


def _chart(times: npt.NDArray[np.int64]) -> Chart:
    turns = _turns(times[:, :-1].sum(axis=0))
    found = np.flatnonzero(turns)
    bars = tuple((str(t), round(100 * float(turns[t] / times.sum()), 2)) for t in range(found[0], found[-1] + 1))
    return Chart("starts caught in turn", "%", bars)


def _turns(moves: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Count by turn instead of by move: the moves 1 to 3 of a game are its turn 1."""
    turns = (np.arange(len(moves)) + CHASER2) // SEATS
    return np.bincount(turns, weights=moves).astype(np.int64)


def _mean_turn(moves: npt.NDArray[np.int64]) -> float:
    turns = _turns(moves)
    return round(float((turns * np.arange(len(turns))).sum() / turns.sum()), 1)


def _longest(moves: npt.NDArray[np.int64]) -> str:
    most = int(np.flatnonzero(moves)[-1])
    return f"{most} moves, turn {(most + CHASER2) // SEATS}"


def _by_turn(s: Any, actions: list[int]) -> tuple[str, ...]:
    """Write a line of play, a turn an entry; a turn that began earlier shows dots for what was played."""
    names = ["…"] * int(s.seat) + [action_name(action) for action in actions]
    turns = range(0, len(names), SEATS)
    return tuple(f"{int(s.turn) + at // SEATS + 1}. {' '.join(names[at : at + SEATS])}" for at in turns)
