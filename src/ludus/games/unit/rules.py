"""Unit: two players grow stacks of pieces and energy on stacked layers and fight for the other's two corners.

The truth is README.md beside this file; D-numbers are its decisions. The board is in board.py.
"""

import numpy as np

from ludus.core import Option, Spec, draw, rule

from .board import (
    ACTIONS,
    AROUND,
    ATTACK,
    BIT_PLACE,
    CORNER,
    DE_BRUIJN,
    DIRECTIONS,
    EDGE_BIT,
    EDGE_FROM,
    EDGE_TO,
    END_TURN,
    ENTERS,
    FIRST_EDGE,
    FORCE_CAP,
    FORCE_FACTOR,
    FORCE_UNIT,
    GRAVITIES,
    INFUSE,
    LAYER,
    MOVE,
    NEIGHBOUR,
    OCCUPIES,
    PINCER,
    PINCER_FIRST,
    PINCER_ORIGINS,
    PINCER_RANK,
    PINCER_TARGET,
    PLACE,
    SEATS,
    VERTICES,
    WORDS,
)
from .board import STRUCTURE as STRUCTURE  # the layout, which shapes the row
from .symmetry import HALF_TURN

RUNNING, CORNERS, LIMIT = range(3)
NO_FIGHT, ATTACKER_WINS, DEFENDER_WINS, DRAW = range(4)
HIGHEST_UNIT, HIGHEST_FORCE = FORCE_UNIT**DIRECTIONS, (FORCE_CAP * FORCE_UNIT) ** DIRECTIONS  # of a pincer
ENDLESS = 500_000_000  # actions after which a game without a limit is a draw all the same (D27)
CAPACITY = 1_000_000_000  # of pieces, of energy and of turns, with what the actions to come may bring (D27)

# Planes, one value a vertex: what section 8 of the README names, then one plane of values for the whole board.
(MY_PIECES, ITS_PIECES, ENERGY, MY_FORCE, ITS_FORCE, MY_OCCUPIED, ITS_OCCUPIED, GRAVITY, MY_CORNER, ITS_CORNER,
 GLOBALS) = range(11)  # fmt: skip
MY_TURN, PLACED, INFUSED, MOVED, MY_POOL, ITS_POOL, TIME_USED = range(7)  # vertices of the plane GLOBALS
CLIP = 100  # pieces or energy that a plane tells apart
GRAVITY_SHARE = np.array([GRAVITIES[layer] / 3 for layer in LAYER], np.float32)  # [vertex]
TURNED_VERTEX, TURNED_ACTION = HALF_TURN.vertices, HALF_TURN.actions

SPEC = Spec(
    title="Unit",
    version=1,
    seats=("player0", "player1"),
    actions=ACTIONS,
    planes=(11, 1, VERTICES),
    plane_high=CLIP / 10,
    options=(
        Option("max_actions", 500, 0, 10_000_000, "accepted actions after which the game is a draw; 0 = no limit"),
        Option("starting_player", 0, 0, 1, "who begins"),
        Option("random_start", 0, 0, 1, "1 = draw who begins"),
        Option("initial_reinforcements", 1, 0, 1_000_000, "pieces in both pools at the start"),
        Option("left_energy", 1, 0, 1, "0 = energy of a vertex that a fight empties is lost"),
        Option("tie_break", 0, 0, 1, "1 = at the limit corners held, then pieces, then energy decide"),
    ),
    own_ids=(tuple(range(ACTIONS)), tuple(HALF_TURN.actions)),
)

State = np.dtype(
    [
        ("opt_max_actions", "i4"),
        ("opt_starting_player", "i4"),
        ("opt_random_start", "i4"),
        ("opt_initial_reinforcements", "i4"),
        ("opt_left_energy", "i4"),
        ("opt_tie_break", "i4"),
        ("held", "i8", (SEATS, WORDS)),  # 32 vertices a word; bit v % 32 of word v // 32 is set where the seat has a stack
        ("pieces", "i4", VERTICES),  # of whoever holds the vertex
        ("energy", "i4", VERTICES),  # of the vertex; may be above 0 where nobody stands (D10)
        ("pool", "i4", SEATS),  # pieces to be placed, by seat
        ("seat", "i4"),  # who acts; after a winning fight it is the loser (D20)
        ("turn", "i4"),  # turns of either player so far, this one included
        ("placed", "i4"),  # 1 = the seat to act has placed in this turn
        ("infused", "i4"),  # 1 = has infused
        ("moved", "i4"),  # 1 = has moved
        ("actions", "i4"),  # accepted so far
        ("end", "i4"),  # RUNNING, or why the game is over
        ("winner", "i4"),  # seat, -1 = nobody
        ("last_seat", "i4"),  # who acted last; -1 at the start
        ("last_action", "i4"),  # what it played; -1 at the start
        ("last_fight", "i4"),  # NO_FIGHT, or how the fight of the last action went
        ("last_unit", "i8"),  # what 1 in last_force is a part of: a force of 1 is last_unit
        ("last_force", "i8", 2),  # exerted by the attacker (a pincer's product) and by the defender
        ("last_reward", "i4", SEATS),  # by seat; not 0 on the last action only
    ],
    align=True,
)


@rule
def new(s, rng):
    """Clear the board; the player who begins has its first piece already in the pool (D4)."""
    s.held[:] = 0
    s.pieces[:] = 0
    s.energy[:] = 0
    s.pool[0], s.pool[1] = s.opt_initial_reinforcements, s.opt_initial_reinforcements
    s.seat = draw(rng, SEATS) if s.opt_random_start == 1 else s.opt_starting_player
    s.turn, s.placed, s.infused, s.moved, s.actions = 1, 0, 0, 0, 0
    s.end, s.winner = RUNNING, -1
    clear_last(s)


@rule
def legal(s, mask):
    """Mark what the seat to move may play; return how many. What is impossible now is waived now (D9)."""
    if s.end != RUNNING:
        return 0
    outstanding, moves, fights = 0, 0, 0
    if s.placed == 0:
        outstanding += mark_places(s, mask)
    if s.infused == 0:
        outstanding += mark_infusions(s, mask)
    if s.moved == 0:
        moves = mark_moves(s, mask)
        if outstanding == 0:  # D7
            fights = mark_attacks(s, mask) + mark_pincers(s, mask)
    if outstanding + moves > 0:
        return outstanding + moves + fights
    mask[END_TURN] = 1
    return fights + 1


@rule
def apply(s, action, rng):
    """Play one legal action for the seat to move; fights and END_TURN pass the turn on before the win is judged."""
    clear_last(s)
    s.last_seat, s.last_action = s.seat, action
    if action == END_TURN:
        end_turn(s)
    elif action < INFUSE:
        place(s, int(CORNER[s.seat, (action - PLACE) // SEATS]))
    elif action < MOVE:
        infuse(s, action - INFUSE)
    elif action < ATTACK:
        move(s, int(EDGE_FROM[action - MOVE]), int(EDGE_TO[action - MOVE]))
    elif action < PINCER:
        attack(s, int(EDGE_FROM[action - ATTACK]), int(EDGE_TO[action - ATTACK]))
        end_turn(s)
    else:
        pincer(s, int(PINCER_TARGET[action - PINCER]), int(PINCER_ORIGINS[action - PINCER]))
        end_turn(s)
    s.actions += 1
    judge(s)


@rule
def encode(view, planes):
    """Fill planes from the looking seat's side: its corners are always those of seat 0, for seat 1 by a half-turn."""
    for vertex in range(VERTICES):
        planes[GRAVITY, 0, vertex] = GRAVITY_SHARE[vertex]
    for k in range(2):
        planes[MY_CORNER, 0, int(CORNER[0, k])] = 1
        planes[ITS_CORNER, 0, int(CORNER[1, k])] = 1
    for vertex in range(VERTICES):
        if view.energy[vertex] > 0:
            planes[ENERGY, 0, seen_from(view.me, vertex)] = min(view.energy[vertex], CLIP) / 10
    encode_stacks(view, planes, view.me, MY_PIECES)
    encode_stacks(view, planes, 1 - view.me, ITS_PIECES)
    encode_globals(view, planes)


@rule
def result(s, outcome, points):
    """Write the winner's +1 and the loser's -1, 0 for both in a draw and while the game runs."""
    for seat in range(SEATS):
        outcome[seat] = 0
        if s.winner >= 0:
            outcome[seat] = 1 if seat == s.winner else -1
        points[seat] = outcome[seat]
    if s.end == RUNNING:
        return 0
    return 2 if s.end == LIMIT else 1


@rule
def twin(s, other):
    """Make the same position with the players exchanged: the board half-turned, everything of a seat the other's."""
    for seat in range(SEATS):
        other.pool[seat], other.last_reward[seat] = s.pool[1 - seat], s.last_reward[1 - seat]
        for word in range(WORDS):
            other.held[seat, word] = 0
    for vertex in range(VERTICES):
        to = int(TURNED_VERTEX[vertex])
        other.pieces[to], other.energy[to] = s.pieces[vertex], s.energy[vertex]
        for seat in range(SEATS):
            if holds(s, seat, vertex):
                other.held[1 - seat, to >> 5] |= 1 << (to & 31)
    other.opt_starting_player = 1 - s.opt_starting_player
    other.seat, other.turn, other.actions = 1 - s.seat, s.turn, s.actions
    other.placed, other.infused, other.moved = s.placed, s.infused, s.moved
    other.end, other.winner = s.end, 1 - s.winner if s.winner >= 0 else -1
    other.last_seat = 1 - s.last_seat if s.last_seat >= 0 else -1
    other.last_action = int(TURNED_ACTION[s.last_action]) if s.last_action >= 0 else -1
    other.last_fight, other.last_unit = s.last_fight, s.last_unit
    other.last_force[0], other.last_force[1] = s.last_force[0], s.last_force[1]


@rule
def sound(s):
    """Say whether play can go on from a row: every number in its bounds now and in any continuation (D27)."""
    return has_sound_turn(s) and has_sound_board(s) and has_sound_end(s) and has_sound_past(s)


@rule
def has_sound_turn(s):
    """Ask for flags of 0 or 1 and for counts within their limits."""
    if s.placed != s.placed & 1 or s.infused != s.infused & 1 or s.moved != s.moved & 1:
        return False
    return s.turn >= 1 and 0 <= s.actions <= limit(s) and s.pool[0] >= 0 and s.pool[1] >= 0


@rule
def has_sound_board(s):
    """Ask for pieces where a seat holds a vertex and nowhere else, and for room for all that is still to come.

    Turns, pieces and energy grow by 1 an action at most, and fights, moves and places add nothing to the sums.
    """
    for word in range(WORDS):
        one, other = s.held[0, word], s.held[1, word]
        if one & other != 0 or (one | other) >> min(32, VERTICES - 32 * word) != 0:
            return False
    pieces, energy = int(s.pool[0]) + int(s.pool[1]), 0
    for vertex in range(VERTICES):
        if s.pieces[vertex] < 0 or s.energy[vertex] < 0:
            return False
        if (s.pieces[vertex] > 0) != (holds(s, 0, vertex) or holds(s, 1, vertex)):
            return False
        pieces += int(s.pieces[vertex])
        energy += int(s.energy[vertex])
    return max(pieces, energy, int(s.turn)) <= CAPACITY - int(limit(s)) + int(s.actions)


@rule
def has_sound_end(s):
    """Ask for the end, the winner and the rewards that the board calls for; two winners at once cannot be."""
    if s.end != standing(s) or s.winner != leader(s) or (has_corners(s, 0) and has_corners(s, 1)):
        return False
    for seat in range(SEATS):
        if s.last_reward[seat] != int(s.winner == seat) - int(s.winner == 1 - seat):
            return False
    return True


@rule
def has_sound_past(s):
    """Ask for a last action of somebody or none, and for forces exactly where it was a fight."""
    if not (-1 <= s.last_seat < SEATS and -1 <= s.last_action < ACTIONS and (s.last_seat < 0) == (s.last_action < 0)):
        return False
    if s.last_action < ATTACK:
        return s.last_fight == NO_FIGHT and s.last_unit == FORCE_UNIT and s.last_force[0] == 0 and s.last_force[1] == 0
    if not (NO_FIGHT < s.last_fight <= DRAW and 1 <= s.last_unit <= HIGHEST_UNIT):
        return False
    return min(s.last_force[0], s.last_force[1]) >= 0 and max(s.last_force[0], s.last_force[1]) <= HIGHEST_FORCE


@rule
def holds(s, seat, vertex):
    """Say whether the seat has a stack on the vertex."""
    return s.held[seat, vertex >> 5] >> (vertex & 31) & 1 == 1


@rule
def lowest(bits):
    """Return the place of the lowest set bit of a word that is not 0."""
    return int(BIT_PLACE[(bits & -bits) * DE_BRUIJN >> 27 & 31])


@rule
def power(s, vertex):
    """Return pieces × energy, which may need more than 32 bits."""
    return int(s.pieces[vertex]) * int(s.energy[vertex])


@rule
def exerted(s, vertex):
    """Return the force in parts of FORCE_UNIT that a stack fights with: none unless it is occupied (D11)."""
    product = power(s, vertex)
    if product < OCCUPIES[vertex]:
        return 0
    return min(FORCE_CAP * FORCE_UNIT, product * int(FORCE_FACTOR[vertex]))


@rule
def mark_places(s, mask):
    """Mark the own corners where no enemy stands (D5)."""
    count = 0
    if s.pool[s.seat] > 0:
        for k in range(2):
            if not holds(s, 1 - s.seat, int(CORNER[s.seat, k])):
                mask[PLACE + SEATS * k + s.seat] = 1
                count += 1
    return count


@rule
def mark_infusions(s, mask):
    """Mark every own stack, be its force at the cap (D6)."""
    count = 0
    for word in range(WORDS):
        bits = s.held[s.seat, word]
        while bits != 0:
            mask[INFUSE + 32 * word + lowest(bits)] = 1
            bits &= bits - 1
            count += 1
    return count


@rule
def mark_moves(s, mask):
    """Mark steps of own stacks to vertices without an enemy whose layer's force they have where they stand (D17)."""
    count = 0
    for word in range(WORDS):
        bits = s.held[s.seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            product = power(s, vertex)
            if product > 0:
                for edge in range(int(FIRST_EDGE[vertex]), int(FIRST_EDGE[vertex + 1])):
                    if product >= ENTERS[edge] and not holds(s, 1 - s.seat, int(EDGE_TO[edge])):
                        mask[MOVE + edge] = 1
                        count += 1
    return count


@rule
def mark_attacks(s, mask):
    """Mark every enemy stack beside an occupied own one."""
    count = 0
    for word in range(WORDS):
        bits = s.held[s.seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            if power(s, vertex) >= OCCUPIES[vertex]:
                for edge in range(int(FIRST_EDGE[vertex]), int(FIRST_EDGE[vertex + 1])):
                    if holds(s, 1 - s.seat, int(EDGE_TO[edge])):
                        mask[ATTACK + edge] = 1
                        count += 1
    return count


@rule
def mark_pincers(s, mask):
    """Mark, for every enemy stack, each set of two or more occupied own stacks beside it (D12)."""
    count = 0
    for word in range(WORDS):
        bits = s.held[1 - s.seat, word]
        while bits != 0:
            target = 32 * word + lowest(bits)
            bits &= bits - 1
            possible = possible_origins(s, target)
            first, around = int(PINCER_FIRST[target]), int(AROUND[target])
            origins = possible
            while origins != 0:
                if origins & (origins - 1) != 0:
                    mask[first + int(PINCER_RANK[around, origins])] = 1
                    count += 1
                origins = (origins - 1) & possible
    return count


@rule
def possible_origins(s, target):
    """Return the directions, as bits, in which an occupied stack of the seat to move stands beside the target."""
    possible = 0
    for edge in range(int(FIRST_EDGE[target]), int(FIRST_EDGE[target + 1])):
        origin = int(EDGE_TO[edge])
        if holds(s, s.seat, origin) and power(s, origin) >= OCCUPIES[origin]:
            possible |= int(EDGE_BIT[edge])
    return possible


@rule
def place(s, vertex):
    """Put one piece of the pool on an own corner; energy that lies there is inherited (D10)."""
    put(s, s.seat, vertex, s.pieces[vertex] + 1, s.energy[vertex])
    s.pool[s.seat] -= 1
    s.placed = 1


@rule
def infuse(s, vertex):
    """Add the turn's energy point to an own stack."""
    s.energy[vertex] += 1
    s.infused = 1


@rule
def move(s, start, to):
    """Carry a whole stack over: it joins an own stack there, and overwrites bare energy (D10, D16)."""
    pieces, energy = s.pieces[start], s.energy[start]
    if holds(s, s.seat, to):
        pieces += s.pieces[to]
        energy += s.energy[to]
    put(s, s.seat, to, pieces, energy)
    clear_vertex(s, start)
    s.moved = 1


@rule
def attack(s, start, target):
    """Compare exerted forces; the winner keeps both differences on the target, a tie is fought where they stand."""
    attacking, defending = exerted(s, start), exerted(s, target)
    s.last_unit, s.last_force[0], s.last_force[1] = FORCE_UNIT, attacking, defending
    if attacking == defending:
        s.last_fight = DRAW
        annihilate(s, start, target)
        return
    s.last_fight = ATTACKER_WINS if attacking > defending else DEFENDER_WINS
    settle(s, target, s.pieces[start], s.energy[start])
    clear_vertex(s, start)


@rule
def pincer(s, target, origins):
    """Multiply the forces of the origins, without a cap, against the target's; a tie is the defender's (D12)."""
    attacking, unit, pieces, energy = 1, 1, 0, 0
    for direction in range(DIRECTIONS):
        if origins >> direction & 1 == 1:
            origin = int(NEIGHBOUR[target, direction])
            attacking *= exerted(s, origin)
            unit *= FORCE_UNIT
            pieces += s.pieces[origin]
            energy += s.energy[origin]
            clear_vertex(s, origin)
    defending = exerted(s, target) * (unit // FORCE_UNIT)
    s.last_unit, s.last_force[0], s.last_force[1] = unit, attacking, defending
    s.last_fight = ATTACKER_WINS if attacking > defending else DEFENDER_WINS
    settle(s, target, pieces, energy)


@rule
def settle(s, target, pieces, energy):
    """Leave the absolute differences to the winner of a fight: it may grow by them, or leave bare energy (D10)."""
    winner = s.seat if s.last_fight == ATTACKER_WINS else 1 - s.seat
    pieces, energy = abs(pieces - s.pieces[target]), abs(energy - s.energy[target])
    clear_vertex(s, target)
    if pieces > 0:
        put(s, winner, target, pieces, energy)
    elif s.opt_left_energy == 1:
        s.energy[target] = energy


@rule
def annihilate(s, start, target):
    """Take from both stacks what the other has; one without pieces loses its energy, too."""
    pieces, energy = s.pieces[start] - s.pieces[target], s.energy[start] - s.energy[target]
    clear_vertex(s, start)
    clear_vertex(s, target)
    if pieces > 0:
        put(s, s.seat, start, pieces, max(0, energy))
    elif pieces < 0:
        put(s, 1 - s.seat, target, -pieces, max(0, -energy))


@rule
def put(s, seat, vertex, pieces, energy):
    """Let a vertex hold this stack of the seat."""
    s.held[seat, vertex >> 5] |= 1 << (vertex & 31)
    s.pieces[vertex], s.energy[vertex] = pieces, energy


@rule
def clear_vertex(s, vertex):
    """Leave neither stack nor energy on a vertex."""
    s.held[0, vertex >> 5] &= ~(1 << (vertex & 31))
    s.held[1, vertex >> 5] &= ~(1 << (vertex & 31))
    s.pieces[vertex], s.energy[vertex] = 0, 0


@rule
def end_turn(s):
    """Pass the turn on: the other player gains a piece and may do everything again."""
    s.seat = 1 - s.seat
    s.pool[s.seat] += 1
    s.placed, s.infused, s.moved = 0, 0, 0
    s.turn += 1


@rule
def judge(s):
    """End the game when somebody stands on both enemy corners (D13, D14), or at the limit (D15)."""
    s.end = standing(s)
    s.winner = leader(s)
    if s.winner >= 0:
        s.last_reward[s.winner], s.last_reward[1 - s.winner] = 1, -1


@rule
def standing(s):
    """Return RUNNING, or why the game is over."""
    if has_corners(s, 0) or has_corners(s, 1):
        return CORNERS
    return LIMIT if s.actions >= limit(s) else RUNNING


@rule
def leader(s):
    """Return who has won a game that stands so, or -1; seat 0 is asked first."""
    if s.end == RUNNING:
        return -1
    if s.end == LIMIT:
        return ahead(s) if s.opt_tie_break == 1 else -1
    return 0 if has_corners(s, 0) else 1


@rule
def has_corners(s, seat):
    """Say whether a seat stands on both corners of the other."""
    return holds(s, seat, int(CORNER[1 - seat, 0])) and holds(s, seat, int(CORNER[1 - seat, 1]))


@rule
def limit(s):
    """Return how many actions the game may have."""
    return s.opt_max_actions if s.opt_max_actions > 0 else ENDLESS


@rule
def ahead(s):
    """Return who holds more of the four corners, then has more pieces, then more energy; -1 if nobody (D26)."""
    corners, pieces, energy = 0, 0, 0
    for vertex in range(VERTICES):
        sign = int(holds(s, 0, vertex)) - int(holds(s, 1, vertex))
        pieces += sign * s.pieces[vertex]
        energy += sign * s.energy[vertex]
        for seat in range(SEATS):
            if vertex == CORNER[seat, 0] or vertex == CORNER[seat, 1]:
                corners += sign
    lead = corners if corners != 0 else pieces if pieces != 0 else energy
    if lead == 0:
        return -1
    return 0 if lead > 0 else 1


@rule
def clear_last(s):
    """Forget what happened in the action before."""
    s.last_seat, s.last_action, s.last_fight = -1, -1, NO_FIGHT
    s.last_unit, s.last_force[0], s.last_force[1] = FORCE_UNIT, 0, 0
    s.last_reward[0], s.last_reward[1] = 0, 0


@rule
def seen_from(seat, vertex):
    """Return where the seat's planes show a vertex: half-turned for seat 1."""
    return vertex if seat == 0 else int(TURNED_VERTEX[vertex])


@rule
def encode_stacks(view, planes, seat, first):
    """Fill pieces, exerted force and occupation of one seat's stacks, in planes that lie two apart from `first` on."""
    for word in range(WORDS):
        bits = view.held[seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            cell = seen_from(view.me, vertex)
            force = exerted(view, vertex)
            planes[first, 0, cell] = min(view.pieces[vertex], CLIP) / 10
            if force > 0:
                planes[first + MY_FORCE, 0, cell] = force / (FORCE_CAP * FORCE_UNIT)
                planes[first + MY_OCCUPIED, 0, cell] = 1


@rule
def encode_globals(view, planes):
    """Fill the turn's flags, the pools and the time used, one value a vertex of the last plane."""
    planes[GLOBALS, 0, MY_TURN] = int(view.seat == view.me)
    planes[GLOBALS, 0, PLACED] = view.placed
    planes[GLOBALS, 0, INFUSED] = view.infused
    planes[GLOBALS, 0, MOVED] = view.moved
    planes[GLOBALS, 0, MY_POOL] = min(view.pool[view.me], CLIP) / 10
    planes[GLOBALS, 0, ITS_POOL] = min(view.pool[1 - view.me], CLIP) / 10
    if view.opt_max_actions > 0:
        planes[GLOBALS, 0, TIME_USED] = view.actions / view.opt_max_actions
