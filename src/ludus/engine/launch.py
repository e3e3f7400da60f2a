"""What a kernel becomes on a CUDA device: which games a block of threads takes, how their rows are loaded and stored.

The text that is written here depends on the game and the kernel alone.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ludus.games import Game

from .buffers import SAME_MEMORY, layout
from .kernels import ONLY_READ, ONLY_ROOM, ONLY_WRITTEN, needs
from .sharing import ALIKE, PLACES, kernel_of, room_of, shared_games, shared_rooms, words_of
from .sources import part_of

WARP, TILE = 32, 16  # as in tiles.py, which needs Numba
SHORT = 4  # words of a row that each thread moves for itself
# Fields whose rows a thread works on copies of; the others are large, or touched once.
STAGED = {
    "states", "views", "scratch", "rngs", "dice", "bot_dice", "masks", "outcomes", "points", "rewards", "tally", "features",
}  # fmt: skip
UNSTAGED = {"check_actions", "from_own", "to_own", "forget_ended", "sound"}  # kernels that look at single numbers of a row
SELDOM = {"light_seat_step": {"scratch"}}  # rows that a kernel does not copy all the same, since it seldom looks at them


class Block(NamedTuple):
    """How a kernel is laid out on the device."""

    threads: int = 128  # kernels are short of registers, not of threads
    games: int = 128  # one a thread; not more than threads
    stages: frozenset[str] = frozenset(STAGED)  # the fields of whose rows threads have copies to work on
    shares: bool = False  # which lie in shared memory, as sharing.py has it; else in each thread's own


@cache
def block_of(game: Game, name: str) -> Block:
    """Choose how a kernel of the game is laid out."""
    stages = frozenset(STAGED - SELDOM.get(name, set()))
    if games := shared_games(game, name):
        return Block(WARP, games, stages, shares=True)
    is_search = part_of(kernel_of(game, name)) == "search"  # which finds its nodes by the number of its game
    return Block(stages=frozenset() if name in UNSTAGED or is_search else stages)


def arguments(used: list[str], block: Block) -> list[str]:
    """List the arrays that a kernel is given: staged rows stand for their other forms, too."""
    owners = {name: owner for name, owner in SAME_MEMORY.items() if owner in block.stages}
    return list(dict.fromkeys(owners.get(field, field) for field in used))


def passed(game: Game, field: str, block: Block) -> tuple[np.dtype[Any], tuple[int, ...] | None]:
    """Return as what a kernel takes an array: its dtype and the shape of an entry; None = all games in one row of words."""
    dtype, entry, _ = layout(game)[field]
    if block.shares and field in PLACES:
        return np.dtype("i8"), None
    if field in block.stages:
        word, count = word_of(dtype, entry)
        return word, (count,)
    return dtype, entry


def launch_text(game: Game, name: str) -> str:
    """Write a kernel for the device that runs one game a thread, as a rule on a copy of its rows.

    The copy lies in shared memory (sharing.py) or in the thread's own, which is interleaved between threads, so that a step of
    a warp touches a few lines instead of one a thread. Each array must be an argument of its own, which is why there is a text.
    `row` and the types of records are put in by `device_code`.
    """
    used, block = needs(kernel_of(game, name)), block_of(game, name)
    fields = arguments(used, block)
    lines = _staged(game, name, used, fields, block) if block.stages else _unstaged(used)
    return "\n".join([
        f'"""The kernel `{name}` of {game.name} for a CUDA device, as ludus.engine.launch wrote it."""', "",
        "from collections import namedtuple", "",
        "from numba import cuda",
        "from numpy import float32, float64, int8, int16, int32, int64, uint64", "",
        "from ludus.engine.tiles import clear_words, load_rows, load_words, store_rows, store_words", "",
        f'Buffers = namedtuple("Buffers", {used})', "", "",
        f"def launch(n, {', '.join(fields)}):", *(f"    {line}" for line in lines), "",
    ])  # fmt: skip


def _unstaged(used: list[str]) -> list[str]:
    return ["i = cuda.grid(1)", "if i < n:", f"    row(i, Buffers({', '.join(used)}))"]


def _staged(game: Game, name: str, used: list[str], fields: list[str], block: Block) -> list[str]:
    staging = [_staging(game, field, name, block) for field in fields]
    work = ["if lane < rows:", f"    row(0, Buffers({', '.join('my_' + field for field in used)}))"]
    if block.shares:
        owners = shared_rooms(game, name, block.games)
        room = [f"{owner}_shared = cuda.shared.array(1, {owner}_room_type, alignment=16)" for owner in owners]
        room += [f"{owner}_room = {owner}_shared.view(int64)" for owner in owners]
        work = ["cuda.syncwarp()", *work, *(_painting(game, block) if "planes" in used else []), "cuda.syncwarp()"]
    else:
        room = [f"tile = cuda.shared.array(({block.threads // WARP}, {WARP}, {TILE + 1}), int64)[thread // {WARP}]"]
    return [
        # These & say that numbers are not negative, which spares a test at each index.
        f"block, thread, lane = cuda.blockIdx.x & {2**31 - 1}, cuda.threadIdx.x & 1023, cuda.laneid & {WARP - 1}",
        f"i, first = block * {block.games} + thread, block * {block.games} + thread // {WARP} * {WARP}",
        f"rows = min(n - first, {min(block.games, WARP)})  # that this warp has, from first on",
        *room,
        *(line for loading, _ in staging for line in loading),
        *(f"my_{other} = {_words(other, block)}" for other in used if SAME_MEMORY.get(other) in block.stages),
        *work,
        *(line for _, storing in staging for line in storing),
    ]


def _words(other: str, block: Block) -> str:
    """Return staged rows in their other form."""
    return _shared(other) if block.shares and other in PLACES else f"{SAME_MEMORY[other]}_words"


def _shared(field: str) -> str:
    """Return the thread's row of a field that is shared."""
    return f"{room_of(field)}_shared[0].{field}[lane:lane + 1]"


def _painting(game: Game, block: Block) -> list[str]:
    """Return the second half of `encode`, which needs the states no longer: `row` has observed them."""
    clear = f"clear_words({words_of(game, 'planes', block.games)})"
    return ["cuda.syncwarp()", clear, "cuda.syncwarp()", "if lane < rows:", "    paint(my_views[0], my_planes[0])"]


def _staging(game: Game, field: str, kernel: str, block: Block) -> tuple[list[str], list[str]]:
    """Return the lines that load a field's row into the thread's memory and store it again."""
    if field == "bad":  # game and seat of a bot: a thread knows its game as number 0
        noted = ["my_bad = cuda.local.array(1, int64)", "my_bad[0] = 0"]
        return noted, ["if lane < rows and my_bad[0] != 0:", f"    bad[0] = i * {len(game.spec.seats)} + my_bad[0]"]
    if not layout(game)[field][2]:  # one for all games
        return [f"my_{field} = {field}"], []
    read, written, room = (about.get(ALIKE.get(kernel, kernel), ()) for about in (ONLY_READ, ONLY_WRITTEN, ONLY_ROOM))
    is_loaded, is_stored = field not in {*room, *written, "planes"}, field not in {*room, *read}
    if block.shares and field in PLACES:
        words, made = words_of(game, field, block.games), [f"my_{field} = {_shared(field)}"]
        load, store = [f"load_words({field}, block, {words})"], [f"store_words({words}, {field}, block)"]
    elif field in block.stages:
        made, load, store = _own_copy(game, field, block)
    else:
        return [f"my_{field} = {field}[i:i + 1]"], []
    return [*made, *(load if is_loaded else [])], store if is_stored else []


def _own_copy(game: Game, field: str, block: Block) -> tuple[list[str], list[str], list[str]]:
    """Return the lines that make a copy in the thread's own memory, load and store it."""
    dtype, entry, _ = layout(game)[field]
    word, count = word_of(dtype, entry)
    kind = f"{field}_type" if dtype.names else dtype.name
    if field == "masks":  # made of words, which must be aligned
        made = [f"{field}_words = cuda.local.array((1, {count}), {word.name})", f"my_{field} = {field}_words.view({kind})"]
    else:
        made = [f"my_{field} = cuda.local.array({(1, *entry)}, {kind}, alignment=8)"]
        made += [f"{field}_words = my_{field}.view({word.name})"]
    own = f"{field}_words" + ("", "[0]", "[0, :, 0]")[len(entry)]
    if count > SHORT and not block.shares:
        load, store = [f"load_rows({field}, first, rows, tile, {own})"], [f"store_rows({own}, {field}, first, rows, tile)"]
    else:
        each_word = ["if lane < rows:", f"    for k in range({count}):"]
        load, store = [*each_word, f"        {own}[k] = {field}[i, k]"], [*each_word, f"        {field}[i, k] = {own}[k]"]
    return made, load, store


def word_of(dtype: np.dtype[Any], entry: tuple[int, ...]) -> tuple[np.dtype[Any], int]:
    """Return the widest word that divides a row, and how many make one."""
    size = dtype.itemsize * math.prod(entry)
    word = next(np.dtype(f"i{width}") for width in (8, 4, 2, 1) if size % width == 0)
    return word, size // word.itemsize
