"""A frame is a position as something to draw, and a row like any other: rules fill it, on every device, by the million.

A game's scene.py has a `Frame` (made here from a few capacities), a `Board` that never changes, `WORDS` (what numbers in a
frame are called), and the rules `show(view, frame)` and `show_all(s, frame)`, which get a frame of zeros. A game that hides
nothing needs `show` alone. `core/scene.py` reads a frame as a Scene, for viewers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .rule import rule

# What a viewer must have a colour and a sign for, by number; the role of a seat is SEAT_ROLE + its number.
ROLES = ("floor", "wall", "goal", "resource", "danger", "safe", "fog", "path", "neutral")
FLOOR, WALL, GOAL, RESOURCE, DANGER, SAFE, FOG, PATH, NEUTRAL = range(len(ROLES))
SEAT_ROLE = 16
FACINGS = ("", "up", "down", "left", "right")
NO_FACING, FACING_UP, FACING_DOWN, FACING_LEFT, FACING_RIGHT = range(len(FACINGS))
NOBODY = -1  # no seat, no piece
NOWHERE = -1  # no place


def frame_type(
    width: int,
    height: int,
    layers: int = 1,
    *,
    pieces: int,
    bars: int = 0,
    marks: int = 1,
    links: int = 1,
    numbers: int = 1,
    events: int = 1,
) -> np.dtype[Any]:
    """Return the dtype of frames with room for so many things; `bars` is how many each piece may have."""
    board = (layers, height, width)
    fields: list[tuple[Any, ...]] = [
        ("turn", "i8"),  # what the rules call a turn; first and wide, so that a frame is made of whole words
        ("amount", "i4", board),  # a value worth showing, less than 0 if unknown; shown where `has_amount` is 1
        ("number", "i4", numbers),  # the side panel, in the order of WORDS.numbers
        ("number_limit", "i4", numbers),  # what it may reach; 0 = it has no limit
        ("status_value", "i4", 3),  # numbers that the sentence of the status names as {a}, {b}, {c}
        ("piece_id", "i4", pieces),  # stays the same from turn to turn
        ("piece_amount", "i4", pieces),  # such as how many stand there
        ("piece_bar", "i4", (pieces, max(1, bars))),  # values, in the order of WORDS.bars
        ("piece_full", "i4", (pieces, max(1, bars))),  # their maxima; 0 = this piece has no such bar
        ("event_who", "i4", events),  # id of a piece of this frame, or NOBODY
        ("event_amount", "i4", events),
        ("event_value", "i4", (events, 2)),  # numbers that its sentence names as {a} and {b}
        ("pieces", "i2"),  # how many of each there are
        ("marks", "i2"),
        ("links", "i2"),
        ("events", "i2"),
        ("piece_x", "i2", pieces),
        ("piece_y", "i2", pieces),
        ("mark_x", "i2", marks),
        ("mark_y", "i2", marks),
        ("link_x", "i2", (links, 2)),  # from, to
        ("link_y", "i2", (links, 2)),
        ("event_x", "i2", (events, 2)),  # from, to; NOWHERE if it has no such place
        ("event_y", "i2", (events, 2)),
        ("status", "i1"),  # which sentence of WORDS.status
        ("seat", "i1"),  # to move, or NOBODY when the game is over
        ("role", "u1", board),  # of ROLES, or of a seat
        ("text", "u1", board),  # which of WORDS.texts; 0 = none
        ("has_amount", "u1", board),
        ("number_shown", "u1", numbers),  # 0 = whoever looks may not know it
        ("piece_kind", "u1", pieces),  # which of WORDS.pieces
        ("piece_seat", "i1", pieces),  # whose it is, or NOBODY
        ("piece_z", "i1", pieces),
        ("piece_facing", "u1", pieces),  # of FACINGS
        ("piece_past", "u1", pieces),  # 1 = remembered, perhaps no longer there
        ("mark_z", "i1", marks),
        ("mark_role", "u1", marks),  # of a seat: a light tint, this place is known to that seat alone
        ("link_z", "i1", (links, 2)),
        ("link_role", "u1", links),
        ("event_z", "i1", (events, 2)),
        ("event_kind", "u1", events),  # which of WORDS.events
        ("event_seat", "i1", events),  # who did it, or NOBODY
    ]
    return np.dtype(fields, align=True)


@rule
def show_status(frame, status, seat, turn):
    """Say whose move it is, by a sentence of WORDS.status."""
    frame.status, frame.seat, frame.turn = status, seat, turn


@rule
def show_cell(frame, x, y, z, role):
    """Draw a place that is not plain floor."""
    frame.role[z, y, x] = role


@rule
def show_amount(frame, x, y, z, amount):
    """Write a number on a place."""
    frame.amount[z, y, x] = amount
    frame.has_amount[z, y, x] = 1


@rule
def show_number(frame, place, value, limit):
    """Fill a number of the side panel; a limit of 0 is none."""
    frame.number[place], frame.number_limit[place], frame.number_shown[place] = value, limit, 1


@rule
def add_piece(frame, identity, kind, seat, x, y, z):
    """Add a piece and return its place in the frame, for its amount, facing and bars."""
    k = min(int(frame.pieces), frame.piece_id.shape[0] - 1)  # one too many would take the last one's place
    frame.piece_id[k], frame.piece_kind[k], frame.piece_seat[k] = identity, kind, seat
    frame.piece_x[k], frame.piece_y[k], frame.piece_z[k] = x, y, z
    frame.pieces = k + 1
    return k


@rule
def show_bar(frame, k, bar, value, full):
    """Give the k-th piece a value with a maximum, such as health."""
    frame.piece_bar[k, bar], frame.piece_full[k, bar] = value, full


@rule
def add_mark(frame, x, y, z, role):
    """Highlight a place, under the pieces."""
    k = min(int(frame.marks), frame.mark_role.shape[0] - 1)
    frame.mark_x[k], frame.mark_y[k], frame.mark_z[k], frame.mark_role[k] = x, y, z, role
    frame.marks = k + 1


@rule
def add_link(frame, x, y, z, to_x, to_y, to_z, role):
    """Draw a line between two places."""
    k = min(int(frame.links), frame.link_role.shape[0] - 1)
    frame.link_x[k, 0], frame.link_y[k, 0], frame.link_z[k, 0] = x, y, z
    frame.link_x[k, 1], frame.link_y[k, 1], frame.link_z[k, 1] = to_x, to_y, to_z
    frame.link_role[k] = role
    frame.links = k + 1


@rule
def add_event(frame, kind, seat, who, amount):
    """Tell something that happened in the last turn and return its place in the frame; it stands nowhere yet."""
    k = min(int(frame.events), frame.event_kind.shape[0] - 1)
    frame.event_kind[k], frame.event_seat[k], frame.event_who[k], frame.event_amount[k] = kind, seat, who, amount
    for end in range(2):
        frame.event_x[k, end], frame.event_y[k, end], frame.event_z[k, end] = NOWHERE, NOWHERE, 0
    frame.events = k + 1
    return k


@rule
def event_from(frame, k, x, y, z):
    """Say where the k-th event began."""
    frame.event_x[k, 0], frame.event_y[k, 0], frame.event_z[k, 0] = x, y, z


@rule
def event_to(frame, k, x, y, z):
    """Say where the k-th event led."""
    frame.event_x[k, 1], frame.event_y[k, 1], frame.event_z[k, 1] = x, y, z
