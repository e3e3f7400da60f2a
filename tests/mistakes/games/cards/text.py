"""Positions as text, views as plain data."""

import numpy as np

from ludus.core import BadRecord, plain

from .rules import CARDS, HAND, SPEC, State

FACTS = ("opt_bonus", "seat", "turn", "lead", "last_card")


def text(s):
    facts = [f"{name}={s[name]}" for name in FACTS]
    lists = [f"{name}={','.join(map(str, s[name].tolist()))}" for name in ("last_reward", "tricks", "place")]
    return " ".join([*facts, *lists])


def parse(line):
    words = dict(word.partition("=")[::2] for word in line.split())
    if sorted(words) != sorted([*FACTS, "last_reward", "tricks", "place"]):
        raise BadRecord(f"a position has the facts {', '.join(FACTS)}, last_reward, tricks and place")
    s = plain(np.zeros(1, State))
    for name in FACTS:
        s[name] = _numbers(name, words[name], 1)[0]
    for name, count in (("last_reward", 2), ("tricks", 2), ("place", CARDS)):
        s[name][:] = _numbers(name, words[name], count)
    return s


def _numbers(name, word, count):
    parts = word.split(",")
    try:
        numbers = [int(part) for part in parts]
    except ValueError:
        raise BadRecord(f"{name} holds numbers, not {word!r}") from None
    if len(numbers) != count or not all(-9 <= number <= 99 for number in numbers):
        raise BadRecord(f"{name} holds {count} small numbers, not {word!r}")
    return numbers


def public(view):
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "turn": view.turn,
        "over": view.turn == HAND,
        "hand": [card for card in range(CARDS) if view.mine[card]],
        "played": [card for card in range(CARDS) if view.played[card]],
        "lead": view.lead,
        "tricks": view.tricks.tolist(),
        "bonus": view.bonus,
    }
