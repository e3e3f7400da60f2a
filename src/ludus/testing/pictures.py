"""How a game looks, before anything is drawn: its board, and the words for what its frames hold."""

from __future__ import annotations

from typing import Any

from ludus.core import ROLES, Board, Words, split
from ludus.games import Game

from .breach import fail

EVENT_SLOTS = {"seat", "who", "at", "to", "amount", "a", "b"}
STATUS_SLOTS = {"seat", "turn", "a", "b", "c"}
PIECE_SLOTS = {"seat", "name", "id", "at", "amount", "facing", "x", "y", "z"}


def check_picture(game: Game) -> str:
    """BOARD and WORDS fit the frames and each other."""
    picture = game.picture
    if not isinstance(picture.board, Board):
        fail(f"scene.py: BOARD is a {type(picture.board).__name__}, not a ludus.core.Board")
    if not isinstance(picture.words, Words):
        fail(f"scene.py: WORDS is a {type(picture.words).__name__}, not ludus.core.Words")
    if not {"piece_id", "event_who", "role"} <= set(picture.frame.names or ()):
        fail("scene.py: Frame is not made by ludus.core.frame_type(width, height, pieces=…)")
    _check_board(picture.board, picture.frame["role"].shape)
    _check_words(game, picture.words, picture.frame)
    width, height, layers = picture.board.width, picture.board.height, picture.board.layers
    return f"{width} × {height}" + (f" in {layers} layers" if layers > 1 else "") + f", {picture.frame.itemsize} bytes a frame"


def _check_board(board: Board, shape: tuple[int, ...]) -> None:
    size = (board.layers, board.height, board.width)
    if size != shape:
        fail(f"scene.py: BOARD has {size} layers, rows and columns, but Frame has {shape}")
    for labels, length, name in ((board.columns, board.width, "columns"), (board.rows, board.height, "rows")):
        if labels and len(labels) != length:
            fail(f"scene.py: BOARD.{name} has {len(labels)} labels for {length} {name}")
    spots = [("places", place[:3]) for place in board.places] + [("holes", hole) for hole in board.holes]
    spots += [("links", spot) for link in board.links for spot in ((link.x, link.y, link.z), (link.to_x, link.to_y, link.to_z))]
    for kind, (x, y, z) in spots:
        if not (0 <= x < board.width and 0 <= y < board.height and 0 <= z < board.layers):
            fail(f"scene.py: one of BOARD.{kind} stands at x {x}, y {y}, z {z}, beyond the board")


def _check_words(game: Game, words: Words, frame: Any) -> None:
    if len(words.numbers) != frame["number"].shape[0] and words.numbers:
        fail(f"scene.py: WORDS.numbers names {len(words.numbers)} numbers, Frame has {frame['number'].shape[0]}")
    if len(words.bars) > frame["piece_bar"].shape[1]:
        fail(f"scene.py: WORDS.bars names {len(words.bars)} bars, but Frame has room for {frame['piece_bar'].shape[1]} a piece")
    if words.bar_scales and len(words.bar_scales) != len(words.bars):
        fail(f"scene.py: WORDS.bar_scales has {len(words.bar_scales)} scales for {len(words.bars)} bars")
    if not words.texts or words.texts[0]:
        fail('scene.py: the first of WORDS.texts must be "", for cells without a text')
    for text in words.texts:
        if len(text) > 2:
            fail(f"scene.py: {text!r} of WORDS.texts is longer than two characters")
    for k, sentence in enumerate(words.status):
        _check_sentence(words, f"WORDS.status[{k}]", sentence, STATUS_SLOTS)
    for event in words.events:
        _check_sentence(words, f"the event {event.kind!r} of WORDS", event.text, EVENT_SLOTS)
    for piece in words.pieces:
        if piece.role not in ROLES:
            fail(f"scene.py: the piece {piece.name!r} of WORDS has the role {piece.role!r}; roles are: {', '.join(ROLES)}")
        for sentence in (piece.text, piece.about):
            _check_sentence(words, f"the piece {piece.name!r} of WORDS", sentence, PIECE_SLOTS)
    for number in words.numbers:
        _check_how(words, f"the number {number.name!r} of WORDS", number.how)
        if not -1 <= number.seat < len(game.spec.seats):
            fail(f"scene.py: the number {number.name!r} of WORDS is of seat {number.seat}, which there is not")
    _check_how(words, "WORDS.amounts", words.amounts)


def _check_sentence(words: Words, where: str, sentence: object, slots: set[str]) -> None:
    if not isinstance(sentence, str) or "\n" in sentence or not sentence.strip():
        fail(f"scene.py: {where} must be one line of text, not {sentence!r}")
    for text, name, how in split(sentence):
        if "{" in text or "}" in text:
            fail(f"scene.py: {where}: {sentence!r} has a brace that is no slot such as {{seat}} or {{a:LIST}}")
        if name and name not in slots:
            fail(f"scene.py: {where}: the slot {{{name}}} is not known there; known are: {', '.join(sorted(slots))}")
        _check_how(words, where, how)


def _check_how(words: Words, where: str, how: str) -> None:
    if how and how != "+" and how not in words.lists and how not in words.scales:
        known = ", ".join(["+", *words.lists, *words.scales])
        fail(f"scene.py: {where} writes a number as {how!r}, which is none of WORDS.lists and WORDS.scales ({known})")
