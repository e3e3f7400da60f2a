"""Trio's bots."""

from ludus.core import any_marked, is_better, rule

from .rules import CELLS, HEIGHT, NOBODY, WIDTH


@rule
def random(view, mask, rng):
    """Claim any free cell."""
    return any_marked(mask, rng)


@rule
def near(view, mask, rng):
    """Claim a cell beside many of one's own."""
    chosen, best, equals = -1, -1, 0
    for cell in range(CELLS):
        if mask[cell]:
            value = friends(view, cell)
            if is_better(value, best, equals, rng):
                chosen = cell
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen


@rule
def friends(view, cell):
    """Count one's own cells around a cell."""
    count = 0
    for y in range(max(0, cell // WIDTH - 1), min(HEIGHT, cell // WIDTH + 2)):
        for x in range(max(0, cell % WIDTH - 1), min(WIDTH, cell % WIDTH + 2)):
            if view.owner[y, x] != NOBODY and view.owner[y, x] == view.me:
                count += 1
    return count


BOTS = {"random": random, "near": near}
