"""Game Name: everybody steps at once and leaves a trail; who runs into one is out, and the last one wins.

The truth is README.md beside this file; D-numbers are its decisions.
"""

import numpy as np

from ludus.core import Spec, draw, rule, structural

SEATS = 2  # who play: 2 to 8
SIZE = structural("size", 9, low=5, high=15, about="rows and columns of the board")

CELLS = SIZE * SIZE  # counted row by row from the top left
NOBODY = -1  # owns a free cell; no step, no cell
STEPS = 4  # an action is a step: up, right, down, left
DX, DY = (0, 1, 0, -1), (-1, 0, 1, 0)
NEAR, MIDDLE, FAR = 1, SIZE // 2, SIZE - 2
STARTS = tuple(  # by seat: those of two lie in opposite corners
    y * SIZE + x
    for x, y in (
        *((NEAR, NEAR), (FAR, FAR), (FAR, NEAR), (NEAR, FAR)),
        *((MIDDLE, NEAR), (MIDDLE, FAR), (NEAR, MIDDLE), (FAR, MIDDLE)),
    )
)
MY_TRAIL, TRAILS, MY_HEAD, HEADS = 0, 1, 2, 3  # planes (D5)

SPEC = Spec(
    title="Game Name",
    version=1,
    seats=("red", "blue", "green", "yellow", "pink", "teal", "orange", "violet")[:SEATS],
    actions=STEPS,
    planes=(4, SIZE, SIZE),
    plane_type="u1",
    simultaneous=True,
)

OPEN = [  # what everybody sees
    ("seat", "i4"),  # who commits a step: seats that are not out, in order
    ("turn", "i4"),  # steps that all have taken
    ("out", "i4", SEATS),  # by seat the turn in which it went out; 0 = it is still in
    ("head", "i4", SEATS),  # by seat the cell where it stands, or stood last
    ("owner", "i1", CELLS),  # of each cell: the seat whose trail runs there, or NOBODY
    ("last_reward", "i4", SEATS),
]
State = np.dtype([*OPEN, ("plan", "i4", SEATS)], align=True)  # by seat the step that it has committed in this turn, or NOBODY
View = np.dtype([("me", "i4"), *OPEN], align=True)  # plans are secret (D3)


@rule
def new(s, rng):
    """Put everybody on its start (D1)."""
    s.seat, s.turn = 0, 0
    s.out[:] = 0
    s.plan[:] = NOBODY
    s.owner[:] = NOBODY
    for seat in range(SEATS):
        s.head[seat] = STARTS[seat]
        s.owner[STARTS[seat]] = seat


@rule
def legal(s, mask):
    """Mark the steps to free cells, or all where there is none (D2); return how many."""
    count = 0
    if not is_over(s):
        for step in range(STEPS):
            mask[step] = may_step(s, s.seat, step)
            count += int(mask[step])
    return count


@rule
def apply(s, action, rng):
    """Commit a step; the last one to commit lets all happen at once."""
    s.plan[s.seat] = action
    s.seat = first_in(s, s.seat + 1)
    if s.seat == NOBODY:
        move(s)
        reward(s)
        s.plan[:] = NOBODY
        s.seat = max(first_in(s, 0), 0)


@rule
def observe(s, seat, view):
    """Show a seat all but the plans."""
    view.me, view.seat, view.turn = seat, s.seat, s.turn
    for cell in range(CELLS):
        view.owner[cell] = s.owner[cell]
    for other in range(SEATS):
        view.out[other], view.head[other], view.last_reward[other] = s.out[other], s.head[other], s.last_reward[other]


@rule
def sample(view, s, rng):
    """Copy what is seen, and draw a step for everybody who has committed one."""
    s.seat, s.turn = view.seat, view.turn
    for cell in range(CELLS):
        s.owner[cell] = view.owner[cell]
    for seat in range(SEATS):
        s.out[seat], s.head[seat], s.last_reward[seat] = view.out[seat], view.head[seat], view.last_reward[seat]
        s.plan[seat] = NOBODY
        if seat < s.seat and s.out[seat] == 0 and not is_over(view):
            s.plan[seat] = any_step(s, seat, rng)


@rule
def encode(view, planes):
    """Fill planes: my trail, those of others, my head, those of others that are in (D5)."""
    for cell in range(CELLS):
        if view.owner[cell] != NOBODY:
            planes[MY_TRAIL if view.owner[cell] == view.me else TRAILS, cell // SIZE, cell % SIZE] = 1
    for seat in range(SEATS):
        if view.out[seat] == 0:
            cell = view.head[seat]
            planes[MY_HEAD if seat == view.me else HEADS, cell // SIZE, cell % SIZE] = 1


@rule
def result(s, outcome, points):
    """Let the last one win; where all went out at once, these draw (D4). Points are the turns that a seat was in."""
    left = count_in(s)
    for seat in range(SEATS):
        points[seat] = s.turn if s.out[seat] == 0 else s.out[seat]
        outcome[seat] = 0
        if left == 1 or (left == 0 and s.out[seat] < s.turn):
            outcome[seat] = 1 if s.out[seat] == 0 else -1
    return 1 if is_over(s) else 0


@rule
def default(s):
    """Take the first step that may be taken."""
    for step in range(STEPS):
        if may_step(s, s.seat, step):
            return step
    return 0


@rule
def is_out(s, seat):
    """Say whether a seat is out for good, while others may play on."""
    return s.out[seat] != 0


@rule
def sound(s):
    """Say whether play could lead here, so that other rules may count on it: what comes from outside is asked this first."""
    if not 0 <= s.turn < CELLS:
        return False
    for cell in range(CELLS):
        if not NOBODY <= s.owner[cell] < SEATS:
            return False
    for seat in range(SEATS):
        if not 0 <= s.out[seat] <= s.turn or not -1 <= s.last_reward[seat] <= 1:
            return False
        if not 0 <= s.head[seat] < CELLS or s.owner[s.head[seat]] != seat:
            return False
        if cells_of(s, seat) != (s.turn + 1 if s.out[seat] == 0 else s.out[seat]):
            return False
    if s.seat != max(first_in(s, s.seat), 0) or (is_over(s) and s.seat != max(first_in(s, 0), 0)):
        return False
    for seat in range(SEATS):
        has_plan = seat < s.seat and s.out[seat] == 0 and not is_over(s)
        if not (0 <= s.plan[seat] < STEPS and may_step(s, seat, s.plan[seat]) if has_plan else s.plan[seat] == NOBODY):
            return False
    return True


@rule
def is_over(s):
    """Say whether at most one is left."""
    return count_in(s) <= 1


@rule
def count_in(s):
    """Count the seats that are not out."""
    count = 0
    for seat in range(SEATS):
        count += int(s.out[seat] == 0)
    return count


@rule
def cells_of(s, seat):
    """Count the cells of a trail."""
    count = 0
    for cell in range(CELLS):
        count += int(s.owner[cell] == seat)
    return count


@rule
def first_in(s, start):
    """Return the first seat from `start` on that is not out, or NOBODY."""
    for seat in range(start, SEATS):
        if s.out[seat] == 0:
            return seat
    return NOBODY


@rule
def ahead(cell, step):
    """Return the cell that a step leads to, or NOBODY beyond the edge."""
    x, y = cell % SIZE + DX[step], cell // SIZE + DY[step]
    return y * SIZE + x if 0 <= x < SIZE and 0 <= y < SIZE else NOBODY


@rule
def is_free(board, cell):
    """Say whether a cell is on the board and no trail runs there; a board is a position or a view."""
    return cell != NOBODY and board.owner[cell] == NOBODY


@rule
def free_around(board, cell):
    """Count the free cells beside a cell."""
    count = 0
    for step in range(STEPS):
        count += int(is_free(board, ahead(cell, step)))
    return count


@rule
def may_step(s, seat, step):
    """Say whether a step leads to a free cell, or none does (D2)."""
    return is_free(s, ahead(s.head[seat], step)) or free_around(s, s.head[seat]) == 0


@rule
def any_step(s, seat, rng):
    """Draw one of the steps that a seat may take."""
    index = draw(rng, max(free_around(s, s.head[seat]), 1))
    for step in range(STEPS):
        if may_step(s, seat, step):
            if index == 0:
                return step
            index -= 1
    return 0


@rule
def is_stopped(s, seat):
    """Say whether a planned step leads off the board, into a trail, or to where another one steps."""
    cell = ahead(s.head[seat], s.plan[seat])
    if not is_free(s, cell):
        return True
    for other in range(SEATS):
        if other != seat and s.plan[other] != NOBODY and ahead(s.head[other], s.plan[other]) == cell:
            return True
    return False


@rule
def move(s):
    """Let all plans happen: first see who goes out, then let the others step."""
    s.turn += 1
    for seat in range(SEATS):
        if s.plan[seat] != NOBODY and is_stopped(s, seat):
            s.out[seat] = s.turn
    for seat in range(SEATS):
        if s.out[seat] == 0:
            s.head[seat] = ahead(s.head[seat], s.plan[seat])
            s.owner[s.head[seat]] = seat


@rule
def reward(s):
    """Give 1 to the last one, -1 for going out while others stay."""
    left = count_in(s)
    for seat in range(SEATS):
        if s.out[seat] == s.turn and left > 0:
            s.last_reward[seat] = -1
        elif s.out[seat] == 0 and left == 1:
            s.last_reward[seat] = 1
