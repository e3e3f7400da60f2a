"""Positions as text, views as plain data."""

import numpy as np

from ludus.core import BadRecord, plain

from .rules import CELLS, HEIGHT, NOBODY, SPEC, WIDTH, State, is_over

SIGNS = ".XO"  # by owner + 1


def text(s):
    drawing = ["".join(SIGNS[int(owner) + 1] for owner in s.owner[y]) for y in range(HEIGHT)]
    facts = f"row {s.opt_row} winner {s.winner} last {s.last_action} reward {s.last_reward[0]} {s.last_reward[1]}"
    return "\n".join([facts, *drawing])


def parse(drawing):
    lines = drawing.split("\n")
    words = lines[0].split()
    if len(lines) != HEIGHT + 1 or words[::2][:3] != ["row", "winner", "last"] or len(words) != 9 or words[6] != "reward":
        raise BadRecord("a position is a line of facts and four rows of cells")
    s = plain(np.zeros(1, State))
    numbers = [_number(words[place]) for place in (1, 3, 5, 7, 8)]
    s.opt_row, s.winner, s.last_action = numbers[:3]
    s.last_reward[:] = numbers[3:]
    for y, line in enumerate(lines[1:]):
        if len(line) != WIDTH or set(line) - set(SIGNS):
            raise BadRecord(f"a row has {WIDTH} of the signs {SIGNS}, not {line!r}")
        s.owner[y] = [SIGNS.index(sign) - 1 for sign in line]
    s.turn = int((s.owner != NOBODY).sum())
    s.seat = s.turn % 2
    return s


def _number(word):
    if not word.lstrip("-").isdecimal() or not -CELLS <= int(word.lstrip("-")[:6]) <= CELLS or word.count("-") > 1:
        raise BadRecord(f"a number from {-CELLS} to {CELLS} is needed, not {word!r}")
    return int(word)


def public(view):
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "turn": view.turn,
        "over": bool(is_over(view)),
        "owner": view.owner.tolist(),
        "last": view.last_action,
    }
