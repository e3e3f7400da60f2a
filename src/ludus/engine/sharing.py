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
}  # fmt: skip
# What is kept there, one after the other.
PLACES = ("masks", "mask_words", "scratch", "scratch_words", "features", "views", "states", "planes")
# The same kernel once more, laid out for one step instead of many.
ALIKE = {"random_step": "random_steps"}


def kernel_of(game: Game, name: str) -> Kernel:
    """Return a kernel as the function it is."""
    return kernels_of(game)[ALIKE.get(name, name)]


def shared_games(game: Game, name: str) -> int:
    """Return how many games of a warp keep their rows in shared memory; 0 = none, or there is no room."""
    for games in SHARING.get(name, ()):
        rows = shared_rows(game, name, games)
        if rows.itemsize <= SHARED and all(games * size_of(game, field) % WORD == 0 for field in rows.names or ()):
            return games
    return 0


@cache
def shared_rows(game: Game, name: str, games: int) -> np.dtype[Any]:
    """Return all that a warp keeps there as one record, since that can be taken as words, too.

    Planes lie where the states were: `encode` observes, and then paints what was seen.
    """
    kinds: dict[str, np.dtype[Any]] = {}
    starts: dict[str, int] = {}
    used, room, end = needs(kernel_of(game, name)), ONLY_ROOM.get(name, ()), 0
    for field in [field for field in PLACES if field in used]:
        dtype, entry, _ = layout(game)[field]
        kinds[field] = np.dtype((_apart(dtype) if field in room and dtype.names else dtype, (games, *entry)))
        starts[field] = starts.get("states" if field == "planes" else SAME_MEMORY.get(field, field), end)
        end = max(end, starts[field] + -(-kinds[field].itemsize // WORD) * WORD)
    return _record(list(kinds), list(kinds.values()), list(starts.values()), end)


def shared_words(game: Game, name: str, games: int, field: str) -> str:
    """Return where a field lies in that record, as a slice of its words."""
    start = shared_rows(game, name, games).fields[field][1] // WORD  # type: ignore[index]
    return f"words[{start}:{start + games * size_of(game, field) // WORD}]"


def size_of(game: Game, field: str) -> int:
    """Return how many bytes a game has of a field."""
    dtype, entry, _ = layout(game)[field]
    return dtype.itemsize * math.prod(entry)


def _apart(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return a row with an odd number of words: threads at the same place of their rows then touch different banks."""
    names, size = list(dtype.names or ()), (-(-dtype.itemsize // WORD) | 1) * WORD
    fields = [dtype.fields[name] for name in names]  # type: ignore[index]  # a record has them
    return _record(names, [field[0] for field in fields], [field[1] for field in fields], size)


def _record(names: list[str], formats: list[np.dtype[Any]], offsets: list[int], size: int) -> np.dtype[Any]:
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size}, align=True)
