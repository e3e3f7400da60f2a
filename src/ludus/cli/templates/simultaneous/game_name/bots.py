"""Game Name's built-in bots, weak to strong. They see their view and the mask, and nothing else; `random` comes by itself."""

import numpy as np

from ludus.core import count_bits, flood_step, is_better, rule

from .rules import NOBODY, SEATS, SIZE, STEPS, ahead, free_around, is_free

Scratch = np.dtype([("front", "i4", SIZE), ("seen", "i4", SIZE)], align=True)  # rows of bits, for a flood
BEYOND = -1 << SIZE  # bits that are no columns


@rule
def greedy(view, mask, rng, scratch):
    """Step to where most cells can be reached, away from other heads; draw among equals."""
    best, chosen, equals = -1, -1, 0
    for step in range(STEPS):
        if mask[step]:
            value = worth(view, ahead(view.head[view.me], step), scratch)
            if is_better(value, best, equals, rng):
                chosen = step
            equals = 1 if value > best else equals + int(value == best)
            best = max(best, value)
    return chosen


BOTS = {"greedy": greedy}


@rule
def worth(view, cell, scratch):
    """Judge a cell by the room behind it, of equal ones along a trail or the edge; little where another may step to, too."""
    if not is_free(view, cell):
        return 0
    for seat in range(SEATS):
        for step in range(STEPS):
            if seat != view.me and view.out[seat] == 0 and ahead(view.head[seat], step) == cell:
                return 1
    return 2 + STEPS * room_behind(view, cell, scratch) + STEPS - free_around(view, cell)


@rule
def room_behind(view, cell, scratch):
    """Count the free cells that can be reached from a cell, with itself."""
    for y in range(SIZE):
        taken = BEYOND
        for x in range(SIZE):
            taken |= int(view.owner[y * SIZE + x] != NOBODY) << x
        scratch.front[y], scratch.seen[y] = 0, taken
    scratch.front[cell // SIZE] = 1 << cell % SIZE
    count, is_spreading = 1, True
    while is_spreading:
        is_spreading = flood_step(scratch.front, scratch.seen)
        for y in range(SIZE):
            count += count_bits(int(scratch.front[y]))
    return count
