"""Positions as text, views as plain data."""

import re

import numpy as np

from ludus.core import BadRecord, plain

from .rules import PRIZES, SPEC, State


def text(s):
    lines = []
    for name in State.names:
        numbers = np.atleast_1d(s[name]).tolist()
        lines.append(f"{name}: {' '.join(map(str, numbers))}")
    return "\n".join(lines)


def parse(lines):
    s = plain(np.zeros(1, State))
    left = list(State.names)
    for line in lines.splitlines():
        name, _, words = line.partition(":")
        if name not in left:
            raise BadRecord(f"{name!r} is no field, or stands there twice")
        left.remove(name)
        field = s.array[name].reshape(-1)
        if not re.fullmatch(r"( -?\d{1,2})+", words) or len(words.split()) != field.size:
            raise BadRecord(f"{name} has {field.size} small numbers, not {words!r}")
        field[:] = [int(word) for word in words.split()]
    if left:
        raise BadRecord(f"the fields {', '.join(left)} are missing")
    return s


def public(view):
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "turn": view.turn,
        "over": view.turn == PRIZES,
        "coins": view.coins.tolist(),
        "score": view.score.tolist(),
        "bid": None if view.bid < 0 else view.bid,
        "prizes": [prize for prize in view.prize.tolist() if prize],
    }
