"""How Quantum Harvest looks: what one side may see, shown from its view alone, and all of it for spectators.

Words and signs are in words.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import (
    DANGER,
    FLOOR,
    FOG,
    GOAL,
    NOBODY,
    PATH,
    RESOURCE,
    SAFE,
    SEAT_ROLE,
    WALL,
    Board,
    Scene,
    add_mark,
    add_piece,
    count_bits,
    frame_type,
    plain,
    read_scene,
    rule,
    show_amount,
    show_bar,
    show_number,
    show_status,
)

from .rules import SPEC
from .tables import (
    ATTACKS_PER_BOOST,
    EMPTY,
    EVENTS,
    FIELD,
    GATE,
    HEALTH,
    NODE,
    POWER_PER_BOOST,
    RUNNING,
    SEATS,
    SIZE,
    UNITS,
    WARRIOR,
    ZONE,
)
from .telling import MOST_EVENTS, end_of, identity, slot_of, tell_attack, tell_end, tell_orders
from .text import units_of
from .words import (
    ASKED,
    BOOST_BAR,
    BOOSTED,
    BOOSTS_A_ZONE,
    ENERGY_NUMBER,
    EXPLORED_NUMBER,
    FIELD_SIGN,
    FIRST_OF_SEAT,
    FULL_NODE,
    GATE_SIGN,
    HEALTH_BAR,
    LABELS,
    NODE_TENTHS,
    NUMBERS_A_SEAT,
    ORDERS,
    STREAK_NUMBER,
    TENTHS,
    TERRITORY_NUMBER,
    TURN,
    UNITS_NUMBER,
    UNKNOWN_SIGN,
    WORDS,
    ZONE_BOOSTS,
)

LETTERS = "HWS"  # by type of unit
ROLES = (FLOOR, RESOURCE, WALL, PATH, DANGER, GOAL)  # by tile

Frame = frame_type(
    SIZE, SIZE, pieces=SEATS * UNITS, bars=2, marks=SIZE * SIZE + 1, links=EVENTS,
    numbers=FIRST_OF_SEAT + SEATS * NUMBERS_A_SEAT, events=MOST_EVENTS,
)  # fmt: skip
BOARD = Board(SIZE, SIZE, columns=LABELS, rows=LABELS)


@rule
def show(view, frame):
    """Draw what a seat sees; the unit that is asked is marked."""
    me, enemy = int(view.me), 1 - int(view.me)
    show_standing(view, frame, view.max_turns)
    explored, marks = 0, 0
    for y in range(SIZE):
        explored += count_bits(int(view.explored[y]))
        marks = show_row(view, frame, y, view.explored[y], view.explored[y], marks)
    close_marks(frame, marks)
    for seat in range(SEATS):
        show_seat(view, frame, seat, view.territory_goal, view.territory_turns)
    show_share(frame, me, EXPLORED_NUMBER, explored, 0)
    show_number(frame, FIRST_OF_SEAT + me * NUMBERS_A_SEAT + UNITS_NUMBER, view.mine, 0)
    for k in range(view.mine):
        show_unit(frame, me, view.my_id[k], view.my_type[k], view.my_x[k], view.my_y[k], view.my_health[k], view.my_attacks[k])
    for k in range(view.theirs):
        show_unit(frame, enemy, view.their_id[k], view.their_type[k], view.their_x[k], view.their_y[k], view.their_health[k],
                  view.their_attacks[k])  # fmt: skip
    show_asked(view, frame)
    for n in range(view.events):
        if view.event_seat[n] == me:
            tell_attack(view, frame, n, slot_of(view.my_id, view.mine, view.event_unit[n]))
        else:
            tell_attack(view, frame, n, slot_of(view.their_id, view.theirs, view.event_unit[n]))
    tell_orders(frame, me, view.last_orders, view.last_unit, view.last_action, view.last_paid, view.mine, view.my_id,
                view.my_x, view.my_y, view.next_id)  # fmt: skip
    tell_end(view, frame)


@rule
def show_all(s, frame):
    """Draw the whole position; what only one side has explored is tinted in that side's colour."""
    show_standing(s, frame, s.opt_max_turns)
    by_first, by_second, marks = 0, 0, 0
    for y in range(SIZE):
        by_first += count_bits(int(s.explored[0, y]))
        by_second += count_bits(int(s.explored[1, y]))
        marks = show_row(s, frame, y, s.explored[0, y], s.explored[1, y], marks)
    close_marks(frame, marks)
    show_share(frame, 0, EXPLORED_NUMBER, by_first, 0)
    show_share(frame, 1, EXPLORED_NUMBER, by_second, 0)
    for seat in range(SEATS):
        show_seat(s, frame, seat, s.opt_territory_goal, s.opt_territory_turns)
        show_number(frame, FIRST_OF_SEAT + seat * NUMBERS_A_SEAT + UNITS_NUMBER, s.units[seat], 0)
        for k in range(s.units[seat]):
            show_unit(frame, seat, s.unit_id[seat, k], s.unit_type[seat, k], s.unit_x[seat, k], s.unit_y[seat, k],
                      s.unit_health[seat, k], s.unit_attacks[seat, k])  # fmt: skip
    for n in range(s.last_events):
        side = int(s.event_seat[n])
        tell_attack(s, frame, n, slot_of(s.unit_id[side], s.units[side], s.event_unit[n]))
    for seat in range(SEATS):
        tell_orders(frame, seat, s.last_orders[seat], s.order_unit[seat], s.order_action[seat], s.order_reward[seat],
                    s.units[seat], s.unit_id[seat], s.unit_x[seat], s.unit_y[seat], s.next_id[seat])  # fmt: skip
    tell_end(s, frame)


@rule
def show_standing(row, frame, max_turns):
    """Say who gives orders, or how the game ended."""
    show_number(frame, TURN, row.turn, max_turns)
    if row.end == RUNNING:
        show_status(frame, ORDERS, row.seat, row.turn)
        frame.status_value[0] = max_turns
    else:
        show_status(frame, end_of(row.end, row.winner), NOBODY, row.turn)
        frame.status_value[0] = max(0, int(row.winner))


@rule
def show_asked(view, frame):
    """Name and mark the unit that is asked for an order."""
    if view.end == RUNNING and view.slot >= 0:
        k = int(view.slot)
        x, y = int(view.my_x[k]), int(view.my_y[k])
        frame.status = ASKED + view.my_type[k]
        frame.status_value[0], frame.status_value[1], frame.status_value[2] = view.my_id[k], y * SIZE + x, k
        add_mark(frame, x, y, 0, SAFE)


@rule
def show_seat(row, frame, seat, goal, turns):
    """Fill the numbers of a seat that everybody knows."""
    first = FIRST_OF_SEAT + seat * NUMBERS_A_SEAT
    show_number(frame, first + ENERGY_NUMBER, row.energy[seat], 0)
    show_share(frame, seat, TERRITORY_NUMBER, row.territory[seat], goal)
    show_number(frame, first + STREAK_NUMBER, row.streak[seat], turns)


@rule
def show_share(frame, seat, which, tiles, goal):
    """Fill a number that is a share of the map, in tenths of a percent, rounded."""
    place, cells = FIRST_OF_SEAT + seat * NUMBERS_A_SEAT + which, SIZE * SIZE
    share = (200 * TENTHS * int(tiles) + cells) // (2 * cells)
    show_number(frame, place, share, (200 * TENTHS * int(goal) + cells) // (2 * cells))


@rule
def show_row(row, frame, y, first, second, marks):
    """Draw a row of tiles as two sides have explored it; return how many marks there are now.

    The map is known to all (D19), what is in it and who stands there is not. In rows that one side alone has explored in part
    every tile writes a mark where the next one goes, and counts it if it is one: that is faster than to ask.
    """
    seen = first | second
    for x in range(SIZE):
        frame.role[0, y, x] = FOG * (1 - (seen >> x & 1))
    if first != second:
        for x in range(SIZE):
            frame.mark_x[marks], frame.mark_y[marks] = x, y
            frame.mark_role[marks] = SEAT_ROLE + (second >> x & 1)
            marks += (first ^ second) >> x & 1
    for x in range(SIZE):
        if row.tile[y, x] != EMPTY:
            show_tile(frame, x, y, int(row.tile[y, x]), int(row.amount[y, x]))
            if seen >> x & 1 == 0:
                frame.mark_x[marks], frame.mark_y[marks], frame.mark_role[marks] = x, y, FOG
                marks += 1
    return marks


@rule
def close_marks(frame, marks):
    """Count the marks, and clear the one that was not."""
    frame.mark_x[marks], frame.mark_y[marks], frame.mark_role[marks] = 0, 0, 0
    frame.marks = marks


@rule
def show_tile(frame, x, y, tile, amount):
    """Draw a structure: nodes tell how full they are, zones how many boosts are left; an amount below 0 is not known."""
    frame.role[0, y, x] = ROLES[tile]
    sign = 0
    if tile == NODE:
        sign = NODE_TENTHS + min(TENTHS - 1, amount * TENTHS // FULL_NODE) if amount >= 0 else UNKNOWN_SIGN
    elif tile == ZONE:
        sign = ZONE_BOOSTS + min(BOOSTS_A_ZONE, amount // POWER_PER_BOOST) if amount >= 0 else UNKNOWN_SIGN
    elif tile == FIELD:
        sign = FIELD_SIGN
    elif tile == GATE:
        sign = GATE_SIGN
    frame.text[0, y, x] = sign
    if amount >= 0 and tile in (NODE, ZONE):
        show_amount(frame, x, y, 0, amount)


@rule
def show_unit(frame, side, unit, kind, x, y, health, attacks):
    """Draw a unit."""
    is_boosted = kind == WARRIOR and attacks > 0
    k = add_piece(frame, identity(side, unit), BOOSTED if is_boosted else int(kind), side, x, y, 0)
    show_bar(frame, k, HEALTH_BAR, health, max(HEALTH, int(health)))
    if attacks > 0:
        show_bar(frame, k, BOOST_BAR, attacks, max(ATTACKS_PER_BOOST, int(attacks)))


def scene_of(s: Any) -> Scene:
    """Return the whole position as something to draw."""
    frame = plain(np.zeros(1, Frame))
    show_all(s, frame)
    return read_scene(SPEC.title, SPEC.seats, BOARD, WORDS, frame)


def status(s: Any) -> str:
    """Say in a line who gives orders, or how the game ended."""
    return scene_of(s).status


def board(s: Any) -> str:
    """Draw the whole board in plain text: tiles, and units by letter, those of player1 in upper case."""
    stacks: dict[tuple[int, int], str] = {}
    for _, side, kind, x, y, *_ in units_of(s):
        stacks[x, y] = stacks.get((x, y), "") + (LETTERS[kind] if side == 0 else LETTERS[kind].lower())
    lines = ["   " + "".join(f"{x:>3}" for x in range(SIZE))]
    for y, row in enumerate(s.tile.tolist()):
        words = [stacks.get((x, y), ".n#zfg"[tile]) for x, tile in enumerate(row)]
        lines.append(f"{y:>2} " + "".join(f"{word if len(word) < 3 else word[0] + '+':>3}" for word in words))
    numbers = (f"{SPEC.seats[n.seat] + ' ' if n.seat >= 0 else ''}{n.name} {n.text}" for n in scene_of(s).numbers)
    return "\n".join(["  ".join(numbers), *lines]) + "\n"
