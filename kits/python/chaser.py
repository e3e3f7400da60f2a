"""Play Chase by looking ahead: the runner wants room, the chasers take it away."""

from ludus_bot import run

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
SEATS = ("runner", "chaser1", "chaser2")
CAUGHT = 1_000_000
FAR = 1_000  # no way leads there
PLIES = 4  # moves that are looked ahead after the own one

steps = {}  # from each cell (x, y) where one can go; who can go nowhere stays
distance = {}  # distance[a][b]: between any two cells
reach = {}  # reach[a][k]: the cells within k steps, as the bits of a number


def start(game):
    """Forget the board of the last game; the walls come with the first view."""
    steps.clear()


def choose(game, view, legal):
    """Return the move after which the best play of all leaves the own side best off."""
    if not steps:
        look_at(view["size"], view["walls"])
    cells = [tuple(view["cells"][seat]) for seat in SEATS]
    me = SEATS.index(view["me"])
    best, low, high = legal[0], -2 * CAUGHT, 2 * CAUGHT
    for name in legal:
        x, y = STEPS.get(name, (0, 0))
        after = list(cells)
        after[me] = cells[me][0] + x, cells[me][1] + y
        worth = value(after, (me + 1) % 3, PLIES, low, high)
        if me == 0 and worth > low:
            best, low = name, worth
        elif me > 0 and worth < high:
            best, high = name, worth
    return best


def look_at(size, walls):
    """Work out where steps lead, and all distances."""
    free = {(x, y) for y in range(size) for x in range(size)} - set(map(tuple, walls))
    for x, y in free:
        steps[x, y] = [(x + a, y + b) for a, b in STEPS.values() if (x + a, y + b) in free] or [(x, y)]
    bits = {cell: 1 << k for k, cell in enumerate(steps)}
    for cell in steps:
        distance[cell], reach[cell] = flood(cell, bits)


def flood(begin, bits):
    """Return by cell how many steps it is away, and by steps what is reached."""
    away, front, reached = {begin: 0}, [begin], [bits[begin]]
    while front:
        border = []
        for near in front:
            for cell in steps[near]:
                if cell not in away:
                    away[cell] = len(reached)
                    border.append(cell)
        front = border
        if front:
            reached.append(reached[-1] | sum(bits[cell] for cell in front))
    return away, reached


def value(cells, mover, plies, low, high):
    """Return what a position is worth to the runner after the best play of the next plies."""
    if cells[0] in (cells[1], cells[2]):
        return -CAUGHT - plies  # the later the better
    if plies == 0:
        return room(*cells)
    after = list(cells)
    for cell in steps[cells[mover]]:
        after[mover] = cell
        worth = value(after, (mover + 1) % 3, plies - 1, low, high)
        if mover == 0:
            low = max(low, worth)
        else:
            high = min(high, worth)
        if low >= high:
            break
    return low if mover == 0 else high


def room(mine, first, second):
    """Judge a position for the runner: the cells that it reaches first, and how far off the chasers are."""
    won = taken = 0
    for here, one, two in zip(reach[mine], reach[first], reach[second], strict=False):
        taken |= one | two
        won |= here & ~taken
    near, far = sorted(distance[mine].get(chaser, FAR) for chaser in (first, second))
    return won.bit_count() + 4 * near + far + len(steps[mine])


run("chaser", choose, start)
