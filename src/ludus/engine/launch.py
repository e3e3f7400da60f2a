"""What a kernel becomes on a CUDA device: which games a block of threads takes, and how their rows come and go."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ludus.games import Game

try:
    from numba import cuda as _cuda
except ImportError:  # `why_not` of cuda.py says so before anything here is used
    _cuda = None  # type: ignore[assignment]

from .buffers import SAME_MEMORY, layout
from .cache import announce
from .compiled import kernels_of, register_rules
from .kernels import ONLY_READ, ONLY_ROOM, ONLY_WRITTEN, Kernel, needs

cuda: Any = _cuda

WARP = 32  # threads that step together
TILE = 16  # words of a row that a warp moves at a time
SHORT = 4  # words of a row that each thread moves for itself
SHEETS = 44_000  # bytes of planes that a warp may paint in shared memory, of which a block has 48 KB
FEW, MANY = 4, 16  # games a warp: with fewer too many of its threads are idle, with more too few warps fit
# Fields whose rows a thread copies to its own memory; the others are large, or touched once.
STAGED = {"states", "views", "scratch", "rngs", "dice", "masks", "outcomes", "points", "rewards", "tally"}


class Block(NamedTuple):
    """How a kernel is laid out on the device."""

    threads: int = 128  # kernels are short of registers, not of threads
    games: int = 128  # one a thread; not more than threads
    stages: bool = True  # threads work on copies of their rows; checks, which look at single numbers, do not
    paints: bool = False  # planes are painted in shared memory, cleared and written out by all threads together


@cache
def block_of(game: Game, name: str) -> Block:
    """Choose how a kernel of the game is laid out."""
    if name == "encode" and (games := _sheet_games(game)) >= FEW:
        return Block(WARP, games, paints=True)
    return Block(stages="bad" not in needs(kernels_of(game)[name]))


def _sheet_games(game: Game) -> int:
    """Return of how many games the planes fit into a warp's shared memory as whole words."""
    size = int(np.prod(game.spec.planes)) * np.dtype(game.spec.plane_type).itemsize
    fitting = [games for games in range(1, MANY + 1) if games * size <= SHEETS and games * size % 8 == 0]
    return max(fitting, default=0)


@cache
def launcher(game: Game, name: str, seated: frozenset[str] | None = None) -> tuple[Any, list[str], Block]:
    """Compile a kernel for the device; return it with the fields of the buffers that it takes and its layout.

    Of the bots it has those that are seated: all of a game's take minutes, and nothing is kept on disk.
    """
    row, block = kernels_of(game, seated)[name], block_of(game, name)
    register_rules()
    announce(game, "in every process that uses a GPU: seconds to a minute…")
    return cuda.jit(launch_function(game, name, row, block)), arguments(needs(row), block), block


def arguments(used: list[str], block: Block) -> list[str]:
    """List the arrays that a kernel is given: staged rows stand for their other forms, too."""
    return [field for field in used if SAME_MEMORY.get(field) not in STAGED] if block.stages else used


def launch_function(game: Game, name: str, row: Kernel, block: Block) -> Callable[..., None]:
    """Write a device kernel that runs one game a thread, as a rule on a copy of its rows in the thread's own memory.

    That memory is interleaved between threads, so that a step of a warp touches a few lines instead of one a thread. The text
    is written here since each array must be an argument of its own.
    """
    used = needs(row)
    fields = arguments(used, block)
    scope: dict[str, Any] = {"cuda": cuda, "row": row, "Buffers": namedtuple("Buffers", used), "int64": np.int64, **movers()}
    if not block.stages:
        return _written(fields, ["i = cuda.grid(1)", "if i < n:", f"    row(i, Buffers({', '.join(used)}))"], scope)
    staging = [_staging(game, field, name, block, scope) for field in fields]
    clean, hang = _sheets(game, block, scope) if block.paints else ([], [])
    lines = [
        # These & say that numbers are not negative, which spares a test at each index.
        f"block, thread, lane = cuda.blockIdx.x & {2**31 - 1}, cuda.threadIdx.x & 1023, cuda.laneid & {WARP - 1}",
        f"i, first = block * {block.games} + thread, block * {block.games} + thread // {WARP} * {WARP}",
        f"rows = min(n - first, {min(block.games, WARP)})",  # that this warp has, from first on
        f"tile = cuda.shared.array(({block.threads // WARP}, {WARP}, {TILE + 1}), int64)[thread // {WARP}]",
        *clean,
        *(line for coming, _ in staging for line in coming),
        *(f"own_{other} = {owner}_words" for other, owner in SAME_MEMORY.items() if owner in STAGED and other in used),
        "if lane < rows:",
        f"    row(0, Buffers({', '.join('own_' + field for field in used)}))",
        *(line for _, going in staging for line in going),
        *hang,
    ]
    return _written(fields, lines, scope)


def _written(fields: list[str], lines: list[str], scope: dict[str, Any]) -> Callable[..., None]:
    exec("\n    ".join([f"def launch(n, {', '.join(fields)}):", *lines]), scope)
    launch: Callable[..., None] = scope["launch"]
    return launch


def _staging(game: Game, field: str, kernel: str, block: Block, scope: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the lines that bring a field's row into the thread's memory and back."""
    import numba

    dtype, entry, each = layout(game)[field]
    if not each:
        return [f"own_{field} = {field}"], []
    if field == "planes" and block.paints:
        return ["own_planes = sheets[0].planes[thread:thread + 1]"], []
    if field not in STAGED:
        return [f"own_{field} = {field}[i:i + 1]"], []
    word, count = word_of(dtype, entry)
    scope[f"{field}_type"], scope[f"{field}_word"] = numba.from_dtype(dtype) if dtype.names else dtype.type, word.type
    if field == "masks":  # made of words, which must be aligned
        made = [f"masks_words = cuda.local.array((1, {count}), masks_word)", "own_masks = masks_words.view(masks_type)"]
    else:
        made = [f"own_{field} = cuda.local.array({(1, *entry)}, {field}_type, alignment=8)"]
        made += [f"{field}_words = own_{field}.view({field}_word)"]
    own = f"{field}_words" if not entry else f"{field}_words[0]"
    if count > SHORT:
        come, go = [f"bring({field}, first, rows, tile, {own})"], [f"send({own}, {field}, first, rows, tile)"]
    else:
        come = ["if lane < rows:", f"    for k in range({count}):", f"        {own}[k] = {field}[i, k]"]
        go = ["if lane < rows:", f"    for k in range({count}):", f"        {field}[i, k] = {own}[k]"]
    is_room = field in ONLY_ROOM.get(kernel, ())
    coming = [] if is_room or field in ONLY_WRITTEN.get(kernel, ()) else come
    return made + coming, [] if is_room or field in ONLY_READ.get(kernel, ()) else go


def _sheets(game: Game, block: Block, scope: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the lines that lay out clean planes in shared memory, and those that hang them up where they belong."""
    import numba

    dtype, entry, _ = layout(game)["planes"]
    # A record, since those can be taken as words, too.
    sheets = np.dtype([("planes", dtype, (block.games, *entry))], align=True)
    words = sheets.itemsize // 8
    scope["sheets_type"] = numba.from_dtype(sheets)
    before = [
        "sheets = cuda.shared.array(1, sheets_type, alignment=8)",
        "sheet_words = sheets.view(int64)",
        "word = thread",
        f"while word < {words}:",
        "    sheet_words[word] = 0",
        f"    word += {block.threads}",
        "cuda.syncthreads()",
    ]
    after = [
        "cuda.syncthreads()",
        f"start, word = block * {words}, thread",
        f"end = min({words}, planes.shape[0] - start)",
        "while word < end:",
        "    planes[start + word] = sheet_words[word]",
        f"    word += {block.threads}",
    ]
    return before, after


# The 32 threads of a warp move the rows of its games to and from their own memory together: 16 words of every row at a time, so
# that neighbours touch neighbouring words, and swap them in shared memory.


def bring(source, first, rows, tile, own):
    """Bring the rows of a warp, from `first` on, each to the thread that has its game."""
    lane = cuda.laneid & WARP - 1
    for start in range(0, own.shape[0], TILE):
        word = lane % TILE
        row = lane // TILE if start + word < own.shape[0] else rows
        while row < rows:  # numba's `range` with steps is much slower
            tile[row, word] = source[first + row, start + word]
            row += WARP // TILE
        cuda.syncwarp()
        for k in range(min(TILE, own.shape[0] - start)):
            own[start + k] = tile[lane, k]
        cuda.syncwarp()


def send(own, target, first, rows, tile):
    """Send the rows of a warp back."""
    lane = cuda.laneid & WARP - 1
    for start in range(0, own.shape[0], TILE):
        for k in range(min(TILE, own.shape[0] - start)):
            tile[lane, k] = own[start + k]
        cuda.syncwarp()
        word = lane % TILE
        row = lane // TILE if start + word < own.shape[0] else rows
        while row < rows:
            target[first + row, start + word] = tile[row, word]
            row += WARP // TILE
        cuda.syncwarp()


@cache
def movers() -> dict[str, Any]:
    """Return both, made for the device."""
    return {function.__name__: cuda.jit(device=True)(function) for function in (bring, send)}


def word_of(dtype: np.dtype[Any], entry: tuple[int, ...]) -> tuple[np.dtype[Any], int]:
    """Return the widest word that divides a row, and how many make one."""
    size = dtype.itemsize * math.prod(entry)
    word = next(np.dtype(f"i{width}") for width in (8, 4, 2, 1) if size % width == 0)
    return word, size // word.itemsize
