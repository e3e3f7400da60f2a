"""Game Name as a few numbers, for learners that look at no planes: how far each step is free, and where the others are."""

from ludus.core import rule

from .rules import DX, DY, NOBODY, SEATS, SIZE, STEPS

STEP_NAMES = ("up", "right", "down", "left")

FEATURES = (  # one name a number
    *(f"free cells {name}" for name in STEP_NAMES),
    *(f"{what} the {k}. after me" for k in range(1, SEATS) for what in ("columns to", "rows to", "still in:")),
)


@rule
def features(view, out):
    """Write the numbers from -1 to 1, as the seat `view.me` sees them; what is 0 stands there already."""
    x, y = view.head[view.me] % SIZE, view.head[view.me] // SIZE
    for step in range(STEPS):
        out[step] = free_cells(view, x, y, DX[step], DY[step]) / SIZE
    for k in range(1, SEATS):
        other, at = (view.me + k) % SEATS, STEPS + 3 * (k - 1)
        if view.out[other] == 0:
            out[at] = (view.head[other] % SIZE - x) / SIZE
            out[at + 1] = (view.head[other] // SIZE - y) / SIZE
            out[at + 2] = 1


@rule
def free_cells(view, x, y, dx, dy):
    """Count the free cells in one direction, up to the first that is not."""
    count = 0
    x, y = x + dx, y + dy
    while 0 <= x < SIZE and 0 <= y < SIZE and view.owner[y * SIZE + x] == NOBODY:
        x, y, count = x + dx, y + dy, count + 1
    return count
