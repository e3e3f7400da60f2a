"""Game Name: two players claim cells in turn, and a row of them wins.

The truth is README.md beside this file; D-numbers are its decisions.
"""

import numpy as np

from ludus.core import Option, Spec, rule, structural

SIZE = structural("size", 5, low=3, high=9, about="rows and columns of the board")

SEATS = 2
NOBODY = -1  # owns a free cell, and has won while the game runs
CELLS = SIZE * SIZE  # an action is the cell that it claims, counted row by row from the top left
LINES = 4  # through a cell: across, down, and both diagonals
DX, DY = (1, 0, 1, 1), (0, 1, 1, -1)

SPEC = Spec(
    title="Game Name",
    version=1,
    seats=("x", "o"),
    actions=CELLS,
    planes=(SEATS, SIZE, SIZE),
    plane_type="u1",
    options=(Option("row", min(4, SIZE), 3, SIZE, "cells in a row that win"),),
)

State = np.dtype(
    [
        ("opt_row", "i4"),
        ("seat", "i4"),  # who moves; goes on after the last move, too
        ("moves", "i4"),  # cells claimed so far
        ("winner", "i4"),  # a seat, or NOBODY
        ("last_action", "i4"),  # the cell claimed last; -1 at the start
        ("last_reward", "i4", SEATS),  # by seat; not 0 on the last move only
        ("owner", "i1", CELLS),  # of each cell: a seat, or NOBODY
    ],
    align=True,
)

View = np.dtype(
    [
        ("me", "i4"),  # the seat that looks
        ("row", "i4"),
        ("seat", "i4"),
        ("moves", "i4"),
        ("winner", "i4"),
        ("last_action", "i4"),
        ("owner", "i1", CELLS),
    ],
    align=True,
)


@rule
def new(s, rng):
    """Clear the board; X begins (D1)."""
    s.seat, s.moves, s.winner = 0, 0, NOBODY
    s.owner[:] = NOBODY
    clear_last(s)


@rule
def legal(s, mask):
    """Mark the free cells; return how many."""
    if is_over(s):
        return 0
    for cell in range(CELLS):
        mask[cell] = s.owner[cell] == NOBODY
    return CELLS - s.moves


@rule
def apply(s, action, rng):
    """Play one legal action for the seat to move: claim the cell, judge, pass the turn on."""
    clear_last(s)
    claim(s, action)
    judge(s, action)
    s.seat = 1 - s.seat


@rule
def observe(s, seat, view):
    """Copy the position: nothing is hidden."""
    view.me, view.row = seat, s.opt_row
    view.seat, view.moves, view.winner = s.seat, s.moves, s.winner
    view.last_action = s.last_action
    for cell in range(CELLS):
        view.owner[cell] = s.owner[cell]


@rule
def encode(view, planes):
    """Fill planes: my cells, then the opponent's (D4)."""
    for cell in range(CELLS):
        if view.owner[cell] != NOBODY:
            planes[int(view.owner[cell] != view.me), cell // SIZE, cell % SIZE] = 1


@rule
def result(s, outcome, points):
    """Write 1 for the winner and -1 for the loser, 0 for both while running and in a draw; points are the same."""
    for seat in range(SEATS):
        outcome[seat] = 0
        if s.winner != NOBODY:
            outcome[seat] = 1 if seat == s.winner else -1
        points[seat] = outcome[seat]
    return 1 if is_over(s) else 0


@rule
def is_over(s):
    """Say whether somebody has won, or the board is full (D3)."""
    return s.winner != NOBODY or s.moves == CELLS


@rule
def claim(s, cell):
    """Give a cell to the seat to move."""
    s.owner[cell] = s.seat
    s.moves += 1
    s.last_action = cell


@rule
def judge(s, cell):
    """Let the seat to move win if the cell that it claimed completes a row (D2)."""
    if row_through(s, cell, s.seat) >= s.opt_row:
        s.winner = s.seat
        s.last_reward[s.seat], s.last_reward[1 - s.seat] = 1, -1


@rule
def row_through(board, cell, seat):
    """Return how long the seat's longest row through a cell is, were that cell its own; a board is a position or a view."""
    longest = 0
    for line in range(LINES):
        dx, dy = DX[line], DY[line]
        longest = max(longest, 1 + run(board, cell, seat, dx, dy) + run(board, cell, seat, -dx, -dy))
    return longest


@rule
def run(board, cell, seat, dx, dy):
    """Count the seat's cells from a cell on in one direction, up to the first that is not its own."""
    x, y = cell % SIZE + dx, cell // SIZE + dy
    count = 0
    while 0 <= x < SIZE and 0 <= y < SIZE and board.owner[y * SIZE + x] == seat:
        x, y, count = x + dx, y + dy, count + 1
    return count


@rule
def clear_last(s):
    """Forget what happened in the move before."""
    s.last_action = -1
    for seat in range(SEATS):
        s.last_reward[seat] = 0
