"""Plantation in writing: a position as text that reads back; views as plain data are in views.py.

    turn 5/100; player1 to move; moves 2/3
    +1  .  .
     . -2  .
    player1 knows: 1,1=2@5
    player1 was told in turn 5: scout 0 1 = OK 1,0,0,0,-2,0

Facts, the board, what each seat knows and was told; places are written as in the rules, row first. Facts and lines that
are missing are those of the start of a game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.core import BadRecord, LudusError, blank

from .actions import REASON_WORDS, answer, as_in_rules, parse_action, parse_actions, told_command
from .rules import (
    CELLS,
    COLONISE,
    COLS,
    CROSS,
    ERROR,
    HIGHEST_HIT,
    HIGHEST_SUM,
    NOTHING_YET,
    NOWHERE,
    OVER,
    ROWS,
    RUNNING,
    SPEC,
    State,
    clear_last,
    count_totals,
    forget_everything,
    sound,
)
from .views import PLANES, REWARDS, Shown, public, read_answer, read_view, whole

__all__ = ["PLANES", "REWARDS", "Shown", "parse", "public", "read_view", "tell", "text"]

IN_FACTS = ("max_turns", "moves")  # options that stand in the first line
OPTIONS = {option.name: option for option in SPEC.options}
PLACES = [divmod(cell, COLS) for cell in range(CELLS)]  # row, column: as the rules write a place
LONGEST = 2000 + 100 * CELLS  # characters that a position can take


def text(s: Any) -> str:
    """Return a position with all that the seats remember, as `parse` reads it."""
    facts = [f"turn {s.turn}/{s.opt_max_turns}", f"{SPEC.seats[s.seat]} to move", f"moves {s.moves}/{s.opt_moves}"]
    if s.pending != NOWHERE:
        facts.append(as_in_rules(COLONISE * CELLS + int(s.pending)))
    if s.end != RUNNING:
        facts.append("over")
    changed = [n for n, o in OPTIONS.items() if n not in IN_FACTS and s[f"opt_{n}"] != o.default]
    facts += [f"{name} {s[f'opt_{name}']}" for name in changed]
    lines = ["; ".join(facts)]
    values = [f"{value:+d}" if value else "." for value in s.board.tolist()]
    width = max(map(len, values))
    lines += [" ".join(f"{value:>{width}}" for value in values[y * COLS : (y + 1) * COLS]) for y in range(ROWS)]
    for seat, name in enumerate(SPEC.seats):
        lines += [f"{name} {line}" for line in _memory(s, seat)]
    if s.last_seat >= 0:
        changes = zip(s.last_cell.tolist()[: s.last_changes], s.last_amount.tolist(), strict=False)
        written = "".join(f" {cell // COLS},{cell % COLS}{amount:+d}" for cell, amount in changes)
        lines.append(f"{SPEC.seats[s.last_seat]} decided: {as_in_rules(int(s.last_action))};{written}")
    return "\n".join(lines) + "\n"


def parse(drawing: str, options: Mapping[str, int] | None = None) -> Any:
    """Read a position; the board alone is enough, and options that are not named are those given."""
    if len(drawing) > LONGEST:
        raise BadRecord(f"a position of this size has at most {LONGEST} characters, not {len(drawing)}")
    s = blank(State, SPEC, options)
    forget_everything(s)
    clear_last(s)
    s.turn, s.pending, s.moves = 1, NOWHERE, -1
    lines = [line.strip() for line in drawing.strip().splitlines() if line.strip()]
    is_row = [re.fullmatch(r"[-+.0-9\s]+", line) is not None for line in lines]
    _read_board(s, [line for line, of_board in zip(lines, is_row, strict=True) if of_board])
    for line, of_board in zip(lines, is_row, strict=True):
        try:
            if not of_board:
                _read_line(s, line)
        except (ValueError, KeyError, LudusError) as error:
            raise BadRecord(f"cannot read {line[:80]!r}: {error}") from None
    if s.moves < 0:
        s.moves = s.opt_moves
    _finish(s)
    return s


def _memory(s: Any, seat: int) -> list[str]:
    """Return what a seat knows of its opponent, and the last answer it got."""
    lines = []
    known = zip(PLACES, s.known[seat].tolist(), s.known_turn[seat].tolist(), strict=True)
    values = [f"{row},{column}={score}@{turn}" for (row, column), score, turn in known if turn]
    if values:
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
        if word != "." and not re.fullmatch("[-+]?[0-9]{1,9}", word):
            raise BadRecord(f"{word[:20]!r} is no tile: a tile is '.', or a number such as +3 or -2")
        value = 0 if word == "." else int(word)
        if abs(value) > HIGHEST_SUM:
            raise BadRecord(f"a tile of {word} cannot be: all scores of a player are at most {HIGHEST_SUM}")
        s.board[cell] = value
    count_totals(s)


def _read_line(s: Any, line: str) -> None:
    if match := re.fullmatch(r"(\w+) knows: (.*)", line):
        _read_known(s, SPEC.seat(match[1]), match[2])
    elif match := re.fullmatch(r"(\w+) was told in turn ([0-9]+): ([^=]+) = (.+)", line):
        tell(s, SPEC.seat(match[1]), whole(match[2], 1, OPTIONS["max_turns"].high), parse_actions(match[3]), match[4])
    elif match := re.fullmatch(r"(\w+) decided: ([^;]+);(.*)", line):
        _read_last(s, SPEC.seat(match[1]), match[2], match[3])
    else:
        for fact in filter(None, (part.strip() for part in line.split(";"))):
            _read_fact(s, fact)


def _read_fact(s: Any, fact: str) -> None:
    match fact.split():
        case ["turn", counts]:
            s.turn, s.opt_max_turns = _of(counts, "max_turns")
        case [seat, "to", "move"]:
            s.seat = SPEC.seat(seat)
        case ["moves", counts]:
            s.moves, s.opt_moves = _of(counts, "moves")
        case ["colonise", row, column]:
            s.pending = _cell(row, column)
        case ["over"]:
            s.end = OVER
        case [name, number] if name in OPTIONS:
            s[f"opt_{name}"] = whole(number, OPTIONS[name].low, OPTIONS[name].high)
        case _:
            raise ValueError(f"facts are: turn 5/100; player1 to move; moves 2/3; colonise 3 4; over; {'; '.join(OPTIONS)}")


def _read_known(s: Any, seat: int, values: str) -> None:
    for value in values.split():
        match = re.fullmatch("([0-9]+),([0-9]+)=([0-9]+)@([0-9]+)", value)
        if match is None:
            raise ValueError(f"what is known is written ROW,COLUMN=SCORE@TURN, not {value[:40]!r}")
        cell = _cell(match[1], match[2])
        s.known[seat, cell] = whole(match[3], 0, HIGHEST_SUM)
        s.known_turn[seat, cell] = whole(match[4], 1, OPTIONS["max_turns"].high)


def tell(s: Any, seat: int, turn: int, actions: list[int], said: str) -> None:
    """Write down what a seat was answered, in words, to the decisions of a command."""
    for name, value in {**read_answer(actions, said), "turn": turn}.items():
        s[f"told_{name}"][seat] = value


def _read_last(s: Any, seat: int, command: str, changes: str) -> None:
    s.last_seat, s.last_action = seat, parse_action(command)
    words = changes.split()
    if len(words) > CROSS:
        raise ValueError(f"a command changes at most {CROSS} tiles, not {len(words)}")
    for k, word in enumerate(words):
        match = re.fullmatch("([0-9]+),([0-9]+)([-+][0-9]+)", word)
        if match is None:
            raise ValueError(f"a change is written ROW,COLUMN+AMOUNT, not {word[:40]!r}")
        s.last_cell[k], s.last_amount[k] = _cell(match[1], match[2]), whole(match[3], -HIGHEST_HIT, HIGHEST_HIT)
        s.last_changes = k + 1


def _of(counts: str, option: str) -> tuple[int, int]:
    """Read a count and the option that limits it: 2/3."""
    count, _, limit = counts.partition("/")
    high = whole(limit, OPTIONS[option].low, OPTIONS[option].high)
    return whole(count, 0, high), high


def _cell(row: str, column: str) -> int:
    return whole(row, 0, ROWS - 1) * COLS + whole(column, 0, COLS - 1)


def _finish(s: Any) -> None:
    """Write what follows from the rest, and refuse what no game can be."""
    if s.turn < 1:
        raise BadRecord(f"turn {s.turn}/{s.opt_max_turns} cannot be: turns count from 1 to the limit")
    if s.end != RUNNING:
        margin = int(s.total[0]) - int(s.total[1])
        s.moves = 0
        s.last_reward[:] = (np.sign(margin), -np.sign(margin))
    elif s.moves < 1:
        raise BadRecord(f"moves {s.moves}/{s.opt_moves} cannot be: while the game runs at least 1 is left")
    if not sound(s):
        raise BadRecord("this cannot be a position: sums are too large, or what was learned, told or decided does not fit")
