"""All buffers of one game in one piece of memory: a table is copied at once, and kernels find its arrays by one address."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ludus.core import Row, Rows, agent_seed, row_class, streams_of
from ludus.games import Game

from .buffers import NO_BUFFERS, SAME_MEMORY, TREES, Buffers, shapes
from .kernels import needs

KEPT = ("states", "rngs", "dice", "bot_dice")  # what makes a game go on as it would have; these come first
LARGE = ("planes", "features", "scratch", "frames")  # memory of their own, when a kernel first needs it
BATCHES = {name for name in Buffers._fields if name.startswith("final_")} | {
    "own_masks", "replaced", "seeds", "tally", "reward", "margins", "decider", "actor", "mine", "waiting", "chosen", "mix",
    *TREES,
}  # no table's  # fmt: skip
HEAD = 8 * len(Buffers._fields)  # bytes of the addresses at the beginning


class Plan(NamedTuple):
    """Where the buffers of one game stand in its block."""

    size: int  # bytes of the block
    kept: int  # bytes that are copied with a game: from HEAD to here
    places: dict[str, tuple[int, int, np.dtype[Any], tuple[int, ...]]]  # first byte, bytes, dtype and shape
    offsets: Any  # [field] of each array, in the order of Buffers
    shapes: dict[str, tuple[np.dtype[Any], tuple[int, ...]]]  # of all buffers
    int_places: tuple[int, ...]  # of ids, counts and actions, counted in numbers of four bytes


@cache
def plan_of(game: Game) -> Plan:
    """Lay out the buffers of one game: each begins at a line of the processor's cache."""
    places, at, kept = {}, HEAD, HEAD
    known = shapes(game, 1)
    for field in sorted(known, key=lambda name: (name not in KEPT, Buffers._fields.index(name))):
        if field in SAME_MEMORY or field in LARGE or field in BATCHES:
            continue
        dtype, shape = known[field]
        size = dtype.itemsize * int(np.prod(shape))
        places[field] = (at, size, dtype, shape)
        at += -(-size // 64) * 64
        kept = at if field in KEPT else kept
    places["mask_words"] = (*places["masks"][:2], *known["mask_words"])
    offsets = [places[field][0] if field in places else 0 for field in Buffers._fields]
    int_places = tuple(places[field][0] // 4 for field in ("ids", "counts", "actions"))
    return Plan(at, kept, places, np.array(offsets, np.int64), known, int_places)


@cache
def numbers_below(end: int) -> Any:
    """Return the whole numbers from 0 on as objects, for lists of some of them."""
    numbers = np.empty(end, object)
    numbers[:] = range(end)
    return numbers


class Block:
    """The memory of one game on `pure` or `cpu`."""

    def __init__(self, game: Game, device: str, plan: Plan | None = None, calls: dict[str, Any] | None = None) -> None:
        self.game, self.device, self.plan = game, device, plan or plan_of(game)
        memory = bytearray(self.plan.size)
        self.bytes = memoryview(memory)
        self._calls = {} if calls is None else calls  # kernels by name with what they need, shared by all copies
        self._large: dict[str, Any] = {}
        self._numbers: dict[str, memoryview] = {}
        self._marks: Any = None
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(memory))  # the fastest way to learn it
        if device == "cpu":
            self.bytes[:HEAD] = (self.plan.offsets + self._address).tobytes()
        else:
            self._buffers = self._plain()

    def copy(self) -> Block:
        """Return another block with the same game in it."""
        other = Block(self.game, self.device, self.plan, self._calls)
        other.bytes[HEAD : self.plan.kept] = self.bytes[HEAD : self.plan.kept]
        return other

    def bound(self, kernel: str) -> Callable[[], None]:
        """Return a call that runs a kernel on this game, with as little as possible between the two."""
        known = self._calls.get(kernel)
        if known is None:
            known = self._calls[kernel] = self._kernel(kernel)
        call, large = known
        for field in large:
            self._make(field)
        return partial(call, 0, 1, self._address) if self.device == "cpu" else partial(call, 0, self._buffers)

    def _kernel(self, name: str) -> tuple[Any, list[str]]:
        from .pure import kernels_of

        plain_kernel = kernels_of(self.game)[name]
        large = [field for field in needs(plain_kernel) if SAME_MEMORY.get(field, field) in LARGE]
        if self.device == "cpu":
            from .compiled import compiled

            return compiled(self.game, name), large
        return plain_kernel, large

    def _make(self, field: str) -> None:
        """Give a large buffer its memory."""
        owner = SAME_MEMORY.get(field, field)
        if owner not in self._large:
            dtype, shape = self.plan.shapes[owner]
            self._large[owner] = np.zeros(shape, dtype)
        dtype, shape = self.plan.shapes[field]
        array = self._large[field] = self._large[owner].view(dtype).reshape(shape)
        if self.device == "cpu":
            self.bytes[:HEAD].cast("q")[Buffers._fields.index(field)] = array.ctypes.data
        else:
            self._buffers = self._buffers._replace(**{field: Rows(array) if array.dtype.names else array})

    def seed(self, seed: int) -> None:
        """Give the game, whoever plays at random, and every bot their chance."""
        seats = range(len(self.game.spec.seats))
        words = streams_of(np.array([seed, ~seed & 0xFFFFFFFFFFFFFFFF, *(agent_seed(seed, k) for k in seats)], np.uint64))
        self.array("rngs")[0], self.array("dice")[0], self.array("bot_dice")[0] = words[0], words[1], words[2:]

    def numbers(self, field: str, code: Any) -> memoryview:
        """Return a buffer as plain numbers."""
        cells = self._numbers.get(field)
        if cells is None:
            first, size, _, _ = self.plan.places[field]
            cells = self._numbers[field] = self.bytes[first : first + size].cast(code)
        return cells

    def marked(self) -> list[int]:
        """Return the actions that the mask marks; of many it is the numbers, not finding them, that takes long to make."""
        if self._marks is None:
            actions = self.game.spec.actions
            self._marks, self._ids = self.array("masks")[0, :actions].view(bool), numbers_below(actions)
        return self._ids[self._marks].tolist()  # type: ignore[no-any-return]

    def array(self, field: str) -> Any:
        """Return a buffer as an array, its first axis for the one game."""
        if field not in self.plan.places:
            self._make(field)
            return self._large[field]
        first, size, dtype, shape = self.plan.places[field]
        return np.frombuffer(self.bytes[first : first + size], dtype).reshape(shape)

    def row(self, field: str) -> Row:
        """Return a buffer of one record as a row."""
        first, size, dtype, _ = self.plan.places[field]
        return row_class(dtype).over(self.bytes[first : first + size])

    def _plain(self) -> Buffers:
        """Return the buffers as the uncompiled kernels take them."""
        arrays = {field: self.array(field) for field in self.plan.places}
        return NO_BUFFERS._replace(**{f: Rows(a) if a.dtype.names else a for f, a in arrays.items()})
