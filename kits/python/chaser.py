"""Play Chase by looking ahead: the runner wants room, the chasers take it away."""

import random
from functools import cache

from ludus_bot import run

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
SEATS = ("runner", "chaser1", "chaser2")
CAUGHT = 100_000
PLIES = 5  # how many moves are looked ahead


class Board:
    """The cells of a game, numbered; what does not change in it is worked out once."""

    def __init__(self, size, walls):
        blocked = set(map(tuple, walls))
        self.size = size
        free = {(x, y) for x in range(size) for y in range(size)} - blocked
        # From each cell where one can go; who can go nowhere stays.
        self.steps = {
            self.number(x, y): [self.number(x + a, y + b) for a, b in STEPS.values() if (x + a, y + b) in free]
            or [self.number(x, y)]
            for x, y in free
        }
        self.floods = {cell: self.flood(cell) for cell in self.steps}

    def number(self, x, y):
        """Return the number of a cell."""
        return y * self.size + x

    def flood(self, start):
        """Return by number of steps the set of cells that can be reached, as bits, and by cell how many steps it takes."""
        steps, reached, front = {start: 0}, [1 << start], [start]
        while front:
            front = [cell for near in front for cell in self.steps[near] if cell not in steps and not steps.setdefault(cell, 0)]
            front = list(dict.fromkeys(front))
            for cell in front:
                steps[cell] = len(reached)
            if front:
                reached.append(reached[-1] | sum(1 << cell for cell in front))
        return reached, steps
