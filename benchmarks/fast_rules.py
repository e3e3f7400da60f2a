"""What makes rules fast: the same small rule written in two ways, in nanoseconds a call; docs/fast-rules.md explains each.

usage: python benchmarks/fast_rules.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from ludus.core import count_bits

SIZE, PIECES, MARKS, ROWS, ROUNDS = 16, 8, 64, 2048, 400  # the best round of each counts
CELLS = SIZE * SIZE
WIDTH = 15  # of a board whose rows are split; no power of two, which would be a shift
EDGE = SIZE - 1
ALL = (1 << SIZE) - 1
DX, DY = (0, 1, 0, -1), (-1, 0, 1, 0)
FREE, MINE, THEIRS, WALL = 0, 1, 2, 3
bits = njit(count_bits)

State = np.dtype(
    [
        ("opt_size", "i4"),
        ("index", "i4"),  # of a mark
        ("grid", "i1", (SIZE, SIZE)),  # FREE, MINE, THEIRS or WALL
        ("wide", "i4", (SIZE, SIZE)),  # the same, four times as large
        ("mine", "u4", SIZE),  # the same as rows of bits
        ("blocked", "u4", SIZE),  # everything but FREE
        ("pieces", "i4"),  # how many
        ("x", "i4", PIECES),
        ("y", "i4", PIECES),
        ("marks", "i1", MARKS),
    ],
    align=True,
)


def border_of_bytes(s, planes):
    """Count the free cells beside mine: a grid of bytes, four neighbours a cell."""
    count = 0
    for y in range(SIZE):
        for x in range(SIZE):
            if s.grid[y, x] == FREE:
                above = y > 0 and s.grid[y - 1, x] == MINE
                below = y < EDGE and s.grid[y + 1, x] == MINE
                if above or below or (x > 0 and s.grid[y, x - 1] == MINE) or (x < EDGE and s.grid[y, x + 1] == MINE):
                    count += 1
    return count


def border_of_bits(s, planes):
    """Count the free cells beside mine: rows of bits, all cells of a row at once."""
    count, above = 0, 0
    for y in range(SIZE):
        here = int(s.mine[y])
        below = int(s.mine[y + 1]) if y < EDGE else 0
        count += bits(((here << 1) | (here >> 1) | above | below) & ~int(s.blocked[y]) & ALL)
        above = here
    return count


def moves_by_board(s, planes):
    """Count my moves: look for my pieces on the whole board."""
    count = 0
    for y in range(SIZE):
        for x in range(SIZE):
            if s.grid[y, x] == MINE:
                for step in range(4):
                    to_x, to_y = x + DX[step], y + DY[step]
                    count += int(0 <= to_x < SIZE and 0 <= to_y < SIZE and s.grid[to_y, to_x] == FREE)
    return count


def moves_by_list(s, planes):
    """Count my moves: go through the list of my pieces."""
    count = 0
    for piece in range(s.pieces):
        for step in range(4):
            to_x, to_y = s.x[piece] + DX[step], s.y[piece] + DY[step]
            count += int(0 <= to_x < SIZE and 0 <= to_y < SIZE and s.grid[to_y, to_x] == FREE)
    return count


def planes_one_by_one(s, planes):
    """Fill four planes that arrive zeroed, one loop each."""
    for kind in range(4):
        for y in range(SIZE):
            for x in range(SIZE):
                if s.grid[y, x] == kind:
                    planes[kind, y, x] = 1
    return s.index


def planes_in_one_pass(s, planes):
    """Fill four planes that arrive zeroed in one pass: a cell writes where it belongs."""
    for y in range(SIZE):
        for x in range(SIZE):
            planes[s.grid[y, x], y, x] = 1
    return s.index


def nth_by_return(s, planes):
    """Find the index-th mark: stop where it is."""
    index = s.index
    for place in range(MARKS):
        if s.marks[place] != 0:
            if index == 0:
                return place
            index -= 1
    return -1


def nth_without_branches(s, planes):
    """Find the index-th mark: count the places before it, all of them, without a jump."""
    seen, place = 0, 0
    for k in range(MARKS):
        seen += int(s.marks[k])
        place += int(seen <= s.index)
    return place


def sum_of_wide(s, planes):
    """Add up a board of four bytes a cell."""
    total = 0
    for y in range(SIZE):
        for x in range(SIZE):
            total += s.wide[y, x]
    return total


def sum_of_bytes(s, planes):
    """Add up a board of one byte a cell, as it comes."""
    total = 0
    for y in range(SIZE):
        for x in range(SIZE):
            total += s.grid[y, x]
    return total


def sum_through_int(s, planes):
    """Add up a board of one byte a cell, read through int(…)."""
    total = 0
    for y in range(SIZE):
        for x in range(SIZE):
            total += int(s.grid[y, x])
    return total


def rows_by_field(s, planes):
    """Split cells into row and column by a size that stands in the row."""
    total = 0
    for piece in range(PIECES):
        cell = s.y[piece] * s.opt_size + s.x[piece]
        for step in range(4):
            total += cell * (step + 1) // s.opt_size + cell * (step + 1) % s.opt_size
    return total


def rows_by_constant(s, planes):
    """Split cells into row and column by a structural size, a constant of the compiled code."""
    total = 0
    for piece in range(PIECES):
        cell = s.y[piece] * WIDTH + s.x[piece]
        for step in range(4):
            total += cell * (step + 1) // WIDTH + cell * (step + 1) % WIDTH
    return total


PAIRS: list[tuple[str, Callable[..., int], Callable[..., int]]] = [
    ("rows of bits against a grid of bytes", border_of_bytes, border_of_bits),
    ("a list of pieces against the whole board", moves_by_board, moves_by_list),
    ("one pass for four planes against four", planes_one_by_one, planes_in_one_pass),
    ("no branches against an early return", nth_by_return, nth_without_branches),
    ("one byte a cell against four", sum_of_wide, sum_of_bytes),
    ("int(…) around a byte against none", sum_of_bytes, sum_through_int),
    ("a structural size against a field", rows_by_field, rows_by_constant),
]


def positions() -> Any:
    """Return rows as play might leave them: some walls, a few pieces of each side, half of the marks set."""
    chance, rows = np.random.default_rng(1), np.zeros(ROWS, State)
    for row in rows:
        cells = chance.permutation(CELLS)
        grid = row["grid"].reshape(-1)
        grid[cells[:PIECES]], grid[cells[PIECES : 2 * PIECES]], grid[cells[2 * PIECES : 6 * PIECES]] = MINE, THEIRS, WALL
        row["x"], row["y"] = cells[:PIECES] % SIZE, cells[:PIECES] // SIZE
        weights = 1 << np.arange(SIZE)
        row["mine"], row["blocked"] = (row["grid"] == MINE) @ weights, (row["grid"] != FREE) @ weights
        row["marks"] = chance.random(MARKS) < 0.5
        row["index"] = chance.integers(row["marks"].sum())
    rows["wide"], rows["pieces"], rows["opt_size"] = rows["grid"], PIECES, WIDTH
    return rows


def over_all(rule: Callable[..., int]) -> Callable[..., int]:
    """Return a compiled loop of a rule over rows."""
    compiled = njit(rule)

    @njit
    def loop(rows, planes):
        total = 0
        for k in range(rows.shape[0]):
            total += compiled(rows[k], planes)
        return total

    return loop


def measure(slow: Callable[..., int], fast: Callable[..., int], rows: Any) -> tuple[float, float]:
    """Return the nanoseconds a call of both, best of many rounds that take turns, so that other work disturbs both alike."""
    planes = np.zeros((4, SIZE, SIZE), np.float32)
    loops = [over_all(slow), over_all(fast)]
    if loops[0](rows, planes) != loops[1](rows, np.zeros_like(planes)):
        raise SystemExit(f"{slow.__name__} and {fast.__name__} are not the same rule")
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for k, loop in enumerate(loops):
            started = time.perf_counter()
            loop(rows, planes)
            best[k] = min(best[k], time.perf_counter() - started)
    return best[0] / ROWS * 1e9, best[1] / ROWS * 1e9


def main() -> None:
    """Print a line a pair."""
    rows = positions()
    for words, slow, fast in PAIRS:
        before, after = measure(slow, fast, rows)
        print(f"{words}: {before:.1f} ns, {after:.1f} ns, {before / after:.2f} times as fast", flush=True)


if __name__ == "__main__":
    main()
