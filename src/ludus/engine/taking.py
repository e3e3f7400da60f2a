"""What a batch takes from outside: rows, seeds and actions, each checked once, and what is said of those that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import BadValue, IllegalAction, LudusError, Row, known_word, shown
from ludus.games import Game

from .kernels import compiled_bots
from .memory import array_of, is_row_of


def rows_in(game: Game, rows: Any, n: int) -> Any:
    """Return positions as an array of one row or n of them."""
    rows = rows.array if isinstance(rows, Row) else rows
    if not is_row_of(rows, game.state_type):
        raise BadValue(f"positions must be rows of {game.name}'s State, not {type(rows).__name__}")
    rows = np.asarray(rows, game.state_type)
    if rows.shape not in ((), (1,), (n,)):
        raise BadValue(f"one row, or one for each of the {n} games is needed, not {rows.shape}")
    return np.atleast_1d(rows)


def actions_in(actions: Any, n: int) -> Any:
    """Return actions as an array of n whole numbers, NumPy's or a device's."""
    array = actions if hasattr(actions, "__cuda_array_interface__") else array_of(actions)
    if tuple(array.shape) != (n,) or not _is_whole(array):
        came = f"an array of shape {tuple(array.shape)} and type {array.dtype}"
        raise BadValue(f"actions must be {n} whole numbers, not {came}")
    return array


def refusal(game: Game, frame: str, actions: Any, masks: Any, states: Any) -> LudusError:
    """Say which row was refused first, and why; actions and masks are in the ids of the rules, `frame` is the caller's."""
    allowed = game.spec.actions
    for i, action in enumerate(actions):
        if not masks[i].any():
            continue  # a game that is over stands still
        if not 0 <= action < allowed:
            return IllegalAction(f"row {i}: action {action} is not in 0 to {allowed - 1}", "bad_action")
        if game.spec.refuses and not masks[i, action]:
            row = states[i : i + 1]
            seat, ids = int(row["seat"][0]), list(range(allowed))
            reason = game.why_not(row, seat, int(action))
            if frame == "own":  # say it in the caller's ids
                ids = [int(k) for k in np.argsort(game.own_ids[seat])]
            legal = ", ".join(str(k) for k in sorted(ids[k] for k in np.flatnonzero(masks[i])))
            return IllegalAction(f"row {i}: action {ids[action]} is refused ({reason}); legal are {legal}", reason)
    raise AssertionError("a kernel refused an action that is legal")


def bots_in(game: Game, bots: Any) -> list[str | None]:
    """Return built-in bots that play inside kernels, a name a seat; None is a seat that is played otherwise."""
    seats = game.spec.seats
    try:
        chosen = [] if isinstance(bots, str) else list(bots)
    except Exception:  # nothing that can be listed
        chosen = []
    if len(chosen) != len(seats):
        raise BadValue(f"one bot a seat is needed ({', '.join(seats)}), not {shown(bots)}")
    known = compiled_bots(game)
    return [None if name is None else known_word(name, "bot", known) for name in chosen]


def _is_whole(array: Any) -> bool:
    """Whether the array, NumPy's or a device's, holds whole numbers."""
    kind = getattr(array.dtype, "kind", None)
    return kind in "iu" if kind else "int" in str(array.dtype)
