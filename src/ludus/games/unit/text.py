"""Positions of Unit as text that reads back; views as plain data are in views.py.

On a drawing a row is one x of the rules and a column one z, so that vertex numbers run as one reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ludus.core import BadRecord, LudusError, blank

from .actions import action_name, parse_action
from .board import LAYERS, OFFSETS, SIZES, VERTICES
from .rules import CAPACITY, NO_FIGHT, RUNNING, SPEC, State, clear_last, judge, limit, put, sound
from .views import FIGHTS, NEEDED, PLANES, REWARDS, Shown, bare_energy, force, owner, public, read_view, stacks

__all__ = [
    "FIGHTS", "FLAGS", "NEEDED", "OPTIONS", "PLANES", "REWARDS", "Shown", "bare_energy", "board", "empty", "force", "owner",
    "parse", "public", "read_view", "stacks", "text",
]  # fmt: skip

FLAGS = ("placed", "infused", "moved")
FACTS = (
    "turn 1; player0 to act; placed; infused; moved; pool 1 1; actions 0; last player0 place 0; "
    "fight draw 60 60 of 6; over draw; and options such as max_actions 500"
)
LETTERS = "AB"  # by seat
LONGEST = 20_000  # characters of a text; the largest board, with the largest numbers, needs a third of it
OPTIONS = {option.name: option for option in SPEC.options}


def board(s: Any) -> str:
    """Draw the layers side by side, the smaller ones in the middle of the height; `:2` is bare energy, `.` nothing."""
    cells = ["."] * VERTICES
    for vertex, energy in bare_energy(s).items():
        cells[vertex] = f":{energy}"
    for vertex, seat, pieces, energy in stacks(s):
        cells[vertex] = f"{LETTERS[seat]}{pieces}:{energy}"
    height = max(SIZES)
    parts = []
    for layer, n in enumerate(SIZES):
        here = cells[OFFSETS[layer] : OFFSETS[layer] + n * n]
        width = max(map(len, here))
        rows = [" ".join(f"{word:<{width}}" for word in here[x * n : x * n + n]) for x in range(n)]
        blank, above = " " * len(rows[0]), (height - n) // 2
        parts.append([blank] * above + rows + [blank] * (height - n - above))
    return "".join(" | ".join(row).rstrip() + "\n" for row in zip(*parts, strict=True))


def text(s: Any) -> str:
    """Return a position as a line of facts and a drawing, which `parse` reads back."""
    facts = [f"turn {s.turn}", f"{SPEC.seats[s.seat]} to act", *(flag for flag in FLAGS if s[flag])]
    facts += [f"pool {s.pool[0]} {s.pool[1]}", f"actions {s.actions}"]
    if s.last_seat >= 0:
        facts.append(f"last {SPEC.seats[s.last_seat]} {action_name(s.last_action)}")
    if s.last_fight != NO_FIGHT:
        facts.append(f"fight {FIGHTS[s.last_fight]} {s.last_force[0]} {s.last_force[1]} of {s.last_unit}")
    facts += [f"{name} {s[f'opt_{name}']}" for name, option in OPTIONS.items() if s[f"opt_{name}"] != option.default]
    if s.end != RUNNING:
        facts.append(f"over {'draw' if s.winner < 0 else SPEC.seats[s.winner]}")
    return "; ".join(facts) + "\n" + board(s)


def empty(options: Mapping[str, int] | None = None) -> Any:
    """Return a row with these options, or the usual ones, and nothing on the board: the start of a game."""
    s = blank(State, SPEC, options)
    s.turn, s.winner = 1, -1
    s.pool[:] = 1
    clear_last(s)
    return s


def parse(drawing: str, options: Mapping[str, int] | None = None) -> Any:
    """Read a position: facts, if any, then the layers side by side with `|` between, cells as `board` writes them.

    Facts that are missing are those of the start of a game, options those given; layers that are not drawn are empty.
    """
    if len(drawing) > LONGEST:
        raise BadRecord(f"a position of Unit has at most {LONGEST} characters, not {len(drawing)}")
    lines = [line for line in drawing.splitlines() if line.strip()]
    has_facts = bool(lines) and (";" in lines[0] or lines[0].split()[0] in ("turn", *SPEC.seats))
    facts = [part.strip() for part in lines.pop(0).split(";")] if has_facts else []
    s = empty(options)
    over, known = "", set()
    for words in (fact.split() for fact in facts if fact):
        kind = "to act" if words[1:] == ["to", "act"] else words[0]
        if kind in known:
            raise BadRecord(f"the fact {kind[:20]!r} is given twice")
        known.add(kind)
        over = _read_fact(s, words) or over
    _read_board(s, lines)
    _judge(s, over)
    return s


def _judge(s: Any, over: str) -> None:
    """End the game if the board is that of an end, and refuse what cannot be played on."""
    if s.actions > limit(s):
        raise BadRecord(f"actions {s.actions} is beyond the limit of {limit(s)}")
    judge(s)
    came = "" if s.end == RUNNING else "draw" if s.winner < 0 else SPEC.seats[s.winner]
    if over != came:
        raise BadRecord(f"the game is {came or 'not over'} by the board; the facts must say so: over {came or '(nothing)'}")
    if not sound(s):
        raise BadRecord(
            "such a position cannot be: either its last action and its fight do not belong together, or both players stand on "
            f"both corners, or turns, pieces or energy may pass {CAPACITY} in the actions that are left"
        )


def _read_fact(s: Any, words: list[str]) -> str:
    """Write a fact into the row; return the winner that it names, if it does."""
    try:
        match words:
            case [flag] if flag in FLAGS:
                s[flag] = 1
            case [seat, "to", "act"]:
                s.seat = SPEC.seats.index(seat)
            case ["pool", one, other]:
                s.pool[:] = _number(one), _number(other)
            case ["last", seat, *action]:
                s.last_seat, s.last_action = SPEC.seats.index(seat), parse_action(" ".join(action))
            case ["fight", kind, attacking, defending, "of", unit]:
                s.last_fight, s.last_unit = FIGHTS.index(kind, 1), _number(unit)
                s.last_force[:] = _number(attacking, 10**12), _number(defending, 10**12)
            case ["over", winner] if winner in ("draw", *SPEC.seats):
                return winner  # the board must say the same
            case [("turn" | "actions") as name, number]:
                s[name] = _number(number)
            case [name, number] if name in OPTIONS:
                s[f"opt_{name}"] = OPTIONS[name].check(_number(number))
            case _:
                raise ValueError
    except (ValueError, LudusError) as error:
        reason = f" ({error})" if isinstance(error, LudusError) else ""
        raise BadRecord(f"cannot read {' '.join(words)[:60]!r}{reason}; facts are: {FACTS}") from None
    return ""


def _number(word: str, high: int = CAPACITY) -> int:
    if not re.fullmatch("[0-9]{1,13}", word) or (number := int(word)) > high:
        raise BadRecord(f"a whole number from 0 to {high} is needed")
    return number


def _read_board(s: Any, lines: list[str]) -> None:
    rows: list[list[list[str]]] = [[] for _ in SIZES]
    for line in lines:
        parts = [part.split() for part in line.split("|")]
        if len(parts) > LAYERS:
            raise BadRecord(f"a drawing has {LAYERS} layers with | between, not {len(parts)}")
        for layer, part in enumerate(parts):
            if part:
                rows[layer].append(part)
    for layer, n in enumerate(SIZES):
        if rows[layer] and (len(rows[layer]) != n or any(len(row) != n for row in rows[layer])):
            raise BadRecord(f"layer {layer} needs {n} rows of {n} cells, blanks between; the option layout makes other boards")
        for number, word in enumerate(word for row in rows[layer] for word in row):
            _read_cell(s, OFFSETS[layer] + number, word)


def _read_cell(s: Any, vertex: int, word: str) -> None:
    if word == ".":
        return
    found = re.fullmatch("(?:([AB])([0-9]{1,13}))?:([0-9]{1,13})", word)
    if not found:
        raise BadRecord(f"{word[:40]!r} on vertex {vertex} is none of: . A3:2 B3:2 :2")
    letter, pieces, energy = found[1], int(found[2] or 1), int(found[3])
    if not 1 <= pieces <= CAPACITY or energy > CAPACITY:
        raise BadRecord(f"{word!r} on vertex {vertex}: a stack has 1 to {CAPACITY} pieces, a vertex at most {CAPACITY} energy")
    s.energy[vertex] = energy
    if letter:
        put(s, LETTERS.index(letter), vertex, pieces, energy)
