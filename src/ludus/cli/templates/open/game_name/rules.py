"""Game Name: players claim cells in turn, and a row of them wins.

The truth is README.md beside this file; D-numbers are its decisions.
"""

import numpy as np

from ludus.core import Option, Spec, rule, structural

SEATS = 2  # who play: 2 to 8
SIZE = structural("size", min(3 + SEATS, 9), low=3, high=9, about="rows and columns of the board")

LETTERS = "XOVWSTUZ"[:SEATS]  # by seat
NOBODY = -1  # owns a free cell, and has won while the game runs
CELLS = SIZE * SIZE  # an action is the cell that it claims, counted row by row from the top left
LINES = 4  # through a cell: across, down, and both diagonals
DX, DY = (1, 0, 1, 1), (0, 1, 1, -1)

SPEC = Spec(
    title="Game Name",
    version=1,
    seats=tuple(LETTERS.lower()),
    actions=CELLS,
    planes=(SEATS, SIZE, SIZE),
    plane_type="u1",
    options=(Option("row", 4 if SEATS == 2 and SIZE > 3 else 3, 3, SIZE, "cells in a row that win"),),
)

State = np.dtype(
    [
        ("opt_row", "i4"),
        ("seat", "i4"),  # who moves; goes on after the last move, too
        ("turn", "i4"),  # cells claimed so far
        ("winner", "i4"),  # a seat, or NOBODY
        ("last_action", "i4"),  # the cell claimed last; 0 as long as there is none
        ("last_reward", "i4", SEATS),  # by seat; not 0 on the last move only
        ("owner", "i1", CELLS),  # of each cell: a seat, or NOBODY
    ],
    align=True,
)


@rule
def new(s, rng):
    """Clear the board; the first seat begins (D1)."""
    s.seat, s.turn, s.winner = 0, 0, NOBODY
    s.owner[:] = NOBODY


@rule
def legal(s, mask):
    """Mark the free cells; return how many."""
    if is_over(s):
        return 0
    for cell in range(CELLS):
        mask[cell] = s.owner[cell] == NOBODY
    return CELLS - s.turn


@rule
def apply(s, action, rng):
    """Play one legal action for the seat to move: claim the cell, judge, pass the turn on."""
    claim(s, action)
    judge(s, action)
    s.seat = (s.seat + 1) % SEATS


@rule
def encode(view, planes):
    """Fill planes: my cells, then those of each opponent, in the order of play (D4)."""
    for cell in range(CELLS):
        if view.owner[cell] != NOBODY:
            planes[(view.owner[cell] - view.me + SEATS) % SEATS, cell // SIZE, cell % SIZE] = 1


@rule
def result(s, outcome, points):
    """Write 1 for the winner and -1 for the others, 0 for all while running and in a draw; points are the same."""
    for seat in range(SEATS):
        outcome[seat] = 0
        if s.winner != NOBODY:
            outcome[seat] = 1 if seat == s.winner else -1
        points[seat] = outcome[seat]
    return 1 if is_over(s) else 0


@rule
def sound(s):
    """Say whether play could lead here, so that other rules may count on it: what comes from outside is asked this first."""
    claimed = 0
    for seat in range(SEATS):
        claimed += cells_of(s, seat)
    for cell in range(CELLS):
        owner = int(s.owner[cell])
        if not NOBODY <= owner < SEATS:
            return False
        if owner != NOBODY and owner != s.winner and row_through(s, cell, owner) >= s.opt_row:
            return False
    if s.turn != claimed or s.seat != claimed % SEATS or not 0 <= s.last_action < CELLS:
        return False
    mover = (s.seat + SEATS - 1) % SEATS  # of the last move
    if s.owner[s.last_action] != mover if s.turn > 0 else s.last_action != 0:
        return False
    won = s.turn > 0 and row_through(s, s.last_action, mover) >= s.opt_row
    for seat in range(SEATS):
        if cells_of(s, seat) != (claimed - seat + SEATS - 1) // SEATS:  # D1
            return False
        if s.last_reward[seat] != (0 if not won else 1 if seat == mover else -1):
            return False
    return s.winner == (mover if won else NOBODY)


@rule
def is_over(s):
    """Say whether somebody has won, or the board is full (D3)."""
    return s.winner != NOBODY or s.turn == CELLS


@rule
def claim(s, cell):
    """Give a cell to the seat to move."""
    s.owner[cell] = s.seat
    s.turn += 1
    s.last_action = cell


@rule
def judge(s, cell):
    """Let the owner of a cell win if that cell completes a row (D2)."""
    seat = int(s.owner[cell])
    if row_through(s, cell, seat) >= s.opt_row:
        s.winner = seat
        s.last_reward[:] = -1
        s.last_reward[seat] = 1


@rule
def cells_of(s, seat):
    """Count the cells of a seat."""
    count = 0
    for cell in range(CELLS):
        count += int(s.owner[cell] == seat)
    return count


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
