"""How a game speaks: texts that read back, names of actions, refusals, plain data."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ludus.core import LudusError, Row, plain
from ludus.games import Game

from .breach import fail, told
from .compare import different
from .judge import Judge

NONSENSE = ("", " ", "???", "no such action", "999999999999999999999999", "-1", "0x1F", "a b c d e f g h", "é☃", "\x00")
MOST_ASKED = 300  # actions that why_not is asked for in one position
PLAIN = (str, int, float, bool, type(None))


def check_texts(judge: Judge, rows: list[Row]) -> str:
    """positions survive their text form."""
    game = judge.game
    for row in rows:
        before = bytes(row.bytes)
        written = judge.call("text", game.text, row)
        judge.check_untouched("text.py: text", row, before)
        if not written.strip():
            fail("text.py: text returned nothing")
        if game.text(row) != written:
            fail("text.py: text writes the same position differently when asked again")
        again = judge.call("parse of what text wrote", game.parse, written)
        if again.dtype != row.dtype:
            fail("text.py: parse returned a row of another type than State")
        if field := different(row, again):
            one, other = row.array[field][0].tolist(), again.array[field][0].tolist()
            fail(f"text.py: parse(text(s)) does not restore the field {field}: {one} became {other}")
    return f"{len(rows)} positions"


def check_actions(judge: Judge, rows: list[Row]) -> str:
    """names of actions differ and read back; nonsense is refused in a sentence."""
    game, own = judge.game, judge.game.says("actions", "action_name")
    reads = game.says("actions", "parse_action")
    if (own is None) != (reads is None):
        fail(f"actions.py has {'no action_name' if own is None else 'no parse_action'}: it has both or neither")
    if own is None:
        return "no actions.py: actions are numbers"
    takes_position = own.__code__.co_argcount > 1
    for row in rows if takes_position else rows[:1]:
        ids = np.flatnonzero(judge.legal(judge.row(row))).tolist() if takes_position else list(range(judge.spec.actions))
        names: dict[str, int] = {}
        for action in ids:
            name = judge.call(f"action_name({action})", own, *((action, row) if takes_position else (action,)))
            if not isinstance(name, str) or not name.strip() or "\n" in name:
                fail(f"actions.py: action_name({action}) is {name!r}, which is no name")
            if name in names:
                fail(f"actions.py: actions {names[name]} and {action} have the same name {name!r}")
            names[name] = action
            read = judge.call(f"parse_action({name!r})", game.parse_action, name, row)
            if read != action:
                fail(f"actions.py: action {action} is written {name!r}, which parse_action reads as {read}")
    for word in NONSENSE:
        _refuses(judge, word, names, rows[0])
    return f"{judge.spec.actions} actions"


def _refuses(judge: Judge, word: str, names: dict[str, int], row: Row) -> None:
    """Let parse_action read nonsense."""
    try:
        read = judge.game.parse_action(word, row)
    except LudusError as error:
        if not str(error).strip():
            fail(f"actions.py: parse_action({word!r}) is refused without a word")
        return
    except Exception as error:
        raise told(error, judge.game.folder, f"parse_action({word!r}) must raise UnknownName") from error
    if word.strip() not in names and word.strip().lower() not in (name.lower() for name in names):
        fail(f"actions.py: parse_action({word!r}) reads as action {read}; it must raise UnknownName")


def check_refusals(judge: Judge, rows: list[Row]) -> str:
    """why_not says "" for what may be played, and a reason for what may not."""
    asked = 0
    chance = np.random.default_rng(1)
    for row in rows:
        mask, mover = judge.legal(judge.row(row)), row.seat
        is_over = not mask.any()
        ids = np.arange(judge.spec.actions)
        if ids.size > MOST_ASKED:
            ids = np.unique(np.concatenate([chance.choice(ids, MOST_ASKED // 2), np.flatnonzero(mask)[: MOST_ASKED // 2]]))
        others = [seat for seat in range(len(judge.spec.seats)) if seat != mover][:2]
        questions = [(mover, int(action)) for action in ids] + [(seat, int(ids[0])) for seat in others]
        for seat, action in [*questions, (mover, -1), (mover, judge.spec.actions)]:
            before = bytes(row.bytes)
            reason = _why_not(judge, row, seat, action)
            judge.check_untouched("actions.py: why_not", row, before)
            exists = 0 <= action < judge.spec.actions
            may = not is_over and seat == mover and exists and bool(mask[action])
            if may and reason:
                fail(
                    f"actions.py: why_not refuses action {action} ({reason!r}), which legal marks for {judge.spec.seats[seat]}"
                )
            must_refuse = is_over or seat != mover or not exists or judge.spec.refuses
            if not may and must_refuse and not reason:
                why = "the game is over" if is_over else "it is another seat's move" if seat != mover else "it is not marked"
                fail(f"actions.py: why_not has no reason against action {action} of {judge.spec.seats[seat]}, but {why}")
            asked += 1
    return f"{asked} questions"


def _why_not(judge: Judge, row: Row, seat: int, action: int) -> str:
    own = judge.game.says("actions", "why_not")
    if own is None:
        return judge.game.why_not(row, seat, action)
    reason = judge.call(f"why_not(s, {seat}, {action})", own, plain(row), seat, action)
    if not isinstance(reason, str):
        fail(f"actions.py: why_not returned {reason!r}; it returns a reason, or '' for what may be played")
    return reason


def check_public(judge: Judge, rows: list[Row]) -> str:
    """public(view) is plain data that says who looks, who moves, and when."""
    game, seats = judge.game, judge.spec.seats
    for row in rows:
        is_over = judge.result(judge.row(row))[0] != 0
        for seat in range(len(seats)):
            view = game.look(row, seat)
            before = bytes(view.bytes)
            shown = judge.call("public", game.public, view)
            judge.check_untouched("text.py: public", view, before)
            if type(shown) is not dict:
                fail(f"text.py: public returned a {type(shown).__name__}, not a dictionary")
            check_plain(shown, "public")
            if game.public(view) != shown:
                fail("text.py: public shows the same view differently when asked again")
            _check_envelope(game, shown, row, seat, is_over)
    return f"{len(rows)} positions, all seats"


def _check_envelope(game: Game, shown: dict[str, Any], row: Row, seat: int, is_over: bool) -> None:
    seats = game.spec.seats
    for key in ("me", "to_move", "turn"):
        if key not in shown:
            fail(f"text.py: public has no key {key!r}; every game has me, to_move, turn and over")
    if shown["me"] not in (seats[seat], seat):
        fail(f"text.py: public says me = {shown['me']!r} in the view of {seats[seat]}")
    if shown["turn"] != row.turn:
        fail(f"text.py: public says turn = {shown['turn']!r}, but State.turn is {row.turn}")
    if not is_over and isinstance(shown["to_move"], str | int) and shown["to_move"] not in (seats[row.seat], row.seat):
        fail(f"text.py: public says to_move = {shown['to_move']!r}, but it is the move of {seats[row.seat]}")
    if "over" in shown and (not isinstance(shown["over"], bool) or shown["over"] != is_over):
        fail(f"text.py: public says over = {shown['over']!r} where the game {'is over' if is_over else 'goes on'}")


def check_plain(value: Any, path: str) -> None:
    """Refuse what JSON does not know, naming where it stands."""
    if type(value) in PLAIN:
        if type(value) is float and not np.isfinite(value):
            fail(f"text.py: {path} is {value}, which JSON does not know")
    elif isinstance(value, dict):
        for key, part in value.items():
            if type(key) is not str:
                fail(f"text.py: {path} has the key {key!r} of the type {type(key).__name__}; keys are strings")
            check_plain(part, f"{path}[{key!r}]")
    elif type(value) in (list, tuple):
        for place, part in enumerate(value):
            check_plain(part, f"{path}[{place}]")
    else:
        fail(f"text.py: {path} is {value!r} of the type {type(value).__name__}, which is no plain data (int(…), .tolist())")
    if path == "public":
        json.dumps(value)
