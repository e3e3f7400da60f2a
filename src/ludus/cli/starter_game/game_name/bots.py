"""Game Name's built-in bots, weak to strong. They see their view and the mask, and nothing else; `random` comes by itself."""

from ludus.core import is_better, rule

from .rules import CELLS, row_through


@rule
def greedy(view, mask, rng):
    """Win at once, else keep the opponent from it, else claim where the longest row would be; draw among equals."""
    best, chosen, equals = -1, -1, 0
    for cell in range(CELLS):
        if mask[cell]:
            value = worth(view, cell)
            if is_better(value, best, equals, rng):
                chosen = cell
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen


BOTS = {"greedy": greedy}


@rule
def worth(view, cell):
    """Judge a cell by the longest row that either side would have there; of equal ones one's own is worth more."""
    mine = min(row_through(view, cell, view.me), view.opt_row)
    theirs = min(row_through(view, cell, 1 - view.me), view.opt_row)
    return max(2 * mine + 1, 2 * theirs)
