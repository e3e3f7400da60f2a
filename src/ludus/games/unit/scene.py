"""How Unit looks: rules that fill a frame in true coordinates, and their words. Nothing is hidden.

All layers cover one square. A row is one x of the rules and a column one z, so that vertex numbers run as one reads.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from ludus.core import (
    DANGER,
    GOAL,
    NEUTRAL,
    NOBODY,
    PATH,
    RESOURCE,
    Board,
    EventWord,
    Link,
    NumberWord,
    PieceWord,
    Words,
    add_event,
    add_link,
    add_mark,
    add_piece,
    event_from,
    event_to,
    frame_type,
    plain,
    read_scene,
    rule,
    show_amount,
    show_bar,
    show_number,
    show_status,
)

from .board import (
    ATTACK,
    CORNER,
    DIRECTIONS,
    EDGE_FROM,
    EDGE_TO,
    EDGES,
    END_TURN,
    FORCE_CAP,
    FORCE_UNIT,
    INFUSE,
    LAYERS,
    MOVE,
    NEIGHBOUR,
    OCCUPIES,
    PINCER,
    PINCER_ORIGINS,
    PINCER_TARGET,
    PLACE,
    PLACES,
    SEATS,
    SIZES,
    VERTICES,
    table,
)
from .board import WORDS as HELD_WORDS
from .rules import CORNERS, NO_FIGHT, RUNNING, SPEC, exerted, holds, lowest, power
from .text import FLAGS, board

__all__ = ["BOARD", "WORDS", "Frame", "board", "show", "status"]

SPAN = lcm(*(n - 1 for n in SIZES))  # steps of a frame that every layer divides


def spot(vertex: int) -> tuple[int, int, int]:
    """Return x, y and layer of a vertex in a frame."""
    layer, x, z = PLACES[vertex]
    step = SPAN // (SIZES[layer] - 1)
    return z * step, x * step, layer


SPOTS = tuple(spot(v) for v in range(VERTICES))
TAKEN = frozenset(SPOTS)
SQUARE = tuple((x, y, z) for z in range(LAYERS) for y in range(SPAN + 1) for x in range(SPAN + 1))
SPOT = table(SPOTS, "i1")  # [vertex, x y z]

# Sentences of the status: by the flags of the turn, 1 = placed, 2 = infused, 4 = moved; then the ends.
WON, DRAWN, AHEAD = 8, 9, 10
# Kinds of pieces: weak ones exert no force; from MANY on there is no room for the number, WIDE kinds further.
STACK, WEAK, WIDE = range(3)
MANY = 1000
ENERGY_BAR, FORCE_BAR = 0, 1
HOME_SIGN = 1  # + seat
TURN, ACTIONS, FIRST_OF_SEAT = range(3)
POOL, STANDING, ENERGY, CORNERS_HELD, NUMBERS_A_SEAT = range(5)
PLACED, INFUSED, MOVED, ATTACKED, PINCERED, TURN_ENDED, FOUGHT, ENDED = (*range(7), 9)  # FOUGHT + outcome; ENDED + end
HUNDREDTHS = 100  # in which the forces of a fight are told
HIGHEST_TOLD = FORCE_CAP**DIRECTIONS * HUNDREDTHS  # a pincer's

ENDS = (
    "{a:seats} holds both enemy corners and wins",
    "the limit is reached: a draw",
    "the limit is reached: {a:seats} is ahead and wins",
)
OUTCOMES = ("the attacker wins", "the defender wins", "a draw")


def _doing(done: int) -> str:
    flags = " and ".join(flag for bit, flag in enumerate(FLAGS) if done >> bit & 1)
    return "{seat} to act" + (f", has {flags}" if flags else "")


def _link(start: int, to: int) -> Link:
    x, y, z = SPOTS[start]
    to_x, to_y, to_z = SPOTS[to]
    return Link(x, y, to_x, to_y, "neutral", z, to_z)


Frame = frame_type(
    SPAN + 1, SPAN + 1, LAYERS, pieces=VERTICES, bars=2, marks=VERTICES + DIRECTIONS + 1, links=DIRECTIONS,
    numbers=FIRST_OF_SEAT + SEATS * NUMBERS_A_SEAT, events=DIRECTIONS + 2,
)  # fmt: skip
BOARD = Board(
    SPAN + 1,
    SPAN + 1,
    LAYERS,
    places=tuple((*place, str(vertex)) for vertex, place in enumerate(SPOTS)),
    holes=tuple(place for place in SQUARE if place not in TAKEN),
    links=tuple(_link(start, to) for start, _, to in EDGES if start < to),
)
WORDS = Words(
    status=(*(_doing(done) for done in range(WON)), *ENDS),
    pieces=tuple(
        PieceWord(name, sign, "stack", f"{{amount}} of {{seat}} on vertex {{at}}{more}")
        for sign in ("{amount}", "++")
        for name, more in (("stack", ""), ("weak stack", ", not occupied: exerts no force"))
    ),
    bars=("energy", "force"),
    bar_scales=(1, FORCE_UNIT),
    numbers=(
        NumberWord("turn", is_curve=False),
        NumberWord("actions", is_curve=False),
        *(NumberWord(name, seat) for seat in range(SEATS) for name in ("pool", "pieces", "energy", "enemy corners")),
    ),
    events=(
        EventWord("place", "{seat}: place {to}"),
        EventWord("infuse", "{seat}: infuse {to}"),
        EventWord("move", "{seat}: move {at} -> {to}"),
        EventWord("shot", "{seat}: attack {at} -> {to}"),
        EventWord("shot", "{seat}: pincer {to} from {at}"),
        EventWord("turn", "{seat}: end_turn"),
        *(EventWord("fight", f"{{a:force}} against {{b:force}}: {outcome}") for outcome in OUTCOMES),
        *(EventWord("end", told) for told in ENDS),
    ),
    texts=("", *(f"h{seat}" for seat in range(SEATS))),
    lists={"seats": SPEC.seats},
    scales={"force": HUNDREDTHS},
    legend=(
        ("goal", "home corner: who holds both of the enemy's wins"),
        *((f"h{seat}", f"home corner of {name}") for seat, name in enumerate(SPEC.seats)),
        ("resource", "energy where nobody stands"),
        ("path", "the last action"),
        ("danger", "the last action, a fight"),
        ("neutral", "weak stack: exerts no force"),
    ),
)


@rule
def show(view, frame):
    """Draw corners, stacks, bare energy, the last action and its fight."""
    show_standing(view, frame)
    for seat in range(SEATS):
        for k in range(2):
            show_home(frame, int(CORNER[seat, k]), seat)
    show_bare(view, frame)
    for seat in range(SEATS):
        show_stacks(view, frame, seat)
    if view.last_seat >= 0:
        tell_action(view, frame)
    if view.end != RUNNING:
        k = add_event(frame, ENDED + end_of(view) - WON, view.winner, NOBODY, 0)
        frame.event_value[k, 0] = max(0, int(view.winner))


@rule
def show_standing(view, frame):
    """Say whose action it is and what it has done, or how the game ended, and count the turn."""
    if view.end == RUNNING:
        show_status(frame, view.placed + 2 * view.infused + 4 * view.moved, view.seat, view.turn)
    else:
        show_status(frame, end_of(view), NOBODY, view.turn)
        frame.status_value[0] = max(0, int(view.winner))
    show_number(frame, TURN, view.turn, 0)
    show_number(frame, ACTIONS, view.actions, view.opt_max_actions)


@rule
def end_of(view):
    """Return which sentence tells the end."""
    if view.end == CORNERS:
        return WON
    return DRAWN if view.winner < 0 else AHEAD


@rule
def show_home(frame, vertex, seat):
    """Draw a home corner."""
    x, y, z = int(SPOT[vertex, 0]), int(SPOT[vertex, 1]), int(SPOT[vertex, 2])
    frame.role[z, y, x], frame.text[z, y, x] = GOAL, HOME_SIGN + seat


@rule
def show_bare(view, frame):
    """Show energy where nobody stands; a home corner stays one."""
    for vertex in range(VERTICES):
        if view.energy[vertex] > 0 and view.pieces[vertex] == 0:
            x, y, z = int(SPOT[vertex, 0]), int(SPOT[vertex, 1]), int(SPOT[vertex, 2])
            show_amount(frame, x, y, z, view.energy[vertex])
            if frame.role[z, y, x] == 0:
                frame.role[z, y, x] = RESOURCE


@rule
def show_stacks(view, frame, seat):
    """Draw a seat's stacks, and sum them up; a stack's id is its vertex."""
    pieces, energy = 0, 0
    for word in range(HELD_WORDS):
        bits = view.held[seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            show_stack(view, frame, seat, vertex)
            pieces += int(view.pieces[vertex])
            energy += int(view.energy[vertex])
    first, enemy = FIRST_OF_SEAT + seat * NUMBERS_A_SEAT, 1 - seat
    show_number(frame, first + POOL, view.pool[seat], 0)
    show_number(frame, first + STANDING, pieces, 0)
    show_number(frame, first + ENERGY, energy, 0)
    corners = int(holds(view, seat, int(CORNER[enemy, 0]))) + int(holds(view, seat, int(CORNER[enemy, 1])))
    show_number(frame, first + CORNERS_HELD, corners, 2)


@rule
def show_stack(view, frame, seat, vertex):
    """Draw a stack: its pieces, energy and exerted force; one that exerts none is marked."""
    x, y, z = int(SPOT[vertex, 0]), int(SPOT[vertex, 1]), int(SPOT[vertex, 2])
    pieces, energy = int(view.pieces[vertex]), int(view.energy[vertex])
    is_weak = power(view, vertex) < OCCUPIES[vertex]
    kind = (WEAK if is_weak else STACK) + (WIDE if pieces >= MANY else 0)
    k = add_piece(frame, vertex, kind, seat, x, y, z)
    frame.piece_amount[k] = pieces
    show_bar(frame, k, ENERGY_BAR, energy, max(FORCE_CAP, energy))
    show_bar(frame, k, FORCE_BAR, exerted(view, vertex), FORCE_CAP * FORCE_UNIT)
    if is_weak:
        add_mark(frame, x, y, z, NEUTRAL)


@rule
def tell_action(view, frame):
    """Tell the last action and how its fight went; who is the stack that stands there now, if any."""
    action = int(view.last_action)
    if action == END_TURN:
        add_event(frame, TURN_ENDED, view.last_seat, NOBODY, 0)
    elif action < INFUSE:
        tell_step(view, frame, PLACED, -1, int(CORNER[(action - PLACE) % SEATS, (action - PLACE) // SEATS]))
    elif action < MOVE:
        tell_step(view, frame, INFUSED, -1, action - INFUSE)
    elif action < ATTACK:
        tell_step(view, frame, MOVED, int(EDGE_FROM[action - MOVE]), int(EDGE_TO[action - MOVE]))
    elif action < PINCER:
        tell_step(view, frame, ATTACKED, int(EDGE_FROM[action - ATTACK]), int(EDGE_TO[action - ATTACK]))
        tell_fight(view, frame, int(EDGE_TO[action - ATTACK]))
    else:
        target, origins = int(PINCER_TARGET[action - PINCER]), int(PINCER_ORIGINS[action - PINCER])
        for direction in range(DIRECTIONS):
            if origins >> direction & 1 == 1:
                tell_step(view, frame, PINCERED, int(NEIGHBOUR[target, direction]), target)
        tell_fight(view, frame, target)


@rule
def stack_on(view, vertex):
    """Return the id of the stack on a vertex, or NOBODY."""
    return vertex if view.pieces[vertex] > 0 else NOBODY


@rule
def tell_step(view, frame, kind, start, to):
    """Tell an action on a vertex, and draw where it came from, if it came from somewhere."""
    role = PATH if view.last_fight == NO_FIGHT else DANGER
    to_x, to_y, to_z = int(SPOT[to, 0]), int(SPOT[to, 1]), int(SPOT[to, 2])
    k = add_event(frame, kind, view.last_seat, stack_on(view, to), 0)
    event_to(frame, k, to_x, to_y, to_z)
    if k == 0:
        add_mark(frame, to_x, to_y, to_z, role)
    if start >= 0:
        x, y, z = int(SPOT[start, 0]), int(SPOT[start, 1]), int(SPOT[start, 2])
        event_from(frame, k, x, y, z)
        add_mark(frame, x, y, z, role)
        add_link(frame, x, y, z, to_x, to_y, to_z, role)


@rule
def tell_fight(view, frame, target):
    """Tell both forces and who won."""
    k = add_event(frame, FOUGHT + view.last_fight - 1, view.last_seat, stack_on(view, target), 0)
    event_from(frame, k, int(SPOT[target, 0]), int(SPOT[target, 1]), int(SPOT[target, 2]))
    for side in range(2):
        force = (2 * HUNDREDTHS * int(view.last_force[side]) + int(view.last_unit)) // (2 * int(view.last_unit))
        frame.event_value[k, side] = min(HIGHEST_TOLD, force)


def status(s: Any) -> str:
    """Return the line that says whose action it is and what it has done, or how the game ended."""
    frame = plain(np.zeros(1, Frame))
    show(s, frame)
    return read_scene(SPEC.title, SPEC.seats, BOARD, WORDS, frame).status
