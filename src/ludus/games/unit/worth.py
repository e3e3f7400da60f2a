# mypy: ignore-errors
"""What a position of Unit is worth to the planner. The kernel subset."""

from ludus.core import rule

from .board import FORCE_UNIT, POWER_TO, SEATS, STEPS_TO, WORDS
from .rules import exerted, lowest, power

WIN = 10**12  # more than any position: stacks of CAPACITY count 10^10

# What a position is worth; climbed by matches against the other bots (README, Bots).
PIECE_WORTH, ENERGY_WORTH, FORCE_WORTH = 13, 3, 1  # each
CORNER_WORTH, STEP_WORTH = 96, 47  # an enemy corner that is held; each step that a stack is away from one
LACK_WORTH = 1  # pieces × energy that the stack lacks on its way through the heavy layers, each
NO_WAY = -20 * STEP_WORTH  # nobody comes


@rule
def value(s, me):
    """Return what a position is worth to us."""
    if s.winner >= 0:
        return WIN if s.winner == me else -WIN
    total = 0
    for seat in range(SEATS):
        total += side(s, seat) if seat == me else -side(s, seat)
    return total


@rule
def side(s, seat):
    """Return what the stacks of a seat are worth to it: strength, and two ways to the enemy's corners."""
    total = 0
    first, next_first, second, next_second = NO_WAY, NO_WAY, NO_WAY, NO_WAY
    one, other = -1, -1  # who takes the best ways to the first and to the second corner
    for word in range(WORDS):
        bits = s.held[seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            force = exerted(s, vertex) // FORCE_UNIT
            total += int(s.pieces[vertex]) * PIECE_WORTH + int(s.energy[vertex]) * ENERGY_WORTH + force * FORCE_WORTH
            way = way_worth(s, seat, vertex, 0)
            if way > first:
                first, next_first, one = way, first, vertex
            else:
                next_first = max(next_first, way)
            way = way_worth(s, seat, vertex, 1)
            if way > second:
                second, next_second, other = way, second, vertex
            else:
                next_second = max(next_second, way)
    if one != other:
        return total + first + second
    return total + max(first + next_second, next_first + second)  # one stack cannot take both corners


@rule
def way_worth(s, seat, vertex, k):
    """Return what a stack is worth as the one that takes, or has taken, an enemy corner."""
    steps = int(STEPS_TO[1 - seat, k, vertex])
    if steps == 0:
        return CORNER_WORTH
    lacking = int(POWER_TO[1 - seat, k, vertex]) - power(s, vertex)
    return -STEP_WORTH * steps - LACK_WORTH * max(0, lacking)
