"""How Chase looks: the scene, and the board and status in text. Nothing is hidden, so each takes a position or a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import Cell, Event, Mark, Piece, Scene

from .actions import ACTION_NAMES
from .rules import CAUGHT, CHASER1, CHASER2, DX, DY, ESCAPED, RUNNER, RUNNING, SEATS, SIZE, SPEC, WALLED_IN
from .text import COLUMNS, cell_name, walls

SYMBOLS = ("R", "C1", "C2")  # by seat
EMPTY, WALL, FIRST_AGENT = 0, 1, 2  # codes of the grid; an agent's code is FIRST_AGENT + seat
ROWS = tuple(str(y + 1) for y in range(SIZE))
ENDS = {
    RUNNING: "",
    CAUGHT: "the chasers caught the runner",
    WALLED_IN: "the runner is walled in and wins",
    ESCAPED: "the runner got away",
}


def scene(s: Any) -> Scene:
    """Return the position as a scene; every seat sees the same."""
    cells = list(zip(s.x.tolist(), s.y.tolist(), strict=True))
    names = [cell_name(x, y) for x, y in cells]
    return Scene(
        title=SPEC.title,
        width=SIZE,
        height=SIZE,
        status=ENDS[int(s.end)] or f"{SPEC.seats[s.seat]} to move",
        columns=COLUMNS,
        rows=ROWS,
        cells=tuple(Cell(x, y, "wall") for x, y in walls(s)),
        pieces=tuple(
            Piece(name, *cells[k], f"seat{k}", SYMBOLS[k], about=f"{name} on {names[k]}") for k, name in enumerate(SPEC.seats)
        ),
        marks=(Mark(*cells[RUNNER], "danger"),) if s.end == CAUGHT else (),
        numbers=(("turn", _turn(s)), *zip(SPEC.seats, names, strict=True)),
        events=_events(s, cells),
    )


def grid(s: Any) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return the code of every cell [y, x]; a shared cell shows who was there first, never the last mover (D7)."""
    codes: np.ndarray[Any, np.dtype[np.int32]] = (s.wall[:, None] >> np.arange(SIZE) & WALL).astype(np.int32)
    last = (int(s.seat) - 1) % SEATS
    for seat in (CHASER2, CHASER1, RUNNER):  # later ones cover earlier ones
        if seat != last or not any(_same_cell(s, last, other) for other in range(SEATS) if other != last):
            codes[s.y[seat], s.x[seat]] = FIRST_AGENT + seat
    return codes


def board(s: Any, padded: bool = True) -> str:
    """Draw the board in text, with labels; unpadded as the original drew it (D20)."""
    width = 2 if padded else 0
    symbols = [[(".", "█", *SYMBOLS)[code] for code in row] for row in grid(s).tolist()]
    if _same_cell(s, CHASER1, CHASER2):
        symbols[s.y[CHASER1]][s.x[CHASER1]] = "C"
    lines = [("   ", COLUMNS), *((f"{y + 1:2d} ", row) for y, row in enumerate(symbols))]
    return "".join((label + "".join(f" {symbol:<{width}}" for symbol in row)).rstrip() + "\n" for label, row in lines)


def status(s: Any) -> str:
    """Return the block under the board: turn, mover, positions, and who won."""
    lines = [f"Turn: {_turn(s)}"]
    if s.end == RUNNING:
        lines.append(f"To move: {SPEC.seats[s.seat]}")
    lines += [f"{name}: {cell_name(s.x[k], s.y[k])}" for k, name in enumerate(SPEC.seats)]
    if s.end != RUNNING:
        lines.append(f"Winner: {'chasers' if s.end == CAUGHT else 'runner'} ({ENDS[int(s.end)]})")
    return "\n".join(lines)


def _turn(s: Any) -> str:
    """Return the turn, from 1, and the limit, which it never passes (D22)."""
    return f"{min(int(s.turn) + 1, int(s.opt_max_turns))}/{s.opt_max_turns}"


def _events(s: Any, cells: list[tuple[int, int]]) -> tuple[Event, ...]:
    """Tell the last move, and the end if it was one."""
    if s.last_seat < 0:
        return ()
    who, action, (x, y) = SPEC.seats[s.last_seat], int(s.last_action), cells[s.last_seat]
    text = f"{who} {ACTION_NAMES[action]} to {cell_name(x, y)}"
    events = [Event("move", text, who, x - DX[action], y - DY[action], x, y)]
    if s.end != RUNNING:
        events.append(Event("end", ENDS[int(s.end)], SPEC.seats[RUNNER], *cells[RUNNER]))
    return tuple(events)


def _same_cell(s: Any, one: int, other: int) -> bool:
    return bool(s.x[one] == s.x[other] and s.y[one] == s.y[other])
