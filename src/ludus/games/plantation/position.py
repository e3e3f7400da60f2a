"""A position of Plantation as text that parses back: facts, the board, and what each seat was told and knows.

    turn 5/100; player1 to move; moves 2/3
    +1  .  .
     . -2  .
    player1 knows: 1,1=2@5
    player1 was told in turn 5: scout 0 1 = OK 1,0,0,0,-2,0

Facts and lines that are missing are those of the start of a game.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ludus.core import BadRecord, LudusError

from .rules import (
    CELLS,
    COLONISE,
    COLS,
    ERROR,
    FAULT,
    FINE,
    NOTHING_YET,
    NOWHERE,
    OCCUPIED,
    OK,
    OVER,
    ROWS,
    RUNNING,
    SCOUT,
    SOURCE,
    SPEC,
    WINDOW,
    State,
    beside,
    clear_last,
    count_totals,
    forget_everything,
)
from .words import REASON_WORDS, action_name, answer, parse_action, parse_actions, told_command

IN_FACTS = ("max_turns", "moves")  # options that stand in the first line
OPTIONS = {option.name: option for option in SPEC.options}
HIGHEST = np.iinfo(np.int16).max


def text(s: Any) -> str:
    """Return a position with all that the seats remember, as `parse` reads it."""
    facts = [f"turn {s.turn}/{s.opt_max_turns}", f"{SPEC.seats[s.seat]} to move", f"moves {s.moves}/{s.opt_moves}"]
    if s.pending != NOWHERE:
        facts.append(action_name(COLONISE * CELLS + int(s.pending)))
    if s.end != RUNNING:
        facts.append("over")
    changed = [n for n, o in OPTIONS.items() if n not in IN_FACTS and s[f"opt_{n}"] != o.default]
    facts += [f"{name} {s[f'opt_{name}']}" for name in changed]
    lines = ["; ".join(facts)]
    values = [f"{value:+d}" if value else "." for value in map(int, s.board)]
    width = max(map(len, values))
    lines += [" ".join(f"{value:>{width}}" for value in values[y * COLS : (y + 1) * COLS]) for y in range(ROWS)]
    for seat, name in enumerate(SPEC.seats):
        lines += [f"{name} {line}" for line in _memory(s, seat)]
    if s.last_seat >= 0:
        changes = "".join(f" {c // COLS},{c % COLS}{a:+d}" for c, a in _changes(s))
        lines.append(f"{SPEC.seats[s.last_seat]} decided: {action_name(int(s.last_action))};{changes}")
    return "\n".join(lines) + "\n"


def parse(drawing: str) -> Any:
    """Read a position; the board alone is enough."""
    s = np.zeros(1, State).view(np.recarray)[0]
    for option in SPEC.options:
        s[f"opt_{option.name}"] = option.default
    forget_everything(s)
    clear_last(s)
    s.turn, s.pending, s.moves = 1, NOWHERE, -1
    lines = [line.strip() for line in drawing.strip().splitlines() if line.strip()]
    rows = [line for line in lines if re.fullmatch(r"[-+.\d\s]+", line)]
    others = [line for line in lines if line not in rows]
    _read_board(s, rows)
    try:
        for line in others:
            _read_line(s, line)
    except (ValueError, KeyError, AttributeError, LudusError) as error:
        raise BadRecord(f"cannot read {line!r}: {error}") from None
    if s.moves < 0:
        s.moves = s.opt_moves
    _check(s)
    return s


def _changes(s: Any) -> list[tuple[int, int]]:
    return [(int(s.last_cell[k]), int(s.last_amount[k])) for k in range(s.last_changes)]


def _memory(s: Any, seat: int) -> list[str]:
    """Return what a seat knows of its opponent, and the last answer it got."""
    lines = []
    known = [cell for cell in range(CELLS) if s.known_turn[seat, cell] or s.known[seat, cell]]
    if known:
        values = (f"{c // COLS},{c % COLS}={s.known[seat, c]}@{s.known_turn[seat, c]}" for c in known)
        lines.append(f"knows: {' '.join(values)}")
    if s.told_answer[seat] != NOTHING_YET:
        said = answer(s, seat)
        if s.told_answer[seat] == ERROR:
            said += f" {REASON_WORDS[s.told_reason[seat]]}"
        lines.append(f"was told in turn {s.told_turn[seat]}: {told_command(s, seat)} = {said}")
    return lines


def _read_board(s: Any, rows: list[str]) -> None:
    values = [row.split() for row in rows]
    if len(values) != ROWS or any(len(row) != COLS for row in values):
        raise BadRecord(f"a position needs {ROWS} rows of {COLS} tiles with blanks between; options set another board")
    for cell, word in enumerate(word for row in values for word in row):
        try:
            value = 0 if word == "." else int(word)
        except ValueError:
            value = HIGHEST + 1
        if abs(value) > HIGHEST:
            raise BadRecord(f"{word!r} is no tile: a tile is '.', or a number such as +3 or -2")
        s.board[cell] = value
    count_totals(s)


def _read_line(s: Any, line: str) -> None:
    if match := re.fullmatch(r"(\w+) knows: (.*)", line):
        _read_known(s, SPEC.seat(match[1]), match[2])
    elif match := re.fullmatch(r"(\w+) was told in turn (\d+): (.+) = (.+)", line):
        tell(s, SPEC.seat(match[1]), int(match[2]), parse_actions(match[3]), match[4])
    elif match := re.fullmatch(r"(\w+) decided: ([^;]+);(.*)", line):
        _read_last(s, SPEC.seat(match[1]), match[2], match[3])
    else:
        for fact in filter(None, (part.strip() for part in line.split(";"))):
            _read_fact(s, fact)


def _read_fact(s: Any, fact: str) -> None:
    match fact.split():
        case ["turn", counts]:
            s.turn, s.opt_max_turns = (int(number) for number in counts.split("/"))
        case [seat, "to", "move"]:
            s.seat = SPEC.seat(seat)
        case ["moves", counts]:
            s.moves, s.opt_moves = (int(number) for number in counts.split("/"))
        case ["colonise", row, column]:
            s.pending = parse_action(f"colonise {row} {column}") - COLONISE * CELLS
        case ["over"]:
            s.end = OVER
        case [name, number] if name in OPTIONS:
            s[f"opt_{name}"] = OPTIONS[name].check(int(number))
        case _:
            raise ValueError(f"facts are: turn 5/100; player1 to move; moves 2/3; colonise 3 4; over; {'; '.join(OPTIONS)}")


def _read_known(s: Any, seat: int, values: str) -> None:
    for value in values.split():
        row, column, score, turn = map(int, re.split("[,=@]", value))
        cell = parse_action(f"scout {row} {column}") - SCOUT * CELLS
        s.known[seat, cell], s.known_turn[seat, cell] = score, turn


def tell(s: Any, seat: int, turn: int, actions: list[int], said: str) -> None:
    """Write down what a seat was answered, in words, to the decisions of a command."""
    first, *second = actions
    kind, cell = (first - FAULT, NOWHERE) if first >= FAULT else divmod(first, CELLS)
    s.told_kind[seat], s.told_cell[seat], s.told_turn[seat] = kind, cell, turn
    s.told_source[seat] = second[0] - SOURCE * CELLS if second else NOWHERE
    word, _, rest = said.partition(" ")
    s.told_answer[seat] = {"OK": OK, "occupied": OCCUPIED, "error": ERROR}[word]
    s.told_reason[seat] = REASON_WORDS.index(rest or "unknown") if word == "error" else FINE
    s.told_value[seat], s.told_window[seat] = 0, 0
    if word != "error" and kind == SCOUT:
        inside = [k for k in range(WINDOW) if beside(cell, k % 3 - 1, k // 3 - 1) >= 0]
        for k, value in zip(inside, rest.split(","), strict=True):
            s.told_window[seat, k] = int(value)
    elif word != "error" and rest:
        s.told_value[seat] = int(rest)


def _read_last(s: Any, seat: int, command: str, changes: str) -> None:
    s.last_seat, s.last_action = seat, parse_action(command)
    for k, change in enumerate(changes.split()):
        row, column, amount = re.fullmatch(r"(\d+),(\d+)([-+]\d+)", change).groups()  # type: ignore[union-attr]
        s.last_cell[k], s.last_amount[k] = int(row) * COLS + int(column), int(amount)
        s.last_changes = k + 1


def _check(s: Any) -> None:
    """Refuse what no game can be."""
    if not 1 <= s.turn <= s.opt_max_turns:
        raise BadRecord(f"turn {s.turn}/{s.opt_max_turns} cannot be: turns count from 1 to the limit")
    if s.end != RUNNING:
        margin = int(s.total[0]) - int(s.total[1])
        s.moves = 0
        s.last_reward[:] = (np.sign(margin), -np.sign(margin))
    elif not 1 <= s.moves <= s.opt_moves:
        raise BadRecord(f"moves {s.moves}/{s.opt_moves} cannot be: while the game runs at least 1 is left")
