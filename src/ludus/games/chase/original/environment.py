"""What the original program's environment told: observations, infos, and who won."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..actions import legal_moves
from ..rules import CAUGHT, RUNNING, SEATS, SIZE, SPEC
from ..scene import grid

ENV_NAME = "chase_game_v0"


def observation(view: Any) -> dict[str, Any]:
    """Return the original observation: the code grid and three positions; every seat gets the same."""
    seen: dict[str, Any] = {"board": grid(view)}
    for seat, name in enumerate(SPEC.seats):
        seen[f"{name}_pos"] = np.array([view.y[seat], view.x[seat]], np.int32)
    return seen


def observation_space() -> Any:
    """Return the gymnasium space of `observation`."""
    from gymnasium.spaces import Box, Dict

    positions = {f"{name}_pos": Box(0, SIZE - 1, (2,), np.int32) for name in SPEC.seats}
    return Dict({"board": Box(0, SEATS + 1, (SIZE, SIZE), np.int32), **positions})


def info(s: Any, seat: int) -> dict[str, Any]:
    """Return what the original told beside the observation; the mask has ones for the seat to act alone (D13)."""
    moves = legal_moves(s, seat)
    mask = np.zeros(SPEC.actions, np.int8)
    if seat == s.seat:
        mask[moves] = 1
    return {
        "turn_number": int(s.turn),
        "legal_moves": moves,
        "win_condition": win_condition(s),
        "action_mask": mask,
    }


def winner(s: Any) -> str | None:
    """Name the winning side, or None while the game runs."""
    if s.end == RUNNING:
        return None
    return "chasers" if s.end == CAUGHT else "runner"


def win_condition(s: Any) -> str | None:
    """Name the winning side as infos do."""
    return {None: None, "chasers": "chaser_win", "runner": "runner_win"}[winner(s)]
