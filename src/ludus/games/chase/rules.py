"""Chase: a runner and two chasers on a walled grid; one step each, runner first.

The truth is README.md beside this file; D-numbers are its decisions.
"""

import numpy as np

from ludus.core import Option, Spec, count_bits, draw, first_bit, nth_bit, rule, structural

SIZE = structural("size", 15, low=5, high=32, about="rows and columns of the board")

SEATS, RUNNER, CHASER1, CHASER2 = 3, 0, 1, 2
UP, DOWN, LEFT, RIGHT, STAY = range(5)
ACTIONS = 5
DX, DY = (0, 0, -1, 1, 0), (-1, 1, 0, 0, 0)
RUNNING, CAUGHT, WALLED_IN, ESCAPED = range(4)
SPAWN_DISTANCE = 7  # Manhattan, from the runner to each chaser
CLEAR_ZONE = 1  # Chebyshev, no obstacle this near to a spawn

FULL_ROW = (1 << SIZE) - 1  # bits of a row with every cell taken
ROOM = max(0, SIZE * SIZE - SEATS * 9)  # cells that the three 3×3 zones leave free, wherever they are (D28)

SPEC = Spec(
    title="Chase",
    version=1,
    seats=("runner", "chaser1", "chaser2"),
    actions=ACTIONS,
    planes=(6, SIZE, SIZE),
    plane_type="u1",
    sides=(0, 1, 1),  # the chasers win together (D10)
    options=(
        Option("obstacles", min(5, ROOM), 0, ROOM, "walls drawn at set-up"),
        Option("max_turns", 300, 1, 1_000_000, "full turns that the runner must survive"),
    ),
    # README, D24: in the middle of a smaller board no cell is 7 steps away from the runner.
    no_setup="" if SIZE > 7 else "spawns 7 steps apart need a board of size 8 or more; on a smaller one give a position",
)

State = np.dtype(
    [
        ("opt_obstacles", "i4"),
        ("opt_max_turns", "i4"),
        ("x", "i4", SEATS),  # column by seat; 0 = left
        ("y", "i4", SEATS),  # row by seat; 0 = top
        ("turn", "i4"),  # full turns played
        ("seat", "i4"),  # who moves; goes on after the last move, too (D16)
        ("end", "i4"),  # RUNNING, or why the game is over
        ("last_seat", "i4"),  # who moved last; -1 at the start
        ("last_action", "i4"),  # what it played; -1 at the start
        ("last_reward", "i4", SEATS),  # by seat; not 0 on the last move only
        ("wall", "i8", SIZE),  # by row; bit x is set where an obstacle stands
    ],
    align=True,
)


@rule
def new(s, rng):
    """Place the runner, two chasers far from it, and obstacles away from all three."""
    s.turn, s.seat, s.end = 0, RUNNER, RUNNING
    s.last_seat, s.last_action = -1, -1
    s.wall[:] = 0
    cell = draw(rng, SIZE * SIZE)
    s.y[RUNNER], s.x[RUNNER] = cell // SIZE, cell % SIZE
    place_chasers(s, rng)
    place_obstacles(s, rng)


@rule
def legal(s, mask):
    """Mark the open steps of the seat to move, STAY only when there is none; return how many."""
    if s.end != RUNNING:
        return 0
    x, y = s.x[s.seat], s.y[s.seat]
    count = 0
    for action in range(STAY):
        if is_open(s, x + DX[action], y + DY[action]):
            mask[action] = 1
            count += 1
    if count == 0:
        mask[STAY] = 1
        count = 1
    return count


@rule
def apply(s, action, rng):
    """Play one legal action for the seat to move: step, count, judge, pass the turn on."""
    s.last_seat, s.last_action = s.seat, action
    step(s, action)
    count_turn(s)
    judge(s)
    s.seat = (s.seat + 1) % SEATS


@rule
def encode(view, planes):
    """Fill planes: walls, runner, chaser1, chaser2, me, and the time used as a bar along the top row."""
    for y in range(SIZE):
        left = int(view.wall[y])
        while left != 0:
            planes[0, y, first_bit(left)] = 1
            left &= left - 1
    for k in range(SEATS):
        planes[1 + k, view.y[k], view.x[k]] = 1
    planes[4, view.y[view.me], view.x[view.me]] = 1
    for x in range(int(view.turn) * SIZE // view.opt_max_turns):
        planes[5, 0, x] = 1


@rule
def result(s, outcome, points):
    """Write who won so far (nobody while running) and the rewards of the rules; both chasers share theirs."""
    caught, free = s.end == CAUGHT, s.end == WALLED_IN or s.end == ESCAPED
    for seat in range(SEATS):
        outcome[seat] = 0
        points[seat] = s.last_reward[seat] if s.end != RUNNING else 0
        if caught or free:
            outcome[seat] = 1 if (seat == RUNNER) == free else -1
    if s.end == RUNNING:
        return 0
    return 2 if s.end == ESCAPED else 1


@rule
def sound(s):
    """Say whether this can be a position: walls and agents on the board, end, rewards and last move as play leaves them."""
    for y in range(SIZE):
        if not 0 <= s.wall[y] <= FULL_ROW:
            return False
    for seat in range(SEATS):
        if not is_open(s, s.x[seat], s.y[seat]):
            return False
    return is_judged(s) and has_last_move(s)


@rule
def is_judged(s):
    """Say whether end, turn and rewards fit each other and the board; a game that runs has a turn left."""
    caught, free = s.end == CAUGHT, s.end == WALLED_IN or s.end == ESCAPED
    if is_caught(s) != caught or (s.end != RUNNING and not (caught or free)):
        return False
    if not 0 <= s.turn < s.opt_max_turns + int(s.end != RUNNING):
        return False
    for chaser in range(CHASER1, SEATS):
        if s.last_reward[chaser] != int(caught):
            return False
    return s.last_reward[RUNNER] == int(free) - int(caught)


@rule
def has_last_move(s):
    """Say whether the seat before this one could have made the last move, or no move is known."""
    if s.last_seat == -1:
        return s.last_action == -1
    if s.last_seat != (s.seat + SEATS - 1) % SEATS or not 0 <= s.last_action < ACTIONS:
        return False
    return is_open(s, s.x[s.last_seat] - DX[s.last_action], s.y[s.last_seat] - DY[s.last_action])


@rule
def is_open(s, x, y):
    """Say whether one may step here: only edges and obstacles block, agents never do (D3)."""
    return 0 <= x < SIZE and 0 <= y < SIZE and s.wall[y] >> x & 1 == 0


@rule
def step(s, action):
    """Move the seat whose turn it is."""
    s.x[s.seat] += DX[action]
    s.y[s.seat] += DY[action]


@rule
def count_turn(s):
    """A turn is complete after the second chaser's move, be it the capture (D16)."""
    if s.seat == CHASER2:
        s.turn += 1


@rule
def judge(s):
    """Test capture, then the walled-in runner, then the limit: the first hit decides (D8, D9)."""
    if is_caught(s):
        s.end = CAUGHT
        s.last_reward[RUNNER], s.last_reward[CHASER1], s.last_reward[CHASER2] = -1, 1, 1  # both, whoever did it (D10)
    elif is_walled_in(s):
        s.end = WALLED_IN
        s.last_reward[RUNNER] = 1
    elif s.seat == CHASER2 and s.turn >= s.opt_max_turns:
        s.end = ESCAPED
        s.last_reward[RUNNER] = 1


@rule
def is_caught(s):
    """Say whether the runner shares its cell with a chaser, whoever stepped in."""
    x, y = s.x[RUNNER], s.y[RUNNER]
    return (s.x[CHASER1] == x and s.y[CHASER1] == y) or (s.x[CHASER2] == x and s.y[CHASER2] == y)


@rule
def is_walled_in(s):
    """Say whether edges and obstacles, not chasers, close all four sides of the runner (D9)."""
    x, y = s.x[RUNNER], s.y[RUNNER]
    return not (is_open(s, x, y - 1) or is_open(s, x, y + 1) or is_open(s, x - 1, y) or is_open(s, x + 1, y))


@rule
def place_chasers(s, rng):
    """Draw two distinct cells at Manhattan distance 7 or more from the runner, first chaser1's (D14)."""
    far = 0
    for y in range(SIZE):
        far += far_left(s, y) + far_right(s, y)
    first = draw(rng, far)
    second = draw(rng, far - 1)
    if second >= first:
        second += 1
    put_far(s, CHASER1, first)
    put_far(s, CHASER2, second)


@rule
def put_far(s, chaser, index):
    """Put a chaser on the index-th far cell, counted row by row."""
    y = 0
    while index >= far_left(s, y) + far_right(s, y):
        index -= far_left(s, y) + far_right(s, y)
        y += 1
    left = far_left(s, y)
    s.y[chaser], s.x[chaser] = y, index if index < left else SIZE - far_right(s, y) + index - left


@rule
def far_left(s, y):
    """Count the cells of a row from its left end that are far from the runner; all of them, if the row itself is."""
    beyond = SPAWN_DISTANCE - abs(y - s.y[RUNNER])
    return SIZE if beyond <= 0 else max(0, s.x[RUNNER] - beyond + 1)


@rule
def far_right(s, y):
    """Count the far cells of a row that `far_left` has not counted."""
    beyond = SPAWN_DISTANCE - abs(y - s.y[RUNNER])
    return 0 if beyond <= 0 else max(0, SIZE - s.x[RUNNER] - beyond)


@rule
def place_obstacles(s, rng):
    """Draw obstacles one by one among the free cells outside every agent's 3×3 zone."""
    free = 0
    for y in range(SIZE):
        free += count_bits(free_cells(s, y))
    for placed in range(s.opt_obstacles):
        index = draw(rng, free - placed)
        y = 0
        while index >= count_bits(free_cells(s, y)):
            index -= count_bits(free_cells(s, y))
            y += 1
        s.wall[y] |= nth_bit(free_cells(s, y), index)


@rule
def free_cells(s, y):
    """Return the cells of a row on which an obstacle may still go, as bits."""
    taken = int(s.wall[y])
    for seat in range(SEATS):
        if abs(y - s.y[seat]) <= CLEAR_ZONE:
            taken |= 7 << int(s.x[seat]) >> 1
    return ~taken & FULL_ROW
