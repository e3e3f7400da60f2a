"""How a game looks: frames of every seat and of spectators, read as scenes and drawn by the terminal."""

from __future__ import annotations

from functools import cache
from typing import Any, NoReturn

import numpy as np

from ludus.core import FACINGS, NOBODY, ROLES, SEAT_ROLE, Row, Scene, plain
from ludus.engine import Batch
from ludus.viewers import Paper, draw, tell

from .breach import fail
from .compare import different, same
from .judge import Judge
from .pictures import check_picture
from .rows import checked

ROOM = 4  # more of each thing than a Frame has: what would not fit is noticed
WIDTHS = (20, 60, 200)  # columns of terminals in which scenes are drawn
PARTS = ("piece", "mark", "link", "event")


def check_scenes(judge: Judge, rows: list[Row]) -> str:
    """frames stand within their boards, are the same when asked again, and can be drawn."""
    judge.call("reading scene.py", check_picture, judge.game)
    count = 0
    for row in rows:
        for seat in range(-1, len(judge.spec.seats)):
            frame = _filled(judge, row, seat)
            _check_frame(judge, frame)
            if count % 5 == 0:
                _draw(judge, judge.call("reading a frame", judge.game.read_frame, frame))
            if count % 5 == 1 and different(frame, _filled(judge, row, seat)):
                fail("scene.py: show fills the same frame differently when asked again")
            count += 1
    return f"{count} frames"


def compare_frames(judge: Judge, rows: list[Row], device: str) -> str:
    """Fill frames on another device and compare them with the uncompiled ones."""
    batch = Batch(judge.game, len(rows), 0, device)
    batch.load(np.concatenate([row.array for row in rows]))
    values = 0
    for seat in range(-1, len(judge.spec.seats)):
        wanted = np.concatenate([judge.game.frame(row, seat).array for row in rows])
        who = judge.spec.seats[seat] if seat >= 0 else "spectators"
        values += same(wanted, batch.host(batch.frames(seat)), f"pure and {device}: the frame of {who}")
    return f"{values} values of {len(rows)} frames equal"


def _filled(judge: Judge, row: Row, seat: int) -> Row:
    """Return a frame, filled in one with more room than it has: what would not fit is a breach."""
    picture, before = judge.game.picture, bytes(row.bytes)
    roomy = checked(np.zeros(1, _roomy(picture.frame)), "frame")
    if seat < 0:
        judge.call("show_all for spectators", picture.show_all, judge.row(row), roomy)
    else:
        judge.call(f"show for {judge.spec.seats[seat]}", picture.show, judge.observe(row, seat), roomy)
    judge.check_untouched("scene.py: show", row, before)
    frame = plain(np.zeros(1, picture.frame))
    for name in frame.dtype.names or ():
        field = frame.array[name]
        field[...] = roomy.array[name][tuple(slice(0, length) for length in field.shape)]
    for part in PARTS:
        count, room = (
            int(roomy[f"{part}s"]),
            frame.dtype[f"{part}_role" if part in ("mark", "link") else f"{part}_kind"].shape[0],
        )
        if count > room:
            more = f" or more ({count} at least)" if count == room + ROOM else f" ({count} are shown)"
            fail(f"scene.py: Frame has room for {room} {part}s, too few{more}: frame_type(…, {part}s={count})")
    return frame


@cache
def _roomy(frame: np.dtype[Any]) -> np.dtype[Any]:
    fields: list[Any] = []
    for name in frame.names or ():
        shape = frame[name].shape
        if shape and name.split("_")[0] in PARTS:
            shape = (shape[0] + ROOM, *shape[1:])
        fields.append((name, frame[name].base, shape) if shape else (name, frame[name]))
    return np.dtype(fields, align=True)


def _check_frame(judge: Judge, frame: Row) -> None:
    """Hold one frame to what viewers need."""
    words, seats = judge.game.picture.words, len(judge.spec.seats)
    _within("status", [frame.status], 0, len(words.status), "WORDS.status")
    _within("seat", [frame.seat], NOBODY, seats, "the seats")
    _within("text", frame.text, 0, len(words.texts), "WORDS.texts")
    _roles(frame.role, seats, "role")
    count = {part: int(frame[f"{part}s"]) for part in PARTS}
    _within("piece_kind", frame.piece_kind[: count["piece"]], 0, len(words.pieces), "WORDS.pieces")
    _within("piece_seat", frame.piece_seat[: count["piece"]], NOBODY, seats, "the seats")
    _within("piece_facing", frame.piece_facing[: count["piece"]], 0, len(FACINGS), "FACINGS")
    _within("event_kind", frame.event_kind[: count["event"]], 0, len(words.events), "WORDS.events")
    _within("event_seat", frame.event_seat[: count["event"]], NOBODY, seats, "the seats")
    for part in ("mark", "link"):
        _roles(frame[f"{part}_role"][: count[part]], seats, f"{part}_role")
    for part in PARTS:
        _check_places(judge, frame, part, count[part])
    _check_pieces(words, frame, count)


def _check_pieces(words: Any, frame: Row, count: dict[str, int]) -> None:
    ids = frame.piece_id[: count["piece"]].tolist()
    if len(set(ids)) < len(ids):
        fail(f"scene.py: two pieces have the id {next(one for one in ids if ids.count(one) > 1)}")
    for who in frame.event_who[: count["event"]].tolist():
        if who != NOBODY and who not in ids:
            fail(f"scene.py: an event is of the piece {who}, but no piece of the frame has that id")
    for k in range(count["piece"]):
        for bar, name in enumerate(words.bars):
            value, full = int(frame.piece_bar[k, bar]), int(frame.piece_full[k, bar])
            if full and not 0 <= value <= full:
                fail(f"scene.py: the bar {name!r} of the piece {ids[k]} has {value} of {full}")


def _check_places(judge: Judge, frame: Row, part: str, count: int) -> None:
    board = judge.game.picture.board
    holes = set(board.holes)
    places = (frame[f"{part}_{axis}"][:count].reshape(-1).tolist() for axis in "xyz")
    for x, y, z in zip(*places, strict=True):
        if part == "event" and x == y == NOBODY:
            continue
        if not (0 <= x < board.width and 0 <= y < board.height and 0 <= z < board.layers):
            size = f"{board.width} × {board.height}" + (f" × {board.layers}" if board.layers > 1 else "")
            fail(f"scene.py: a {part} stands at x {x}, y {y}{f', z {z}' if z else ''}, beyond the board of {size}")
        if (x, y, z) in holes:
            fail(f"scene.py: a {part} stands at x {x}, y {y}, z {z}, which BOARD.holes says is no place")


def _roles(roles: Any, seats: int, field: str) -> None:
    for role in np.unique(roles).tolist():
        if not (role < len(ROLES) or SEAT_ROLE <= role < SEAT_ROLE + seats):
            fail(f"scene.py: frame.{field} holds {role}; roles are 0 to {len(ROLES) - 1} and SEAT_ROLE + a seat")


def _within(field: str, numbers: Any, low: int, end: int, what: str) -> None:
    for number in np.unique(numbers).tolist():
        if not low <= number < end:
            _beyond(field, number, what, end)


def _beyond(field: str, number: int, what: str, end: int) -> NoReturn:
    fail(f"scene.py: frame.{field} holds {number}, but there are {end} of {what}")


def _draw(judge: Judge, scene: Scene) -> None:
    for width in WIDTHS:
        lines = judge.call("drawing a scene in the terminal", draw, scene, Paper(width))
        if any(len(line) > width for line in lines):
            fail(f"scene.py: a picture of {width} columns has a longer line: {max(lines, key=len)!r}")
    judge.call("telling a scene", tell, scene)
