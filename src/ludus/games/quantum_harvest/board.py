"""Who stands where: units and tiles as orders, turns and guesses change and count them."""
# mypy: ignore-errors

from ludus.core import rule

from .tables import EMPTY, FULL_ROW, GATE, HEALTH, SEATS, SIGHT, SIZE


@rule
def is_on_map(x, y):
    """Say whether there is such a tile."""
    return 0 <= x < SIZE and 0 <= y < SIZE


@rule
def is_blocked(s, seat, x, y):
    """Say whether an enemy of the seat holds this tile; gates are shared, own units never block."""
    return s.here[1 - seat, y, x] > 0 and s.tile[y, x] != GATE


@rule
def describe_new(s, seat, k, kind, unit, x, y):
    """Write a fresh unit into slot k."""
    s.unit_id[seat, k], s.unit_type[seat, k] = unit, kind
    s.unit_x[seat, k], s.unit_y[seat, k] = x, y
    s.unit_health[seat, k], s.unit_attacks[seat, k] = HEALTH, 0


@rule
def put(s, seat, k, x, y):
    """Move a unit, and count who stands where."""
    from_x, from_y = int(s.unit_x[seat, k]), int(s.unit_y[seat, k])
    if from_x == x and from_y == y:
        return
    leave(s, seat, from_x, from_y)
    enter(s, seat, x, y)
    s.unit_x[seat, k], s.unit_y[seat, k] = x, y


@rule
def enter(s, seat, x, y):
    """Count a unit that comes onto a tile."""
    s.here[seat, y, x] += 1
    if s.here[seat, y, x] == 1:
        s.held[seat] += 1
        if s.here[1 - seat, y, x] > 0:
            s.shared += 1


@rule
def leave(s, seat, x, y):
    """Count a unit that goes off a tile."""
    s.here[seat, y, x] -= 1
    if s.here[seat, y, x] == 0:
        s.held[seat] -= 1
        if s.here[1 - seat, y, x] > 0:
            s.shared -= 1


@rule
def remove(s, seat, k):
    """Take a unit off the map; younger ones move up, so that slots stay in the order of creation."""
    leave(s, seat, int(s.unit_x[seat, k]), int(s.unit_y[seat, k]))
    last = s.units[seat] - 1
    for slot in range(k, last):
        s.unit_id[seat, slot], s.unit_born[seat, slot] = s.unit_id[seat, slot + 1], s.unit_born[seat, slot + 1]
        s.unit_type[seat, slot] = s.unit_type[seat, slot + 1]
        s.unit_x[seat, slot], s.unit_y[seat, slot] = s.unit_x[seat, slot + 1], s.unit_y[seat, slot + 1]
        s.unit_health[seat, slot] = s.unit_health[seat, slot + 1]
        s.unit_attacks[seat, slot] = s.unit_attacks[seat, slot + 1]
    s.units[seat] = last
    blank(s, seat, last)


@rule
def blank(s, seat, k):
    """Clear a slot that nobody uses."""
    s.unit_id[seat, k], s.unit_born[seat, k], s.unit_type[seat, k], s.unit_health[seat, k] = 0, 0, 0, 0
    s.unit_x[seat, k], s.unit_y[seat, k], s.unit_attacks[seat, k] = 0, 0, 0


@rule
def wipe(s):
    """Clear every list: what is not used is 0, so that equal positions are equal rows."""
    s.order_unit[:], s.order_slot[:], s.order_action[:], s.order_reward[:] = 0, 0, 0, 0
    s.unit_id[:], s.unit_born[:], s.unit_health[:], s.unit_type[:] = 0, 0, 0, 0
    s.unit_x[:], s.unit_y[:], s.unit_attacks[:] = 0, 0, 0
    s.explored[:], s.amount[:], s.tile[:] = 0, 0, EMPTY
    s.event_unit[:], s.event_target[:], s.event_health[:], s.event_seat[:] = 0, 0, 0, 0
    s.event_x[:], s.event_y[:], s.event_to_x[:], s.event_to_y[:] = 0, 0, 0, 0
    s.event_boost[:], s.event_boosted[:], s.event_field[:], s.event_killed[:] = 0, 0, 0, 0


@rule
def recount(s):
    """Count who stands where, and where the gates are: for a position that was written by hand."""
    s.here[:] = 0
    s.gates[:] = 0
    s.held[0], s.held[1], s.shared = 0, 0, 0
    for seat in range(SEATS):
        for k in range(s.units[seat]):
            enter(s, seat, int(s.unit_x[seat, k]), int(s.unit_y[seat, k]))
    for y in range(SIZE):
        for x in range(SIZE):
            if s.tile[y, x] == GATE:
                s.gates[y] |= 1 << x


@rule
def explore(s, seat):
    """Uncover the tiles around every living unit of a seat, for good; bits of a row at a time."""
    for k in range(s.units[seat]):
        x, y, sight = int(s.unit_x[seat, k]), int(s.unit_y[seat, k]), SIGHT[s.unit_type[seat, k]]
        for row in range(max(0, y - sight), min(SIZE, y + sight + 1)):
            reach = sight - abs(row - y)
            s.explored[seat, row] |= (((1 << 2 * reach + 1) - 1) << x >> reach) & FULL_ROW


@rule
def count_territory(s):
    """Count the tiles that each seat holds."""
    for seat in range(SEATS):
        s.territory[seat] = s.held[seat]
    if s.shared > 0:
        settle_shared(s)


@rule
def settle_shared(s):
    """Give each tile that both seats stand on to the side of the unit that was created last (D15)."""
    left = s.shared
    for y in range(SIZE):
        for x in range(SIZE):
            if left > 0 and s.here[0, y, x] > 0 and s.here[1, y, x] > 0:
                loser = 0 if youngest(s, 1, x, y) > youngest(s, 0, x, y) else 1
                s.territory[loser] -= 1
                left -= 1


@rule
def youngest(s, seat, x, y):
    """Return when the last created unit of a seat on this tile was made."""
    for k in range(s.units[seat] - 1, -1, -1):
        if s.unit_x[seat, k] == x and s.unit_y[seat, k] == y:
            return s.unit_born[seat, k]
    return -1
