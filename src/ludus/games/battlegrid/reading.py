"""How the text of a BattleGrid position is read: every number is checked, and what cannot be read is named in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ludus.core import BadRecord, LudusError, Row, blank, check_options, parse_options

from .actions import ACTIONS, DIRECTION_NAMES
from .rules import (
    BLUE,
    CAPACITY,
    CELLS,
    DOUBLE_RELOAD,
    FULL_ROW,
    HIGHEST,
    MOST_CHANGE,
    RED,
    RIGHT,
    SEATS,
    SIZE,
    SPEC,
    State,
    look_around,
    sound,
)

KIND_NAMES = ("double_shot", "double_damage", "minus_one", "double_cooldown")
KIND_LETTERS = "sdmc"  # of items on the board
TANK_LETTERS = "BR"
POWERS = ("double_shot", "double_damage", "double_cooldown")  # fields that are 0 or 1
LAST_FLAGS = ("rotated", "moved")
COUNTS = {
    "cooldown": (0, DOUBLE_RELOAD),
    "stay": (0, HIGHEST),
    "score": (-HIGHEST, HIGHEST),
}  # numbers of a tank, and their bounds
LONGEST = 10_000 + 8 * CELLS  # characters; no position needs as many


def parse(drawing: str, options: Mapping[str, int] | None = None) -> Row:
    """Read a position; facts that are missing are those of a new game, items may stand on the board only."""
    if len(drawing) > LONGEST:
        raise BadRecord(f"a position has {LONGEST} characters at most, not {len(drawing)}")
    lines = [line.strip() for line in drawing.strip().splitlines() if line.strip()]
    facts, rows = lines[:-SIZE], [line.split() for line in lines[-SIZE:]]
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise BadRecord(
            f"a position ends with {SIZE} rows of {SIZE} cells, blanks between; the option grid_size sets another board"
        )
    s = _start(options)
    _read_cells(s, rows)
    _read_facts(s, facts)
    for seat in range(SEATS):
        look_around(s, seat)
    _check(s)
    return s


def items_of(s: Any) -> list[tuple[int, int, int]]:
    """List the items on the board: column, row and kind."""
    items = zip(s.item_cell[: s.item_count].tolist(), s.item_kind.tolist(), strict=False)
    return [(cell % SIZE, cell // SIZE, kind) for cell, kind in items]


def _start(options: Mapping[str, int] | None) -> Row:
    """Return an empty board under these options, with what holds at the start of a game."""
    s = blank(State, SPEC, options)
    s.facing[:] = s.desired[:] = RIGHT
    s.zone[:] = (0, 0, SIZE - 1, SIZE - 1)
    s.last_seat, s.last_action, s.last_escaped, s.last_shot_x, s.last_shot_y = -1, -1, -1, -1, -1
    return s


def _read_cells(s: Any, rows: list[list[str]]) -> None:
    found = [0] * SEATS
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            if symbol == "#":
                s.wall[y] |= 1 << x
            elif symbol != ".":
                for letter in symbol:
                    _place(s, letter, x, y, found)
    for seat, times in enumerate(found):
        if times != 1:
            raise BadRecord(f"{SPEC.seats[seat]} must stand on the board once, not {times} times")


def _place(s: Any, letter: str, x: int, y: int, found: list[int]) -> None:
    if letter in TANK_LETTERS:
        seat = TANK_LETTERS.index(letter)
        s.x[seat], s.y[seat] = x, y
        found[seat] += 1
    elif letter in KIND_LETTERS:
        _add_item(s, x, y, KIND_LETTERS.index(letter))
    else:
        raise BadRecord(f"{letter!r} on {x},{y} is none of: . # {' '.join(TANK_LETTERS + KIND_LETTERS)}")


def _add_item(s: Any, x: int, y: int, kind: int) -> None:
    if s.item_count == CAPACITY:
        raise BadRecord(f"a board holds {CAPACITY} items at most")
    s.item_cell[s.item_count], s.item_kind[s.item_count] = y * SIZE + x, kind
    s.item_count += 1


def _read_facts(s: Any, lines: list[str]) -> None:
    """Read the lines before the board, each kind once."""
    facts: dict[str, str] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        name = " ".join(line.split()[:2]) if word == "seen" else word
        if word not in _READERS or name in facts:
            raise BadRecord(f"cannot read {line[:80]!r}; a line of facts begins, once each, with: {', '.join(_READERS)}")
        facts[name] = rest
    if "turn" in facts and "max_turns" in facts.get("options", ""):
        raise BadRecord("the number of turns stands behind the turn, as in `turn 12/300`, or among the options, not in both")
    for name, rest in facts.items():
        word = name.split()[0]
        try:
            _READERS[word](s, rest)
        except (ValueError, IndexError):
            raise BadRecord(f"cannot read {f'{word} {rest}'[:80]!r}; it should look like: {_EXAMPLES[word]}") from None


def _check(s: Any) -> None:
    """Refuse facts that do not go together."""
    if s.turn > s.opt_max_turns:
        raise BadRecord(f"{s.turn} turns cannot have been played in a game of {s.opt_max_turns}")
    if s.seat != s.turn % SEATS:
        raise BadRecord(f"after {s.turn} turns {SPEC.seats[s.turn % SEATS]} is to act: Blue has the odd turns, Red the even")
    if s.last_seat >= 0 and (s.turn == 0 or s.last_seat == s.seat):
        raise BadRecord(f"{SPEC.seats[s.last_seat]} cannot have had the last turn after {s.turn} turns")
    for x, y, _ in items_of(s):
        if int(s.wall[y]) >> x & 1:
            raise BadRecord(f"an item lies in the wall on {x},{y}")
    x1, y1, x2, y2 = s.zone.tolist()
    if x1 > x2 or y1 > y2:
        raise BadRecord(f"the zone {x1} {y1} {x2} {y2} is not x1 y1 x2 y2 on the board")
    if not sound(s):
        raise BadRecord("this is no position of a game: no cell is left for items, or its numbers contradict each other")


def _facts(line: str) -> list[list[str]]:
    return [part.split() for part in line.split(";") if part.strip()]


def _number(word: str, what: str, low: int, high: int) -> int:
    if not re.fullmatch("-?[0-9]{1,10}", word) or not low <= int(word) <= high:
        raise BadRecord(f"{what} must be a whole number from {low} to {high}, not {word[:40]!r}")
    return int(word)


def _cell(word: str, what: str, low: int = 0) -> tuple[int, int]:
    x, y = word.split(",")
    return _number(x, f"the column of {what}", low, SIZE - 1), _number(y, f"the row of {what}", low, SIZE - 1)


def _read_turn(s: Any, line: str) -> None:
    (first,), *others = _facts(line)
    turn, max_turns = first.split("/")
    (length,) = (option for option in SPEC.options if option.name == "max_turns")
    s.opt_max_turns = _number(max_turns, "the number of turns", length.low, length.high)
    s.turn = _number(turn, "the turn", 0, s.opt_max_turns)
    s.seat = s.turn % SEATS
    for fact in others:
        match fact:
            case [seat, "to", "act"]:
                s.seat = SPEC.seats.index(seat)
            case ["zone", x1, y1, x2, y2]:
                s.zone[:] = [_number(word, "a side of the zone", 0, SIZE - 1) for word in (x1, y1, x2, y2)]
            case _:
                raise ValueError


def _read_options(s: Any, line: str) -> None:
    try:
        given = parse_options([" ".join(words) for words in _facts(line)])
        options = check_options(SPEC.options, given)
    except LudusError as error:
        raise BadRecord(f"options: {error}") from None
    for name in given:
        s[f"opt_{name}"] = options[name]


def _read_tank(seat: int) -> Callable[[Any, str], None]:
    def read(s: Any, line: str) -> None:
        for fact in _facts(line):
            match fact:
                case ["facing", name]:
                    s.facing[seat] = DIRECTION_NAMES.index(name)
                case ["wants", name]:
                    s.desired[seat] = DIRECTION_NAMES.index(name)
                case [name, number] if name in COUNTS:
                    s[name][seat] = _number(number, f"{name} of {SPEC.seats[seat]}", *COUNTS[name])
                case [name] if name in POWERS:
                    s[name][seat] = 1
                case _:
                    raise ValueError

    return read


def _read_items(s: Any, line: str) -> None:
    drawn = items_of(s)
    s.item_cell[:], s.item_kind[:], s.item_count = 0, 0, 0
    for cell, name in _facts(line):
        _add_item(s, *_cell(cell, "an item"), KIND_NAMES.index(name))
    if drawn and sorted(drawn) != sorted(items_of(s)):
        raise BadRecord("the line of items and the board do not show the same items")


def _read_last(s: Any, line: str) -> None:
    (seat,), *others = _facts(line)
    s.last_seat = SPEC.seats.index(seat)
    for fact in others:
        match fact:
            case ["escaped", direction]:
                s.last_escaped = DIRECTION_NAMES.index(direction)
            case ["fired", cell]:
                s.last_fired, (s.last_shot_x, s.last_shot_y) = 1, _cell(cell, "the shot's end", -1)
            case ["hit", points]:
                s.last_hit, s.last_points = 1, _number(points, "the points of a hit", 1, 2)
            case ["picked", kind]:
                s.last_kinds[s.last_picked] = KIND_NAMES.index(kind)
                s.last_picked += 1
            case ["penalty", name]:
                s.last_penalty[SPEC.seats.index(name)] = 1
            case ["reward", number]:
                reward = _number(number, "a reward", -MOST_CHANGE, MOST_CHANGE)
                s.last_reward[BLUE], s.last_reward[RED] = reward, -reward
            case [name] if name in LAST_FLAGS:
                s[f"last_{name}"] = 1
            case _:
                s.last_action = ACTIONS.index(" ".join(fact))


def _read_seen(s: Any, line: str) -> None:
    name, *rows = line.split()
    if len(rows) != SIZE or not all(re.fullmatch("[0-9a-f]{1,16}", row) and int(row, 16) <= FULL_ROW for row in rows):
        raise ValueError
    s.seen[SPEC.seats.index(name)] = [int(row, 16) for row in rows]


_READERS: dict[str, Callable[[Any, str], None]] = {
    "turn": _read_turn,
    "options": _read_options,
    "blue": _read_tank(BLUE),
    "red": _read_tank(RED),
    "items": _read_items,
    "last": _read_last,
    "seen": _read_seen,
}
_EXAMPLES = {
    "turn": "turn 12/300; blue to act; zone 0 0 14 14",
    "options": "options view_range=5; min_tank_distance=3",
    "blue": "blue facing right; wants right; cooldown 0; stay 0; score -2; double_shot",
    "red": "red facing left; cooldown 3; stay 1; score 4; double_damage; double_cooldown",
    "items": f"items 3,5 {'; 4,5 '.join(KIND_NAMES)}",
    "last": "last blue; up shoot; moved; escaped left; fired 3,4; hit 2; picked minus_one; penalty red; reward 1",
    "seen": f"seen blue, then {SIZE} hexadecimal numbers, one a row: bit x is set where the cell has been in view",
}
