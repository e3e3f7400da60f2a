"""What environments show in the original's form: the own board with its signs, turn and moves left, the last answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..actions import answer
from ..rules import SHAPE, SIGN, SPEC
from .translate import hide


def observation(view: Any) -> dict[str, Any]:
    """Return what the original showed a player, less the clock."""
    return {
        "board": hide(view),
        "turn": np.array(view.turn, np.int32),
        "moves_remaining": np.array(view.moves, np.int32),
    }


def observation_space() -> Any:
    """Return the gymnasium space of `observation`."""
    from gymnasium.spaces import Box, Dict

    highest = np.iinfo(np.int16).max
    return Dict(
        {
            "board": Box(-highest, highest, SHAPE, np.int16),
            "turn": Box(1, 3000, (), np.int32),
            "moves_remaining": Box(0, 9, (), np.int32),
        }
    )


def info(s: Any, seat: int) -> dict[str, Any]:
    """Return what the original told beside the board: the answer to the seat's last command."""
    return {"result": answer(s, seat), "player": SPEC.seats[seat], "sign": SIGN[seat]}
