"""A whole position that a view could come from, for search and for the tests of the fog."""
# mypy: ignore-errors

from ludus.core import draw, rule

from .board import count_territory, describe_new, enter, explore, recount, wipe
from .tables import (
    BARRIER,
    DIRECTIONS,
    HARVEST,
    HARVESTER,
    MOVE,
    NODE,
    SCOUT,
    SEATS,
    SIZE,
    UNITS,
    WARRIOR,
    ZONE,
    ZONE_POWER,
)

UNSEEN_VALUE = 1500  # of a node: the mean of a fresh one


@rule
def sample(view, s, rng):
    """Fill `s` with a position that this view could come from.

    Hidden units stand on unexplored tiles. How many such tiles the enemy holds is known from its territory; one unit is
    put on each. Orders that the enemy may have given already are guessed.
    """
    me, enemy = int(view.me), 1 - int(view.me)
    s.opt_max_turns, s.opt_energy_goal = view.max_turns, view.energy_goal
    s.opt_territory_goal, s.opt_territory_turns = view.territory_goal, view.territory_turns
    s.turn, s.end, s.winner = view.turn, view.end, view.winner
    wipe(s)
    copy_map(view, s)
    copy_units(view, s)
    put_births(view, s)
    recount(s)
    count_territory(s)
    hide_units(s, enemy, view.territory[enemy] - s.territory[enemy], rng)
    for k in range(SEATS):
        s.energy[k], s.territory[k], s.streak[k] = view.energy[k], view.territory[k], view.streak[k]
    explore(s, enemy)
    copy_events(view, s)
    copy_orders(view, s)
    if view.seat == 1 and me == 1:
        guess_orders(s, enemy, rng)


@rule
def copy_map(view, s):
    """Copy the map; values never seen become a middling guess."""
    me = view.me
    for y in range(SIZE):
        s.explored[me, y], s.explored[1 - me, y] = view.explored[y], 0
        for x in range(SIZE):
            s.tile[y, x] = view.tile[y, x]
            s.amount[y, x] = view.amount[y, x]
            if view.amount[y, x] < 0:
                s.amount[y, x] = 0
                if view.tile[y, x] == NODE:
                    s.amount[y, x] = UNSEEN_VALUE
                elif view.tile[y, x] == ZONE:
                    s.amount[y, x] = ZONE_POWER


@rule
def copy_units(view, s):
    """Copy the own units, promised ones too, and the enemy's that are seen."""
    me, enemy = view.me, 1 - view.me
    s.units[me], s.units[enemy] = view.mine, view.theirs
    s.next_id[me], s.next_id[enemy] = view.next_id, 0
    for k in range(view.mine + view.promised):
        s.unit_id[me, k], s.unit_type[me, k], s.unit_health[me, k] = view.my_id[k], view.my_type[k], view.my_health[k]
        s.unit_x[me, k], s.unit_y[me, k], s.unit_attacks[me, k] = view.my_x[k], view.my_y[k], view.my_attacks[k]
    for k in range(view.theirs):
        s.unit_id[enemy, k], s.unit_type[enemy, k] = view.their_id[k], view.their_type[k]
        s.unit_x[enemy, k], s.unit_y[enemy, k] = view.their_x[k], view.their_y[k]
        s.unit_health[enemy, k], s.unit_attacks[enemy, k] = view.their_health[k], view.their_attacks[k]
        s.next_id[enemy] = max(s.next_id[enemy], view.their_id[k] + 1)


@rule
def put_births(view, s):
    """Number the units of both sides in the order in which the view shows them to be made."""
    me, seen, births = view.me, 0, 0
    for k in range(view.mine + 1):
        while seen < view.theirs and view.their_after[seen] <= k:
            s.unit_born[1 - me, seen] = births
            seen += 1
            births += 1
        if k < view.mine:
            s.unit_born[me, k] = births
            births += 1
    s.births = births


@rule
def hide_units(s, enemy, count, rng):
    """Put one more unit of the enemy on each of so many tiles that the other side has not explored."""
    for n in range(count):
        free, standable = count_hidden(s, enemy, True), True
        if free == 0:
            free, standable = count_hidden(s, enemy, False), False  # a quantum move leads onto barriers, too
        k = s.units[enemy]
        if free == 0 or k >= UNITS:
            return
        cell = hidden_cell(s, enemy, standable, draw(rng, free))
        kind = SCOUT if n == 0 else guess_type(draw(rng, 10))
        describe_new(s, enemy, k, kind, s.next_id[enemy], cell % SIZE, cell // SIZE)
        s.unit_born[enemy, k] = s.births
        s.births += 1
        s.next_id[enemy] += 1
        s.units[enemy] = k + 1
        enter(s, enemy, cell % SIZE, cell // SIZE)


@rule
def guess_type(number):
    """Turn 0..9 into a type of unit: mostly harvesters."""
    if number < 6:
        return HARVESTER
    return WARRIOR if number < 8 else SCOUT


@rule
def is_hidden(s, enemy, x, y, standable):
    """Say whether a hidden unit may be put here."""
    if s.explored[1 - enemy, y] >> x & 1 or s.here[0, y, x] > 0 or s.here[1, y, x] > 0:
        return False
    return not standable or s.tile[y, x] != BARRIER


@rule
def count_hidden(s, enemy, standable):
    """Count the tiles on which a hidden unit may be put."""
    count = 0
    for cell in range(SIZE * SIZE):
        if is_hidden(s, enemy, cell % SIZE, cell // SIZE, standable):
            count += 1
    return count


@rule
def hidden_cell(s, enemy, standable, index):
    """Return the index-th of these tiles."""
    for cell in range(SIZE * SIZE):
        if is_hidden(s, enemy, cell % SIZE, cell // SIZE, standable):
            if index == 0:
                return cell
            index -= 1
    return 0


@rule
def copy_events(view, s):
    """Copy the attacks of the last turn as far as they are known."""
    s.last_events = view.events
    for n in range(view.events):
        s.event_seat[n], s.event_unit[n], s.event_target[n] = (
            view.event_seat[n],
            view.event_unit[n],
            view.event_target[n],
        )
        s.event_x[n], s.event_y[n], s.event_to_x[n] = view.event_x[n], view.event_y[n], view.event_to_x[n]
        s.event_to_y[n], s.event_health[n], s.event_boost[n] = (
            view.event_to_y[n],
            view.event_health[n],
            view.event_boost[n],
        )
        s.event_boosted[n], s.event_field[n] = view.event_boosted[n], view.event_field[n]
        s.event_killed[n] = view.event_killed[n]


@rule
def copy_orders(view, s):
    """Copy the own orders of this turn and of the last one; the enemy's are unknown."""
    me, enemy = view.me, 1 - view.me
    s.orders[me], s.orders[enemy] = view.orders, 0
    s.last_orders[me], s.last_orders[enemy] = view.last_orders, 0
    s.last_reward[me], s.last_reward[enemy] = view.last_reward, 0
    for n in range(view.last_orders):
        s.order_unit[me, n], s.order_action[me, n] = view.last_unit[n], view.last_action[n]
        s.order_reward[me, n], s.order_slot[me, n] = view.last_paid[n], 0
    for n in range(view.orders):
        slot = int(view.order_slot[n])
        s.order_slot[me, n], s.order_action[me, n] = slot, view.order_action[n]
        s.order_unit[me, n] = view.my_id[slot] if slot < view.mine else view.next_id + slot - view.mine
    s.seat, s.slot, s.picked, s.promised, s.budget = view.seat, view.slot, view.picked, view.promised, view.budget
    for k in range(UNITS):
        s.ordered[k] = view.ordered[k] if view.seat == me else 0
    if view.seat != me:
        s.slot = 0 if s.units[enemy] > 0 else -1
        s.picked, s.promised, s.budget = 0, 0, s.energy[enemy]


@rule
def guess_orders(s, seat, rng):
    """Let each of the enemy's units harvest where it can, else step somewhere."""
    s.orders[seat] = s.units[seat]
    for k in range(s.units[seat]):
        s.order_unit[seat, k], s.order_slot[seat, k] = s.unit_id[seat, k], k
        s.order_action[seat, k] = MOVE + draw(rng, DIRECTIONS)
        if s.unit_type[seat, k] != WARRIOR and s.tile[s.unit_y[seat, k], s.unit_x[seat, k]] == NODE:
            s.order_action[seat, k] = HARVEST
