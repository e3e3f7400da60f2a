"""A Scene is one position as plain data; viewers draw scenes and know no game.

Coordinates are those of the board: x to the right, y down, z the layer (0 for flat games). Colours are names of roles, not
of paints: every viewer has its own palette for them.
"""

from __future__ import annotations

import msgspec

# What a viewer must have a colour for. Seats are "seat0", "seat1", …
ROLES = ("floor", "wall", "goal", "resource", "danger", "safe", "fog", "path", "neutral")


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place of the board that is not plain floor."""

    x: int
    y: int
    role: str  # of ROLES
    z: int = 0
    text: str = ""  # at most two characters
    amount: float | None = None  # a value worth showing (ore left, energy)


class Bar(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value with a known maximum, such as health."""

    name: str
    value: float
    full: float


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that moves or can be taken; `id` stays the same from turn to turn."""

    id: str
    x: int
    y: int
    role: str  # "seat0", "seat1", … or of ROLES
    text: str  # at most two characters
    z: int = 0
    facing: str = ""  # "up", "down", "left", "right" or ""
    bars: tuple[Bar, ...] = ()
    about: str = ""  # one line for a tool tip


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A highlight on a place, under the pieces; the role of a seat is a light tint: this place is known to that seat alone."""

    x: int
    y: int
    role: str  # of ROLES, or "seat0", "seat1", …
    z: int = 0


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line between two places (a shot, an edge of the board)."""

    x: int
    y: int
    to_x: int
    to_y: int
    role: str
    z: int = 0
    to_z: int = 0


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened in the last turn, for logs and animations."""

    kind: str
    text: str  # one readable line
    who: str = ""  # id of a piece
    x: int | None = None
    y: int | None = None
    to_x: int | None = None
    to_y: int | None = None
    amount: float | None = None
    z: int = 0
    to_z: int = 0


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that a viewer needs to draw one position."""

    title: str
    width: int
    height: int
    status: str  # one line: whose move, or how it ended
    layers: int = 1
    columns: tuple[str, ...] = ()  # labels above the board
    rows: tuple[str, ...] = ()  # labels left of it
    cells: tuple[Cell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: tuple[Mark, ...] = ()
    links: tuple[Link, ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()  # the side panel: name, value
    events: tuple[Event, ...] = ()
    holes: tuple[tuple[int, int, int], ...] = ()  # x, y, z inside the frame that are no place of the board
