"""The positions with which the original program starts: its own draws for a seed, or given cells as (row, column)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ludus.core import BadValue, LudusError, whole_number

from ..rules import CLEAR_ZONE, SEATS, SIZE, SPAWN_DISTANCE, SPEC, State

OBSTACLES, MAX_TURNS = SPEC.options


def original_start(seed: int, max_turns: int = 300, obstacles: int = 5) -> Any:
    """Return the row with which the original starts for a seed."""
    layout = original_layout(seed, obstacles)
    return _row([layout[name] for name in SPEC.seats], layout["obstacles"], max_turns)


def custom_start(
    seed: int,
    max_turns: int = 300,
    count: int = 5,
    positions: Mapping[str, Iterable[int]] | None = None,
    obstacles: Iterable[Iterable[int]] | None = None,
) -> Any:
    """Return a row with given cells (row, column); agents or obstacles that are not given are drawn (D17, D18)."""
    chance, drawn = random.Random(seed), original_layout(seed, 0)
    agents = [_cell((positions or drawn)[name]) for name in SPEC.seats]
    if obstacles is None:
        free = _clear_cells(agents)
        if len(free) < count:
            raise LudusError(f"{count} obstacles do not fit: there are {len(free)} free cells")
        obstacles = chance.sample(free, count)
    walls = {_cell(wall) for wall in obstacles}
    if len(set(agents)) < SEATS or walls & set(agents):
        raise BadValue(f"agents need cells of their own without an obstacle, not {agents} with obstacles {sorted(walls)}")
    return _row(agents, sorted(walls), max_turns)


def original_layout(seed: int, obstacles: int = 5) -> dict[str, Any]:
    """Return the set-up that the original's generator gives for a seed: cells as [row, column]."""
    chance = random.Random(seed)
    cell = chance.randint(0, SIZE * SIZE - 1)
    runner = divmod(cell, SIZE)
    cells = [(y, x) for y in range(SIZE) for x in range(SIZE)]
    far = [(y, x) for y, x in cells if abs(y - runner[0]) + abs(x - runner[1]) >= SPAWN_DISTANCE]
    if len(far) < 2:
        raise LudusError(f"seed {seed} puts the runner where fewer than 2 cells are {SPAWN_DISTANCE} steps away")
    agents = [runner, *chance.sample(far, 2)]
    free = _clear_cells(agents)
    if len(free) < obstacles:
        raise LudusError(f"{obstacles} obstacles do not fit: with seed {seed} there are {len(free)} free cells")
    walls = sorted(chance.sample(free, obstacles))
    return {
        **{name: list(agents[seat]) for seat, name in enumerate(SPEC.seats)},
        "obstacles": [list(wall) for wall in walls],
    }


def _clear_cells(agents: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the cells outside every agent's 3×3 zone, row by row."""
    cells = [(y, x) for y in range(SIZE) for x in range(SIZE)]
    return [(y, x) for y, x in cells if all(max(abs(y - r), abs(x - c)) > CLEAR_ZONE for r, c in agents)]


def _cell(pair: Iterable[int]) -> tuple[int, int]:
    """Return a pair (row, column) that is on the board."""
    row, column = (whole_number(number, "a row or column", 0, SIZE - 1) for number in pair)
    return row, column


def _row(agents: Sequence[Sequence[int]], walls: Sequence[Sequence[int]], max_turns: int) -> Any:
    """Return the start of a game with these cells (row, column)."""
    s = np.zeros(1, State).view(np.recarray)[0]
    s.opt_max_turns = MAX_TURNS.check(max_turns)  # D25
    s.opt_obstacles, s.last_seat, s.last_action = min(len(walls), OBSTACLES.high), -1, -1
    for seat in range(SEATS):
        s.y[seat], s.x[seat] = agents[seat]
    for y, x in walls:
        s.wall[y] |= 1 << x
    return s
