# mypy: ignore-errors
"""The planner: Unit's strongest bot thinks in whole turns, place × infuse × third action, with the enemy's best reply.

It lists its plans, keeps those that look best, and plays the one whose worst answer hurts least. The kernel subset; each
part is called from one place only, since compilers copy what is called into its callers.
"""

import numpy as np

from ludus.core import is_better, rule

from .board import (
    ACTIONS,
    ATTACK,
    CORNER,
    END_TURN,
    FIRST_EDGE,
    INFUSE,
    MOVE,
    PINCER_FIRST,
    PLACE,
    SEATS,
    VERTICES,
    WORDS,
)
from .rules import (
    RUNNING,
    State,
    apply,
    end_turn,
    holds,
    infuse,
    lowest,
    mark_attacks,
    mark_moves,
    mark_pincers,
    mark_places,
    place,
)
from .worth import WIN, value

KEPT = 12  # plans that are held against the enemy's replies
LONGEST = 4  # actions of a plan: a move that comes first, place, infuse, third action
THIRDS = 192  # moves and fights that are looked at in one position
NOTHING = END_TURN  # in a plan: this step is left out

Planner = np.dtype(
    [
        ("root", State),  # where we are
        ("start", State),  # where a turn is looked at from: ours, perhaps after a move, or the enemy's
        ("placed", State),  # after the piece
        ("infused", State),  # after the energy
        ("played", State),  # after the third action
        ("expected", State),  # what we should see when we are asked next
        ("steps", "i8", (KEPT, LONGEST)),  # the plans kept, best first
        ("worth", "i8", KEPT),  # what they look like before the reply
        ("print", "i8", KEPT),  # of the position that they lead to: the same one is kept once
        ("kept", "i4"),  # how many
        ("chosen", "i4"),  # which one is being played
        ("next", "i4"),  # its next step; LONGEST = none
        ("is_reply", "i4"),  # 1 = the turn that is looked at is the enemy's
        ("worst", "i8"),  # what the enemy's best turn so far leaves us
        ("enough", "i8"),  # a reply that leaves us no more than this need not be looked at further
        ("leads", "i8", THIRDS + 1),  # moves that may come first
        ("thirds", "i8", THIRDS + 1),  # third actions of a turn
        ("mask", "i1", ACTIONS + 8 - ACTIONS % 8),  # all zero between uses
    ],
    align=True,
)


@rule
def plan(view, mask, rng, p):
    """Return the next action of the plan that is being played, or of a new one."""
    if not is_as_expected(view, p):
        set_up(view, p.root)
        share_options(view, p)
        choose_plan(p, view.me, rng)
    return next_step(view, mask, p)


@rule
def set_up(view, s):
    """Make a position out of a view: everything is visible."""
    set_options(view, s)
    copy_board(view, s)


@rule
def copy_board(source, target):
    """Copy every field but the options and the rewards."""
    for seat in range(SEATS):
        target.pool[seat], target.last_force[seat] = source.pool[seat], source.last_force[seat]
        for word in range(WORDS):
            target.held[seat, word] = source.held[seat, word]
    for vertex in range(VERTICES):
        target.pieces[vertex] = source.pieces[vertex]
    for vertex in range(VERTICES):
        target.energy[vertex] = source.energy[vertex]
    target.seat, target.turn, target.actions = source.seat, source.turn, source.actions
    target.placed, target.infused, target.moved = source.placed, source.infused, source.moved
    target.end, target.winner = source.end, source.winner
    target.last_seat, target.last_action = source.last_seat, source.last_action
    target.last_fight, target.last_unit = source.last_fight, source.last_unit


@rule
def set_options(view, s):
    """Copy the options that play depends on."""
    s.opt_max_actions = view.opt_max_actions
    s.opt_left_energy, s.opt_tie_break = view.opt_left_energy, view.opt_tie_break


@rule
def share_options(view, p):
    """Give every position of the search its options; only boards are copied after that."""
    set_options(view, p.start)
    set_options(view, p.placed)
    set_options(view, p.infused)
    set_options(view, p.played)


@rule
def is_as_expected(view, p):
    """Say whether a plan is being played and the position is the one that it led to."""
    s = p.expected
    if p.kept == 0 or s.seat != view.seat or s.turn != view.turn or s.actions != view.actions:
        return False
    if s.placed != view.placed or s.infused != view.infused or s.moved != view.moved:
        return False
    for seat in range(SEATS):
        if s.pool[seat] != view.pool[seat]:
            return False
        for word in range(WORDS):
            if s.held[seat, word] != view.held[seat, word]:
                return False
    for vertex in range(VERTICES):
        if s.pieces[vertex] != view.pieces[vertex] or s.energy[vertex] != view.energy[vertex]:
            return False
    return True


@rule
def next_step(view, mask, p):
    """Return the first step left of the plan that is legal, and remember what it leads to; else end the turn."""
    action = END_TURN
    while p.next < LONGEST and action == END_TURN:
        step = int(p.steps[p.chosen, p.next])
        p.next += 1
        if mask[step] != 0:
            action = step
    set_up(view, p.expected)
    apply(p.expected, action, 0)
    return action


@rule
def choose_plan(p, me, rng):
    """Look at all plans, then choose the one whose worst reply is best; draw among equals."""
    best, equals = -2 * WIN, 0
    p.kept, p.chosen, p.next = 0, 0, 0
    for k in range(-1, KEPT):  # first our own plans, then the reply to each that was kept
        p.is_reply = int(k >= 0)
        p.worst, p.enough = 2 * WIN, best - 1
        if k < p.kept:
            look_at_turns(p, k, me)
        if 0 <= k < p.kept:
            worst = int(p.worst)
            if is_better(worst, best, equals, rng):
                p.chosen = k
            equals = 1 if worst > best else equals + int(worst == best)
            best = max(best, worst)


@rule
def look_at_turns(p, k, me):
    """Look at every turn from the root, or from the end of the k-th plan: the usual order, and those that begin with a move."""
    leads = 0
    copy_board(p.root, p.start)
    if p.is_reply == 1:
        replay(p, k, me)
        if p.start.end != RUNNING:
            p.worst = p.worth[k]
            return
    elif p.root.moved == 0 and (p.root.placed == 0 or p.root.infused == 0):
        mark_moves(p.root, p.mask)
        leads = collect(p.root, p.mask, p.leads, 0)
    for number in range(-1, leads):
        lead = NOTHING
        if number >= 0:
            lead = int(p.leads[number])
            copy_board(p.root, p.start)
            apply(p.start, lead, 0)
        look_at_places(p, me, lead)


@rule
def replay(p, k, me):
    """Lead from the root to the position after a plan."""
    for step in range(LONGEST):
        if p.steps[k, step] != NOTHING:
            apply(p.start, int(p.steps[k, step]), 0)
    pass_on(p.start, me)


@rule
def look_at_places(p, me, lead):
    """Go on with each way to place, or with none."""
    s = p.start
    places = mark_places(s, p.mask) if s.placed == 0 else 0
    for choice in range(NOTHING, INFUSE):
        if p.mask[choice] != 0 or (choice == NOTHING and places == 0):
            p.mask[choice] = 0
            copy_board(s, p.placed)
            if choice != NOTHING:
                place(p.placed, int(CORNER[s.seat, (choice - PLACE) // SEATS]))
                p.placed.actions += 1
            look_at_infusions(p, me, lead, choice)


@rule
def look_at_infusions(p, me, lead, placing):
    """Go on with each infusion, or with none."""
    s, stacks = p.placed, 0
    if s.infused == 0:
        for word in range(WORDS):
            stacks += int(s.held[s.seat, word] != 0)
    for vertex in range(-1, VERTICES):
        if (stacks > 0 and holds(s, s.seat, vertex)) if vertex >= 0 else stacks == 0:
            if p.is_reply == 1 and p.worst <= p.enough:
                return
            copy_board(s, p.infused)
            choice = NOTHING
            if vertex >= 0:
                choice = INFUSE + vertex
                infuse(p.infused, vertex)
                p.infused.actions += 1
            look_at_thirds(p, me, lead, placing, choice)


@rule
def look_at_thirds(p, me, lead, placing, infusing):
    """Go on with each third action, with none where that is possible, and weigh where the turn leads to."""
    s, count, moves = p.infused, 0, 0
    if s.moved == 0:
        moves = mark_moves(s, p.mask)
        count = collect(s, p.mask, p.thirds, mark_attacks(s, p.mask) + mark_pincers(s, p.mask))
    if moves == 0:
        p.thirds[count] = NOTHING
        count += 1
    for k in range(count):
        third = int(p.thirds[k])
        copy_board(s, p.played)
        if third != NOTHING:
            apply(p.played, third, 0)
        pass_on(p.played, s.seat)
        worth = value(p.played, me)
        if p.is_reply == 1:
            p.worst = min(int(p.worst), worth)
        else:
            keep(p, worth, lead, placing, infusing, third)


@rule
def pass_on(s, mover):
    """End the mover's turn if its last action did not."""
    if s.end == RUNNING and s.seat == mover:
        end_turn(s)
        s.actions += 1


@rule
def keep(p, worth, lead, placing, infusing, third):
    """Insert a plan among the best, unless another one leads to the same position."""
    if p.kept == KEPT and worth <= p.worth[KEPT - 1]:
        return
    mark = fingerprint(p.played)
    for k in range(p.kept):
        if p.print[k] == mark:
            return
    if p.kept < KEPT:
        p.kept += 1
    k = p.kept - 1
    while k > 0 and p.worth[k - 1] < worth:
        p.worth[k], p.print[k] = p.worth[k - 1], p.print[k - 1]
        for step in range(LONGEST):
            p.steps[k, step] = p.steps[k - 1, step]
        k -= 1
    p.worth[k], p.print[k] = worth, mark
    p.steps[k, 0], p.steps[k, 1], p.steps[k, 2], p.steps[k, 3] = lead, placing, infusing, third


@rule
def collect(s, mask, found, fights):
    """Take the marked moves, attacks and pincers off the mask into a list; return how many."""
    count = 0
    for word in range(WORDS):
        bits = s.held[s.seat, word]
        while bits != 0:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            for edge in range(int(FIRST_EDGE[vertex]), int(FIRST_EDGE[vertex + 1])):
                for first in (MOVE, ATTACK):
                    count = take(mask, first + edge, found, count)
    if fights > 0:
        for word in range(WORDS):
            bits = s.held[1 - s.seat, word]
            while bits != 0:
                target = 32 * word + lowest(bits)
                bits &= bits - 1
                for action in range(int(PINCER_FIRST[target]), int(PINCER_FIRST[target + 1])):
                    count = take(mask, action, found, count)
    return count


@rule
def take(mask, action, found, count):
    """Take one action off the mask; what does not fit into the list is forgotten."""
    if mask[action] == 0:
        return count
    mask[action] = 0
    if count == THIRDS:
        return count
    found[count] = action
    return count + 1


@rule
def fingerprint(s):
    """Return a number that differs between positions, as a rule."""
    total = 0
    for vertex in range(VERTICES):
        stack = int(s.pieces[vertex]) * 1009 + int(s.energy[vertex]) & 0xFFFFFF  # so that the sum stays below 2^63
        total += stack * (vertex * vertex * 7919 + 13)
    return total
