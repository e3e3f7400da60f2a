"""What the original's network saw and named: its input, its policy classes, and a head that has a place for every action."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..board import ATTACK, EDGES, END_TURN, INFUSE, LAYERS, MOVE, PINCER, PINCERS, PLACES, VERTICES
from ..forms import form_of
from ..text import owner

CLASSES = ("place", "infuse", "move", "attack", "pincer")  # of the original policy, five a vertex


def network_input(view: Any) -> npt.NDArray[np.float32]:
    """Return the original network's input [vertex, 5]: any piece, pieces/10, energy/10, mine +1 or not -1, layer/4."""
    planes = np.zeros((VERTICES, 5), np.float32)
    owners = np.array([owner(view, v) for v in range(VERTICES)])
    planes[:, 0] = owners >= 0
    planes[:, 1] = view.pieces / np.float32(10)
    planes[:, 2] = view.energy / np.float32(10)
    planes[:, 3] = np.where(owners < 0, 0, np.where(owners == view.me, 1, -1))
    planes[:, 4] = np.array([layer for layer, _, _ in PLACES]) / np.float32(LAYERS - 1)
    return planes


def policy_class(action: int) -> int | None:
    """Return the original policy class of an action, without its target; there is none for the end of a turn (D18)."""
    form = form_of(action)
    if action == END_TURN or len(form.get("origins", ())) > 2:
        return None
    vertex: int = form["vertex"] if "vertex" in form else form["from"] if "from" in form else form["target"]
    return vertex * len(CLASSES) + CLASSES.index(form["type"])


def head_index(action: int) -> int:
    """Return the place of an action in a head of 71 channels a vertex, with the end of the turn behind them (D18)."""
    channels = [*range(14)]  # place, infuse, six moves, six attacks; then the 57 sets of two or more directions
    sets = [origins for origins in range(64) if origins.bit_count() >= 2]
    width = len(channels) + len(sets)
    if action == END_TURN:
        return VERTICES * width
    if action < MOVE:
        return int(form_of(action)["vertex"]) * width + int(action >= INFUSE)
    if action < PINCER:
        start, direction, _ = EDGES[(action - MOVE) % (ATTACK - MOVE)]
        return start * width + (2 if action < ATTACK else 8) + direction
    target, origins = PINCERS[action - PINCER]
    return target * width + len(channels) + sets.index(origins)
