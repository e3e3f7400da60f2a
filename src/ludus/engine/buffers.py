"""The buffers of a batch: every array that its kernels read and write, made when first needed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludus.core import ROOM, LudusError
from ludus.games import Game

SAME_MEMORY = {
    "mask_words": "masks",
    "plane_cells": "planes",
    "final_plane_cells": "final_planes",
    "scratch_words": "scratch",
    "frame_words": "frames",
}
PLAN = 4  # numbers that a caller hands to a kernel


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
    replaced: Any  # [n] what was played for an illegal action of that seat, in its own ids; -1 if its own was
    gains: Any  # [n, seat] units of reward since that seat's last decision
    tally: Any  # [n, 2] steps and games played by a kernel
    digests: Any  # [n] of the rows
    bots: Any  # [seat] which bot plays, by its number; -1 = the seat is played from outside
    scratch: Any  # [n, seat] room for a bot's thinking and memory, zero at the start of a game
    scratch_words: Any  # the same as 64-bit words, for clearing
    plan: Any  # [PLAN] whole numbers: see each kernel
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
        "replaced": (np.dtype("i4"), (), True),
        "gains": (np.dtype("i8"), (seats,), True),
        "tally": (np.dtype("i8"), (2,), True),
        "digests": (np.dtype("u8"), (), True),
        "bots": (np.dtype("i4"), (), False),
        "scratch": (scratch, (seats,), True),
        "scratch_words": (np.dtype("i8"), (seats * scratch.itemsize // 8,), True),
        "plan": (np.dtype("i8"), (), False),
        "bad": (np.dtype("i8"), (), False),
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


def shapes(game: Game, n: int) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """Map each field to the dtype and shape of its array for n games."""
    once = {"bots": len(game.spec.seats), "plan": PLAN, "bad": 1}
    return {name: (dtype, (n if each else once[name], *entry)) for name, (dtype, entry, each) in layout(game).items()}


NO_BUFFERS = Buffers(*[None] * len(Buffers._fields))
