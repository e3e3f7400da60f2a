"""What perfect play makes of a position and its layout: value, best line, how long captures take from every start."""

from __future__ import annotations

from math import comb, floor
from typing import Any

import numpy as np
import numpy.typing as npt

from ludus.core import Chart, Report, Sheet, plain

from .actions import action_name
from .perfect import CELLS, best_moves, prepare
from .rules import ACTIONS, CHASER2, CLEAR_ZONE, RUNNER, RUNNING, SEATS, SIZE, SPAWN_DISTANCE, SPEC, apply, legal
from .scene import ENDS

TURNS_SHOWN = (15, 18, 20, 21, 22, 25, 30, 33, 36, 40, 50, 100)  # of which the share caught by then is told
CLASSES = ("none", "one", "both")  # how many chasers start at an odd distance from the runner
COUNTED, DRAWN = 0, 1  # starts counted once each, or weighted by the chance that the set-up gives them


def solve(s: Any, tools: Any) -> Report:
    """Solve the layout of a position and report on both."""
    table = prepare(s, tools)
    moves, never = value(s, table), int(np.iinfo(table.dtype).max)
    times = capture_times(s, table)
    return Report(
        title=f"{SPEC.title}, perfect play",
        facts=(*_facts(s, moves, never), *_layout_facts(times)),
        line=() if moves == never else _by_turn(s, best_line(s, table)),
        sheets=_sheets(times) if times[..., :-1].any() else (),
        charts=(_chart(times),) if times[..., :-1].any() else (),
    )


def value(s: Any, table: npt.NDArray[Any]) -> int:
    """Return the moves to capture under best play; the table's highest number if there will be none."""
    runner, chaser1, chaser2 = (int(s.y[seat]) * SIZE + int(s.x[seat]) for seat in range(SEATS))
    return int(table[s.seat, runner, chaser1, chaser2])


def best_line(s: Any, table: npt.NDArray[Any]) -> list[int]:
    """Return the actions to the end of the game, each the lowest of the best."""
    row: Any = plain(s).copy()
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


def capture_times(s: Any, table: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return how the admissible starts of a layout end [COUNTED or DRAWN, class, moves to capture], the last is never.

    The set-up draws the runner, two cells far from it, then the obstacles among the cells that the three leave free; so
    a start is as likely as its two cells among the far ones, times this layout among those that still fit.
    """
    columns = int(np.iinfo(table.dtype).max) + 1
    y, x = np.divmod(np.arange(CELLS), SIZE)
    is_near = np.maximum(abs(y[:, None] - y), abs(x[:, None] - x)) <= CLEAR_ZONE
    common = is_near.astype(int) @ is_near  # cells in the zones of both
    zone = common.diagonal()  # in the zone of one; the runner's is far from the chasers'
    is_wall = np.array([int(s.wall[cell // SIZE]) >> cell % SIZE & 1 == 1 for cell in range(CELLS)])
    is_clear = ~is_near[:, is_wall].any(axis=1)
    chance = _layout_chances(int(is_wall.sum()))
    times = np.zeros((2, len(CLASSES) * columns))
    for runner in np.flatnonzero(is_clear):
        distance = abs(y - y[runner]) + abs(x - x[runner])
        is_far = distance >= SPAWN_DISTANCE
        cells = np.flatnonzero(is_clear & is_far)
        one, two = (index[~np.eye(len(cells), dtype=bool)] for index in np.meshgrid(cells, cells, indexing="ij"))
        slots = (distance[one] % 2 + distance[two] % 2) * columns + table[RUNNER, runner, one, two]
        times[COUNTED] += np.bincount(slots, minlength=times.shape[1])
        free = CELLS - zone[runner] - zone[one] - zone[two] + common[one, two]
        weights = chance[free] / (is_far.sum() * (is_far.sum() - 1))
        times[DRAWN] += np.bincount(slots, weights, times.shape[1])
    return times.reshape(2, len(CLASSES), columns)


def _layout_chances(walls: int) -> npt.NDArray[np.float64]:
    """Return the chance of one layout with so many walls by the number of free cells, in units of the smallest."""
    ways = [comb(free, walls) for free in range(CELLS + 1)]
    return np.array([ways[-1] / count if count else 0.0 for count in ways])


def _facts(s: Any, moves: int, never: int) -> tuple[tuple[str, str | int | float], ...]:
    odd = sum((abs(int(s.x[k]) - int(s.x[RUNNER])) + abs(int(s.y[k]) - int(s.y[RUNNER]))) % 2 for k in range(1, SEATS))
    facts = ("to move", SPEC.seats[s.seat]), ("chasers at odd distance", CLASSES[odd])
    if s.end != RUNNING:
        return (("value", f"the game is over: {ENDS[int(s.end)]}"),)
    if moves == never:
        return *facts, ("value", "the runner is never caught")
    turn, last = turn_of(s, moves), int(s.opt_max_turns)
    late = f", after the limit of {last}: the runner escapes" if turn > last else ""
    return *facts, ("moves to capture", moves), ("capture in turn", f"{turn}{late}")


def _layout_facts(times: npt.NDArray[np.float64]) -> tuple[tuple[str, str | int | float], ...]:
    """Tell about all admissible starts."""
    starts, caught = int(times[COUNTED].sum()), times[:, :, :-1].sum(axis=1)
    facts = (("admissible starts of this layout", starts),)
    if not caught.any():
        return facts
    return (
        *facts,
        ("won by the chasers", _share(caught[COUNTED].sum(), starts)),
        ("mean turn of capture", f"{_mean_turn(caught[COUNTED])}, as the set-up draws {_mean_turn(caught[DRAWN])}"),
        ("longest capture", _longest(caught[COUNTED])),
    )


def _sheets(times: npt.NDArray[np.float64]) -> tuple[Sheet, ...]:
    """Tell how many are caught by some turns, and what the colours of the start cells make of it."""
    whole = times.sum(axis=(1, 2))
    by_turn = np.cumsum([_turns(kind[:, :-1].sum(axis=0)) for kind in times], axis=1)
    last = int(np.argmax(by_turn[COUNTED]))  # the first turn by which all are caught that ever will be
    turns = [turn for turn in TURNS_SHOWN if turn < last] + [last]
    classes = []
    for k, name in enumerate(CLASSES):
        caught = times[:, k, :-1]
        found = (_mean_turn(caught[DRAWN]), _longest(caught[COUNTED])) if caught.any() else ("-", "-")
        classes.append((name, *_shares(times[:, k].sum(axis=1), whole), *found))
    kinds = "of all", "as drawn"
    return (
        Sheet("starts caught by turn", ("turn", *kinds), tuple((t, *_shares(by_turn[:, t], whole)) for t in turns)),
        Sheet("by chasers at odd distance", ("at odd distance", *kinds, "mean turn, as drawn", "longest"), tuple(classes)),
    )


def _chart(times: npt.NDArray[np.float64]) -> Chart:
    counted = times[COUNTED]
    turns = _turns(counted[:, :-1].sum(axis=0))
    found = np.flatnonzero(turns)
    bars = tuple((str(t), round(100 * float(turns[t] / counted.sum()), 2)) for t in range(found[0], found[-1] + 1))
    return Chart("starts caught in turn, of all", "%", bars)


def _shares(parts: npt.NDArray[np.float64], wholes: npt.NDArray[np.float64]) -> tuple[str, str]:
    return _share(parts[COUNTED], wholes[COUNTED]), _share(parts[DRAWN], wholes[DRAWN])


def _share(part: float, whole: float) -> str:
    """Write a share, rounded down: 100 % means all."""
    return f"{floor(10000 * part / whole * (1 + 1e-12)) / 100:.2f} %"


def _turns(moves: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Count by turn instead of by move: the moves 1 to 3 of a game are its turn 1."""
    return np.asarray(np.bincount((np.arange(len(moves)) + CHASER2) // SEATS, weights=moves), np.float64)


def _mean_turn(moves: npt.NDArray[np.float64]) -> float:
    turns = _turns(moves)
    return round(float((turns * np.arange(len(turns))).sum() / turns.sum()), 1)


def _longest(moves: npt.NDArray[np.float64]) -> str:
    most = int(np.flatnonzero(moves)[-1])
    return f"{most} moves, turn {(most + CHASER2) // SEATS}"


def _by_turn(s: Any, actions: list[int]) -> tuple[str, ...]:
    """Write a line of play, a turn an entry; a turn that began earlier shows dots for what was played."""
    names = ["…"] * int(s.seat) + [action_name(action) for action in actions]
    turns = range(0, len(names), SEATS)
    return tuple(f"{int(s.turn) + at // SEATS + 1}. {' '.join(names[at : at + SEATS])}" for at in turns)
