"""The text form of a BattleGrid position: lines of facts, then the board; `parse` reads back what `text` wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.core import BadRecord

from .rules import BLUE, CAPACITY, RED, RIGHT, SEATS, SHOOT, SIZE, SPEC, State, look_around

DIRECTION_NAMES = ("up", "down", "left", "right")
ACTIONS = (*DIRECTION_NAMES, *(f"{name} shoot" for name in DIRECTION_NAMES))
KIND_NAMES = ("double_shot", "double_damage", "minus_one", "double_cooldown")
KIND_LETTERS = "sdmc"  # of items on the board
TANK_LETTERS = "BR"
POWERS = ("double_shot", "double_damage", "double_cooldown")  # fields that are 0 or 1
COUNTS = ("cooldown", "stay", "score")
LAST_FLAGS = ("rotated", "moved")


def text(s: Any) -> str:
    """Return a position as facts and a drawing: `.` floor, `#` wall, `B` and `R` tanks, `s d m c` items by kind."""
    lines = [f"turn {s.turn}/{s.opt_max_turns}; {SPEC.seats[s.seat]} to act; zone {_numbers(s.zone)}"]
    if changed := [f"{o.name}={s[f'opt_{o.name}']}" for o in SPEC.options if _is_told(s, o)]:
        lines.append(f"options {'; '.join(changed)}")
    lines += [_tank_line(s, seat) for seat in range(SEATS)]
    if s.item_count:
        items = zip(s.item_cell.tolist(), s.item_kind.tolist(), strict=True)
        told = [f"{cell % SIZE},{cell // SIZE} {KIND_NAMES[kind]}" for cell, kind in list(items)[: s.item_count]]
        lines.append(f"items {'; '.join(told)}")
    if s.last_seat >= 0:
        lines.append(_last_line(s))
    for seat, name in enumerate(SPEC.seats):
        lines.append(f"seen {name} {' '.join(f'{int(row):x}' for row in s.seen[seat])}")
    lines += [" ".join(_symbol(s, x, y) for x in range(SIZE)) for y in range(SIZE)]
    return "\n".join(lines) + "\n"


def parse(drawing: str) -> Any:
    """Read a position; facts that are missing are those of a new game, items may stand on the board only."""
    lines = [line.strip() for line in drawing.strip().splitlines() if line.strip()]
    facts, rows = lines[:-SIZE], [line.split() for line in lines[-SIZE:]]
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise BadRecord(
            f"a position ends with {SIZE} rows of {SIZE} cells, blanks between; the option grid_size sets another board"
        )
    s = _start()
    _read_cells(s, rows)
    for line in facts:
        word, _, rest = line.partition(" ")
        if word not in _READERS:
            raise BadRecord(f"cannot read {line!r}; a line of facts begins with one of: {', '.join(_READERS)}")
        try:
            _READERS[word](s, rest)
        except (ValueError, IndexError):
            raise BadRecord(f"cannot read {line!r}; it should look like: {_EXAMPLES[word]}") from None
    if not any(line.startswith("seen ") for line in facts):
        for seat in range(SEATS):
            look_around(s, seat)
    _check(s)
    return s


def _start() -> Any:
    """Return an empty board under default options, with what holds at the start of a game."""
    s = np.zeros(1, State).view(np.recarray)[0]
    for option in SPEC.options:
        s[f"opt_{option.name}"] = option.default
    s.facing[:] = s.desired[:] = RIGHT
    s.zone[:] = (0, 0, SIZE - 1, SIZE - 1)
    s.last_seat, s.last_action, s.last_escaped, s.last_shot_x, s.last_shot_y = -1, -1, -1, -1, -1
    return s


def _check(s: Any) -> None:
    if s.seat != s.turn % SEATS:
        raise BadRecord(f"after {s.turn} turns {SPEC.seats[s.turn % SEATS]} is to act: Blue has the odd turns, Red the even")
    for k in range(s.item_count):
        if int(s.wall[s.item_cell[k] // SIZE]) >> int(s.item_cell[k] % SIZE) & 1:
            raise BadRecord(f"an item lies in the wall on {s.item_cell[k] % SIZE},{s.item_cell[k] // SIZE}")
    x1, y1, x2, y2 = s.zone.tolist()
    if not (0 <= x1 <= x2 < SIZE and 0 <= y1 <= y2 < SIZE):
        raise BadRecord(f"the zone {x1} {y1} {x2} {y2} is not x1 y1 x2 y2 on the board")


def _is_told(s: Any, option: Any) -> bool:
    return option.name != "max_turns" and bool(s[f"opt_{option.name}"] != option.default)


def _numbers(values: Any) -> str:
    return " ".join(str(int(value)) for value in values)


def _tank_line(s: Any, seat: int) -> str:
    facts = [f"facing {DIRECTION_NAMES[s.facing[seat]]}", f"wants {DIRECTION_NAMES[s.desired[seat]]}"]
    facts += [f"{name} {s[name][seat]}" for name in COUNTS]
    return f"{SPEC.seats[seat]} {'; '.join([*facts, *(name for name in POWERS if s[name][seat])])}"


def _last_line(s: Any) -> str:
    """Tell the last turn; what is 0 or did not happen is left out."""
    facts = [SPEC.seats[s.last_seat]]
    if s.last_action >= 0:
        facts.append(ACTIONS[s.last_action])
    facts += [name for name in LAST_FLAGS if s[f"last_{name}"]]
    if s.last_escaped >= 0:
        facts.append(f"escaped {DIRECTION_NAMES[s.last_escaped]}")
    if s.last_fired:
        facts.append(f"fired {s.last_shot_x},{s.last_shot_y}")
    if s.last_hit:
        facts.append(f"hit {s.last_points}")
    facts += [f"picked {KIND_NAMES[kind]}" for kind in s.last_kinds[: s.last_picked]]
    facts += [f"penalty {name}" for seat, name in enumerate(SPEC.seats) if s.last_penalty[seat]]
    if s.last_reward[BLUE]:
        facts.append(f"reward {s.last_reward[BLUE]}")
    return f"last {'; '.join(facts)}"


def _symbol(s: Any, x: int, y: int) -> str:
    tanks = "".join(TANK_LETTERS[seat] for seat in range(SEATS) if (s.x[seat], s.y[seat]) == (x, y))
    cells = s.item_cell[: s.item_count].tolist()
    items = "".join(KIND_LETTERS[s.item_kind[k]] for k, cell in enumerate(cells) if cell == y * SIZE + x)
    return tanks + items or ("#" if int(s.wall[y]) >> x & 1 else ".")


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


def _facts(line: str) -> list[list[str]]:
    return [part.split() for part in line.split(";") if part.strip()]


def _read_turn(s: Any, line: str) -> None:
    first, *others = _facts(line)
    s.turn, s.opt_max_turns = (int(number) for number in first[0].split("/"))
    if s.turn < 0 or s.opt_max_turns < 1:
        raise ValueError
    s.seat = s.turn % SEATS
    for fact in others:
        match fact:
            case [seat, "to", "act"]:
                s.seat = SPEC.seats.index(seat)
            case ["zone", x1, y1, x2, y2]:
                s.zone[:] = (int(x1), int(y1), int(x2), int(y2))
            case _:
                raise ValueError


def _read_options(s: Any, line: str) -> None:
    known = {option.name: option for option in SPEC.options}
    for (word,) in _facts(line):
        name, _, value = word.partition("=")
        if name not in known:
            raise ValueError
        s[f"opt_{name}"] = known[name].check(int(value))


def _read_tank(seat: int) -> Callable[[Any, str], None]:
    def read(s: Any, line: str) -> None:
        for fact in _facts(line):
            match fact:
                case ["facing", name]:
                    s.facing[seat] = DIRECTION_NAMES.index(name)
                case ["wants", name]:
                    s.desired[seat] = DIRECTION_NAMES.index(name)
                case [name, number] if name in COUNTS:
                    s[name][seat] = int(number)
                case [name] if name in POWERS:
                    s[name][seat] = 1
                case _:
                    raise ValueError

    return read


def _read_items(s: Any, line: str) -> None:
    s.item_cell[:], s.item_kind[:], s.item_count = 0, 0, 0
    for cell, name in _facts(line):
        x, y = (int(number) for number in cell.split(","))
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            raise ValueError
        _add_item(s, x, y, KIND_NAMES.index(name))


def _read_last(s: Any, line: str) -> None:
    (seat,), *others = _facts(line)
    s.last_seat = SPEC.seats.index(seat)
    for fact in others:
        match fact:
            case [direction] if direction in DIRECTION_NAMES:
                s.last_action = DIRECTION_NAMES.index(direction)
            case [direction, "shoot"]:
                s.last_action = DIRECTION_NAMES.index(direction) + SHOOT
            case [name] if name in LAST_FLAGS:
                s[f"last_{name}"] = 1
            case ["escaped", direction]:
                s.last_escaped = DIRECTION_NAMES.index(direction)
            case ["fired", cell]:
                s.last_fired = 1
                s.last_shot_x, s.last_shot_y = (int(number) for number in cell.split(","))
            case ["hit", points]:
                s.last_hit, s.last_points = 1, int(points)
            case ["picked", kind]:
                s.last_kinds[s.last_picked] = KIND_NAMES.index(kind)
                s.last_picked += 1
            case ["penalty", name]:
                s.last_penalty[SPEC.seats.index(name)] = 1
            case ["reward", number]:
                s.last_reward[BLUE], s.last_reward[RED] = int(number), -int(number)
            case _:
                raise ValueError


def _read_seen(s: Any, line: str) -> None:
    name, *rows = line.split()
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
    "seen": "seen blue, then one hexadecimal number a row: bit x is set where the cell has been in view",
}
