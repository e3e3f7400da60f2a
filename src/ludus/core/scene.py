"""A Scene is a frame in words: what viewers draw. They know no game.

Coordinates are those of the board: x to the right, y down, z the layer (0 for flat games). Colours are names of roles, not
of paints: every viewer has its own palette for them. Numbers of a frame get their names from a game's `Words`, by sentences
with slots such as "{seat} drives {facing} to {to}"; the page in a browser reads the same ones.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from .frame import FACINGS, NOBODY, ROLES, SEAT_ROLE


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line between two places (a shot, an edge of the board)."""

    x: int
    y: int
    to_x: int
    to_y: int
    role: str
    z: int = 0
    to_z: int = 0


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    """What never changes: the same in all scenes of a game."""

    width: int
    height: int
    layers: int = 1
    columns: tuple[str, ...] = ()  # labels above the board
    rows: tuple[str, ...] = ()  # labels left of it
    point: str = "{x},{y}"  # how a place is written; {column} and {row} are its labels
    places: tuple[tuple[int, int, int, str], ...] = ()  # x, y, z and name of places that have one, such as a number
    holes: tuple[tuple[int, int, int], ...] = ()  # x, y, z inside the frame that are no place of the board
    links: tuple[Link, ...] = ()  # lines that are always there


class PieceWord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a kind of piece is called."""

    name: str
    text: str  # sign of at most three characters: "H", "{amount:+}", "B{facing}"
    icon: str = ""  # name of a drawing in viewers/icons; "" = the text
    about: str = "{seat} {name} on {at}"  # one line for a tool tip; bars are told beside it
    role: str = "neutral"  # of pieces that are nobody's


class NumberWord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a number of the side panel is called and how it is written."""

    name: str
    seat: int = NOBODY  # whose it is
    how: str = ""  # as in a slot: "+", a scale or a list of words; of a list in `flags` the words of all bits that are set
    unit: str = ""
    is_curve: bool = True  # worth drawing over time


class EventWord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a kind of event is called."""

    kind: str  # one word: viewers know move, shot, hit, pick, end, and draw what they do not know as text
    text: str  # its sentence


class Words(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the numbers of a frame are called."""

    status: tuple[str, ...] = ("{seat} to move",)  # sentences; slots: seat, turn, a, b, c
    pieces: tuple[PieceWord, ...] = ()
    bars: tuple[str, ...] = ()
    bar_scales: tuple[int, ...] = ()  # what a bar's value is divided by; () = nothing
    numbers: tuple[NumberWord, ...] = ()
    events: tuple[EventWord, ...] = ()  # slots: seat, who, at, to, amount, a, b
    texts: tuple[str, ...] = ("",)  # of cells, at most two characters
    amounts: str = ""  # how amounts of cells are written, as in a slot
    lists: dict[str, tuple[str, ...]] = {}  # {a:NAME}: the a-th word
    flags: tuple[str, ...] = ()  # lists whose number is a set of bits
    scales: dict[str, int] = {}  # {a:NAME}: a divided by this
    legend: tuple[tuple[str, str], ...] = ()  # sign of a cell or mark: its meaning; roles without one are named as they are


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place of the board that is not plain floor."""

    x: int
    y: int
    role: str  # of ROLES
    z: int = 0
    text: str = ""  # at most two characters
    amount: str = ""  # a value worth showing (ore left, energy)


class Bar(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value with a known maximum, such as health."""

    name: str
    value: float
    full: float


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that moves or can be taken; `id` stays the same from turn to turn."""

    id: int
    x: int
    y: int
    role: str  # "seat0", "seat1", … or of ROLES
    text: str  # a short sign
    kind: str = ""  # its name
    icon: str = ""
    z: int = 0
    seat: int = NOBODY
    amount: int = 0
    facing: str = ""  # "up", "down", "left", "right" or ""
    is_past: bool = False  # remembered, perhaps no longer there
    bars: tuple[Bar, ...] = ()
    about: str = ""  # one line for a tool tip


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A highlight on a place, under the pieces; the role of a seat is a light tint: this place is known to that seat alone."""

    x: int
    y: int
    role: str  # of ROLES, or "seat0", "seat1", …
    z: int = 0


class Number(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number of the side panel."""

    name: str
    text: str  # as people read it, with its limit
    value: float
    seat: int = NOBODY
    is_curve: bool = True


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened in the last turn, for logs and animations."""

    kind: str
    text: str  # one readable line
    who: int = NOBODY  # id of a piece of this scene
    seat: int = NOBODY
    x: int | None = None
    y: int | None = None
    to_x: int | None = None
    to_y: int | None = None
    amount: int = 0
    z: int = 0
    to_z: int = 0


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that a viewer needs to draw one position."""

    title: str
    board: Board
    status: str  # one line: whose move, or how it ended
    seats: tuple[str, ...] = ()
    seat: int = NOBODY  # to move
    turn: int = 0
    cells: tuple[Cell, ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: tuple[Mark, ...] = ()
    links: tuple[Link, ...] = ()
    numbers: tuple[Number, ...] = ()
    events: tuple[Event, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()


def role_name(role: int) -> str:
    """Return the name of a role's number."""
    return f"seat{role - SEAT_ROLE}" if role >= SEAT_ROLE else ROLES[role]


def read_scene(title: str, seats: tuple[str, ...], board: Board, words: Words, frame: Any) -> Scene:
    """Read a frame, a plain row, in a game's words."""
    reading = _Reading(seats, board, words, frame)
    return Scene(
        title=title,
        board=board,
        status=reading.status(),
        seats=seats,
        seat=frame.seat,
        turn=frame.turn,
        cells=reading.cells(),
        pieces=reading.pieces(),
        marks=reading.marks(),
        links=reading.links(),
        numbers=reading.numbers(),
        events=reading.events(),
        legend=words.legend,
    )


class _Reading:
    """One frame, read field by field: NumPy's own lists are the fastest way to many numbers."""

    def __init__(self, seats: tuple[str, ...], board: Board, words: Words, frame: Any) -> None:
        self.seats, self.board, self.words, self.frame = seats, board, words, frame
        self.names = place_names(board)
        self.called: dict[int, str] = {}  # pieces by id, as sentences name them

    def status(self) -> str:
        frame = self.frame
        a, b, c = frame.status_value.tolist()
        return self.say(self.words.status[frame.status], seat=frame.seat, turn=frame.turn, a=a, b=b, c=c)

    def cells(self) -> tuple[Cell, ...]:
        frame, texts, how, found = self.frame, self.words.texts, self.words.amounts, []
        shown = (frame.role != 0) | (frame.text != 0) | (frame.has_amount != 0)
        zs, ys, xs = shown.nonzero()
        parts = (frame.role[shown], frame.text[shown], frame.has_amount[shown], frame.amount[shown], xs, ys, zs)
        for role, text, has_amount, amount, x, y, z in zip(*(part.tolist() for part in parts), strict=True):
            written = self.number(amount, how) if has_amount else ""
            found.append(Cell(x, y, role_name(role), z, texts[text], written))
        return tuple(found)

    def pieces(self) -> tuple[Piece, ...]:
        frame, count = self.frame, int(self.frame.pieces)
        names = ("id", "kind", "seat", "x", "y", "z", "facing", "amount", "past", "bar", "full")
        lists = (frame[f"piece_{name}"][:count].tolist() for name in names)
        return tuple(self.piece(*parts) for parts in zip(*lists, strict=True))

    def piece(self, identity: int, kind: int, seat: int, x: int, y: int, z: int, *parts: Any) -> Piece:
        facing, amount, past, bar, full = parts
        word, scales = self.words.pieces[kind], self.words.bar_scales
        slots = {"seat": seat, "name": word.name, "id": identity, "x": x, "y": y, "z": z, "at": (x, y, z)}
        slots |= {"amount": amount, "facing": FACINGS[facing]}
        bars = []
        for k, name in enumerate(self.words.bars):
            if full[k]:
                scale = scales[k] if scales else 1
                bars.append(Bar(name, bar[k] / scale, full[k] / scale))
        role = f"seat{seat}" if seat >= 0 else word.role
        self.called[identity] = f"{self.seats[seat]}'s {word.name}" if seat >= 0 else word.name
        return Piece(
            identity, x, y, role, self.say(word.text, **slots), word.name, word.icon, z, seat, amount, FACINGS[facing],
            bool(past), tuple(bars), self.say(word.about, **slots),
        )  # fmt: skip

    def marks(self) -> tuple[Mark, ...]:
        frame, count = self.frame, int(self.frame.marks)
        lists = (frame[name][:count].tolist() for name in ("mark_x", "mark_y", "mark_role", "mark_z"))
        return tuple(Mark(x, y, role_name(role), z) for x, y, role, z in zip(*lists, strict=True))

    def links(self) -> tuple[Link, ...]:
        frame, count = self.frame, int(self.frame.links)
        lists = (frame[name][:count].tolist() for name in ("link_x", "link_y", "link_z", "link_role"))
        return tuple(
            Link(x, y, to_x, to_y, role_name(role), z, to_z)
            for (x, to_x), (y, to_y), (z, to_z), role in zip(*lists, strict=True)
        )

    def numbers(self) -> tuple[Number, ...]:
        frame, found = self.frame, []
        lists = (frame[name].tolist() for name in ("number", "number_limit", "number_shown"))
        for word, value, limit, is_shown in zip(self.words.numbers, *lists, strict=False):
            if is_shown:
                text = self.number(value, word.how) + (f"/{self.number(limit, word.how)}" if limit else "") + word.unit
                scale = self.words.scales.get(word.how, 1)
                found.append(Number(word.name, text, value / scale, word.seat, word.is_curve))
        return tuple(found)

    def events(self) -> tuple[Event, ...]:
        frame, count = self.frame, int(self.frame.events)
        names = ("kind", "seat", "who", "amount", "value", "x", "y", "z")
        lists = (frame[f"event_{name}"][:count].tolist() for name in names)
        return tuple(self.event(*parts) for parts in zip(*lists, strict=True))

    def event(self, kind: int, seat: int, who: int, amount: int, value: Any, x: Any, y: Any, z: Any) -> Event:
        word = self.words.events[kind]
        slots = {"seat": seat, "who": self.called.get(who, ""), "amount": amount, "a": value[0], "b": value[1]}
        slots |= {"at": (x[0], y[0], z[0]), "to": (x[1], y[1], z[1])}
        from_x, from_y, to_x, to_y = (None if place < 0 else place for place in (x[0], y[0], x[1], y[1]))
        text = self.say(word.text, **slots)
        return Event(word.kind, text, who, seat, from_x, from_y, to_x, to_y, amount, z[0], z[1])

    def say(self, sentence: str, **slots: Any) -> str:
        """Fill the slots of a sentence."""
        said = []
        for text, name, how in split(sentence):
            said.append(text)
            if name == "seat" and not how:
                said.append(self.seats[slots["seat"]] if slots["seat"] >= 0 else "nobody")
            elif name in ("at", "to"):
                said.append(self.names.get(slots[name], "?"))
            elif name:
                value = slots[name]
                said.append(value if isinstance(value, str) else self.number(value, how))
        return "".join(said)

    def number(self, value: int, how: str) -> str:
        """Write a number as a slot says."""
        if not how:
            return str(value)
        if how == "+":
            return f"{value:+d}"
        if how in self.words.flags:
            return " ".join(word for bit, word in enumerate(self.words.lists[how]) if value >> bit & 1) or "none"
        if how in self.words.lists:
            return self.words.lists[how][value]
        return f"{value / self.words.scales[how]:.4g}"


@cache
def split(sentence: str) -> tuple[tuple[str, str, str], ...]:
    """Cut a sentence into text, name of the slot after it, and how that is written."""
    parts = re.split(r"\{(\w+)(?::([\w+]+))?\}", sentence)
    cut = [(parts[k], parts[k + 1], parts[k + 2] or "") for k in range(0, len(parts) - 1, 3)]
    return (*cut, (parts[-1], "", ""))


_names: dict[int, tuple[Board, dict[tuple[int, int, int], str]]] = {}  # by the board's identity, which is kept with it


def place_names(board: Board) -> dict[tuple[int, int, int], str]:
    """Return how every place of a board is written."""
    found = _names.get(id(board))
    if found is None:
        names = {
            (x, y, z): board.point.format(
                x=x, y=y, z=z, column=board.columns[x] if board.columns else x, row=board.rows[y] if board.rows else y
            )
            for z in range(board.layers)
            for y in range(board.height)
            for x in range(board.width)
        }
        names |= {(x, y, z): name for x, y, z, name in board.places}
        found = _names[id(board)] = (board, names)
    return found[1]
