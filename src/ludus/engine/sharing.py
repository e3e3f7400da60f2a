"""Which kernels keep the rows of a warp's games in its shared memory, and where each row lies there.

In their own memory threads have room for as many rows as there are threads, many times what the caches of a device hold where
rows are large. In shared memory as many games are at work as there is room for, and what they need is always near.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from ludus.games import Game

from .buffers import SAME_MEMORY, layout
from .kernels import ONLY_ROOM, Kernel, needs
from .pure import kernels_of

WORD = 8  # bytes
SHARED = 26_000  # bytes of a warp: with more of them too few warps fit to wait for each other's memory
# Kernels whose rows lie there, and how many games a warp may have: with more the threads differ too much in what they do.
FEW, MANY = (8, 4, 2, 1), (16, 8, 4, 2, 1)
SHARING = {
    "encode": FEW, "features": FEW,
    "legal": MANY, "own_legal": MANY, "rule_legal": MANY, "observe": MANY, "step": MANY, "random_step": MANY,
    "light_seat_step": MANY,
}  # fmt: skip
# What is kept there, one after the other.
PLACES = ("masks", "mask_words", "features", "views", "states", "planes")
# The same kernels once more, laid out for one step instead of many, and for bots that remember nothing.
ALIKE = {"random_step": "random_steps", "light_seat_step": "seat_step"}


def kernel_of(game: Game, name: str) -> Kernel:
    """Return a kernel as the function it is."""
    return kernels_of(game)[ALIKE.get(name, name)]


def shared_games(game: Game, name: str) -> int:
    """Return how many games of a warp keep their rows in shared memory; 0 = none, or there is no room."""
    for games in SHARING.get(name, ()):
        rooms = shared_rooms(game, name, games).values()
        is_whole = all(games * size_of(game, field) % WORD == 0 for room in rooms for field in room.names or ())
        if is_whole and sum(room.itemsize for room in rooms) <= SHARED:
            return games
    return 0


@cache
def shared_rooms(game: Game, name: str, games: int) -> dict[str, np.dtype[Any]]:
    """Return the arrays that a warp keeps there, each a record of the fields in it, since that can be taken as words, too.

    Arrays of their own are known not to be the same memory: one can be read while another is written.
    """
    used = needs(kernel_of(game, name))
    rooms: dict[str, dict[str, np.dtype[Any]]] = {}
    for field in [field for field in PLACES if field in used]:
        dtype, entry, _ = layout(game)[field]
        row = _apart(dtype) if field in ONLY_ROOM.get(ALIKE.get(name, name), ()) and dtype.names else dtype
        rooms.setdefault(room_of(field), {})[field] = np.dtype((row, (games, *entry)))
    return {owner: _record(fields, max(_up(kind.itemsize) for kind in fields.values())) for owner, fields in rooms.items()}


def room_of(field: str) -> str:
    """Return in whose place a field lies; planes lie where the states were: `encode` observes, then paints what was seen."""
    return "states" if field == "planes" else SAME_MEMORY.get(field, field)


def words_of(game: Game, field: str, games: int) -> str:
    """Return a field in its place, as words."""
    return f"{room_of(field)}_room[:{games * size_of(game, field) // WORD}]"


def size_of(game: Game, field: str) -> int:
    """Return how many bytes a game has of a field."""
    dtype, entry, _ = layout(game)[field]
    return dtype.itemsize * math.prod(entry)


def _apart(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return a row with an odd number of words: threads at the same place of their rows then touch different banks."""
    kinds = {name: dtype[name] for name in dtype.names or ()}
    starts = [dtype.fields[name][1] for name in kinds]  # type: ignore[index]  # a record has them
    return _record(kinds, _up(dtype.itemsize) | WORD, starts)


def _record(fields: dict[str, np.dtype[Any]], size: int, starts: list[int] | None = None) -> np.dtype[Any]:
    """Return a record whose fields begin at these bytes, or all where it does itself."""
    names, kinds, starts = list(fields), list(fields.values()), starts or [0] * len(fields)
    return np.dtype({"names": names, "formats": kinds, "offsets": starts, "itemsize": size}, align=True)


def _up(size: int) -> int:
    return -(-size // WORD) * WORD
