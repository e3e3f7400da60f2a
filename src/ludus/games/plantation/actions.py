"""Plantation's commands and answers in words, both ways.

Names say which number is which: `plant x4 y3`. Numbers alone are read as the rules have them, row first: `plant 3 4`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ludus.core import BadValue, UnknownName

from .rules import (
    ACTIONS,
    BOMB,
    CELLS,
    COLONISE,
    COLS,
    ERROR,
    FAULT,
    FERTILISE,
    NO_COMMAND,
    NOT_ADJACENT,
    NOT_YOURS,
    NOTHING_YET,
    NOWHERE,
    OCCUPIED,
    PLANT,
    ROWS,
    RUNNING,
    SCOUT,
    SOURCE,
    SPRAY,
    TOO_DEAR,
    UNKNOWN,
    WEAK_SOURCE,
    WINDOW,
    YOURS,
    beside,
    cost,
)

NAMES = ("fertilise", "plant", "scout", "colonise", "spray", "bomb")  # by kind
SHORT = {"f": "fertilise", "p": "plant", "s": "scout", "c": "colonise", "y": "spray", "b": "bomb"}
FROM = "from"  # the second decision of a colonise
LONGEST = 100  # characters of a command as people write it
BAD = "bad"  # a command with unusable coordinates, or none
REASON_WORDS = (
    "fine",
    "unknown",
    "coordinates",
    "too_dear",
    "not_yours",
    "yours",
    "not_adjacent",
    "weak_source",
)  # by the codes of rules.py
REASONS = (
    "",
    "this is no command",
    "the coordinates are missing, no whole numbers, or off the board",
    "too few moves are left for it",
    "the tile is not yours",
    "the tile is yours already",
    "the tile is beside none of yours",
    "the source is not a tile of yours with a score of 2 or more",
)  # by the codes of rules.py
HELP = (
    "A command is a word or its first letter (y for spray), a row and a column: plant 3 4, p 3,4. A colonise names where it "
    "takes from, too: colonise 3 4 from 0 2, or from 0 2 when it is asked for. Commands cost moves of the turn."
)


FORMS = {
    "fertilise xX yY": "add 1 to your tile at X, Y",
    "plant xX yY": "begin a tile of score 1 beside one of yours (not across a corner), where nobody has one",
    "scout xX yY": "see the 3 by 3 tiles around X, Y",
    "colonise xX yY": "begin a tile of score 1 anywhere; the next decision says where it comes from",
    "from xX yY": "the second decision of a colonise: your tile there, of score 2 or more, pays 1",
    "spray xX yY": "take 1 off the opponent's tiles at X, Y and beside it",
    "bomb xX yY": "take up to 4 (option bomb_damage) off the opponent's tile at X, Y",
    "bad COMMAND": "a command that errs; it is never needed",
    "bad": "no command at all; it is never needed",
}


def _named(action: int) -> str:
    if action >= FAULT:
        return BAD if action - FAULT == NO_COMMAND else f"{BAD} {NAMES[action - FAULT]}"
    kind, cell = divmod(action, CELLS)
    return f"{(*NAMES, FROM)[kind]} x{cell % COLS} y{cell // COLS}"


ACTION_NAMES = tuple(_named(action) for action in range(ACTIONS))


def action_name(action: int) -> str:
    """Return an action as people and bots write it: `plant x4 y3`."""
    return ACTION_NAMES[action]


def as_in_rules(action: int) -> str:
    """Return an action as the rules write it, row first, then column: `plant 3 4`."""
    kind, cell = divmod(action, CELLS)
    return ACTION_NAMES[action] if action >= FAULT else f"{(*NAMES, FROM)[kind]} {cell // COLS} {cell % COLS}"


def parse_action(written: str) -> int:
    """Read one decision: `plant x4 y3`, or row first `plant 3 4`, `p 3,4`; `colonise 3 4`, then `from 0 2`; or its number."""
    actions = parse_actions(written)
    if len(actions) != 1:
        raise BadValue(f"{written!r} takes two decisions: first 'colonise xX yY', then 'from xX yY'")
    return actions[0]


def parse_actions(written: str) -> list[int]:
    """Read a whole command as the decisions that it takes: `colonise 3 4 from 0 2` is two."""
    if len(written) > LONGEST:
        raise BadValue(f"a command is short, not {len(written)} characters: {written[:20]!r}…")
    words = written.replace(",", " ").split()
    if len(words) == 1 and re.fullmatch("[0-9]{1,9}", words[0]) and int(words[0]) < ACTIONS:
        return [int(words[0])]
    name = SHORT.get(words[0].lower(), words[0].lower()) if words else ""
    if name == BAD:
        return [_bad(words[1:])]
    if name not in (*NAMES, FROM):
        raise UnknownName("command", written, (f"{short} ({name})" for short, name in SHORT.items()))
    numbers = _numbers(_rows_first([word for word in words[1:] if word != FROM]), written)
    cells = [_cell(*numbers[k : k + 2]) for k in range(0, len(numbers), 2)]
    kind = SOURCE if name == FROM else NAMES.index(name)
    if len(cells) != 1 and not (kind == COLONISE and len(cells) == 2):
        raise BadValue(f"{name} takes a row and a column, colonise may take two of each, not {written!r}")
    return [kind * CELLS + cells[0], *(SOURCE * CELLS + cell for cell in cells[1:])]


def why_not(s: Any, seat: int, action: int) -> str:
    """Return the reason for which a seat may not play this, or ""; a command that errs may be played (D2)."""
    if s.end != RUNNING:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return "" if 0 <= action < ACTIONS else "bad_action"


def why_vain(view: Any, action: int) -> str:
    """Return why a command will err, though it may be given; own tiles alone decide that."""
    kind, cell = divmod(action, CELLS)
    if action >= FAULT or (kind == SOURCE) != (view.pending != NOWHERE):
        return REASONS[UNKNOWN] if view.pending == NOWHERE else "a colonise waits for its source"
    if kind == SOURCE:
        return REASONS[WEAK_SOURCE]
    if cost(view, kind) > view.moves:
        return REASONS[TOO_DEAR]
    if view.own[cell]:
        return REASONS[YOURS]
    return REASONS[{FERTILISE: NOT_YOURS, PLANT: NOT_ADJACENT}.get(kind, WEAK_SOURCE)]


def prompt(legal: list[int]) -> str:
    """Say what a person may type: the commands that work, or the sources of a begun colonise."""
    kinds = sorted({action // CELLS for action in legal if action < FAULT})
    if kinds in ([], [SOURCE]):  # errors are all that is left, or a colonise waits
        return " or ".join(action_name(action) for action in legal)
    letters = {name: letter for letter, name in SHORT.items()}
    return ", ".join(f"{letters[NAMES[kind]]} {NAMES[kind]}" for kind in kinds) + "; then row and column (p 3 4), or p x4 y3"


def told(row: Any, seat: int | None, *names: str) -> list[Any]:
    """Return parts of the last answer: of a view, or of a position and a seat."""
    parts = (row[f"told_{name}"] for name in names)
    return [part.tolist() if hasattr(part, "tolist") else part for part in (p if seat is None else p[seat] for p in parts)]


def told_command(row: Any, seat: int | None = None, name: Callable[[int], str] = as_in_rules) -> str:
    """Return the command that the last answer was for, in words; of a position it needs the seat."""
    kind, cell, source = told(row, seat, "kind", "cell", "source")
    if kind == NO_COMMAND or cell == NOWHERE:
        return name(FAULT + kind)
    written = name(kind * CELLS + cell)
    return f"{written} {name(SOURCE * CELLS + source)}" if source != NOWHERE else written


def answer(row: Any, seat: int | None = None) -> str:
    """Return the last answer as the original wrote it, "" before the first; of a position it needs the seat."""
    kind, cell, code, value, window = told(row, seat, "kind", "cell", "answer", "value", "window")
    if code == NOTHING_YET:
        return ""
    if code == ERROR:
        return "error"
    if code == OCCUPIED:
        return f"occupied {value}"
    if kind == SCOUT:
        return "OK " + ",".join(str(window[k]) for k in inside_window(cell))
    return f"OK {value}" if kind in (SPRAY, BOMB) else "OK"


def inside_window(cell: int) -> list[int]:
    """Return the places of a scout's window that are on the board."""
    return [k for k in range(WINDOW) if beside(cell, k % 3 - 1, k // 3 - 1) >= 0]


def _cell(row: int, column: int) -> int:
    if not (0 <= row < ROWS and 0 <= column < COLS):
        raise BadValue(f"({row}, {column}) is off the board: rows are 0 to {ROWS - 1}, columns 0 to {COLS - 1}")
    return row * COLS + column


def _rows_first(words: list[str]) -> list[str]:
    """Return the numbers of `x4 y3` as the rules have them: row, column."""
    text = " ".join(words).lower()
    return re.sub(r"\bx(-?[0-9]+) +y(-?[0-9]+)\b", r"\2 \1", text).split()


def _numbers(words: list[str], written: str) -> list[int]:
    if not all(re.fullmatch("-?[0-9]{1,9}", word) for word in words):
        raise BadValue(f"rows and columns are whole numbers, in {written!r} they are not")
    if len(words) % 2:
        raise BadValue(f"a place is a row and a column, in {written!r} one is missing")
    return [int(word) for word in words]


def _bad(words: list[str]) -> int:
    if not words:
        return FAULT + NO_COMMAND
    if words[0] not in NAMES:
        raise UnknownName("command", words[0], NAMES)
    return FAULT + NAMES.index(words[0])
