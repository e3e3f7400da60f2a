"""What a person may do, for the mouse: every legal action by name, and the places of the board that it touches.

No viewer knows a game. An action touches the places that its name names; where it names none, it is tried on a copy of the
table and the seat's scenes are compared. In a game that hides something the copy is a position that the seat's view could
come from, so that nothing is given away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ludus.core import Board, LudusError, Scene, place_names, plain, streams
from ludus.engine import Table

MOST_TRIED = 96
MOST_DEFAULTS = 300  # decisions until a turn is over
Place = tuple[int, int, int]


@dataclass(frozen=True)
class Choice:
    """One legal action."""

    action: int
    name: str
    places: frozenset[Place]


def choices(table: Table, seat: int, view: Any, legal: list[int]) -> list[Choice]:
    """Return the legal actions of a seat that is asked."""
    game = table.game
    names = [game.action_name(action, view) for action in legal]
    named = [places_named(game.picture.board, name) for name in names]
    if not any(named) and len(legal) <= MOST_TRIED:
        named = _tried(table, seat, view, legal) or named
    return [Choice(*parts) for parts in zip(legal, names, named, strict=True)]


def places_named(board: Board, name: str) -> frozenset[Place]:
    """Return the places that a text names."""
    pattern, found = _pattern(board)
    return frozenset(found[re.sub(r"[,\s]+", ",", word)] for word in pattern.findall(name))


@lru_cache(maxsize=16)
def _pattern(board: Board) -> tuple[re.Pattern[str], dict[str, Place]]:
    holes = set(board.holes)
    found = {re.sub(r"[,\s]+", ",", name): place for place, name in place_names(board).items() if place not in holes and name}
    # "3, 4" and "3 4" are written for "3,4", too.
    words = sorted((r"[,\s]+".join(map(re.escape, name.split(","))) for name in found), key=len, reverse=True)
    return re.compile(rf"(?<![\w,.])(?:{'|'.join(words)})(?![\w,.])"), found


def _tried(table: Table, seat: int, view: Any, legal: list[int]) -> list[frozenset[Place]] | None:
    """Try each action on a copy and return what it touches; None if this cannot be tried."""
    try:
        world = _world(table, view)
        before = world.scene(seat)
        found = []
        for action in legal:
            after = world.copy()
            after.apply(action)
            for _ in range(MOST_DEFAULTS):  # until it has happened, where seats commit before anything does
                if after.over or after.turn != world.turn or not table.spec.simultaneous:
                    break
                after.apply(after.default())
            found.append(touched(before, after.scene(seat), seat))
        return found
    except LudusError:  # a position that was made up need not be one that the rules can play
        return None


def _world(table: Table, view: Any) -> Table:
    """Return a table of its own on which actions may be tried."""
    game, world = table.game, table.copy()
    if game.hidden:
        if game.verbs.sample is None:
            raise LudusError(f"{game.spec.title} does not say what may be hidden")
        row = plain(game.empty(1))
        game.verbs.sample(plain(view), row, streams(1, 1)[0])
        world.load(row)
    world.rng[0] = np.uint64(1)  # chance is not given away either
    return world


def touched(before: Scene, after: Scene, seat: int) -> frozenset[Place]:
    """Return the places where two scenes differ in pieces, and those of what the seat did."""
    then = {piece.id: piece for piece in before.pieces}
    now = {piece.id: piece for piece in after.pieces}
    places = set()
    for identity in then.keys() | now.keys():
        old, new = then.get(identity), now.get(identity)
        if old is None or new is None or (old.x, old.y, old.z) != (new.x, new.y, new.z):
            places |= {(piece.x, piece.y, piece.z) for piece in (old, new) if piece is not None}
    for event in after.events:
        if event.seat == seat:
            ends = ((event.x, event.y, event.z), (event.to_x, event.to_y, event.to_z))
            places |= {(x, y, z) for x, y, z in ends if x is not None and y is not None}
    return frozenset(places)
