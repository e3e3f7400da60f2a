"""The Gumbel variant of AlphaZero's search, as kernels: one tree a game; between two of them a network is asked for all games.

Danihelka, Guez, Schrittwieser, Silver: Policy improvement by planning with Gumbel (2022). `descend` leaves a game's row at the
leaf of its next simulation, `settle` adds what the network said of it, `decide` writes what the whole search found.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ludus.core import rule
from ludus.games import Game

from .kernels import Kernel, clear, own_ids
from .tree import (
    ACTION,
    CAPACITY,
    CONSIDERED,
    FIRST,
    LOGIT,
    NEXT,
    NOBODY,
    RAW,
    SIMULATIONS,
    VISITS,
    add_child,
    back_up,
    worth,
)

VALUE_SCALE, VISIT_OFFSET = 0.1, 50.0  # the paper's c_scale and c_visit
LEAST_SPAN = 1e-8  # between the best and the worst value, where all are equal
LEAST_PRIOR = 1.2e-38  # so that a visited action has a weight


def gumbel_kernels(game: Game) -> dict[str, Kernel]:
    """Return the kernels of a search that asks a network."""
    return {**_walking(game), **_settling(game), **_deciding(game)} if game.verbs.sample else {}


def _walking(game: Game) -> dict[str, Kernel]:
    legal, apply, result = game.verbs.legal, game.verbs.apply, game.verbs.result
    sample, next_in_line, actions = game.verbs.sample, _halving(game), game.spec.actions

    def descend(i, b):
        s, mask, root = b.states[i], b.masks[i], i * b.tree_plan[CAPACITY]
        sample(b.root_views[i], s, b.rngs[i])  # type: ignore[misc]
        node, status = root, result(s, b.outcomes[i], b.points[i])
        while status == 0 and b.node_links[node, FIRST] >= 0:
            clear(b.mask_words[i])
            legal(s, mask)
            q = completed(b.node_links, b.node_values, b.node_priors, node, s.seat, actions)
            if node == root:
                considered = min(b.tree_plan[CONSIDERED], q[5])
                wanted = b.halving[considered * b.tree_plan[SIMULATIONS] + q[2]]
                child = next_in_line(b.node_links, b.node_values, b.node_priors, b.noise[i], root, s.seat, mask, wanted, q)
            else:
                child = most_lacking(b.node_links, b.node_values, b.node_priors, node, s.seat, mask, q)
            if child < 0:  # none of what was legal here before is so in this drawing: this is a leaf again
                break
            apply(s, int(b.node_links[child, ACTION]), b.rngs[i])
            node, status = child, result(s, b.outcomes[i], b.points[i])
        b.leaves[i] = node

    return {"descend": descend}


def _halving(game: Game) -> Callable[..., int]:
    own_id = own_ids(game)

    @rule
    def next_in_line(links, values, priors, noise, root, seat, mask, wanted, q):
        """Return the best child of those that have as many visits as sequential halving wants, else of all; or NOBODY."""
        best, chosen, was_wanted = -math.inf, NOBODY, False
        child = int(links[root, FIRST])
        while child >= 0:
            action = int(links[child, ACTION])
            if mask[action] != 0:
                is_wanted = links[child, VISITS] == wanted
                score = noise[own_id(seat, action)] + advised(links, values, priors, child, seat, q)
                if (is_wanted and not was_wanted) or (is_wanted == was_wanted and score >= best):
                    best, chosen, was_wanted = score, child, is_wanted
            child = int(links[child, NEXT])
        return chosen

    return next_in_line


def _settling(game: Game) -> dict[str, Kernel]:
    result, seats, own_id = game.verbs.result, len(game.spec.seats), own_ids(game)

    def settle(i, b):
        s, node, root = b.states[i], int(b.leaves[i]), i * b.tree_plan[CAPACITY]
        if result(s, b.outcomes[i], b.points[i]) != 0:
            for seat in range(seats):
                b.gained[i, seat] = b.outcomes[i, seat]
        else:
            for ahead in range(seats):
                b.gained[i, (s.seat + ahead) % seats] = b.guesses[i, ahead]
            if b.node_links[node, FIRST] < 0 and b.tree_sizes[i] + b.counts[i] <= b.tree_plan[CAPACITY]:
                b.node_priors[node, RAW] = b.guesses[i, 0]
                if node == root:
                    b.node_links[root, ACTION] = s.seat
                for action in range(b.masks.shape[1]):
                    if b.masks[i, action] != 0:
                        child = root + b.tree_sizes[i]
                        add_child(b.node_links, b.node_values, node, child, action)
                        b.node_priors[child, LOGIT] = b.logits[i, own_id(s.seat, action)]
                        b.tree_sizes[i] += 1
        back_up(b.node_links, b.node_values, node, b.gained[i])

    return {"settle": settle}


def _deciding(game: Game) -> dict[str, Kernel]:
    own_id, actions, seats = own_ids(game), game.spec.actions, len(game.spec.seats)

    def decide(i, b):
        root, best, most = i * b.tree_plan[CAPACITY], -math.inf, 0
        seat, b.actions[i] = int(b.node_links[root, ACTION]), NOBODY
        for action in range(actions):
            b.visits[i, action], b.policy[i, action] = 0, 0.0
        for ahead in range(seats):
            b.root_values[i, ahead] = worth(b.node_links, b.node_values, root, (seat + ahead) % seats)
        if b.node_links[root, FIRST] < 0:
            return
        q = completed(b.node_links, b.node_values, b.node_priors, root, seat, actions)
        highest, total = softmax_of(b.node_links, b.node_values, b.node_priors, root, seat, q)
        child = int(b.node_links[root, FIRST])
        while child >= 0:
            most = max(most, int(b.node_links[child, VISITS]))
            child = int(b.node_links[child, NEXT])
        child = int(b.node_links[root, FIRST])
        while child >= 0:
            own = own_id(seat, int(b.node_links[child, ACTION]))
            advice = advised(b.node_links, b.node_values, b.node_priors, child, seat, q)
            b.visits[i, own] = b.node_links[child, VISITS]
            b.policy[i, own] = math.exp(advice - highest) / total
            if b.visits[i, own] == most and b.noise[i, own] + advice >= best:
                best, b.actions[i] = b.noise[i, own] + advice, own
            child = int(b.node_links[child, NEXT])

    return {"decide": decide}


@rule
def completed(links, values, priors, node, seat, actions):
    """Return what the children's values are completed and scaled by.

    That is: the value of actions that nobody has tried (the mean of the others under the network's policy, mixed with what the
    network says of the position), the lowest value, the visits of all children, the span of the values, the weight of a
    value, and how many children there are.
    """
    highest = -math.inf
    child = int(links[node, FIRST])
    while child >= 0:
        highest = max(highest, priors[child, LOGIT])
        child = int(links[child, NEXT])
    weights, sums, visits, most, count, tried = 0.0, 0.0, 0, 0, 0, 0
    low, high = math.inf, -math.inf
    child = int(links[node, FIRST])
    while child >= 0:
        count += 1
        if links[child, VISITS] > 0:
            weight = max(math.exp(priors[child, LOGIT] - highest), LEAST_PRIOR)
            value = worth(links, values, child, seat)
            tried += 1
            weights += weight
            sums += weight * value
            visits += int(links[child, VISITS])
            most = max(most, int(links[child, VISITS]))
            low, high = min(low, value), max(high, value)
        child = int(links[child, NEXT])
    mixed = priors[node, RAW]
    if visits > 0:
        mixed = (mixed + visits * sums / weights) / (visits + 1)
    if count < actions or tried < count:  # ids that are not legal are completed, too, as those are that nobody has tried
        low, high = min(low, mixed), max(high, mixed)
    return mixed, low, visits, max(high - low, LEAST_SPAN), VALUE_SCALE * (VISIT_OFFSET + most), count


@rule
def advised(links, values, priors, child, seat, q):
    """Return the logit of an action, moved by its completed value: the improved policy."""
    mixed, low, _, span, weight, _ = q
    value = worth(links, values, child, seat) if links[child, VISITS] > 0 else mixed
    return priors[child, LOGIT] + weight * (value - low) / span


@rule
def softmax_of(links, values, priors, node, seat, q):
    """Return the highest logit of the improved policy, and the sum that makes it one."""
    highest, total = -math.inf, 0.0
    child = int(links[node, FIRST])
    while child >= 0:
        highest = max(highest, advised(links, values, priors, child, seat, q))
        child = int(links[child, NEXT])
    child = int(links[node, FIRST])
    while child >= 0:
        total += math.exp(advised(links, values, priors, child, seat, q) - highest)
        child = int(links[child, NEXT])
    return highest, total


@rule
def most_lacking(links, values, priors, node, seat, mask, q):
    """Return the legal child whose share of the visits lags most behind the improved policy, or NOBODY."""
    highest, total = softmax_of(links, values, priors, node, seat, q)
    best, chosen = -math.inf, NOBODY
    child = int(links[node, FIRST])
    while child >= 0:
        if mask[int(links[child, ACTION])] != 0:
            share = math.exp(advised(links, values, priors, child, seat, q) - highest) / total
            lack = share - links[child, VISITS] / (1.0 + q[2])
            if lack >= best:  # of equals the one with the lowest id, which stands last
                best, chosen = lack, child
        child = int(links[child, NEXT])
    return chosen
