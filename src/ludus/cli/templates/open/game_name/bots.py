"""Game Name's built-in bots, weak to strong. They see their view and the mask, and nothing else; `random` comes by itself."""

from ludus.core import is_better, rule

from .rules import CELLS, SEATS, row_through


@rule
def greedy(view, mask, rng):
    """Win at once, else keep an opponent from it, else claim where the longest row would be; draw among equals."""
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
    """Judge a cell by the longest row that anybody would have there; of equal ones one's own is worth more."""
    best = 0
    for seat in range(SEATS):
        length = min(row_through(view, cell, seat), view.opt_row)
        best = max(best, 2 * length + int(seat == view.me))
    return best
