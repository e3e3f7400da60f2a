"""Replies and boards between the original's form and rows; a reply is a pair of a command and its coordinates."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ..actions import NAMES
from ..rules import CELLS, COLONISE, COLS, FAULT, NO_COMMAND, ROWS, SHAPE, SIGN, SOURCE


def actions_of(reply: Any) -> list[int]:
    """Return the decisions that a reply stands for; no command, or one without usable places, is a fault (D4, D5)."""
    name, places = said(reply)
    if not _is_pair(reply) or not isinstance(name, str) or name not in NAMES:
        return [FAULT + NO_COMMAND]
    kind = NAMES.index(name)
    cells = [_cell(places, k) for k in ((0, 2) if kind == COLONISE else (0,))]
    if None in cells:
        return [FAULT + kind]
    return [kind * CELLS + (cells[0] or 0), *(SOURCE * CELLS + (cell or 0) for cell in cells[1:])]


def said(reply: Any) -> tuple[Any, Any]:
    """Return a reply's command and coordinates as the agent gave them, for telling it the answer."""
    return (reply[0], reply[1]) if _is_pair(reply) else (reply, None)


def hide(view: Any) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return a fresh board [row, column] with the seat's own tiles, signed, and nothing else."""
    return (np.array(view.own, np.int16) * np.int16(SIGN[view.me])).reshape(SHAPE)


def restricted(board: Any, player: int) -> np.ndarray[Any, Any]:
    """Return a copy of a board with only that player's tiles; players are 1 and -1, or 1 and 2."""
    board = np.asarray(board)
    return np.where(board > 0, board, 0) if player == 1 else np.where(board < 0, board, 0)


def _is_pair(reply: Any) -> bool:
    return isinstance(reply, list | tuple) and len(reply) == 2


def _cell(places: Any, first: int) -> int | None:
    """Return the cell that two of the coordinates name, or None; what follows the needed ones is ignored."""
    if isinstance(places, np.ndarray):
        places = list(places) if places.ndim == 1 else None
    if not isinstance(places, list | tuple) or len(places) < first + 2:
        return None
    row, column = places[first], places[first + 1]
    for number in (row, column):
        if isinstance(number, bool | np.bool_) or not isinstance(number, numbers.Integral):
            return None
    return int(row) * COLS + int(column) if 0 <= row < ROWS and 0 <= column < COLS else None
