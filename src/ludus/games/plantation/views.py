"""A seat's view of Plantation as plain data: what each key means, the data, and the way back to the row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from ludus.core import Place, PlainView, about

from .actions import REASON_WORDS, REASONS, action_name, answer, inside_window, parse_actions, told_command
from .rules import (
    CELLS,
    COLS,
    ERROR,
    FAULT,
    FINE,
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
    WINDOW,
)

FIELDS = ("own", "known", "known_turn")  # of the view, by cell
OPTION_FIELDS = [(option.name, f"opt_{option.name}") for option in SPEC.options]
REWARDS = """Nothing before the end; then 1 for the higher sum of scores and -1 for the lower, 0 for both if they are equal.
Points are the sums."""
# What each plane of `encode` shows, for the page of its environments.
PLANES = (
    "own scores",
    "known scores of the opponent",
    "how fresh that is: 255 this turn, 1 less a turn, 0 never seen",
    "target of a colonise that waits for its source",
    "moves left: as many ones, row by row",
    "turns used: a bar along the top row",
)


class Last(TypedDict):
    """The last command that you gave, and what you were told."""

    command: Annotated[str, about("as the names of actions are written; a colonise with its source")]
    turn: Annotated[int, about("when")]
    answer: Annotated[str, about("`OK` and what was seen or hit, `occupied` and the score of the tile in the way, or `error`")]
    reason: Annotated[str | None, about("why an error, else null")]


class Shown(PlainView):
    """What `public` tells."""

    sign: Annotated[Literal[1, -1], about("of your scores in the answer to a scout: player1 above 0, player2 below")]
    width: Annotated[int, about("columns of the field")]
    height: Annotated[int, about("rows of the field")]
    moves_remaining: Annotated[int, about("moves left to you in this turn; commands cost as many as the options say")]
    own: Annotated[list[list[int]], about("rows of the field, own[y][x]: the score of your tile there, 0 = it is not yours")]
    score: Annotated[int, about("the sum of them")]
    known: Annotated[list[list[int]], about("known[y][x]: the score of the opponent's tile there when you last learned of it")]
    known_turn: Annotated[list[list[int]], about("known_turn[y][x]: the turn in which you did; 0 = never")]
    opponent_score: Annotated[int | None, about("told at the end; null before")]
    colonise_target: Annotated[Place | None, about("[x, y] of a colonise that waits for its source (`from …`)")]
    last: Annotated[Last | None, about("your last command and its answer; null before the first")]
    last_was_mine: Annotated[bool, about("whether the last decision was yours, so that its answer is news")]


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    own, known, known_turn = (view[name].reshape(ROWS, COLS).tolist() for name in FIELDS)
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "turn": int(view.turn),
        "over": bool(view.end != RUNNING),
        "sign": SIGN[view.me],
        "width": COLS,
        "height": ROWS,
        "moves_remaining": int(view.moves),
        "own": own,
        "score": int(view.total),
        "known": known,
        "known_turn": known_turn,
        "opponent_score": int(view.opponent_total) if view.end != RUNNING else None,
        "colonise_target": [view.pending % COLS, view.pending // COLS] if view.pending != NOWHERE else None,
        "last": _last(view) if view.told_answer != NOTHING_YET else None,
        "last_was_mine": bool(view.last_mine),
        "options": {"rows": ROWS, "cols": COLS, **{name: int(view[field]) for name, field in OPTION_FIELDS}},
    }


def _last(view: Any) -> dict[str, Any]:
    reason = REASONS[view.told_reason] if view.told_answer == ERROR else None
    return {
        "command": told_command(view, name=action_name),
        "turn": int(view.told_turn),
        "answer": answer(view),
        "reason": reason,
    }


def read_view(shown: Mapping[str, Any], view: Any) -> None:
    """Write a view of zeros from what `public` told of it."""
    view.me, view.seat = SPEC.seats.index(shown["me"]), SPEC.seats.index(shown["to_move"])
    for name, field in OPTION_FIELDS:
        view[field] = shown["options"][name]
    view.turn, view.moves, view.end = shown["turn"], shown["moves_remaining"], OVER if shown["over"] else RUNNING
    view.total, view.opponent_total = shown["score"], shown["opponent_score"] or 0
    for name in FIELDS:
        view[name].reshape(ROWS, COLS)[:] = shown[name]
    target, last = shown["colonise_target"], shown["last"]
    view.pending = NOWHERE if target is None else target[1] * COLS + target[0]
    view.last_mine = shown["last_was_mine"]
    told: dict[str, Any] = {"kind": -1, "cell": NOWHERE, "source": NOWHERE, "answer": NOTHING_YET, "reason": FINE}
    if last is not None:
        reason = f" {REASON_WORDS[REASONS.index(last['reason'])]}" if last["reason"] else ""
        told = read_answer(parse_actions(last["command"]), last["answer"] + reason) | {"turn": last["turn"]}
    for name, value in told.items():
        if name == "window":
            view.told_window[:] = value
        else:
            view[f"told_{name}"] = value


def read_answer(actions: list[int], said: str) -> dict[str, Any]:
    """Return what a seat was answered, in words, to the decisions of a command: by the names of the fields `told_…`."""
    first, *second = actions
    kind, cell = (first - FAULT, NOWHERE) if first >= FAULT else divmod(first, CELLS)
    word, _, rest = said.partition(" ")
    told: dict[str, Any] = {"kind": kind, "cell": cell, "source": second[0] - SOURCE * CELLS if second else NOWHERE}
    told["answer"] = {"OK": OK, "occupied": OCCUPIED, "error": ERROR}[word]
    told["reason"] = REASON_WORDS.index(rest or "unknown") if word == "error" else FINE
    told["value"], told["window"] = 0, [0] * WINDOW
    if word != "error" and kind == SCOUT:
        for k, value in zip(inside_window(cell), rest.split(","), strict=True):
            told["window"][k] = whole(value, -HIGHEST_SUM, HIGHEST_SUM)
    elif word != "error" and rest:
        told["value"] = whole(rest, -HIGHEST_SUM, HIGHEST_SUM)
    return told


def whole(word: str, low: int, high: int) -> int:
    """Read a whole number within bounds."""
    digits = word[1:] if word[:1] in ("-", "+") else word
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10) or not low <= int(word) <= high:
        raise ValueError(f"a whole number from {low} to {high} is needed, not {word[:40]!r}")
    return int(word)
