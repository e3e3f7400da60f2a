"""How Chase looks: rules that fill a frame, and their words; the board and status in text. Nothing is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import (
    DANGER,
    NOBODY,
    WALL,
    Board,
    EventWord,
    NumberWord,
    PieceWord,
    Words,
    add_event,
    add_mark,
    add_piece,
    event_from,
    event_to,
    first_bit,
    frame_type,
    rule,
    show_cell,
    show_number,
    show_status,
)

from .actions import ACTION_NAMES
from .rules import CAUGHT, CHASER1, CHASER2, DX, DY, RUNNER, RUNNING, SEATS, SIZE, SPEC
from .text import COLUMNS, cell_name

SYMBOLS = ("R", "C1", "C2")  # by seat
EMPTY, TAKEN, FIRST_AGENT = 0, 1, 2  # codes of the grid; an agent's code is FIRST_AGENT + seat
ENDS = ("", "the chasers caught the runner", "the runner is walled in and wins", "the runner got away")  # by end
TURN, MOVED, ENDED = 0, 0, 1  # places in WORDS

Frame = frame_type(SIZE, SIZE, pieces=SEATS, events=2)
BOARD = Board(SIZE, SIZE, columns=COLUMNS, rows=tuple(str(y + 1) for y in range(SIZE)), point="{column}{row}")
WORDS = Words(
    status=("{seat} to move", *ENDS[1:]),
    pieces=tuple(
        PieceWord(name, sign, icon, f"{name} on {{at}}")
        for name, sign, icon in zip(SPEC.seats, SYMBOLS, ("runner", "chaser", "chaser"), strict=True)
    ),
    numbers=(NumberWord("turn", is_curve=False),),
    events=(EventWord("move", "{seat} {a:moves} to {to}"), EventWord("end", "{a:ends}")),
    lists={"moves": ACTION_NAMES, "ends": ENDS},
)


@rule
def show(view, frame):
    """Draw the board, the three agents, the last move and the end."""
    show_status(frame, view.end, view.seat if view.end == RUNNING else NOBODY, view.turn)
    show_number(frame, TURN, min(int(view.turn) + 1, int(view.opt_max_turns)), view.opt_max_turns)  # from 1 (D22)
    for y in range(SIZE):
        left = int(view.wall[y])
        while left != 0:
            show_cell(frame, first_bit(left), y, 0, WALL)
            left &= left - 1
    for seat in range(SEATS):
        add_piece(frame, seat, seat, seat, view.x[seat], view.y[seat], 0)
    if view.last_seat >= 0:
        tell_move(view, frame)
    if view.end == CAUGHT:
        add_mark(frame, view.x[RUNNER], view.y[RUNNER], 0, DANGER)


@rule
def tell_move(view, frame):
    """Tell the last move, and the end if it was one."""
    seat, action = view.last_seat, view.last_action
    x, y = view.x[seat], view.y[seat]
    k = add_event(frame, MOVED, seat, seat, 0)
    frame.event_value[k, 0] = action
    event_from(frame, k, x - DX[action], y - DY[action], 0)
    event_to(frame, k, x, y, 0)
    if view.end != RUNNING:
        k = add_event(frame, ENDED, NOBODY, RUNNER, 0)
        frame.event_value[k, 0] = view.end
        event_from(frame, k, view.x[RUNNER], view.y[RUNNER], 0)


def grid(s: Any) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return the code of every cell [y, x]; a shared cell shows who was there first, never the last mover (D7)."""
    codes: np.ndarray[Any, np.dtype[np.int32]] = (s.wall[:, None] >> np.arange(SIZE) & TAKEN).astype(np.int32)
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


def _same_cell(s: Any, one: int, other: int) -> bool:
    return bool(s.x[one] == s.x[other] and s.y[one] == s.y[other])
