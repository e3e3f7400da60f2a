"""Game Name as a few numbers, for learners that look at no planes: whose each cell is, and what claiming it would make."""

from ludus.core import rule

from .rules import CELLS, NOBODY, SEATS, SIZE, row_through

PLACES = tuple((cell % SIZE, cell // SIZE) for cell in range(CELLS))

FEATURES = (  # one name a number
    "time used",
    *(f"cell {x},{y} is mine, or another's below 0" for x, y in PLACES),
    *(f"row that I would have at {x},{y}" for x, y in PLACES),
    *(f"row that the next player would have at {x},{y}" for x, y in PLACES),
)


@rule
def features(view, out):
    """Write the numbers from -1 to 1, as the seat `view.me` sees them; what is 0 stands there already."""
    out[0] = view.turn / CELLS
    after_me = (view.me + 1) % SEATS
    for cell in range(CELLS):
        owner = int(view.owner[cell])
        if owner == NOBODY:
            out[1 + CELLS + cell] = row_through(view, cell, view.me) / SIZE
            out[1 + 2 * CELLS + cell] = row_through(view, cell, after_me) / SIZE
        else:
            out[1 + cell] = 1 if owner == view.me else -1
