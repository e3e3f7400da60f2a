"""Quantum Harvest: two players order many units at the same time, in a fog; harvest, build, fight.

The truth is README.md beside this file; D-numbers are its decisions. A turn: seat 0 orders its units one by one, then
seat 1, hidden from each other; then all of seat 0's orders run, then all of seat 1's.

Beside this file: tables.py has the constants, board.py who stands where, orders.py what an order does, masks.py what is
sensible to order, fog.py what a seat sees, guess.py what may be behind it, sound.py what holds in every position.
"""

import numpy as np

from ludus.core import Option, Spec, draw, rule

from .board import blank, count_territory, describe_new, explore, recount, wipe
from .fog import PLANES, encode, observe
from .guess import sample
from .masks import legal
from .orders import carry_out
from .sound import sound
from .tables import (
    ACTIONS,
    BARRIER,
    COST,
    DONE,
    ELIMINATION,
    EMPTY,
    ENERGY,
    EVENTS,
    FIELD,
    GATE,
    HARVEST,
    HEAL,
    HIGHEST_GOAL,
    LIMIT_DRAW,
    LIMIT_ENERGY,
    LIMIT_TERRITORY,
    NOBODY,
    NODE,
    NOTHING,
    PICK,
    QUARTERS,
    RUNNING,
    SCOUT,
    SEATS,
    SIZE,
    SKIPPED,
    SPAWN,
    STRUCTURE,
    TELEPORT,
    TELEPORT_COST,
    TERRITORY,
    UNITS,
    YIELD,
)

__all__ = ["STRUCTURE", "encode", "legal", "observe", "sample", "sound"]

SPEC = Spec(
    title="Quantum Harvest",
    version=1,
    seats=("player1", "player2"),
    actions=ACTIONS,
    planes=(PLANES, SIZE, SIZE),
    plane_type="u1",
    plane_high=255,
    options=(
        Option("max_turns", 1000, 1, 1_000_000, "turns after which energy, then territory decides"),
        Option("energy_goal", 100_000 * QUARTERS, 0, HIGHEST_GOAL, "quarters of energy that win at once"),
        Option("territory_goal", -(-SIZE * SIZE * 7 // 10), 0, SIZE * SIZE + 1, "tiles to hold for an early win"),
        Option("territory_turns", 10, 0, 1_000_000, "turns in a row to hold them"),
    ),
    refuses=False,
    reward_unit=1 / QUARTERS,
    simultaneous=True,
    reward="outcome",  # what the rules reward, energy, says little of who wins
)

State = np.dtype(
    [
        ("opt_max_turns", "i4"),
        ("opt_energy_goal", "i4"),  # quarters
        ("opt_territory_goal", "i4"),  # tiles
        ("opt_territory_turns", "i4"),
        ("turn", "i4"),  # turns completed
        ("end", "i4"),  # RUNNING, or why the game is over
        ("winner", "i4"),  # seat, or NOBODY
        ("energy", "i4", SEATS),  # quarters
        ("territory", "i4", SEATS),  # tiles held at the end of the last turn; a shared gate counts once (D15)
        ("streak", "i4", SEATS),  # turns in a row at or above the territory goal
        ("next_id", "i4", SEATS),  # of the next unit of each seat; ids are never used again
        ("births", "i4"),  # units made so far, of both seats
        ("held", "i4", SEATS),  # tiles with a unit of the seat on them
        ("shared", "i4"),  # tiles with units of both
        # What the seat that decides has said so far.
        ("seat", "i4"),  # who decides
        ("slot", "i4"),  # the unit that is asked for an order; -1 = the seat has none
        ("picked", "i4"),  # 1 = the seat chose this unit itself
        ("promised", "i4"),  # units its spawn orders would make; they stand in the slots after the living (D14)
        ("budget", "i4"),  # quarters of energy left if all its orders so far succeed
        ("ordered", "i1", UNITS),  # [slot] 1 = has an order
        ("orders", "i4", SEATS),  # orders given this turn; the other seat's are hidden
        # What happened in the last turn.
        ("last_orders", "i4", SEATS),  # orders that ran; 0 again as soon as the seat gives new ones
        ("last_reward", "i4", SEATS),  # quarters; 0 again with the next decision
        ("last_events", "i4"),  # attacks that hit
        # [seat, nth order]: kept until the seat gives the next turn's.
        ("order_unit", "i4", (SEATS, UNITS)),  # id
        ("order_slot", "i1", (SEATS, UNITS)),  # where the unit was
        ("order_action", "i2", (SEATS, UNITS)),
        ("order_reward", "i2", (SEATS, UNITS)),  # quarters, or SKIPPED
        # [seat, slot]: living units in the order of creation, then promised ones.
        ("units", "i4", SEATS),  # how many live
        ("unit_id", "i4", (SEATS, UNITS)),
        ("unit_born", "i4", (SEATS, UNITS)),  # number among all units of both seats
        ("unit_health", "i2", (SEATS, UNITS)),  # halves
        ("unit_type", "i1", (SEATS, UNITS)),
        ("unit_x", "i1", (SEATS, UNITS)),
        ("unit_y", "i1", (SEATS, UNITS)),
        ("unit_attacks", "i1", (SEATS, UNITS)),  # boosted attacks left; above 0 = boosted
        # The map, [y, x].
        ("explored", "i8", (SEATS, SIZE)),  # [seat, y] bit x is set where the seat has looked
        ("gates", "i8", SIZE),  # [y] bit x is set where a gate stands, for finding them fast
        ("amount", "i2", (SIZE, SIZE)),  # what is left in a node, or the power of a zone; else 0
        ("tile", "i1", (SIZE, SIZE)),  # EMPTY to GATE
        ("here", "i1", (SEATS, SIZE, SIZE)),  # units of the seat on a tile
        # [nth attack of the last turn]
        ("event_unit", "i4", EVENTS),  # id of the attacker
        ("event_target", "i4", EVENTS),  # id of the target
        ("event_health", "i2", EVENTS),  # halves that the target had before
        ("event_seat", "i1", EVENTS),  # who attacked
        ("event_x", "i1", EVENTS),  # where the attacker stood
        ("event_y", "i1", EVENTS),
        ("event_to_x", "i1", EVENTS),  # where the target stood
        ("event_to_y", "i1", EVENTS),
        ("event_boost", "i1", EVENTS),  # energy added to it
        ("event_boosted", "i1", EVENTS),  # 1 = it used a boost from a zone
        ("event_field", "i1", EVENTS),  # 1 = a field under the target halved it
        ("event_killed", "i1", EVENTS),  # 1 = the target died
    ],
    align=True,
)

View = np.dtype(
    [
        ("me", "i4"),  # the seat that looks
        ("seat", "i4"),  # who decides
        ("turn", "i4"),
        ("max_turns", "i4"),
        ("energy_goal", "i4"),  # quarters
        ("territory_goal", "i4"),  # tiles
        ("territory_turns", "i4"),
        ("end", "i4"),
        ("winner", "i4"),
        ("energy", "i4", SEATS),  # quarters, of both seats
        ("territory", "i4", SEATS),  # tiles, of both seats
        ("streak", "i4", SEATS),
        # My turn so far; slot is -1 and the rest 0 while I am not the one who decides.
        ("slot", "i4"),  # the unit that is asked; -1 = none
        ("picked", "i4"),  # 1 = I chose it
        ("budget", "i4"),  # quarters left if all my orders so far succeed
        ("promised", "i4"),  # units that my spawn orders would make
        ("orders", "i4"),  # orders given this turn
        ("order_slot", "i1", UNITS),  # [nth order]
        ("order_action", "i2", UNITS),
        # What my orders of the last turn came to, until I give new ones.
        ("last_reward", "i4"),  # quarters, if the turn has just been resolved
        ("last_orders", "i4"),
        ("last_unit", "i4", UNITS),  # id
        ("last_action", "i2", UNITS),
        ("last_paid", "i2", UNITS),  # quarters, or SKIPPED
        # My units: living ones in the order of creation, then promised ones.
        ("next_id", "i4"),  # of my next unit
        ("mine", "i4"),  # how many live
        ("my_id", "i4", UNITS),
        ("my_health", "i2", UNITS),  # halves
        ("my_type", "i1", UNITS),
        ("my_x", "i1", UNITS),
        ("my_y", "i1", UNITS),
        ("my_attacks", "i1", UNITS),
        ("ordered", "i1", UNITS),  # 1 = has an order
        # Enemy units on tiles that I have explored, in the order of creation.
        ("theirs", "i4"),
        ("their_id", "i4", UNITS),
        ("their_health", "i2", UNITS),
        ("their_type", "i1", UNITS),
        ("their_x", "i1", UNITS),
        ("their_y", "i1", UNITS),
        ("their_attacks", "i1", UNITS),
        ("their_after", "i1", UNITS),  # how many of my living units are older
        # The map, [y, x].
        ("explored", "i8", SIZE),  # [y] bit x is set where I have looked
        ("tile", "i1", (SIZE, SIZE)),  # the whole map is known (D19)
        ("amount", "i2", (SIZE, SIZE)),  # of nodes and zones; -1 where I have not looked
        # Attacks of the last turn, all of them mine or on me; an attacker on an unexplored tile is -1, -1, -1 (D39).
        ("events", "i4"),
        ("event_unit", "i4", EVENTS),
        ("event_target", "i4", EVENTS),
        ("event_health", "i2", EVENTS),
        ("event_seat", "i1", EVENTS),
        ("event_x", "i1", EVENTS),
        ("event_y", "i1", EVENTS),
        ("event_to_x", "i1", EVENTS),
        ("event_to_y", "i1", EVENTS),
        ("event_boost", "i1", EVENTS),
        ("event_boosted", "i1", EVENTS),
        ("event_field", "i1", EVENTS),
        ("event_killed", "i1", EVENTS),
    ],
    align=True,
)

# Pairs of each structure on a start map: at least SIZE // a or 1, at most SIZE // b (D16).
PAIRS = ((NODE, 4, 2), (BARRIER, 8, 4), (FIELD, 12, 6), (GATE, 16, 8))
LOWEST_VALUE, VALUES = 1000, 1001  # of a node: 1000 to 2000
QUADRANT = SIZE // 2  # structures are drawn in the top left quadrant and mirrored through the centre


@rule
def new(s, rng):
    """Draw a map that looks the same from both corners, and put one scout into each of these."""
    s.turn, s.end, s.winner, s.last_events = 0, RUNNING, NOBODY, 0
    wipe(s)
    draw_map(s, rng)
    for seat in range(SEATS):
        s.energy[seat], s.streak[seat], s.last_reward[seat], s.next_id[seat] = 0, 0, 0, 1
        s.orders[seat], s.last_orders[seat], s.units[seat] = 0, 0, 1
        corner = seat * (SIZE - 1)
        describe_new(s, seat, 0, SCOUT, 0, corner, corner)
        s.unit_born[seat, 0] = seat
        explore(s, seat)
    s.births = SEATS
    recount(s)
    count_territory(s)
    open_turn(s, 0)


@rule
def apply(s, action, rng):
    """Take one decision: a pick, an order, or the end of the seat's orders; the last one resolves the turn."""
    clear_last(s)
    if PICK <= action < TELEPORT:
        if can_pick(s, action - PICK):
            s.slot, s.picked = action - PICK, 1
            return
        action = NOTHING  # so that a turn ends whatever is played
    if action == DONE or s.slot < 0:
        s.slot = -1
    else:
        give_order(s, action)
        offer_next(s)
    if s.slot < 0:
        close_turn(s)
        if s.seat == 0:
            open_turn(s, 1)
        else:
            resolve(s)
            open_turn(s, 0)


@rule
def clear_last(s):
    """Forget what the last decision paid; orders and attacks of the last turn stay until new ones take their place."""
    s.last_reward[0], s.last_reward[1] = 0, 0


@rule
def result(s, outcome, points):
    """Write who won (nobody while running) and both energies."""
    for seat in range(SEATS):
        outcome[seat] = 0
        if s.winner != NOBODY:
            outcome[seat] = 1 if s.winner == seat else -1
        points[seat] = s.energy[seat] / QUARTERS
    if s.end == RUNNING:
        return 0
    return 2 if s.end >= LIMIT_ENERGY else 1


@rule
def default(s):
    """Decide for a seat that decides nothing: the unit that is asked does nothing (D33)."""
    return NOTHING if s.slot >= 0 else DONE


@rule
def open_turn(s, seat):
    """Ask a seat for its first order of the turn."""
    s.seat, s.picked, s.promised = seat, 0, 0
    s.slot = 0 if s.units[seat] > 0 else -1
    s.budget = s.energy[seat]
    for k in range(UNITS):
        s.ordered[k] = 0


@rule
def close_turn(s):
    """Take the promised units away again: only the spawn orders themselves can make them."""
    for k in range(s.units[s.seat], s.units[s.seat] + s.promised):
        blank(s, s.seat, k)
    if s.orders[s.seat] == 0:
        forget_orders(s, s.seat)


@rule
def can_pick(s, k):
    """Say whether the seat may order this unit next; it may choose once per order."""
    return s.picked == 0 and k < s.units[s.seat] + s.promised and s.ordered[k] == 0


@rule
def give_order(s, action):
    """Write down the order for the unit that is asked; it is judged when it runs."""
    seat, k = s.seat, s.slot
    forget_orders(s, seat)
    n = s.orders[seat]
    s.order_unit[seat, n], s.order_slot[seat, n] = s.unit_id[seat, k], k
    s.order_action[seat, n] = action
    s.orders[seat] = n + 1
    s.ordered[k] = 1
    kind = s.unit_type[seat, k]
    if action == HARVEST:
        if s.tile[s.unit_y[seat, k], s.unit_x[seat, k]] == NODE:
            s.budget += YIELD[kind]
        return
    cost = COST[action] if action < TELEPORT else TELEPORT_COST
    if cost <= s.budget:
        s.budget -= cost
    if SPAWN <= action < HEAL and (kind == SCOUT or k >= s.units[seat]):
        promise(s, seat, action - SPAWN)


@rule
def forget_orders(s, seat):
    """Clear the seat's orders of the last turn, so that those of this one stand alone."""
    for n in range(s.last_orders[seat]):
        s.order_unit[seat, n], s.order_slot[seat, n] = 0, 0
        s.order_action[seat, n], s.order_reward[seat, n] = 0, 0
    s.last_orders[seat] = 0


@rule
def promise(s, seat, kind):
    """Offer the unit that a spawn order would make, with the id it will get if all of them succeed (D14)."""
    k = s.units[seat] + s.promised
    if k < UNITS:
        describe_new(s, seat, k, kind, s.next_id[seat] + s.promised, seat * (SIZE - 1), seat * (SIZE - 1))
        s.ordered[k] = 0
        s.promised += 1


@rule
def offer_next(s):
    """Turn to the first unit without an order; -1 when all have one."""
    first = 0 if s.picked == 1 else s.slot + 1
    s.slot, s.picked = -1, 0
    for k in range(first, s.units[s.seat] + s.promised):
        if s.ordered[k] == 0:
            s.slot = k
            return


@rule
def resolve(s):
    """Run all orders of seat 0, then of seat 1; then look around, count, and judge: README, section 5."""
    forget_events(s)
    for seat in range(SEATS):
        run_orders(s, seat)
    for seat in range(SEATS):
        explore(s, seat)
    count_territory(s)
    judge(s)
    s.turn += 1
    judge_limit(s)


@rule
def forget_events(s):
    """Clear the attacks of the last turn."""
    for n in range(s.last_events):
        s.event_unit[n], s.event_target[n], s.event_health[n], s.event_seat[n] = 0, 0, 0, 0
        s.event_x[n], s.event_y[n], s.event_to_x[n], s.event_to_y[n] = 0, 0, 0, 0
        s.event_boost[n], s.event_boosted[n], s.event_field[n], s.event_killed[n] = 0, 0, 0, 0
    s.last_events = 0


@rule
def run_orders(s, seat):
    """Run a seat's orders in the order given; units that are not there (any more, or yet) are passed over."""
    total = 0
    for n in range(s.orders[seat]):
        k = find_unit(s, seat, s.order_unit[seat, n], s.order_slot[seat, n])
        reward = SKIPPED
        if k >= 0:
            reward = carry_out(s, seat, k, s.order_action[seat, n])
            total += reward
        s.order_reward[seat, n] = reward
    s.last_orders[seat], s.orders[seat] = s.orders[seat], 0
    s.last_reward[seat] = total


@rule
def find_unit(s, seat, unit, slot):
    """Return the slot of a unit by its id, or -1; since the order was given it can only have moved up."""
    k = min(int(slot), s.units[seat] - 1)
    while k >= 0 and s.unit_id[seat, k] != unit:
        k -= 1
    return k


@rule
def judge(s):
    """Test elimination, then energy, then territory: the first hit decides (section 7)."""
    if s.units[0] == 0 or s.units[1] == 0:
        s.end = ELIMINATION
        if s.units[0] > 0:
            s.winner = 0
        elif s.units[1] > 0:
            s.winner = 1
        return
    for seat in range(SEATS):
        if s.energy[seat] >= s.opt_energy_goal:
            s.end, s.winner = ENERGY, seat
            return
    for seat in range(SEATS):
        if s.territory[seat] < s.opt_territory_goal:
            s.streak[seat] = 0
        else:
            s.streak[seat] += 1
            if s.streak[seat] >= s.opt_territory_turns:
                s.end, s.winner = TERRITORY, seat
                return


@rule
def judge_limit(s):
    """After the last turn more energy wins, else more territory, else nobody (D2)."""
    if s.end != RUNNING or s.turn < s.opt_max_turns:
        return
    if s.energy[0] != s.energy[1]:
        s.end, s.winner = LIMIT_ENERGY, 0 if s.energy[0] > s.energy[1] else 1
    elif s.territory[0] != s.territory[1]:
        s.end, s.winner = LIMIT_TERRITORY, 0 if s.territory[0] > s.territory[1] else 1
    else:
        s.end = LIMIT_DRAW


@rule
def draw_map(s, rng):
    """Draw how many pairs of each structure there are, then their places: section 4 of README."""
    nodes, barriers = draw_pairs(rng, 0), draw_pairs(rng, 1)
    fields, gates = draw_pairs(rng, 2), draw_pairs(rng, 3)
    free = QUADRANT * QUADRANT - 1
    for n in range(nodes + barriers + fields + gates):
        cell = free_cell(s, draw(rng, free - n))
        x, y = cell // QUADRANT, cell % QUADRANT
        value = 0
        if n < nodes:
            tile = NODE
            value = LOWEST_VALUE + draw(rng, VALUES)
        elif n < nodes + barriers:
            tile = BARRIER
        elif n < nodes + barriers + fields:
            tile = FIELD
        else:
            tile = GATE
        s.tile[y, x], s.amount[y, x] = tile, value
        s.tile[SIZE - 1 - y, SIZE - 1 - x], s.amount[SIZE - 1 - y, SIZE - 1 - x] = tile, value


@rule
def draw_pairs(rng, which):
    """Draw the number of pairs of one kind of structure."""
    low = max(1, SIZE // PAIRS[which][1])
    high = max(low, SIZE // PAIRS[which][2])
    return low + draw(rng, high - low + 1)


@rule
def free_cell(s, index):
    """Return the index-th free tile of the top left quadrant but its corner, column by column."""
    for cell in range(1, QUADRANT * QUADRANT):
        if s.tile[cell % QUADRANT, cell // QUADRANT] == EMPTY:
            if index == 0:
                return cell
            index -= 1
    return 0
