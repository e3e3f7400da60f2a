"""Chase as a few numbers: where the others stand as seen from here, which steps are open, who could be met next.

For the runner the others are the two chasers, for a chaser the runner and its partner.
"""

from ludus.core import rule

from .rules import CHASER1, CHASER2, RUNNER, SIZE

STEPS = ("up", "down", "left", "right")

FEATURES = (
    "I am the runner",
    "I am chaser2",
    "time used",
    "my column",
    "my row",
    *(
        f"{what} {who}"
        for who in ("the runner, or chaser1", "my partner, or chaser2")
        for what in ("columns to", "rows to", "steps to", "odd number of steps to")
    ),
    "columns from the first to the second",
    "rows from the first to the second",
    "steps from the first to the second",
    *(f"{step} is closed" for step in STEPS),
    *(f"{step} is closed to the first" for step in STEPS),
    *(f"{step} is closed to the second" for step in STEPS),
)

ACROSS = 1 / (SIZE - 1)  # a column or row of the board
FAR = 1 / (2 * SIZE - 2)  # a step, of the most that two cells can be apart
ENDS = 2 << SIZE | 1
FIRST_OTHER, SECOND_OTHER, BETWEEN, CLOSED = 5, 9, 13, 16


@rule
def features(view, out):
    """Write the numbers."""
    me = int(view.me)
    first = CHASER1 if me == RUNNER else RUNNER
    second = CHASER1 if me == CHASER2 else CHASER2
    x, y = view.x[me], view.y[me]
    first_x, first_y, second_x, second_y = view.x[first], view.y[first], view.x[second], view.y[second]
    out[0] = me == RUNNER
    out[1] = me == CHASER2
    out[2] = view.turn / view.opt_max_turns
    out[3] = (2 * x - SIZE + 1) * ACROSS
    out[4] = (2 * y - SIZE + 1) * ACROSS
    point_to(out, FIRST_OTHER, first_x - x, first_y - y)
    point_to(out, SECOND_OTHER, second_x - x, second_y - y)
    out[BETWEEN] = (second_x - first_x) * ACROSS
    out[BETWEEN + 1] = (second_y - first_y) * ACROSS
    out[BETWEEN + 2] = (abs(second_x - first_x) + abs(second_y - first_y)) * FAR
    look_round(view, out, CLOSED, x, y)
    look_round(view, out, CLOSED + 4, first_x, first_y)
    look_round(view, out, CLOSED + 8, second_x, second_y)


@rule
def point_to(out, at, across, down):
    """Write where another one stands."""
    steps = abs(across) + abs(down)
    out[at] = across * ACROSS
    out[at + 1] = down * ACROSS
    out[at + 2] = steps * FAR
    out[at + 3] = steps & 1


@rule
def look_round(view, out, at, x, y):
    """Write which of the four steps from a cell are closed."""
    column = int(x)
    row = int(view.wall[y]) << 1 | ENDS
    out[at] = int(view.wall[y - 1]) >> column & 1 if y > 0 else 1
    out[at + 1] = int(view.wall[y + 1]) >> column & 1 if y < SIZE - 1 else 1
    out[at + 2] = row >> column & 1
    out[at + 3] = row >> column + 2 & 1
