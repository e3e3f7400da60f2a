"""Game Name's built-in bots, weak to strong. They see their view and the mask, and nothing else."""

from ludus.core import draw, rule

from .rules import CELLS, row_through


@rule
def random(view, mask, rng):
    """Claim any free cell."""
    chosen, equals = -1, 0
    for cell in range(CELLS):
        if mask[cell]:
            equals += 1
            if draw(rng, equals) == 0:
                chosen = cell
    return chosen


@rule
def greedy(view, mask, rng):
    """Win at once, else keep the opponent from it, else claim where the longest row would be; draw among equals."""
    best, chosen, equals = -1, -1, 0
    for cell in range(CELLS):
        if mask[cell]:
            value = worth(view, cell)
            if value > best:
                best, chosen, equals = value, cell, 1
            elif value == best:
                equals += 1
                if draw(rng, equals) == 0:
                    chosen = cell
    return chosen


BOTS = {"random": random, "greedy": greedy}


@rule
def worth(view, cell):
    """Judge a cell by the longest row that either side would have there; of equal ones one's own is worth more."""
    mine = min(row_through(view, cell, view.me), view.row)
    theirs = min(row_through(view, cell, 1 - view.me), view.row)
    return max(2 * mine + 1, 2 * theirs)
