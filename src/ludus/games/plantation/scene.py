"""How Plantation looks: a seat's scene from its view alone, the spectator's from the row, the board drawing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import Cell, Event, Mark, Piece, Scene

from .actions import BAD, NAMES, REASONS, answer, told, told_command
from .rules import CELLS, COLONISE, COLS, ERROR, FERTILISE, NOWHERE, OK, PLANT, PLAYER1, ROWS, RUNNING, SIGN, SPEC

FOG = tuple(Cell(cell % COLS, cell // COLS, "fog") for cell in range(CELLS))
TILES = tuple(f"tile{cell}" for cell in range(CELLS))  # ids of pieces: a tile is its place
ROLES = tuple(f"seat{seat}" for seat in range(len(SPEC.seats)))
OWN_CHANGES = (FERTILISE, PLANT, COLONISE)  # commands that change the tiles of whoever gives them


def scene(view: Any) -> Scene:
    """Return what a seat sees: its tiles, the opponent's as last known, fog over all that it did not see in this turn."""
    me, turn = int(view.me), int(view.turn)
    own, known, known_turn = view.own.tolist(), view.known.tolist(), view.known_turn.tolist()
    pieces, fog = [], []
    for cell in range(CELLS):
        if own[cell]:
            pieces.append(_tile(cell, me, own[cell]))
            continue
        if known[cell]:
            pieces.append(_tile(cell, 1 - me, known[cell], f", as of turn {known_turn[cell]}"))
        if known_turn[cell] < turn:
            fog.append(FOG[cell])
    is_news = bool(view.last_mine) and view.pending == NOWHERE
    changed = _own_changes(view) if is_news else []
    status = _seat_status(view)
    shown = [Mark(cell % COLS, cell // COLS, "path") for cell in changed if own[cell]]
    return _scene(
        status,
        tuple(pieces),
        cells=tuple(fog),
        marks=(*shown, *_target(view)),
        numbers=_seat_numbers(view),
        events=(*((_event(view, None, me, pieces, changed),) if is_news else ()), *_end(view, status)),
    )


def scene_all(s: Any) -> Scene:
    """Return the whole position, as a spectator sees it."""
    values = s.board.tolist()
    pieces = tuple(_tile(cell, PLAYER1 if value > 0 else 1 - PLAYER1, abs(value)) for cell, value in enumerate(values) if value)
    changed, seat = s.last_cell.tolist()[: s.last_changes], int(s.last_seat)
    is_news = seat >= 0 and s.pending == NOWHERE
    scores = ((name, f"{int(s.total[k]) * SIGN[k]:+d}") for k, name in enumerate(SPEC.seats))
    return _scene(
        status(s),
        pieces,
        marks=(*(Mark(cell % COLS, cell // COLS, "path") for cell in changed), *_target(s)),
        numbers=(("turn", f"{s.turn}/{s.opt_max_turns}"), ("moves left", str(s.moves)), *scores),
        events=(*((_event(s, seat, seat, pieces, changed),) if is_news else ()), *_end(s, status(s))),
    )


def status(s: Any) -> str:
    """Say in one line who is to move, or how the game ended."""
    if s.end != RUNNING:
        return _ending(int(s.total[0]) - int(s.total[1]))
    return _running(s) + _in_turn(s)


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


def _scene(status: str, pieces: tuple[Piece, ...], **parts: Any) -> Scene:
    columns, rows = tuple(map(str, range(COLS))), tuple(map(str, range(ROWS)))
    return Scene(SPEC.title, COLS, ROWS, status, columns=columns, rows=rows, pieces=pieces, **parts)


def _tile(cell: int, owner: int, score: int, about: str = "") -> Piece:
    """Return a tile as a piece; its number has its sign as long as it fits."""
    value = score * SIGN[owner]
    shown = f"{value:+d}" if score < 10 else str(min(score, 99))
    about = f"{SPEC.seats[owner]} {value:+d} on {_place(cell)}{about}"
    return Piece(TILES[cell], cell % COLS, cell // COLS, ROLES[owner], shown, about=about)


def _own_changes(view: Any) -> list[int]:
    """Return the own tiles that the last command changed: a spray tells how many tiles it hit, not which."""
    if view.told_answer != OK or view.told_kind not in OWN_CHANGES:
        return []
    return [int(cell) for cell in (view.told_cell, view.told_source) if cell != NOWHERE]


def _target(s: Any) -> tuple[Mark, ...]:
    """Mark the target of a colonise that waits for its source."""
    return () if s.pending == NOWHERE else (Mark(int(s.pending) % COLS, int(s.pending) // COLS, "goal"),)


def _seat_numbers(view: Any) -> tuple[tuple[str, str], ...]:
    me, other = int(view.me), 1 - int(view.me)
    moves = (("moves left", str(view.moves)),) if view.seat == me else ()
    scores = [(me, view.total), *([(other, view.opponent_total)] if view.end != RUNNING else [])]
    signed = ((SPEC.seats[seat], f"{int(score) * SIGN[seat]:+d}") for seat, score in sorted(scores))
    return (("turn", f"{view.turn}/{view.opt_max_turns}"), *moves, *signed)


def _event(row: Any, seat: int | None, who: int, pieces: Any, changed: list[int]) -> Event:
    """Tell a command with its answer; it is about the first tile that it changed and that still stands."""
    kind, cell, source, code, value, reason = told(row, seat, "kind", "cell", "source", "answer", "value", "reason")
    said = f"{SPEC.seats[who]} {told_command(row, seat)}: {answer(row, seat)}"
    if code == ERROR:
        said += f" ({REASONS[reason]})"
    places = {} if cell == NOWHERE else {"to_x": cell % COLS, "to_y": cell // COLS}
    if source != NOWHERE:
        places |= {"x": source % COLS, "y": source // COLS}
    standing = {piece.id for piece in pieces}
    tile = next((TILES[place] for place in changed if TILES[place] in standing), "")
    return Event(NAMES[kind] if kind < len(NAMES) else BAD, said, who=tile, amount=float(value), **places)


def _end(s: Any, status: str) -> tuple[Event, ...]:
    return (Event("end", status),) if s.end != RUNNING else ()


def _seat_status(view: Any) -> str:
    """Say the same as `status`, but not what the other seat is at."""
    if view.end != RUNNING:
        return _ending((int(view.total) - int(view.opponent_total)) * SIGN[view.me])
    return _running(view) + (_in_turn(view) if view.seat == view.me else "")


def _running(s: Any) -> str:
    return f"turn {s.turn}/{s.opt_max_turns}: {SPEC.seats[s.seat]} to move"


def _in_turn(s: Any) -> str:
    asked = f", from where to colonise {_place(int(s.pending))}?" if s.pending != NOWHERE else ""
    return f", {s.moves} left{asked}"


def _ending(margin: int) -> str:
    return f"{SPEC.seats[margin < 0]} wins by {abs(margin)}" if margin else "a draw"


def _centred(tile: str) -> str:
    """Centre in 4, an odd blank going to the right."""
    before = max(4 - len(tile), 0) // 2
    return " " * before + tile + " " * (max(4 - len(tile), 0) - before)


def _place(cell: int) -> str:
    return f"({cell // COLS}, {cell % COLS})"
