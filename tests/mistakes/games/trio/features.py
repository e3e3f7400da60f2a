"""Trio as a few numbers."""

from ludus.core import rule

from .rules import CELLS, NOBODY, WIDTH

FEATURES = (
    "time used",
    *(f"cell {cell}" for cell in range(CELLS)),
)


@rule
def features(view, out):
    """Write the time, and the cells: mine 1, the other's -1."""
    out[0] = view.turn / CELLS
    for cell in range(CELLS):
        owner = view.owner[cell // WIDTH, cell % WIDTH]
        if owner != NOBODY:
            out[1 + cell] = 1 if owner == view.me else -1
