# mypy: ignore-errors
"""The planner: Unit's strongest bot thinks in whole turns, place × infuse × third action, with the enemy's best reply.

It lists its plans, keeps those that look best, and plays the one whose worst answer hurts least. The kernel subset.
"""

import numpy as np

from ludus.core import draw, rule

from .board import (
    ACTIONS,
    ATTACK,
    END_TURN,
    FIRST_EDGE,
    INFUSE,
    MOVE,
    PINCER_FIRST,
    PLACE,
    VERTICES,
    WORDS,
)
from .rules import (
    RUNNING,
    State,
    apply,
    copy_board,
    lowest,
    mark_attacks,
    mark_moves,
    mark_pincers,
    mark_places,
)
from .worth import WIN, value

KEPT = 12  # plans that are held against the enemy's replies
LONGEST = 4  # actions of a plan: a move that comes first, place, infuse, third action
THIRDS = 192  # third actions that are looked at in one position
NOTHING = -1

Planner = np.dtype(
    [
        ("root", State),  # where we are
        ("moved", State),  # after a move that comes before the rest
        ("placed", State),  # after the piece
        ("infused", State),  # after the energy
        ("played", State),  # after the third action, when it is the enemy's turn
        ("its_placed", State),  # the same for the reply
        ("its_infused", State),
        ("its_played", State),
        ("expected", State),  # what we should see when we are asked next
        ("steps", "i8", (KEPT, LONGEST)),  # the plans kept, best first; NOTHING where a step is left out
        ("worth", "i8", KEPT),  # what they look like before the reply
        ("print", "i8", KEPT),  # of the position that they lead to: the same one is kept once
        ("kept", "i4"),  # how many
        ("chosen", "i4"),  # which one is being played
        ("next", "i4"),  # its next step; LONGEST = none
        ("leads", "i8", THIRDS),  # moves that may come first
        ("thirds", "i8", THIRDS),  # third actions of a plan
        ("its_thirds", "i8", THIRDS),  # third actions of a reply
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
        find_plans(p)
        choose_plan(p, view.me, rng)
    return next_step(view, mask, p)


@rule
def set_up(view, s):
    """Make a position out of a view: everything is visible."""
    set_options(view, s)
    copy_board(view, s)


@rule
def set_options(view, s):
    """Copy the options that play depends on."""
    s.opt_max_actions, s.opt_left_energy, s.opt_tie_break = view.max_actions, view.left_energy, view.tie_break


@rule
def share_options(view, p):
    """Give every position of the search its options; only boards are copied after that."""
    set_options(view, p.moved)
    set_options(view, p.placed)
    set_options(view, p.infused)
    set_options(view, p.played)
    set_options(view, p.its_placed)
    set_options(view, p.its_infused)
    set_options(view, p.its_played)


@rule
def is_as_expected(view, p):
    """Say whether a plan is being played and the position is the one that it led to."""
    s = p.expected
    if p.kept == 0 or s.seat != view.seat or s.turn != view.turn or s.actions != view.actions:
        return False
    for vertex in range(VERTICES):
        if s.pieces[vertex] != view.pieces[vertex] or s.energy[vertex] != view.energy[vertex]:
            return False
    return True


@rule
def next_step(view, mask, p):
    """Return the first step left of the plan that is legal, and remember what it leads to; else end the turn."""
    action = END_TURN
    while p.next < LONGEST:
        step = int(p.steps[p.chosen, p.next])
        p.next += 1
        if step != NOTHING and mask[step] != 0:
            action = step
            break
    set_up(view, p.expected)
    apply(p.expected, action, 0)
    return action


@rule
def find_plans(p):
    """Look at every plan: all three kinds in turn, and those that begin with a move."""
    p.kept = 0
    expand(p, p.root, NOTHING)
    if p.root.moved == 0 and (p.root.placed == 0 or p.root.infused == 0):
        mark_moves(p.root, p.mask)
        for k in range(collect(p.root, p.mask, p.leads, 0)):
            lead = int(p.leads[k])
            copy_board(p.root, p.moved)
            apply(p.moved, lead, 0)
            expand(p, p.moved, lead)


@rule
def expand(p, start, lead):
    """Look at each place × infusion × third action from here; `lead` is the move that came before."""
    places = mark_places(start, p.mask) if start.placed == 0 else 0
    for action in range(PLACE, INFUSE):
        if p.mask[action] != 0:
            p.mask[action] = 0
            copy_board(start, p.placed)
            apply(p.placed, action, 0)
            expand_infusions(p, lead, action)
    if places == 0:
        copy_board(start, p.placed)
        expand_infusions(p, lead, NOTHING)


@rule
def expand_infusions(p, lead, place):
    """Go on with every infusion."""
    s, count = p.placed, 0
    if s.infused == 0:
        for word in range(WORDS):
            bits = s.held[s.seat, word]
            while bits != 0:
                action = INFUSE + 32 * word + lowest(bits)
                bits &= bits - 1
                count += 1
                copy_board(s, p.infused)
                apply(p.infused, action, 0)
                expand_thirds(p, lead, place, action)
    if count == 0:
        copy_board(s, p.infused)
        expand_thirds(p, lead, place, NOTHING)


@rule
def expand_thirds(p, lead, place, infusion):
    """Go on with every third action, and with none where it may be left out; keep the plans that look best."""
    s, count = p.infused, 0
    moves = 1
    if s.moved == 0:
        moves = mark_moves(s, p.mask)
        count = collect(s, p.mask, p.thirds, mark_attacks(s, p.mask) + mark_pincers(s, p.mask))
    for k in range(count):
        third = int(p.thirds[k])
        copy_board(s, p.played)
        apply(p.played, third, 0)
        keep(p, s.seat, lead, place, infusion, third)
    if s.moved == 1 or moves == 0:
        copy_board(s, p.played)
        keep(p, s.seat, lead, place, infusion, NOTHING)


@rule
def keep(p, me, lead, place, infusion, third):
    """Insert a plan among the best, unless another one leads to the same position."""
    pass_on(p.played, me)
    worth, mark = value(p.played, me), fingerprint(p.played)
    for k in range(p.kept):
        if p.print[k] == mark:
            return
    if p.kept == KEPT and worth <= p.worth[KEPT - 1]:
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
    p.steps[k, 0], p.steps[k, 1], p.steps[k, 2], p.steps[k, 3] = lead, place, infusion, third


@rule
def pass_on(s, me):
    """End the turn if the last action did not."""
    if s.end == RUNNING and s.seat == me:
        apply(s, END_TURN, 0)


@rule
def choose_plan(p, me, rng):
    """Choose the plan whose worst reply is best; draw among equals."""
    best, equals = -2 * WIN, 0
    p.chosen, p.next = 0, 0
    for k in range(p.kept):
        replay(p, k, me)
        worst = int(p.worth[k]) if p.played.end != RUNNING else worst_reply(p, me, best - 1)
        if worst > best:
            best, equals = worst, 1
            p.chosen = k
        elif worst == best:
            equals += 1
            if draw(rng, equals) == 0:
                p.chosen = k


@rule
def replay(p, k, me):
    """Lead from the root to the position after a plan."""
    copy_board(p.root, p.played)
    for step in range(LONGEST):
        if p.steps[k, step] != NOTHING:
            apply(p.played, int(p.steps[k, step]), 0)
    pass_on(p.played, me)


@rule
def worst_reply(p, me, enough):
    """Return what the enemy's best turn leaves us, or any value not above `enough` as soon as one is found."""
    s = p.played
    worst = 2 * WIN
    places = mark_places(s, p.mask)
    for action in range(PLACE, INFUSE):
        if p.mask[action] != 0:
            p.mask[action] = 0
            if worst > enough:
                copy_board(s, p.its_placed)
                apply(p.its_placed, action, 0)
                worst = min(worst, worst_infusion(p, me, enough))
    if places == 0:
        copy_board(s, p.its_placed)
        worst = worst_infusion(p, me, enough)
    return worst


@rule
def worst_infusion(p, me, enough):
    """The same after the enemy has placed."""
    s, worst, count = p.its_placed, 2 * WIN, 0
    for word in range(WORDS):
        bits = s.held[s.seat, word]
        while bits != 0 and worst > enough:
            vertex = 32 * word + lowest(bits)
            bits &= bits - 1
            count += 1
            copy_board(s, p.its_infused)
            apply(p.its_infused, INFUSE + vertex, 0)
            worst = min(worst, worst_third(p, me, enough))
    if count == 0:
        copy_board(s, p.its_infused)
        worst = worst_third(p, me, enough)
    return worst


@rule
def worst_third(p, me, enough):
    """The same after the enemy has placed and infused."""
    s, worst = p.its_infused, 2 * WIN
    moves = mark_moves(s, p.mask)
    count = collect(s, p.mask, p.its_thirds, mark_attacks(s, p.mask) + mark_pincers(s, p.mask))
    for k in range(count):
        if worst > enough:
            copy_board(s, p.its_played)
            apply(p.its_played, int(p.its_thirds[k]), 0)
            worst = min(worst, value(p.its_played, me))
    if moves == 0:
        worst = min(worst, value(s, me))
    return worst


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
                count = take(mask, MOVE + edge, found, count)
                count = take(mask, ATTACK + edge, found, count)
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
        total += (int(s.pieces[vertex]) * 1009 + int(s.energy[vertex])) * (vertex * vertex * 7919 + 13)
    return total
