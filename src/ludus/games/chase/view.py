"""How Chase looks: scenes, the board text, the text of a position, names and refusals of actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import BadRecord, BadValue, Cell, Event, Mark, Piece, Scene, UnknownName

from .rules import (
    CAUGHT,
    CHASER1,
    CHASER2,
    DX,
    DY,
    ESCAPED,
    RUNNER,
    RUNNING,
    SEATS,
    SIZE,
    SPEC,
    STAY,
    WALLED_IN,
    State,
)

ACTION_NAMES = ("up", "down", "left", "right", "stay")
LETTERS = "UDLRS"  # what people type
SYMBOLS = ("R", "C1", "C2")  # by seat
EMPTY, WALL, FIRST_AGENT = 0, 1, 2  # codes of the grid; an agent's code is FIRST_AGENT + seat
END_NAMES = ("running", "caught", "walled_in", "escaped")
ENDS = {
    RUNNING: "",
    CAUGHT: "the chasers caught the runner",
    WALLED_IN: "the runner is walled in and wins",
    ESCAPED: "the runner got away",
}


def why_not(s: Any, seat: int, action: int) -> str:
    """Return the reason for which a seat may not play this, in the rules' order of precedence, or ""."""
    if s.end != RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    if not 0 <= action < SPEC.actions:
        return "bad_action"
    targets = [_target(s, seat, step) for step in range(STAY)]
    if action == STAY:
        return "stay_not_allowed" if "" in targets else ""
    return targets[action]


def legal_moves(s: Any, seat: int) -> list[int]:
    """List what a seat could play were it to move; none after the end."""
    if s.end != RUNNING:
        return []
    return [step for step in range(STAY) if not _target(s, seat, step)] or [STAY]


def action_name(action: int) -> str:
    """Return an action as people write it."""
    return ACTION_NAMES[action]


def parse_action(text: str) -> int:
    """Read an action: its name or its letter in any case, or its number."""
    word = text.strip()
    if word.isdecimal() and int(word) < SPEC.actions:
        return int(word)
    if word.lower() in ACTION_NAMES:
        return ACTION_NAMES.index(word.lower())
    if len(word) == 1 and word.upper() in LETTERS:
        return LETTERS.index(word.upper())
    raise UnknownName("move", text, (f"{letter} ({name})" for letter, name in zip(LETTERS, ACTION_NAMES, strict=True)))


def cell_name(x: int, y: int) -> str:
    """Return a cell as `c7`: column letter, then row number from the top (D2)."""
    return f"{_column(x)}{y + 1}"


def parse_cell(text: str) -> tuple[int, int]:
    """Read `c7` or `c 7` as x, y."""
    word = "".join(text.split()).lower()
    letters = word.rstrip("0123456789")
    columns = [_column(x) for x in range(SIZE)]
    row = word[len(letters) :]
    if letters not in columns or not row or not 1 <= int(row) <= SIZE:
        raise BadValue(f"a cell is a column {columns[0]} to {columns[-1]} and a row 1 to {SIZE}, such as c7, not {text!r}")
    return columns.index(letters), int(row) - 1


def grid(s: Any) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return the code of every cell [y, x]; a shared cell shows who was there first, never the last mover (D7)."""
    codes: np.ndarray[Any, np.dtype[np.int32]] = (s.wall[:, None] >> np.arange(SIZE) & 1).astype(np.int32)
    last = (int(s.seat) - 1) % SEATS
    for seat in (CHASER2, CHASER1, RUNNER):  # later ones cover earlier ones
        if seat != last or not any(_same_cell(s, last, other) for other in range(SEATS) if other != last):
            codes[s.y[seat], s.x[seat]] = FIRST_AGENT + seat
    return codes


def board(s: Any, padded: bool = True) -> str:
    """Draw the board in text, with labels; unpadded as the original drew it (D20)."""
    both = _same_cell(s, CHASER1, CHASER2)
    codes = grid(s)
    width = 2 if padded else 0
    lines = ["   " + "".join(f" {_column(x):<{width}}" for x in range(SIZE))]
    for y in range(SIZE):
        symbols = []
        for x in range(SIZE):
            symbol = (".", "█", *SYMBOLS)[codes[y, x]]
            if both and (x, y) == (s.x[CHASER1], s.y[CHASER1]):
                symbol = "C"
            symbols.append(f" {symbol:<{width}}")
        lines.append(f"{y + 1:2d} " + "".join(symbols))
    return "".join(line.rstrip() + "\n" for line in lines)


def status(s: Any) -> str:
    """Return the block under the board: turn, mover, positions, and who won."""
    shown = min(int(s.turn) + 1, int(s.opt_max_turns))  # not one past the limit (D22)
    lines = [f"Turn: {shown}/{s.opt_max_turns}"]
    if s.end == RUNNING:
        lines.append(f"To move: {SPEC.seats[s.seat]}")
    lines += [f"{name}: {cell_name(s.x[k], s.y[k])}" for k, name in enumerate(SPEC.seats)]
    if s.end != RUNNING:
        lines.append(f"Winner: {'chasers' if s.end == CAUGHT else 'runner'} ({ENDS[int(s.end)]})")
    return "\n".join(lines)


def scene(s: Any, seat: int = -1) -> Scene:
    """Return the position as a scene; every seat sees the same."""
    cells = tuple(Cell(x, y, "wall") for y in range(SIZE) for x in range(SIZE) if int(s.wall[y]) >> x & 1)
    pieces = tuple(
        Piece(
            SPEC.seats[k],
            int(s.x[k]),
            int(s.y[k]),
            f"seat{k}",
            SYMBOLS[k],
            about=f"{SPEC.seats[k]} on {cell_name(s.x[k], s.y[k])}",
        )
        for k in range(SEATS)
    )
    mover = SPEC.seats[s.seat]
    return Scene(
        title=SPEC.title,
        width=SIZE,
        height=SIZE,
        status=ENDS[int(s.end)] or f"{mover} to move",
        columns=tuple(_column(x) for x in range(SIZE)),
        rows=tuple(str(y + 1) for y in range(SIZE)),
        cells=cells,
        pieces=pieces,
        marks=(Mark(int(s.x[RUNNER]), int(s.y[RUNNER]), "danger"),) if s.end == CAUGHT else (),
        numbers=(
            ("turn", f"{min(int(s.turn) + 1, int(s.opt_max_turns))}/{s.opt_max_turns}"),
            *((name, cell_name(s.x[k], s.y[k])) for k, name in enumerate(SPEC.seats)),
        ),
        events=_events(s),
    )


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    return {
        "me": SPEC.seats[view.me],
        "size": SIZE,
        "turn": int(view.turn),
        "max_turns": int(view.max_turns),
        "to_move": SPEC.seats[view.seat],
        "over": bool(view.end != RUNNING),
        "cells": {name: [int(view.x[k]), int(view.y[k])] for k, name in enumerate(SPEC.seats)},
        "walls": [[x, y] for y in range(SIZE) for x in range(SIZE) if int(view.wall[y]) >> x & 1],
        "last": None if view.last_seat < 0 else [SPEC.seats[view.last_seat], ACTION_NAMES[view.last_action]],
    }


def text(s: Any) -> str:
    """Return a position as a line of facts and a drawing, which `parse` reads back."""
    facts = [f"turn {s.turn}/{s.opt_max_turns}", f"{SPEC.seats[s.seat]} to move", f"obstacles {s.opt_obstacles}"]
    if s.last_seat >= 0:
        facts.append(f"last {SPEC.seats[s.last_seat]} {ACTION_NAMES[s.last_action]}")
    if s.end != RUNNING:
        facts.append(f"end {END_NAMES[s.end]}")
    lines = ["; ".join(facts)]
    for y in range(SIZE):
        symbols = []
        for x in range(SIZE):
            here = "".join("R12"[k] for k in range(SEATS) if (s.x[k], s.y[k]) == (x, y))
            symbols.append(here or ("#" if int(s.wall[y]) >> x & 1 else "."))
        lines.append(" ".join(symbols))
    return "\n".join(lines) + "\n"


def parse(drawing: str) -> Any:
    """Read a position: rows of `.`, `#`, `R`, `1`, `2` (agents on one cell stand together, `12`), facts before them.

    Facts that are missing are those of the start of a game.
    """
    lines = [line.strip() for line in drawing.strip().splitlines() if line.strip()]
    facts = lines.pop(0) if (lines and ";" in lines[0]) or (lines and lines[0].startswith("turn")) else ""
    rows = [line.split() for line in lines]
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise BadRecord(f"a position needs {SIZE} rows of {SIZE} cells with blanks between; the option size sets another board")
    s = np.zeros(1, State).view(np.recarray)[0]
    s.last_seat, s.last_action, s.opt_max_turns = -1, -1, 300
    _read_cells(s, rows)
    s.opt_obstacles = sum(int(row).bit_count() for row in s.wall)
    for fact in filter(None, (part.strip() for part in facts.split(";"))):
        _read_fact(s, fact)
    if s.end == RUNNING and any(_same_cell(s, RUNNER, chaser) for chaser in (CHASER1, CHASER2)):
        raise BadRecord("the runner shares its cell with a chaser, so the game is over: say so with 'end caught'")
    if s.end != RUNNING:
        s.last_reward[:] = (-1, 1, 1) if s.end == CAUGHT else (1, 0, 0)
    return s


def _read_cells(s: Any, rows: list[list[str]]) -> None:
    found = [0] * SEATS
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            if symbol == "#":
                s.wall[y] |= 1 << x
            elif set(symbol) <= set("R12"):
                for letter in symbol:
                    k = "R12".index(letter)
                    s.x[k], s.y[k] = x, y
                    found[k] += 1
            elif symbol != ".":
                raise BadRecord(f"{symbol!r} on {cell_name(x, y)} is none of: . # R 1 2")
    for k, times in enumerate(found):
        if times != 1:
            raise BadRecord(f"{SPEC.seats[k]} must stand on the board once, not {times} times")


def _read_fact(s: Any, fact: str) -> None:
    words = fact.split()
    try:
        match words:
            case ["turn", counts]:
                s.turn, s.opt_max_turns = (int(number) for number in counts.split("/"))
            case [seat, "to", "move"]:
                s.seat = SPEC.seats.index(seat)
            case ["obstacles", count]:
                s.opt_obstacles = int(count)
            case ["last", seat, action]:
                s.last_seat, s.last_action = SPEC.seats.index(seat), ACTION_NAMES.index(action)
            case ["end", end]:
                s.end = END_NAMES.index(end)
            case _:
                raise ValueError
    except ValueError:
        raise BadRecord(
            f"cannot read {fact!r}; facts are: turn 0/300; runner to move; obstacles 5; last runner up; end caught"
        ) from None
    if s.turn < 0 or s.opt_max_turns < 1:
        raise BadRecord(f"turn {s.turn}/{s.opt_max_turns} cannot be: turns count from 0, the limit from 1")


def _events(s: Any) -> tuple[Event, ...]:
    """Tell the last move, and the end if it was one."""
    if s.last_seat < 0:
        return ()
    who, x, y = SPEC.seats[s.last_seat], int(s.x[s.last_seat]), int(s.y[s.last_seat])
    before = (x - DX[s.last_action], y - DY[s.last_action])
    events = [Event("move", f"{who} {ACTION_NAMES[s.last_action]} to {cell_name(x, y)}", who, *before, x, y)]
    if s.end != RUNNING:
        events.append(Event("end", ENDS[int(s.end)], x=int(s.x[RUNNER]), y=int(s.y[RUNNER])))
    return tuple(events)


def _target(s: Any, seat: int, step: int) -> str:
    """Return why a seat may not take this step, or ""."""
    x, y = int(s.x[seat]) + DX[step], int(s.y[seat]) + DY[step]
    if not (0 <= x < SIZE and 0 <= y < SIZE):
        return "edge"
    return "obstacle" if int(s.wall[y]) >> x & 1 else ""


def _same_cell(s: Any, one: int, other: int) -> bool:
    return bool(s.x[one] == s.x[other] and s.y[one] == s.y[other])


def _column(x: int) -> str:
    """a to z, then aa, ab, … for boards wider than the alphabet."""
    return chr(97 + x) if x < 26 else "a" + chr(97 + x - 26)
