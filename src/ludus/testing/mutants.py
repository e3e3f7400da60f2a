"""Rows and texts that were tampered with: refused in a sentence, or safe for every verb."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import LudusError, Row, plain, streams

from .breach import CheckFailed, fail, told
from .judge import Judge
from .play import ask_bot
from .work import Budget

NUMBERS = ("-1", "99", "2147483648", "99999999999999999999", "x", "")


def exercise(judge: Judge, source: Row, chance: np.random.Generator, decisions: int, words: bool = True) -> None:
    """Use a row in every way: all verbs for some decisions, bots, text, plain data and scenes."""
    row, rng, game = judge.row(source), streams(int(chance.integers(2**31)), 1)[0], judge.game
    for number in range(decisions):
        mask, (status, *_) = judge.legal(row), judge.result(row)
        if (status == 0) != bool(mask.any()):
            fail(f"result says {status}, but legal marks {int(mask.sum())} actions")
        views = [judge.observe(row, seat) for seat in range(len(judge.spec.seats)) if number % 5 == 0]
        for view in views:
            judge.encode(view)
            if judge.spec.features:
                judge.features(view)
        if words and number in (0, decisions - 1):
            _speak(judge, row)
        if status:
            return
        judge.default(row, mask)
        action = int(chance.choice(np.flatnonzero(mask)))
        if number == 0:
            memory = game.says("bots", "Scratch")
            for bot in judge.bots:
                room = None if memory is None else np.zeros(1, memory)
                ask_bot(judge, bot, row, mask, rng.copy(), room, twice=False, view=views[row.seat])
        judge.apply(row, action, rng, whole=False)


def _speak(judge: Judge, row: Row) -> None:
    game, copy = judge.game, plain(row.copy().array)
    judge.call("text", game.text, copy)
    for seat in range(-1, len(judge.spec.seats)):
        judge.call("scene", game.scene, copy, seat)
        if seat >= 0:
            judge.call("public", game.public, game.look(copy, seat))


def check_mutants(judge: Judge, rows: list[Row], amount: float) -> str:
    """sound refuses rows that were tampered with, or they are safe for every verb."""
    if not hasattr(judge.game.rules, "sound"):
        return "rules.py has no sound(s): rows and texts from outside are only held to seats and options"
    budget, chance = Budget(amount), np.random.default_rng(4)
    tried = accepted = 0
    names = [name for name in judge.game.state_type.names or () if not name.startswith("opt_") and name != "seat"]
    sizes = {judge.spec.actions, len(judge.spec.seats), *(n for name in names for n in judge.game.state_type[name].shape)}
    usual = [-1, *sorted(sizes), 0, 1, 2, 3, 7]
    for turn in range(40):
        for name in names:
            source = rows[int(chance.integers(len(rows)))]
            accepted += _try_field(judge, source, name, usual, turn, chance)
            tried += 1
        accepted += _try_bytes(judge, rows[int(chance.integers(len(rows)))], chance)
        tried += 1
        if budget.is_spent():
            break
    return f"{tried} rows, {accepted} of them accepted and played"


def _try_field(judge: Judge, source: Row, name: str, usual: list[int], turn: int, chance: np.random.Generator) -> int:
    """Put an odd value into one field; return 1 if sound accepts it."""
    row, kind = plain(source.copy().array), judge.game.state_type[name].base
    limits = np.iinfo(kind)
    values = [limits.max, limits.min, *(v for v in usual if limits.min <= v <= limits.max)]
    value = values[turn] if turn < len(values) else int(chance.integers(limits.min, limits.max, endpoint=True, dtype=kind))
    field = row.array[name].reshape(-1)
    place = int(chance.integers(field.size))
    if field.size > 1 and turn % 3 == 2:
        field[:] = value
        words = f"all of {name} set to {value}"
    else:
        field[place] = value
        words = f"{name}{f'[{place}]' if field.size > 1 else ''} set to {value}"
    return _try(judge, row, words, chance)


def _try_bytes(judge: Judge, source: Row, chance: np.random.Generator) -> int:
    """Fill a row with random bytes, all but what is checked for every game."""
    row = plain(source.copy().array)
    row.array.view(np.uint8)[:] = chance.integers(0, 256, row.array.nbytes, dtype=np.uint8)
    for name in ("seat", *(f"opt_{option.name}" for option in judge.spec.options)):
        row.array[name] = source.array[name]
    return _try(judge, row, "random bytes", chance)


def _try(judge: Judge, row: Row, words: str, chance: np.random.Generator) -> int:
    judge.where = ""
    try:
        is_sound = judge.sound(judge.row(row))
    except CheckFailed as breach:
        fail(f"sound fails on a row with {words}: {breach}")
    if not is_sound:
        reason = judge.call("why_unsound", judge.game.why_unsound, row)
        if not isinstance(reason, str) or not reason:
            fail("text.py: why_unsound must say a sentence")
        return 0
    try:
        exercise(judge, row, chance, 12)
    except CheckFailed as breach:
        fail(f"{judge.at('sound')} accepts a row with {words}, but then: {breach}")
    return 1


def check_spoilt_texts(judge: Judge, rows: list[Row], amount: float) -> str:
    """parse refuses what cannot be read in a sentence."""
    if judge.game.says("text", "parse") is None:
        return "the text form is Ludus' own"
    budget, tried, chance = Budget(amount), 0, np.random.default_rng(6)
    for row in rows[:: max(1, len(rows) // 6)]:
        for spoilt in _spoilt(judge.game.text(row), chance):
            _read(judge, spoilt, chance)
            tried += 1
            if budget.is_spent():
                return f"{tried} texts"
    return f"{tried} texts"


def _read(judge: Judge, spoilt: str, chance: np.random.Generator) -> None:
    """Read a spoilt text: a LudusError with words, or a row that is refused or safe."""
    judge.watch.begin()
    try:
        row = judge.game.parse(spoilt)
    except LudusError as error:
        if not str(error).strip():
            fail("text.py: parse refuses without a word")
        return
    except Exception as error:
        raise told(error, judge.game.folder, f"parse must raise BadRecord for {spoilt[:60]!r}") from error
    finally:
        judge.watch.end()
    judge.where = ""
    if row.dtype != judge.game.state_type:
        fail("text.py: parse returned a row of another type than State")
    try:
        if judge.sound(judge.row(row)) and hasattr(judge.game.rules, "sound"):
            exercise(judge, row, chance, 6)
    except CheckFailed as breach:
        fail(f"text.py: parse and sound accept {spoilt[:80]!r}, but then: {breach}")


def _spoilt(text: str, chance: np.random.Generator) -> list[str]:
    """Return a text with its lines, words and numbers spoilt, one at a time."""
    lines, found = (
        text.splitlines(),
        ["", "\n", "?", "\x00", "é☃ 1 2", text[: len(text) // 2], text + text, text + "\nmore 1 2 3"],
    )
    for place in range(min(len(lines), 12)):
        found.append("\n".join(lines[:place] + lines[place + 1 :]))
        found.append("\n".join([*lines[: place + 1], lines[place], *lines[place + 1 :]]))
    import re

    words: list[Any] = list(re.finditer(r"\S+", text))
    for match in (words[int(k)] for k in np.unique(np.linspace(0, len(words) - 1, 40).astype(int))) if words else ():
        for other in NUMBERS:
            digits = re.sub(r"-?\d+", other, match.group(), count=1)
            found.append(text[: match.start()] + (digits if digits != match.group() else other) + text[match.end() :])
    for _ in range(20):
        place = int(chance.integers(len(text))) if text else 0
        found.append(text[:place] + chr(int(chance.integers(32, 127))) + text[place + 1 :])
    return found
