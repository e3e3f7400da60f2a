"""How Plantation looks: scenes with and without fog, the board drawing, answers, names of actions, public views."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import Cell, Event, Mark, Piece, Scene

from .position import parse, text
from .rules import (
    ACTIONS,
    CELLS,
    COLS,
    ERROR,
    FAULT,
    NOTHING_YET,
    NOWHERE,
    PLAYER1,
    ROWS,
    RUNNING,
    SEATS,
    SIGN,
    SOURCE,
    SPEC,
)
from .words import BAD, NAMES, REASONS, SHORT, action_name, answer, draw_board, parse_action, parse_actions, told_command

__all__ = [
    "action_name", "answer", "board", "draw_board", "final_line", "grid", "parse", "parse_action", "parse_actions",
    "prompt", "public", "scene",
    "status", "text", "told_command", "why_not",
]  # fmt: skip


def why_not(s: Any, seat: int, action: int) -> str:
    """Return the reason for which a seat may not play this, or ""; a command that errs may be played (D2)."""
    if s.end != RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return "" if 0 <= action < ACTIONS else "bad_action"


def prompt(legal: list[int]) -> str:
    """Say what a person may type: the commands that work, or the sources of a begun colonise."""
    kinds = sorted({action // CELLS for action in legal if action < FAULT})
    if kinds == [SOURCE]:
        return " or ".join(action_name(action) for action in legal)
    letters = {name: letter for letter, name in SHORT.items()}
    return ", ".join(f"{letters[NAMES[kind]]} {NAMES[kind]}" for kind in kinds) + "; then row, column"


def final_line(s: Any, names: tuple[str, ...], result: Any) -> str:
    """Say in one line how a game ended, with both sums."""
    scores = " ".join(f"{name} {int(s.total[seat]) * SIGN[seat]:+d}" for seat, name in enumerate(names))
    if s.end == RUNNING:
        winners = [names[seat] for seat, outcome in enumerate(result.outcome) if outcome > 0]
        return f"{scores}: not played to the end; {winners[0] if winners else 'nobody'} wins"
    return f"{scores}: {status(s)}"


def grid(s: Any) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return the board [row, column] with its signs; a copy."""
    return np.array(s.board, np.int16).reshape(ROWS, COLS)


def board(s: Any) -> str:
    """Draw the whole board in text."""
    return draw_board(grid(s))


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages; places are [row, column]."""
    known = [[*divmod(c, COLS), int(view.known[c]), int(view.known_turn[c])] for c in range(CELLS) if view.known_turn[c]]
    shown = {
        "me": SPEC.seats[view.me],
        "sign": SIGN[view.me],
        "board_size": [ROWS, COLS],
        "turn": int(view.turn),
        "max_turns": int(view.opt_max_turns),
        "to_move": SPEC.seats[view.seat],
        "moves_remaining": int(view.moves),
        "over": bool(view.end != RUNNING),
        "own": [[*divmod(cell, COLS), int(view.own[cell])] for cell in range(CELLS) if view.own[cell]],
        "score": int(view.total),
        "known": known,  # row, column, the opponent's score, the turn it was learned
    }
    if view.end != RUNNING:
        shown["opponent_score"] = int(view.opponent_total)
    if view.pending != NOWHERE:
        shown["colonise_target"] = [*divmod(int(view.pending), COLS)]
    if view.told_answer != NOTHING_YET:
        shown["last"] = {"command": told_command(view), "turn": int(view.told_turn), "answer": answer(view)}
    if view.told_answer == ERROR:
        shown["last"]["reason"] = REASONS[view.told_reason]
    return shown


def scene(s: Any, seat: int = -1) -> Scene:
    """Return the position as a scene: all of it for a spectator (-1), or through one seat's fog."""
    in_fog = seat >= 0 and s.end == RUNNING
    return Scene(
        title=SPEC.title,
        width=COLS,
        height=ROWS,
        status=status(s, seat),
        columns=tuple(map(str, range(COLS))),
        rows=tuple(map(str, range(ROWS))),
        cells=_fog(s, seat) if in_fog else (),
        pieces=_tiles(s, seat) if in_fog else _tiles(s),
        marks=_marks(s, seat),
        numbers=_numbers_beside(s, seat if in_fog else -1),
        events=_events(s, seat),
    )


def status(s: Any, seat: int = -1) -> str:
    """Say in one line who is to move, or how the game ended; a seat is not told what the other one is at."""
    if s.end == RUNNING:
        said = f"turn {s.turn}/{s.opt_max_turns}: {SPEC.seats[s.seat]} to move"
        if seat in (-1, int(s.seat)):
            said += f", {s.moves} left"
            said += f", from where to colonise {_place(int(s.pending))}?" if s.pending != NOWHERE else ""
        return said
    margin = int(s.total[0]) - int(s.total[1])
    return f"{SPEC.seats[margin < 0]} wins by {abs(margin)}" if margin else "a draw"


def _tiles(s: Any, seat: int = -1) -> tuple[Piece, ...]:
    """Return the tiles as pieces; in fog the own ones, and the opponent's as last known."""
    pieces = []
    for cell in range(CELLS):
        value, about = int(s.board[cell]), ""
        if seat >= 0 and value * SIGN[seat] <= 0:
            value = -SIGN[seat] * int(s.known[seat, cell])
            about = f", as of turn {s.known_turn[seat, cell]}"
        if value:
            owner = PLAYER1 if value > 0 else 1 - PLAYER1
            shown = f"{value:+d}" if abs(value) < 10 else str(min(abs(value), 99))
            about = f"{SPEC.seats[owner]} {value:+d} on {_place(cell)}{about}"
            pieces.append(Piece(f"tile{cell}", cell % COLS, cell // COLS, f"seat{owner}", shown, about=about))
    return tuple(pieces)


def _fog(s: Any, seat: int) -> tuple[Cell, ...]:
    """Cover what the seat has never seen, or not in this turn."""
    own = [int(s.board[cell]) * SIGN[seat] > 0 for cell in range(CELLS)]
    hidden = [cell for cell in range(CELLS) if not own[cell] and s.known_turn[seat, cell] < s.turn]
    return tuple(Cell(cell % COLS, cell // COLS, "fog") for cell in hidden)


def _marks(s: Any, seat: int) -> tuple[Mark, ...]:
    """Highlight what the last command changed, and the target of a colonise that waits.

    A seat sees changes of its own tiles only: a spray tells how many tiles it hit, not which.
    """
    if seat >= 0 and s.last_seat != seat:
        return ()
    changed = [int(cell) for cell in s.last_cell[: s.last_changes]]
    marks = [(cell, "path") for cell in changed if seat < 0 or int(s.board[cell]) * SIGN[seat] > 0]
    if s.pending != NOWHERE:
        marks.append((int(s.pending), "goal"))
    return tuple(Mark(cell % COLS, cell // COLS, role) for cell, role in marks)


def _numbers_beside(s: Any, seat: int) -> tuple[tuple[str, str], ...]:
    scores = [(SPEC.seats[k], f"{int(s.total[k]) * SIGN[k]:+d}") for k in range(SEATS) if seat in (-1, k)]
    moves = (("moves left", str(s.moves)),) if seat in (-1, int(s.seat)) else ()
    return (("turn", f"{s.turn}/{s.opt_max_turns}"), *moves, *scores)


def _events(s: Any, seat: int) -> tuple[Event, ...]:
    """Tell the last command with its answer, and the end; in fog only the own one."""
    events = []
    who = int(s.last_seat)
    if who >= 0 and seat in (-1, who) and s.pending == NOWHERE:
        kind, cell = int(s.told_kind[who]), int(s.told_cell[who])
        said = f"{SPEC.seats[who]} {told_command(s, who)}: {answer(s, who)}"
        if s.told_answer[who] == ERROR:
            said += f" ({REASONS[s.told_reason[who]]})"
        place = {} if cell == NOWHERE else {"to_x": cell % COLS, "to_y": cell // COLS}
        name = NAMES[kind] if kind < len(NAMES) else BAD
        events.append(Event(name, said, who=SPEC.seats[who], amount=float(s.told_value[who]), **place))
    if s.end != RUNNING:
        events.append(Event("end", status(s)))
    return tuple(events)


def _place(cell: int) -> str:
    return f"({cell // COLS}, {cell % COLS})"
