# mypy: ignore-errors
"""How Plantation's bots choose: by weight among commands, alike among tiles, and only what is marked."""

from ludus.core import any_marked, draw, rule

from .rules import (
    BOMB,
    CELLS,
    COLONISE,
    CROSS,
    CROSS_X,
    CROSS_Y,
    FERTILISE,
    LEAST_SOURCE,
    NOWHERE,
    PLANT,
    SCOUT,
    SOURCE,
    SPRAY,
    beside,
)

TRIES = 10  # for an own tile with a place to plant beside it
HIGHEST = 32767  # no tile scores more


@rule
def marked(mask, rng, kind, cell):
    """Return that command if it is marked, else any decision that is; a colonise that waits has only its sources."""
    if kind >= 0 and cell >= 0 and mask[kind * CELLS + cell]:
        return kind * CELLS + cell
    return any_marked(mask, rng)


@rule
def play_weighted(view, mask, rng, fertilise, plant, colonise, spray, bomb):
    """Choose a command that can work by these weights, then one of its tiles; scout the corner if there is none."""
    kind, cell = SOURCE, NOWHERE
    if view.pending < 0:
        kind = weighted_command(view, rng, fertilise, plant, colonise, spray, bomb)
    if kind == PLANT:
        for _ in range(TRIES):
            if cell < 0:
                cell = pick_beside(view, pick_tile(view, rng, PLANT), rng)
    elif kind != NOWHERE:
        cell = pick_tile(view, rng, kind)
    if cell < 0:
        kind, cell = SCOUT, 0
    return marked(mask, rng, kind, cell)


@rule
def weighted_command(view, rng, fertilise, plant, colonise, spray, bomb):
    """Draw a command by weight among those that can work, or NOWHERE; a scout is never drawn."""
    own, strong = count_own(view, 1), count_own(view, LEAST_SOURCE)
    others, can_pay = CELLS - own, view.moves >= 2
    fertilise = fertilise if own > 0 else 0
    plant = plant if own > 0 and others > 0 else 0
    colonise = colonise if can_pay and others > 0 and strong > 0 else 0
    spray = spray if can_pay and others > 0 else 0
    bomb = bomb if can_pay and others > 0 else 0
    total = fertilise + plant + colonise + spray + bomb
    if total == 0:
        return NOWHERE
    index = draw(rng, total)
    if index < fertilise:
        return FERTILISE
    if index < fertilise + plant:
        return PLANT
    if index < fertilise + plant + colonise:
        return COLONISE
    return SPRAY if index < fertilise + plant + colonise + spray else BOMB


@rule
def grow(view, rng):
    """Fertilise and plant alike, colonise now and then; scout if there is nothing to grow."""
    kind = SOURCE if view.pending >= 0 else weighted_command(view, rng, 5, 5, 1, 0, 0)
    if kind == NOWHERE:
        return SCOUT, 0
    cell = pick_tile(view, rng, kind)
    if kind == PLANT:
        cell = pick_beside(view, cell, rng)
    if cell < 0:
        kind, cell = FERTILISE, pick_tile(view, rng, FERTILISE)
    return kind, cell


@rule
def count_own(view, least):
    """Count own tiles of at least this score."""
    count, own = 0, view.own
    for cell in range(CELLS):
        count += own[cell] >= least
    return count


@rule
def pick_tile(view, rng, kind):
    """Draw a tile for a command: an own one to fertilise or plant beside, a source, else one that is not own."""
    low, high = 0, 0
    if kind != COLONISE and kind != SPRAY and kind != BOMB:
        low, high = LEAST_SOURCE if kind == SOURCE else 1, HIGHEST
    chosen, found, own = NOWHERE, 0, view.own
    for cell in range(CELLS):
        found += low <= own[cell] <= high
    index = draw(rng, found) if found > 0 else NOWHERE
    for cell in range(CELLS):
        if low <= own[cell] <= high:
            if index == 0:
                chosen = cell
            index -= 1
    return chosen


@rule
def pick_beside(view, tile, rng):
    """Draw a neighbour of a tile that is not own, or NOWHERE."""
    chosen, found = NOWHERE, 0
    for k in range(1, CROSS):
        near = beside(tile, CROSS_X[k], CROSS_Y[k])
        if near >= 0 and view.own[near] == 0:
            found += 1
            if draw(rng, found) == 0:
                chosen = near
    return chosen
