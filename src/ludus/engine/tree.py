"""The trees of a search: an arena of nodes in plain arrays, and the rules that both kinds of search walk it with.

A node is a line of `node_links` and of `node_values`; those of tree i stand at i × capacity and after. It stands for a sequence
of decisions, not for a position: every simulation plays them again, with a position drawn from the view and with fresh chance.
"""

from __future__ import annotations

import numpy as np

from ludus.core import compiled_as, rule

# Columns of `Buffers.node_links`. A link is the place of a node in the arena, or NOBODY.
ACTION = 0  # that leads here, in ids of the rules; at the root: the seat to move
PARENT, FIRST, NEXT = 1, 2, 3  # the node above, the youngest child, the sibling that was there before
VISITS = 4  # simulations that came through here
CHANCES = 5  # simulations in which the parent was visited and this action was legal; at the root: how many actions are
LINKS = 6
NOBODY = -1

# Columns of `Buffers.node_priors`.
LOGIT, RAW = 0, 1  # what the network says of the action that leads here, and of this position for its mover
PRIORS = 2

# What the numbers of `Buffers.tree_plan` mean.
CAPACITY = 0  # nodes a tree
SIMULATIONS = 1  # to be made by one call of a kernel, or in all where a network is asked
CUT = 2  # decisions below the tree after which a playout is judged by points, at the end of a turn
CONSIDERED = 3  # actions at the root among which halving begins
TREE_PLAN = 4
# What the numbers of `Buffers.tree_scales` mean.
EXPLORE = 0  # how much an uncertain action is preferred, in standard deviations
MARGIN = 1  # points ahead that are worth half a win
HORIZON = 2  # decisions after which a win is worth half as much as one at once
WIDTH = 3  # children that a node may have, times the square root of its visits
DOUBT = 4  # standard errors by which an action must be better than a bot's; 0 = no bot proposes
TREE_SCALES = 5


_STEP, _MIX_1, _MIX_2, _64 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xFFFFFFFFFFFFFFFF


def _stream_compiled(rng, source, number):
    word = source[0] + np.uint64(number + 1) * np.uint64(_STEP)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(_MIX_1)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(_MIX_2)
    rng[0] = word ^ (word >> np.uint64(31))


@compiled_as(_stream_compiled)
def set_stream(rng, source, number):
    """Let a chance begin anew with a stream of this number under a source, which is a chance itself."""
    word = (int(source[0]) + (number + 1) * _STEP) & _64
    word = ((word ^ (word >> 30)) * _MIX_1) & _64
    word = ((word ^ (word >> 27)) * _MIX_2) & _64
    rng[0] = word ^ (word >> 31)


@rule
def make_node(links, values, node, parent, action):
    """Write a node that nobody has visited."""
    links[node, ACTION], links[node, PARENT] = action, parent
    links[node, FIRST], links[node, NEXT] = NOBODY, NOBODY
    links[node, VISITS], links[node, CHANCES] = 0, 0
    for seat in range(values.shape[1]):
        values[node, seat] = 0.0


@rule
def add_child(links, values, parent, node, action):
    """Write a node as the youngest child of another."""
    make_node(links, values, node, parent, action)
    links[node, NEXT] = links[parent, FIRST]
    links[parent, FIRST] = node


@rule
def back_up(links, values, node, gained):
    """Tell a node and all above it what a simulation was worth to each seat."""
    while node >= 0:
        links[node, VISITS] += 1
        for seat in range(values.shape[1]):
            values[node, seat] += gained[seat]
        node = int(links[node, PARENT])


@rule
def worth(links, values, node, seat):
    """Return the mean value of a node that was visited, for a seat."""
    return values[node, seat] / links[node, VISITS]
