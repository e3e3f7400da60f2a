"""The buffers of a batch: every array that its kernels read and write, made when first needed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludus.core import ROOM, LudusError
from ludus.games import Game

from .tree import LINKS, PRIORS, TREE_PLAN, TREE_SCALES

SAME_MEMORY = {
    "mask_words": "masks",
    "plane_cells": "planes",
    "final_plane_cells": "final_planes",
    "scratch_words": "scratch",
    "frame_words": "frames",
}
PLAN = 6  # numbers that a caller hands to a kernel
MOST_MIXED = 32  # opponents among whom one is drawn for a seat
TREES = {
    "root_views", "node_links", "node_values", "node_priors", "tree_sizes", "tree_squares", "worlds", "leaves", "leads",
    "gained", "logits", "guesses", "noise", "visits", "policy", "root_values", "halving", "tree_plan", "tree_scales",
}  # fmt: skip


class Buffers(NamedTuple):
    """One array per field, the first axis is the game; a batch makes those that a kernel names."""

    states: Any  # [n] State
    rngs: Any  # [n, 1] the chance of each game
    dice: Any  # [n, 1] the chance of whoever plays at random, so that who plays does not change what is dealt
    bot_dice: Any  # [n, seat, 1] the chance of each bot
    seeds: Any  # [n, 1 + ROOM] the seed of each game, then room to work in; for whoever has no Python to deal with
    masks: Any  # [n, padded actions] in rule ids; nobody outside the engine gets hold of it
    mask_words: Any  # the masks as 64-bit words, for skipping
    own_masks: Any  # [n, actions] a copy in the mover's own ids, for whoever plays from outside
    counts: Any  # [n] legal actions
    ids: Any  # [n, actions] which they are, for callers who want a list
    actions: Any  # [n] to be played
    views: Any  # [n] View of the seat that was asked for
    planes: Any  # [n, channel, y, x]
    plane_cells: Any  # the planes flat, for clearing
    features: Any  # [n, number] of the seat that was asked for
    frames: Any  # [n] Frame of whoever was asked for
    frame_words: Any  # the frames as 64-bit words, for clearing
    status: Any  # [n] 0 running, 1 decided, 2 ended by a limit
    outcomes: Any  # [n, seat]
    points: Any  # [n, seat]
    rewards: Any  # [n, seat] of the last step
    done: Any  # [n] status of the game that the last step ended, 0 if it goes on
    final_views: Any  # [n, seat] View at the end of the last finished game
    final_outcomes: Any  # [n, seat]
    final_points: Any  # [n, seat]
    final_planes: Any  # [n, channel, y, x] of the seat that is played from outside
    final_plane_cells: Any  # the same flat, for clearing
    final_features: Any  # [n, number] of a seat at the end of the last finished game
    replaced: Any  # [n] what was played for an illegal action of that seat, in its own ids; -1 if its own was
    reward: Any  # [n] what the learner's seat that decides now got since its last decision; at an end, that decided last
    margins: Any  # [n, seat] the lead in points when the seat was paid last
    decider: Any  # [n] the seat that decides now
    actor: Any  # [n] the learner's seat that decided last
    mine: Any  # [n] the learner's seat, where it has another one in each game
    waiting: Any  # [n] 0, or 1 + the number of somebody else outside who decides now
    chosen: Any  # [n] 1 = the game takes part in a reset
    mix: Any  # [seat, choice, 2] who plays a seat in a new game: who, and the odds of all up to here
    final_outcome: Any  # [n] of the seat that decided last
    final_point: Any  # [n]
    gains: Any  # [n, seat] units of reward since that seat's last decision
    tally: Any  # [n, 2] steps and games played by a kernel
    digests: Any  # [n] of the rows
    bots: Any  # [n, seat] which bot plays, by its number; -1 = a learner from outside, below: others outside
    scratch: Any  # [n, seat] room for a bot's thinking and memory, zero at the start of a game
    scratch_words: Any  # the same as 64-bit words, for clearing
    plan: Any  # [PLAN] whole numbers: see each kernel
    # Of a search, which has one tree a game: see tree.py. The nodes of all trees stand one after the other.
    root_views: Any  # [n] View of the seat that asks
    node_links: Any  # [n × capacity, LINKS]
    node_values: Any  # [n × capacity, seat] sums of what simulations were worth
    node_priors: Any  # [n × capacity, PRIORS] what a network said
    tree_sizes: Any  # [n] nodes in use
    tree_squares: Any  # [n, seat] sums of the squares of what simulations were worth
    worlds: Any  # [n, 1] from which the chance of every simulation with playouts follows
    leaves: Any  # [n] the node that waits for a network's answer
    leads: Any  # [n, seat] points ahead at the root
    gained: Any  # [n, seat] what the last simulation was worth
    logits: Any  # [n, actions] a network's answer, in the mover's own ids
    guesses: Any  # [n, seat] a network's answer, from the mover on
    noise: Any  # [n, actions] Gumbel noise at the root, in the mover's own ids
    visits: Any  # [n, actions] of the root's children, in the mover's own ids
    policy: Any  # [n, actions] what the search advises, in the mover's own ids
    root_values: Any  # [n, seat] what the search expects, from the mover on
    halving: Any  # [considered × simulations] how many visits the next child of the root has
    tree_plan: Any  # [TREE_PLAN] whole numbers
    tree_scales: Any  # [TREE_SCALES] numbers
    bad: Any  # [1] 0, or 1 + the number of a game in which something was refused; times the seats, plus the seat, of bots


def layout(game: Game) -> dict[str, tuple[np.dtype[Any], tuple[int, ...], bool]]:
    """Map each field to its dtype, the shape of one entry, and whether there is one entry a game."""
    spec, seats = game.spec, len(game.spec.seats)
    words, plane = -(-spec.actions // 8), np.dtype(spec.plane_type)
    scratch = game.says("bots", "Scratch") or np.dtype("i8")
    if scratch.itemsize % 8:  # so that its words can be cleared
        raise LudusError(f"the Scratch of {game.name} has {scratch.itemsize} bytes; it must be a multiple of 8")
    frame = frame_of(game)
    return {
        "states": (game.state_type, (), True),
        "rngs": (np.dtype("u8"), (1,), True),
        "dice": (np.dtype("u8"), (1,), True),
        "bot_dice": (np.dtype("u8"), (seats, 1), True),
        "seeds": (np.dtype("u8"), (1 + ROOM,), True),
        "masks": (np.dtype("i1"), (8 * words,), True),
        "mask_words": (np.dtype("i8"), (words,), True),
        "own_masks": (np.dtype("i1"), (spec.actions,), True),
        "counts": (np.dtype("i4"), (), True),
        "ids": (np.dtype("i4"), (spec.actions,), True),
        "actions": (np.dtype("i4"), (), True),
        "views": (game.view_type, (), True),
        "planes": (plane, spec.planes, True),
        "plane_cells": (plane, (int(np.prod(spec.planes)),), True),
        "features": (np.dtype("f4"), (len(spec.features),), True),
        "frames": (frame, (), True),
        "frame_words": (np.dtype("i8"), (frame.itemsize // 8,), True),
        "status": (np.dtype("i4"), (), True),
        "outcomes": (np.dtype("f4"), (seats,), True),
        "points": (np.dtype("f8"), (seats,), True),
        "rewards": (np.dtype("f4"), (seats,), True),
        "done": (np.dtype("i4"), (), True),
        "final_views": (game.view_type, (seats,), True),
        "final_outcomes": (np.dtype("f4"), (seats,), True),
        "final_points": (np.dtype("f8"), (seats,), True),
        "final_planes": (plane, spec.planes, True),
        "final_plane_cells": (plane, (int(np.prod(spec.planes)),), True),
        "final_features": (np.dtype("f4"), (len(spec.features),), True),
        "replaced": (np.dtype("i4"), (), True),
        "reward": (np.dtype("f4"), (), True),
        "margins": (np.dtype("f8"), (seats,), True),
        **dict.fromkeys(("decider", "actor", "mine", "waiting", "chosen"), (np.dtype("i4"), (), True)),
        "mix": (np.dtype("i4"), (MOST_MIXED, 2), False),
        "final_outcome": (np.dtype("f4"), (), True),
        "final_point": (np.dtype("f8"), (), True),
        "gains": (np.dtype("i8"), (seats,), True),
        "tally": (np.dtype("i8"), (2,), True),
        "digests": (np.dtype("u8"), (), True),
        "bots": (np.dtype("i4"), (seats,), True),
        "scratch": (scratch, (seats,), True),
        "scratch_words": (np.dtype("i8"), (seats * scratch.itemsize // 8,), True),
        "plan": (np.dtype("i8"), (), False),
        "bad": (np.dtype("i8"), (), False),
        **_trees(game),
    }


def _trees(game: Game) -> dict[str, tuple[np.dtype[Any], tuple[int, ...], bool]]:
    """Return the fields of a search."""
    seats, actions = len(game.spec.seats), game.spec.actions
    number, half, whole = np.dtype("f8"), np.dtype("f4"), np.dtype("i4")
    return {
        "root_views": (game.view_type, (), True),
        "node_links": (whole, (LINKS,), False),
        "node_values": (number, (seats,), False),
        "node_priors": (half, (PRIORS,), False),
        "tree_sizes": (whole, (), True),
        "tree_squares": (number, (seats,), True),
        "worlds": (np.dtype("u8"), (1,), True),
        "leaves": (whole, (), True),
        "leads": (number, (seats,), True),
        "gained": (number, (seats,), True),
        "logits": (half, (actions,), True),
        "guesses": (half, (seats,), True),
        "noise": (half, (actions,), True),
        "visits": (whole, (actions,), True),
        "policy": (half, (actions,), True),
        "root_values": (half, (seats,), True),
        "halving": (whole, (), False),
        "tree_plan": (np.dtype("i8"), (), False),
        "tree_scales": (number, (), False),
    }


def frame_of(game: Game) -> np.dtype[Any]:
    """Return the dtype of the game's frames; a game whose picture cannot be read is played all the same."""
    try:
        frame = game.picture.frame
    except LudusError:
        return np.dtype("i8")
    if frame.itemsize % 8:
        raise LudusError(f"the Frame of {game.name} has {frame.itemsize} bytes; make it with ludus.core.frame_type")
    return frame


def shapes(game: Game, n: int, nodes: int = 0, halving: int = 0) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """Map each field to the dtype and shape of its array for n games; a search has so many nodes in all."""
    once = {"mix": len(game.spec.seats), "plan": PLAN, "bad": 1, "halving": halving}
    once |= dict.fromkeys(("node_links", "node_values", "node_priors"), nodes)
    once |= {"tree_plan": TREE_PLAN, "tree_scales": TREE_SCALES}
    return {name: (dtype, (n if each else once[name], *entry)) for name, (dtype, entry, each) in layout(game).items()}


NO_BUFFERS = Buffers(*[None] * len(Buffers._fields))
