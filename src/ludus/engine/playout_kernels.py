"""Monte Carlo tree search with playouts, as kernels: one tree a game, a whole search in one call.

A simulation draws a position from the root's view, goes down the tree by upper confidence bounds, adds one node, plays on at
random or by a bot, and tells all nodes on its way what came of it. In hidden games this is information set search with a
single observer (Cowling, Powley, Whitehouse 2012): all drawn positions add up in one tree, and an action counts as often as
it was legal. Exploration is measured in standard deviations of what simulations gave so far, so that it needs no unit.

Where a bot plays on, the tree is one decision deep: all that comes after it the bot decides, for every seat, by what it sees
in the position that was drawn (Tesauro, Galperin 1996: policy improvement by rollouts). Nodes below would hold it to what it
did in the first of these positions.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ludus.core import draw, rule
from ludus.games import Game

from .kernels import Kernel, clear, compiled_bots, own_ids, parameters
from .playing import mover, nth, playable
from .tree import (
    ACTION,
    CAPACITY,
    CHANCES,
    CUT,
    DOUBT,
    EXPLORE,
    FIRST,
    HORIZON,
    MARGIN,
    NEXT,
    NOBODY,
    SIMULATIONS,
    VISITS,
    WIDTH,
    add_child,
    back_up,
    make_node,
    set_stream,
    worth,
)

GROW = "grow"
STRAYS = 32  # one decision of so many in a bot's playout is any legal one, so that playouts differ
TRIED = 2  # in a mask: a legal action that has a node
FEWEST = 4.0  # children that every node may have
LONGEST_TURN = 256  # decisions for which a cut waits until a turn is over: a position in the middle of one is hard to judge
SMALLEST = 1e-6  # deviation of what simulations gave, so that equal values are explored, too


def grow_with(bot: str) -> str:
    """Name the kernel whose playouts are a bot's, so that no other is compiled."""
    return GROW if bot == "random" else f"{GROW}_{bot}"


def playout_kernels(game: Game) -> dict[str, Kernel]:
    """Return `plant` (trees of a root alone), `grow` (for playouts of each bot), and `count_visits` (what came of it)."""

    def plant(i, b):
        make_node(b.node_links, b.node_values, i * b.tree_plan[CAPACITY], NOBODY, NOBODY)
        b.tree_sizes[i] = 1
        clear(b.tree_squares[i])
        set_stream(b.worlds[i], b.rngs[i], 0)

    own_id, actions, seats = own_ids(game), game.spec.actions, len(game.spec.seats)

    def count_visits(i, b):
        root, total = i * b.tree_plan[CAPACITY], 0
        seat = int(b.node_links[root, ACTION])
        for action in range(actions):
            b.visits[i, action], b.policy[i, action] = 0, 0.0
        child = int(b.node_links[root, FIRST])
        while child >= 0:
            own, visits = own_id(seat, int(b.node_links[child, ACTION])), int(b.node_links[child, VISITS])
            b.visits[i, own] = visits
            total += visits
            child = int(b.node_links[child, NEXT])
        for action in range(actions):
            b.policy[i, action] = b.visits[i, action] / max(1, total)
        chosen = surest_child(b.node_links, b.node_values, root, seat, b.tree_squares[i], b.tree_scales[DOUBT])
        b.actions[i] = own_id(seat, int(b.node_links[chosen, ACTION])) if chosen >= 0 else NOBODY
        for ahead in range(seats):
            made = max(1, int(b.node_links[root, VISITS]))
            b.root_values[i, ahead] = b.node_values[root, (seat + ahead) % seats] / made

    bots = ["random", *(name for name in compiled_bots(game) if name != "random")]
    growing = {grow_with(bot): _growing(game, bot) for bot in bots} if game.verbs.sample else {}
    return {"plant": plant, "count_visits": count_visits, **growing}


def _growing(game: Game, bot: str) -> Kernel:
    _, legal, apply, _, _, result = game.verbs[:6]
    sample, lead, value, judge = game.verbs.sample, leading(game), _valuing(game), judging(game)
    move = _random_move if bot == "random" else _bot_move(game, bot)
    remembers, proposes, streams = "scratch" in parameters(game.bots[bot]), bot != "random", 2 + len(game.spec.seats)

    def grow(i, b):
        s, mask, words, first = b.states[i], b.masks[i], b.mask_words[i], i * b.tree_plan[CAPACITY]
        for _ in range(b.tree_plan[SIMULATIONS]):
            target = next_at_root(b.node_links, b.node_values, first, b.tree_squares[i], b.tree_scales)
            number = streams * (int(b.node_links[target, VISITS]) if target >= 0 else 0)
            set_stream(b.rngs[i], b.worlds[i], number)
            set_stream(b.dice[i], b.worlds[i], number + 1)
            for seat in range(b.gained.shape[1]):
                set_stream(b.bot_dice[i, seat], b.worlds[i], number + 2 + seat)
            sample(b.root_views[i], s, b.rngs[i])  # type: ignore[misc]
            if remembers:
                clear(b.scratch_words[i])
            status, node, steps, leaf, is_inside, is_cut = result(s, b.outcomes[i], b.points[i]), first, 0, 0, True, False
            judge(s, b.points[i])
            lead(b.points[i], b.leads[i])
            b.node_links[first, ACTION] = s.seat
            while status == 0 and not is_cut:  # down the tree, then on; every verb stands here once
                clear(words)
                count, child, action, is_new = legal(s, mask), NOBODY, NOBODY, False
                if is_inside:
                    allowed = max(FEWEST, b.tree_scales[WIDTH] * math.sqrt(b.node_links[node, VISITS]))
                    child = best_child(
                        b.node_links, b.node_values, node, s.seat, mask, count, allowed, b.tree_squares[i], first, b.tree_scales
                    )
                    if node == first:
                        b.node_links[first, CHANCES] = count
                        if target >= 0 and mask[int(b.node_links[target, ACTION])] != 0:
                            child = target
                    if child >= 0:
                        action = int(b.node_links[child, ACTION])
                    elif not proposes or b.node_links[node, FIRST] >= 0:
                        action = any_untried(mask, b.dice[i])
                    is_new, leaf = child < 0, steps
                    is_inside = child >= 0 and not proposes  # after the first decision all is the bot's
                if action < 0:
                    action = move(
                        s, is_new, b.views[i], words, mask, count, b.dice[i], b.bot_dice[i, s.seat], b.scratch[i, s.seat]
                    )
                if is_new and b.tree_sizes[i] < b.tree_plan[CAPACITY]:
                    child = first + b.tree_sizes[i]
                    add_child(b.node_links, b.node_values, node, child, action)
                    b.tree_sizes[i] += 1
                node = child if child >= 0 else node
                turn, steps = s.turn, steps + 1
                apply(s, action, b.rngs[i])
                over = steps - leaf - b.tree_plan[CUT]
                is_cut = not is_inside and over >= 0 and (s.turn != turn or over >= LONGEST_TURN)
                status = result(s, b.outcomes[i], b.points[i])
            judge(s, b.points[i])
            value(status, steps, b.outcomes[i], b.points[i], b.leads[i], b.gained[i], b.tree_scales)
            for seat in range(b.gained.shape[1]):
                b.tree_squares[i, seat] += b.gained[i, seat] * b.gained[i, seat]
            back_up(b.node_links, b.node_values, node, b.gained[i])

    return grow


@rule
def next_at_root(links, values, root, squares, scales):
    """Return the root's child that comes next, or NOBODY where a new one is to be added.

    It is chosen before a position is drawn, since all of a child's visits have the same chance as those of its siblings, one by
    one: so actions are compared in the same worlds, and far fewer simulations tell them apart.
    """
    best, chosen, tried, visits = -math.inf, NOBODY, 0, int(links[root, VISITS])
    if visits == 0:
        return NOBODY
    seat = int(links[root, ACTION])
    deviation = spread(values, squares, root, seat, visits)
    child = int(links[root, FIRST])
    while child >= 0:
        tried += 1
        bound = worth(links, values, child, seat) + scales[EXPLORE] * deviation * math.sqrt(
            math.log(visits) / links[child, VISITS]
        )
        if bound > best:
            best, chosen = bound, child
        child = int(links[child, NEXT])
    is_wide = tried >= max(FEWEST, scales[WIDTH] * math.sqrt(visits))
    return chosen if is_wide or tried >= links[root, CHANCES] else NOBODY


@rule
def best_child(links, values, node, seat, mask, count, allowed, squares, root, scales):
    """Return the child with the highest upper confidence bound, or NOBODY where a new one may be added.

    In the mask the legal actions that have a node are marked as TRIED.
    """
    best, chosen, tried = -math.inf, NOBODY, 0
    made = max(1, int(links[root, VISITS]))
    deviation = spread(values, squares, root, seat, made)
    child = int(links[node, FIRST])
    while child >= 0:
        action = int(links[child, ACTION])
        if mask[action] != 0:
            mask[action] = TRIED
            tried += 1
            links[child, CHANCES] += 1
            wide = math.sqrt(math.log(links[child, CHANCES]) / links[child, VISITS])
            bound = worth(links, values, child, seat) + scales[EXPLORE] * deviation * wide
            if bound > best:
                best, chosen = bound, child
        child = int(links[child, NEXT])
    return NOBODY if tried < count and tried < allowed else chosen


@rule
def spread(values, squares, root, seat, made):
    """Return the standard deviation of what simulations were worth to a seat."""
    mean = values[root, seat] / made
    return math.sqrt(max(0.0, squares[seat] / made - mean * mean)) + SMALLEST


@rule
def surest_child(links, values, root, seat, squares, doubt):
    """Return the most visited child of the root, of equals the best, or NOBODY.

    Where a bot proposed the oldest child, another one must be better than that by more than some standard errors of their
    difference: among actions that are alike a bot's choice has a reason that playouts do not see.
    """
    best, chosen, oldest = -math.inf, NOBODY, NOBODY
    child = int(links[root, FIRST])
    while child >= 0:
        score = links[child, VISITS] + 0.5 * worth(links, values, child, seat)
        if score > best:
            best, chosen = score, child
        oldest = child
        child = int(links[child, NEXT])
    if oldest >= 0 and doubt > 0:
        deviation = spread(values, squares, root, seat, max(1, int(links[root, VISITS])))
        error = deviation * math.sqrt(1.0 / links[chosen, VISITS] + 1.0 / links[oldest, VISITS])
        if worth(links, values, chosen, seat) - worth(links, values, oldest, seat) <= doubt * error:
            return oldest
    return chosen


@rule
def any_untried(mask, rng):
    """Return any legal action that has no node."""
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action] == 1)
    index = draw(rng, count)
    for action in range(mask.shape[0]):
        if mask[action] == 1:
            if index == 0:
                return action
            index -= 1
    return NOBODY


@rule
def _random_move(s, is_new, view, words, mask, count, dice, bot_dice, scratch):
    """Return any legal action."""
    return nth(words, mask, draw(dice, count))


def _bot_move(game: Game, bot: str) -> Callable[..., int]:
    move, is_playable = mover(game, {0: bot}), playable(game)

    @rule
    def bot_move(s, is_new, view, words, mask, count, dice, bot_dice, scratch):
        if is_new or draw(dice, STRAYS) != 0:
            action = move(0, s, view, mask, bot_dice, scratch)
            if is_playable(action, mask):
                return action
        return nth(words, mask, draw(dice, count))

    return bot_move


def judging(game: Game) -> Callable[..., None]:
    """Return a rule that writes points in mid-game, where those that `result` wrote tell nothing: the `judge` of bots.py."""

    @rule
    def as_it_stands(s, points):
        pass

    return game.says("bots", "judge") or as_it_stands


def leading(game: Game) -> Callable[..., None]:
    """Return a rule that writes by how many points each seat is ahead: its side's mean less that of the others."""
    seats = len(game.spec.seats)
    sides = tuple(game.spec.side(seat) for seat in range(seats))

    @rule
    def lead(points, leads):
        for seat in range(seats):
            own, others, mates = 0.0, 0.0, 0
            for other in range(seats):
                if sides[other] == sides[seat]:
                    own += points[other]
                    mates += 1
                else:
                    others += points[other]
            leads[seat] = own / mates - (others / (seats - mates) if mates < seats else 0.0)

    return lead


def _valuing(game: Game) -> Callable[..., None]:
    """Return a rule that writes what a simulation was worth to each seat, between -1 and 1.

    An end counts more the sooner it comes; a game that goes on is judged by the points that it brought since the root.
    """
    lead = leading(game)

    @rule
    def value(status, steps, outcome, points, leads, gained, scales):
        if status != 0:
            for seat in range(gained.shape[0]):
                gained[seat] = outcome[seat] * scales[HORIZON] / (scales[HORIZON] + steps)
        else:
            lead(points, gained)
            for seat in range(gained.shape[0]):
                ahead = gained[seat] - leads[seat]
                gained[seat] = ahead / (abs(ahead) + scales[MARGIN])

    return value
