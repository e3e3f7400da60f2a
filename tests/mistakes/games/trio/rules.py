"""Trio: two players claim cells of a board of five by four in turn, and a row of them wins."""

import numpy as np

from ludus.core import Option, Spec, rule

WIDTH, HEIGHT, SEATS = 5, 4, 2
CELLS = WIDTH * HEIGHT
NOBODY = -1
DX, DY = (1, 0, 1, 1), (0, 1, 1, -1)

SPEC = Spec(
    title="Trio",
    version=1,
    seats=("x", "o"),
    actions=CELLS,
    planes=(SEATS, HEIGHT, WIDTH),
    plane_type="u1",
    options=(Option("row", 3, 3, 4, "cells in a row that win"),),
)

State = np.dtype(
    [
        ("opt_row", "i4"),
        ("seat", "i4"),  # who moves
        ("turn", "i4"),  # cells claimed so far
        ("winner", "i4"),  # a seat, or NOBODY
        ("last_action", "i4"),  # the cell claimed last, -1 at the start
        ("last_reward", "i4", SEATS),
        ("owner", "i1", (HEIGHT, WIDTH)),  # of each cell: a seat, or NOBODY
    ],
    align=True,
)


@rule
def new(s, rng):
    """Clear the board."""
    clear_last(s)
    s.seat, s.turn, s.winner = 0, 0, NOBODY
    s.owner[:] = NOBODY


@rule
def legal(s, mask):
    """Mark the free cells."""
    if is_over(s):
        return 0
    count = 0
    for cell in range(CELLS):
        if s.owner[cell // WIDTH, cell % WIDTH] == NOBODY:
            mask[cell] = 1
            count += 1
    return count


@rule
def apply(s, action, rng):
    """Claim a cell, judge, pass the turn on."""
    clear_last(s)
    s.owner[action // WIDTH, action % WIDTH] = s.seat
    s.last_action = action
    s.turn += 1
    if longest(s, action) >= s.opt_row:
        s.winner = s.seat
        for seat in range(SEATS):
            s.last_reward[seat] = 1 if seat == s.winner else -1
    s.seat = 1 - s.seat


@rule
def encode(view, planes):
    """Fill planes: my cells, then the other's."""
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if view.owner[y, x] != NOBODY:
                planes[int(view.owner[y, x] != view.me), y, x] = 1


@rule
def result(s, outcome, points):
    """Write 1 for the winner and -1 for the loser."""
    for seat in range(SEATS):
        outcome[seat] = 0
        if s.winner != NOBODY:
            outcome[seat] = 1 if seat == s.winner else -1
        points[seat] = outcome[seat]
    return 1 if is_over(s) else 0


@rule
def sound(s):
    """Say whether this can be a position."""
    count = 0
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if not NOBODY <= s.owner[y, x] < SEATS:
                return False
            count += int(s.owner[y, x] != NOBODY)
    return s.turn == count and s.seat == count % 2 and NOBODY <= s.winner < SEATS and -1 <= s.last_action < CELLS


@rule
def default(s):
    """Claim the first free cell."""
    for cell in range(CELLS):
        if s.owner[cell // WIDTH, cell % WIDTH] == NOBODY:
            return cell
    return 0


@rule
def is_over(s):
    """Say whether somebody has won, or the board is full."""
    return s.winner != NOBODY or s.turn == CELLS


@rule
def longest(s, cell):
    """Return the length of the longest row through a cell."""
    best = 0
    for line in range(4):
        here = 1 + run(s, cell, DX[line], DY[line]) + run(s, cell, -DX[line], -DY[line])
        best = max(best, here)
    return best


@rule
def run(s, cell, dx, dy):
    """Count the owner's cells from a cell on in one direction."""
    x, y = cell % WIDTH + dx, cell // WIDTH + dy
    whose = s.owner[cell // WIDTH, cell % WIDTH]
    count = 0
    while 0 <= x < WIDTH and 0 <= y < HEIGHT and s.owner[y, x] == whose:
        x, y, count = x + dx, y + dy, count + 1
    return count


@rule
def clear_last(s):
    """Forget the move before."""
    s.last_action = -1
    for seat in range(SEATS):
        s.last_reward[seat] = 0
