"""What a seat may know: its view, and that view as planes. README.md, section 8."""
# mypy: ignore-errors

from ludus.core import rule

from .tables import EMPTY, NODE, SEATS, SIZE, UNITS, ZONE

# Planes: tiles by kind, what is in them, what is explored, units by side and kind, their state, the unit that is asked.
NODE_PLANE, NODE_LEFT, ZONE_LEFT, EXPLORED_PLANE = 0, 5, 6, 7
MINE_PLANE, THEIRS_PLANE = 8, 11  # + type: how many stand there
MY_HEALTH, THEIR_HEALTH, MY_BOOST, THEIR_BOOST = 14, 15, 16, 17  # least health there, most boosted attacks
ASKED_PLANE, ASKED_HEALTH, ASKED_BOOST, ORDERED_PLANE = 18, 21, 22, 23  # + type
MY_CORNER, THEIR_CORNER, NUMBERS = 24, 25, 26
PLANES = 27
VALUE_STEP, HEALTH_STEP = 8, 4  # value and halves of health to one step of a plane


@rule
def observe(s, seat, view):
    """Copy what the seat may know, and no more."""
    view.me, view.seat, view.turn, view.end, view.winner = seat, s.seat, s.turn, s.end, s.winner
    view.max_turns, view.energy_goal = s.opt_max_turns, s.opt_energy_goal
    view.territory_goal, view.territory_turns = s.opt_territory_goal, s.opt_territory_turns
    for k in range(SEATS):
        view.energy[k], view.territory[k], view.streak[k] = s.energy[k], s.territory[k], s.streak[k]
    observe_decision(s, seat, view)
    observe_last(s, seat, view)
    observe_mine(s, seat, view)
    observe_theirs(s, seat, view)
    observe_map(s, seat, view)
    observe_events(s, seat, view)


@rule
def observe_decision(s, seat, view):
    """Copy the seat's own orders of this turn; where the other seat is with its own is hidden."""
    mine = s.seat == seat
    view.slot = s.slot if mine else -1
    view.picked = s.picked if mine else 0
    view.budget = s.budget if mine else 0
    view.promised = s.promised if mine else 0
    view.orders = s.orders[seat]
    clear(view.ordered)
    clear(view.order_slot)
    clear(view.order_action)
    for n in range(s.orders[seat]):
        view.order_slot[n], view.order_action[n] = s.order_slot[seat, n], s.order_action[seat, n]
        view.ordered[s.order_slot[seat, n]] = 1


@rule
def observe_last(s, seat, view):
    """Copy what the seat's own orders of the last turn came to."""
    view.last_reward, view.last_orders = s.last_reward[seat], s.last_orders[seat]
    clear(view.last_unit)
    clear(view.last_action)
    clear(view.last_paid)
    for n in range(s.last_orders[seat]):
        view.last_unit[n], view.last_action[n] = s.order_unit[seat, n], s.order_action[seat, n]
        view.last_paid[n] = s.order_reward[seat, n]


@rule
def observe_mine(s, seat, view):
    """Copy the seat's own units, and the promised ones while it decides."""
    view.mine, view.next_id = s.units[seat], s.next_id[seat]
    count = s.units[seat] + view.promised
    clear(view.my_id)
    clear(view.my_type)
    clear(view.my_health)
    clear(view.my_x)
    clear(view.my_y)
    clear(view.my_attacks)
    for k in range(count):
        view.my_id[k], view.my_type[k] = s.unit_id[seat, k], s.unit_type[seat, k]
        view.my_health[k] = s.unit_health[seat, k]
        view.my_x[k], view.my_y[k], view.my_attacks[k] = s.unit_x[seat, k], s.unit_y[seat, k], s.unit_attacks[seat, k]


@rule
def observe_theirs(s, seat, view):
    """Copy the enemy units on tiles that the seat has explored."""
    enemy, n, after = 1 - seat, 0, 0
    clear(view.their_id)
    clear(view.their_type)
    clear(view.their_x)
    clear(view.their_y)
    clear(view.their_health)
    clear(view.their_attacks)
    clear(view.their_after)
    for k in range(s.units[enemy]):
        x, y = int(s.unit_x[enemy, k]), int(s.unit_y[enemy, k])
        if s.explored[seat, y] >> x & 1:
            while after < s.units[seat] and s.unit_born[seat, after] < s.unit_born[enemy, k]:
                after += 1
            view.their_id[n], view.their_type[n] = s.unit_id[enemy, k], s.unit_type[enemy, k]
            view.their_x[n], view.their_y[n] = x, y
            view.their_health[n], view.their_attacks[n] = s.unit_health[enemy, k], s.unit_attacks[enemy, k]
            view.their_after[n] = after
            n += 1
    view.theirs = n


@rule
def observe_map(s, seat, view):
    """Copy the tiles, all of them (D19), and what is in those that the seat has explored (D20)."""
    for y in range(SIZE):
        row = s.explored[seat, y]
        view.explored[y] = row
        for x in range(SIZE):
            view.tile[y, x] = s.tile[y, x]
            view.amount[y, x] = s.amount[y, x] if row >> x & 1 else -1


@rule
def observe_events(s, seat, view):
    """Copy the attacks of the last turn; who shot from an unexplored tile stays hidden (D39)."""
    view.events = s.last_events
    clear_events(view)
    for n in range(s.last_events):
        x, y = int(s.event_x[n]), int(s.event_y[n])
        shown = x >= 0 and (s.event_seat[n] == seat or s.explored[seat, y] >> x & 1 == 1)
        view.event_unit[n] = s.event_unit[n] if shown else -1
        view.event_x[n], view.event_y[n] = x if shown else -1, y if shown else -1
        view.event_seat[n], view.event_target[n] = s.event_seat[n], s.event_target[n]
        view.event_to_x[n], view.event_to_y[n] = s.event_to_x[n], s.event_to_y[n]
        view.event_health[n], view.event_boost[n] = s.event_health[n], s.event_boost[n]
        view.event_boosted[n], view.event_field[n] = s.event_boosted[n], s.event_field[n]
        view.event_killed[n] = s.event_killed[n]


@rule
def clear_events(view):
    """Clear the events that did not happen."""
    clear(view.event_unit)
    clear(view.event_target)
    clear(view.event_health)
    clear(view.event_seat)
    clear(view.event_x)
    clear(view.event_y)
    clear(view.event_to_x)
    clear(view.event_to_y)
    clear(view.event_boost)
    clear(view.event_boosted)
    clear(view.event_field)
    clear(view.event_killed)


@rule
def clear(array):
    """Zero an array of 64; a loop of fixed length over one array becomes a few instructions."""
    for k in range(UNITS):
        array[k] = 0


@rule
def encode(view, planes):
    """Fill planes with the map, the units of both sides, the unit that is asked, and a plane of numbers."""
    encode_map(view, planes)
    for k in range(view.mine):
        x, y, health = int(view.my_x[k]), int(view.my_y[k]), int(view.my_health[k] + HEALTH_STEP - 1) // HEALTH_STEP
        planes[MINE_PLANE + view.my_type[k], y, x] += 1
        if planes[MY_HEALTH, y, x] == 0 or health < planes[MY_HEALTH, y, x]:
            planes[MY_HEALTH, y, x] = health
        if view.my_attacks[k] > planes[MY_BOOST, y, x]:
            planes[MY_BOOST, y, x] = view.my_attacks[k]
        planes[ORDERED_PLANE, y, x] += view.ordered[k]
    for k in range(view.theirs):
        x, y = int(view.their_x[k]), int(view.their_y[k])
        health = int(view.their_health[k] + HEALTH_STEP - 1) // HEALTH_STEP
        planes[THEIRS_PLANE + view.their_type[k], y, x] += 1
        if planes[THEIR_HEALTH, y, x] == 0 or health < planes[THEIR_HEALTH, y, x]:
            planes[THEIR_HEALTH, y, x] = health
        if view.their_attacks[k] > planes[THEIR_BOOST, y, x]:
            planes[THEIR_BOOST, y, x] = view.their_attacks[k]
    if view.slot >= 0:
        k = view.slot
        x, y = int(view.my_x[k]), int(view.my_y[k])
        planes[ASKED_PLANE + view.my_type[k], y, x] = 1
        planes[ASKED_HEALTH, y, x] = int(view.my_health[k] + HEALTH_STEP - 1) // HEALTH_STEP
        planes[ASKED_BOOST, y, x] = view.my_attacks[k]
    encode_numbers(view, planes)


@rule
def encode_map(view, planes):
    """Mark tiles by kind, what is left in them, and what is explored."""
    for y in range(SIZE):
        row = int(view.explored[y])
        for x in range(SIZE):  # written without a question, so that several are at a time
            planes[EXPLORED_PLANE, y, x] = row >> x & 1
        for x in range(SIZE):
            tile = view.tile[y, x]
            if tile != EMPTY:
                planes[NODE_PLANE - NODE + tile, y, x] = 1
                amount = int(view.amount[y, x])
                if tile == NODE and amount > 0:
                    planes[NODE_LEFT, y, x] = min(255, (amount + VALUE_STEP - 1) // VALUE_STEP)
                elif tile == ZONE and amount > 0:
                    planes[ZONE_LEFT, y, x] = min(255, amount)
    corner = view.me * (SIZE - 1)
    planes[MY_CORNER, corner, corner] = 1
    planes[THEIR_CORNER, SIZE - 1 - corner, SIZE - 1 - corner] = 1


@rule
def encode_numbers(view, planes):
    """Write the numbers of the side panel into the first cells of the last plane, each cut to 0..255."""
    me, them = view.me, 1 - view.me
    write_energy(planes, 0, view.energy[me])
    write_energy(planes, 2, view.energy[them])
    write_energy(planes, 4, view.budget)
    write_number(planes, 6, int(view.turn) * 255 // view.max_turns)
    write_number(planes, 7, int(view.territory[me]) * 255 // (SIZE * SIZE))
    write_number(planes, 8, int(view.territory[them]) * 255 // (SIZE * SIZE))
    write_number(planes, 9, view.streak[me])
    write_number(planes, 10, view.streak[them])
    write_number(planes, 11, view.mine)
    write_number(planes, 12, view.promised)
    write_number(planes, 13, view.orders)
    write_number(planes, 14, view.picked)
    write_number(planes, 15, me)


@rule
def write_number(planes, cell, value):
    """Write one number, cut to what a cell holds."""
    planes[NUMBERS, cell // SIZE, cell % SIZE] = min(255, int(value))


@rule
def write_energy(planes, cell, quarters):
    """Write energy twice: exact whole units for small values, steps of 64 for large ones."""
    write_number(planes, cell, quarters // 4)
    write_number(planes, cell + 1, quarters // 256)
