"""Positions of Chase as text, cells as `c7`; views as plain data are in views.py."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ludus.core import BadRecord, BadValue, plain

from .actions import ACTION_NAMES
from .rules import CAUGHT, RUNNING, SIZE, SPEC, State, has_last_move, is_caught
from .views import END_NAMES, PLANES, REWARDS, Shown, end_rewards, public, read_view, walls

__all__ = ["COLUMNS", "PLANES", "REWARDS", "Shown", "cell_name", "parse", "parse_cell", "public", "read_view", "text", "walls"]

OBSTACLES, MAX_TURNS = SPEC.options
LETTERS = "R12"  # by seat, in drawings
COLUMNS = tuple(chr(97 + x) if x < 26 else "a" + chr(97 + x - 26) for x in range(SIZE))  # a to z, then aa, ab, …
FACTS = re.compile(
    r"turn (?P<turn>\d{1,9})/(?P<max_turns>\d{1,9})|(?P<seat>\w+) to move|obstacles (?P<obstacles>\d{1,9})"
    r"|last (?P<last_seat>\w+) (?P<last_action>\w+)|end (?P<end>\w+)",
    re.ASCII,
)
WORDS = {"seat": SPEC.seats, "last_seat": SPEC.seats, "last_action": ACTION_NAMES, "end": END_NAMES}


def cell_name(x: int, y: int) -> str:
    """Return a cell as `c7`: column letter, then row number from the top (D2)."""
    return f"{COLUMNS[x]}{y + 1}"


def parse_cell(text: str) -> tuple[int, int]:
    """Read `c7` or `c 7` as x, y."""
    found = re.fullmatch(r"\s*([a-z]+)\s*(\d{1,3})\s*", text.lower(), re.ASCII)
    if not found or found[1] not in COLUMNS or not 1 <= int(found[2]) <= SIZE:
        raise BadValue(f"a cell is a column {COLUMNS[0]} to {COLUMNS[-1]} and a row 1 to {SIZE}, such as c7, not {text[:40]!r}")
    return COLUMNS.index(found[1]), int(found[2]) - 1


def text(s: Any) -> str:
    """Return a position as a line of facts and a drawing, which `parse` reads back."""
    facts = [f"turn {s.turn}/{s.opt_max_turns}", f"{SPEC.seats[s.seat]} to move", f"obstacles {s.opt_obstacles}"]
    if s.last_seat >= 0:
        facts.append(f"last {SPEC.seats[s.last_seat]} {ACTION_NAMES[s.last_action]}")
    if s.end != RUNNING:
        facts.append(f"end {END_NAMES[s.end]}")
    drawing = [["#" if row >> x & 1 else "." for x in range(SIZE)] for row in s.wall.tolist()]
    for letter, x, y in zip(LETTERS, s.x, s.y, strict=True):
        drawing[y][x] = drawing[y][x].strip(".") + letter
    return "\n".join(["; ".join(facts), *map(" ".join, drawing)]) + "\n"


def parse(drawing: str) -> Any:
    """Read a position: rows of `.`, `#`, `R`, `1`, `2` (agents on one cell stand together, `12`), facts before them.

    Facts that are missing are those of the start of a game.
    """
    lines = [line.strip() for line in drawing.splitlines() if line.strip()]
    facts = lines.pop(0) if lines and (";" in lines[0] or lines[0].startswith("turn")) else ""
    rows = [line.split() for line in lines]
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise BadRecord(f"a position needs {SIZE} rows of {SIZE} cells with blanks between; the option size sets another board")
    s: Any = plain(np.zeros(1, State))
    s.last_seat, s.last_action, s.opt_max_turns = -1, -1, MAX_TURNS.default
    _read_cells(s, rows)
    s.opt_obstacles = min(len(walls(s)), OBSTACLES.high)
    for fact in filter(None, (part.strip() for part in facts.split(";"))):
        _read_fact(s, fact)
    _check(s)
    s.last_reward[:] = end_rewards(s.end)
    return s


def _read_cells(s: Any, rows: list[list[str]]) -> None:
    found = ""
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            if symbol == "#":
                s.wall[y] |= 1 << x
            elif set(symbol) <= set(LETTERS):
                found += symbol
                for seat in map(LETTERS.index, symbol):
                    s.x[seat], s.y[seat] = x, y
            elif symbol != ".":
                raise BadRecord(f"{symbol[:40]!r} on {cell_name(x, y)} is none of: . # {' '.join(LETTERS)}")
    for name, letter in zip(SPEC.seats, LETTERS, strict=True):
        if found.count(letter) != 1:
            raise BadRecord(f"{name} must stand on the board once, not {found.count(letter)} times")


def _read_fact(s: Any, fact: str) -> None:
    found = FACTS.fullmatch(" ".join(fact.split()))
    facts = {name: word for name, word in found.groupdict().items() if word} if found else {}
    if not facts or any(word not in WORDS.get(name, (word,)) for name, word in facts.items()):
        raise BadRecord(
            f"cannot read {fact[:40]!r}; facts are: turn 0/300; runner to move; obstacles 5; last runner up; end caught"
        )
    for option in SPEC.options:
        if option.name in facts:
            try:
                s[f"opt_{option.name}"] = option.check(int(facts.pop(option.name)))
            except BadValue as error:
                raise BadRecord(f"{fact!r} cannot be: {error}") from None
    for name, word in facts.items():
        s[name] = WORDS[name].index(word) if name in WORDS else int(word)


def _check(s: Any) -> None:
    """Refuse facts that do not fit each other or the drawing."""
    if is_caught(s) and s.end != CAUGHT:
        raise BadRecord("the runner shares its cell with a chaser, so the game is over: say so with 'end caught'")
    if s.end == CAUGHT and not is_caught(s):
        raise BadRecord("'end caught' cannot be: the runner shares its cell with no chaser")
    if s.turn > s.opt_max_turns or (s.turn == s.opt_max_turns and s.end == RUNNING):
        raise BadRecord(
            f"turn {s.turn}/{s.opt_max_turns} cannot be: a game that is not over has a turn left, and none passes its limit"
        )
    if not has_last_move(s):
        raise BadRecord(f"{SPEC.seats[s.last_seat]} {ACTION_NAMES[s.last_action]} cannot be the last move of this position")
