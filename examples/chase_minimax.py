"""Look ahead step by step: minimax over copies of a table, for Chase.

    ludus match chase examples/chase_minimax.py greedy greedy --games 20 --swap

The runner wants room, the cells that it reaches before the chasers do; the chasers take it away.
"""

import ludus

DEPTH = 3  # moves that are looked ahead after the own one
CAUGHT = 10_000


class Minimax(ludus.Agent):
    """Play the move after which the best play of all leaves the own side best off."""

    def start(self, start):
        """Get ready for a game; one decision is made for nothing, so that everything is compiled before the clock runs."""
        self.table = ludus.Table(start.game, start.seed)
        self.sign = 1 if start.seat == 0 else -1  # of the runner's worth
        self.act(self.table.observe(), self.table.legal())

    def act(self, view, legal):
        """Return the best move; `view` is a row, `legal` are numbers."""
        self.table.sample(view)  # nothing is hidden: the position itself
        worth = {}
        for action in legal:
            after = self.table.copy()
            after.apply(action)
            worth[action] = self.sign * value(after, DEPTH, -2 * CAUGHT, 2 * CAUGHT)
        return max(legal, key=worth.get)


def value(table, depth, low, high):
    """Return what a position is worth to the runner if all play their best (alpha-beta)."""
    if table.over:
        return (CAUGHT + depth) * table.result().outcome[0]
    if depth == 0:
        return room(table.s)
    is_runner = table.seat == 0
    for action in table.legal():
        after = table.copy()
        after.apply(action)
        worth = value(after, depth - 1, low, high)
        if is_runner:
            low = max(low, worth)
        else:
            high = min(high, worth)
        if low >= high:
            break
    return low if is_runner else high


def room(s):
    """Count the cells that the runner reaches first, and a little how far the chasers are; boards are bits of one number."""
    size = len(s.wall)
    width = size + 1  # a column beyond the edge keeps rows apart
    free = sum(((1 << size) - 1 & ~row) << y * width for y, row in enumerate(s.wall.tolist()))
    runner, *chasers = (1 << y * width + x for x, y in zip(s.x.tolist(), s.y.tolist(), strict=True))
    mine, theirs, away = runner, chasers[0] | chasers[1], 0
    reached = list(chasers)
    while True:
        before = mine, theirs
        theirs = spread(theirs, width) & free & ~mine | theirs
        mine = spread(mine, width) & free & ~theirs | mine
        if (mine, theirs) == before:
            break
    for chaser in reached:
        steps = 0
        while not chaser & runner and steps < size * size:
            chaser, steps = spread(chaser, width) & free, steps + 1
        away += steps
    return mine.bit_count() + 0.3 * away


def spread(cells, width):
    """Return the cells and all beside them."""
    return cells | cells << 1 | cells >> 1 | cells << width | cells >> width
