"""Plantation drawn in text, and its result in a line."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rules import COLS, NOWHERE, ROWS, RUNNING, SIGN, SPEC


def status(s: Any) -> str:
    """Say in one line who is to move, or how the game ended."""
    if s.end != RUNNING:
        margin = int(s.total[0]) - int(s.total[1])
        return f"{SPEC.seats[margin < 0]} wins by {abs(margin)}" if margin else "a draw"
    asked = f", from where to colonise {s.pending // COLS},{s.pending % COLS}?" if s.pending != NOWHERE else ""
    return f"turn {s.turn}/{s.opt_max_turns}: {SPEC.seats[s.seat]} to move, {s.moves} left{asked}"


def board(s: Any) -> str:
    """Draw the whole board in text."""
    return draw_board(grid(s))


def grid(s: Any) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return the board [row, column] with its signs; a copy."""
    return np.array(s.board, np.int16).reshape(ROWS, COLS)


def draw_board(values: Any) -> str:
    """Draw any board [row, column] in text: numbers with their signs, nothing where a tile is empty."""
    columns = len(values[0])
    line = "   " + "=" * (5 * columns + 1) + "\n"
    drawn = ["     " + "    ".join(str(column) for column in range(columns)) + "\n", line]
    for number, row in enumerate(values):
        tiles = (f"{value:+d}" if value else "" for value in map(int, row))
        drawn.append(f"{number:>2} |" + "".join(f"{_centred(tile)}|" for tile in tiles) + "\n")
    return "".join([*drawn, line])


def final_line(s: Any, names: tuple[str, ...], result: Any) -> str:
    """Say in one line how a game ended, with both sums."""
    scores = " ".join(f"{name} {int(s.total[seat]) * SIGN[seat]:+d}" for seat, name in enumerate(names))
    if s.end == RUNNING:
        winners = [names[seat] for seat, outcome in enumerate(result.outcome) if outcome > 0]
        return f"{scores}: not played to the end; {winners[0] if winners else 'nobody'} wins"
    return f"{scores}: {status(s)}"


def _centred(tile: str) -> str:
    """Centre in 4, an odd blank going to the right."""
    before = max(4 - len(tile), 0) // 2
    return " " * before + tile + " " * (max(4 - len(tile), 0) - before)
