"""Plantation in writing: a position as text that reads back, a view as plain data.

    turn 5/100; player1 to move; moves 2/3
    +1  .  .
     . -2  .
    player1 knows: 1,1=2@5
    player1 was told in turn 5: scout 0 1 = OK 1,0,0,0,-2,0

Facts, the board, what each seat knows and was told. Facts and lines that are missing are those of the start of a game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.core import BadRecord, LudusError, blank

from .actions import (
    REASON_WORDS,
    REASONS,
    action_name,
    answer,
    inside_window,
    parse_action,
    parse_actions,
    told_command,
)
from .rules import (
    CELLS,
    COLONISE,
    COLS,
    CROSS,
    ERROR,
    FAULT,
    FINE,
    HIGHEST_HIT,
    HIGHEST_SUM,
    NOTHING_YET,
    NOWHERE,
    OCCUPIED,
    OK,
    OVER,
    ROWS,
    RUNNING,
    SCOUT,
    SIGN,
    SOURCE,
    SPEC,
    State,
    clear_last,
    count_totals,
    forget_everything,
    sound,
)

IN_FACTS = ("max_turns", "moves")  # options that stand in the first line
OPTIONS = {option.name: option for option in SPEC.options}
OPTION_FIELDS = [(name, f"opt_{name}") for name in OPTIONS]
PLACES = [divmod(cell, COLS) for cell in range(CELLS)]
LONGEST = 2000 + 100 * CELLS  # characters that a position can take


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
    values = [f"{value:+d}" if value else "." for value in s.board.tolist()]
    width = max(map(len, values))
    lines += [" ".join(f"{value:>{width}}" for value in values[y * COLS : (y + 1) * COLS]) for y in range(ROWS)]
    for seat, name in enumerate(SPEC.seats):
        lines += [f"{name} {line}" for line in _memory(s, seat)]
    if s.last_seat >= 0:
        changes = zip(s.last_cell.tolist()[: s.last_changes], s.last_amount.tolist(), strict=False)
        written = "".join(f" {cell // COLS},{cell % COLS}{amount:+d}" for cell, amount in changes)
        lines.append(f"{SPEC.seats[s.last_seat]} decided: {action_name(int(s.last_action))};{written}")
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


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages; places are [row, column]."""
    own, known, known_turn = view.own.tolist(), view.known.tolist(), view.known_turn.tolist()
    shown = {
        "me": SPEC.seats[view.me],
        "sign": SIGN[view.me],
        "board_size": [ROWS, COLS],
        "turn": int(view.turn),
        "max_turns": int(view.opt_max_turns),
        "to_move": SPEC.seats[view.seat],
        "moves_remaining": int(view.moves),
        "over": bool(view.end != RUNNING),
        "own": [[*place, score] for place, score in zip(PLACES, own, strict=True) if score],
        "score": int(view.total),
        # row, column, the opponent's score, the turn it was learned; on an own tile there is none
        "known": [
            [*place, score, turn]
            for place, score, turn, mine in zip(PLACES, known, known_turn, own, strict=True)
            if turn and not mine
        ],
        "options": {name: int(view[field]) for name, field in OPTION_FIELDS},
    }
    if view.end != RUNNING:
        shown["opponent_score"] = int(view.opponent_total)
    if view.pending != NOWHERE:
        shown["colonise_target"] = [*PLACES[view.pending]]
    if view.told_answer != NOTHING_YET:
        shown["last"] = {"command": told_command(view), "turn": int(view.told_turn), "answer": answer(view)}
    if view.told_answer == ERROR:
        shown["last"]["reason"] = REASONS[view.told_reason]
    return shown


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
        tell(s, SPEC.seat(match[1]), _number(match[2], 1, OPTIONS["max_turns"].high), parse_actions(match[3]), match[4])
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
            s[f"opt_{name}"] = _number(number, OPTIONS[name].low, OPTIONS[name].high)
        case _:
            raise ValueError(f"facts are: turn 5/100; player1 to move; moves 2/3; colonise 3 4; over; {'; '.join(OPTIONS)}")


def _read_known(s: Any, seat: int, values: str) -> None:
    for value in values.split():
        match = re.fullmatch("([0-9]+),([0-9]+)=([0-9]+)@([0-9]+)", value)
        if match is None:
            raise ValueError(f"what is known is written ROW,COLUMN=SCORE@TURN, not {value[:40]!r}")
        cell = _cell(match[1], match[2])
        s.known[seat, cell] = _number(match[3], 0, HIGHEST_SUM)
        s.known_turn[seat, cell] = _number(match[4], 1, OPTIONS["max_turns"].high)


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
        for k, value in zip(inside_window(cell), rest.split(","), strict=True):
            s.told_window[seat, k] = _number(value, -HIGHEST_SUM, HIGHEST_SUM)
    elif word != "error" and rest:
        s.told_value[seat] = _number(rest, -HIGHEST_SUM, HIGHEST_SUM)


def _read_last(s: Any, seat: int, command: str, changes: str) -> None:
    s.last_seat, s.last_action = seat, parse_action(command)
    words = changes.split()
    if len(words) > CROSS:
        raise ValueError(f"a command changes at most {CROSS} tiles, not {len(words)}")
    for k, word in enumerate(words):
        match = re.fullmatch("([0-9]+),([0-9]+)([-+][0-9]+)", word)
        if match is None:
            raise ValueError(f"a change is written ROW,COLUMN+AMOUNT, not {word[:40]!r}")
        s.last_cell[k], s.last_amount[k] = _cell(match[1], match[2]), _number(match[3], -HIGHEST_HIT, HIGHEST_HIT)
        s.last_changes = k + 1


def _number(word: str, low: int, high: int) -> int:
    """Read a whole number within bounds."""
    if not re.fullmatch("[-+]?[0-9]{1,9}", word) or not low <= int(word) <= high:
        raise ValueError(f"a whole number from {low} to {high} is needed, not {word[:40]!r}")
    return int(word)


def _of(counts: str, option: str) -> tuple[int, int]:
    """Read a count and the option that limits it: 2/3."""
    count, _, limit = counts.partition("/")
    high = _number(limit, OPTIONS[option].low, OPTIONS[option].high)
    return _number(count, 0, high), high


def _cell(row: str, column: str) -> int:
    return _number(row, 0, ROWS - 1) * COLS + _number(column, 0, COLS - 1)


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
