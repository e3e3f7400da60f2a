"""The WebAssembly backend: the module that a web page runs, here run by wasmtime, and so held to the others by every test."""

from __future__ import annotations

import atexit
import ctypes
import math
import weakref
from functools import cache
from typing import Any, cast

import numpy as np

from ludus.core import LudusError, MissingExtra
from ludus.games import Game

from . import pure
from .buffers import Buffers
from .kernels import Kernel
from .wasm_build import KERNELS
from .wasm_files import module_of

NAME = "wasm"
PAGE, LARGEST, LINE = 1 << 16, 1 << 32, 64  # bytes: of a page of memory, of all of it, to which arrays are aligned
ALONE = 1024  # games between two chances for Ctrl-C
LONG = {"bot_game", "random_game"}  # whole games
_running: weakref.WeakSet[_Instance] = weakref.WeakSet()


class Backend(pure.Backend):
    """Run the exports of a module over arrays in its memory, which NumPy sees as well."""

    device = NAME

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._instance = instance = _Instance(game)
        self._table = self.zeros((len(Buffers._fields),), np.dtype("i8"))
        self._filled: Buffers | None = None  # whose addresses stand in the table
        self._table_at = instance.place(self._table)

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        if name not in KERNELS:
            raise LudusError(f"the kernel {name} is not part of modules in WebAssembly; use device='cpu'")
        return super().kernel(name)

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """Make an array in the module's memory; it lives as long as somebody holds it, and its room is used again."""
        array = np.frombuffer(self._instance.room(dtype.itemsize * math.prod(shape)), np.uint8)
        array = array[: dtype.itemsize * math.prod(shape)].view(dtype).reshape(shape)
        array[...] = np.zeros((), dtype)
        return array.view(np.recarray) if dtype.names else array

    def within(self, array: Any) -> Any:
        """Return an array where kernels reach it: a copy in the module's memory."""
        own = self.zeros(array.shape, array.dtype)
        self.from_host(array, own)
        return own

    def run(self, names: tuple[str, ...], buffers: Buffers, n: int) -> None:
        """Run kernels, one after the other, on games 0..n-1."""
        if buffers is not self._filled:
            self._table[:] = [0 if array is None else self._instance.place(array) for array in buffers]
            self._filled = buffers
        alone = 1 if not LONG.isdisjoint(names) else ALONE
        for first in range(0, n, alone):
            for name in names:
                self._instance.call(name, first, min(first + alone, n), self._table_at)

    def bound(self, name: str, buffers: Buffers) -> Any:
        """Tables do not run here."""
        raise LudusError("one game at a time runs on pure or cpu, not on 'wasm'")


class _Instance:
    """A module that runs, with its own memory, of which rooms are handed out."""

    def __init__(self, game: Game) -> None:
        engine, module = _compiled(game)
        import wasmtime

        self._store = wasmtime.Store(engine)
        self._exports = cast(Any, wasmtime.Instance(self._store, module, []).exports(self._store))
        self._memory = self._exports["memory"]
        self._base = self._address()
        self._top = -(-int(self._exports["__heap_base"].value(self._store)) // LINE) * LINE
        self._free: dict[int, list[int]] = {}  # rooms that were given back, by size
        _running.add(self)

    def call(self, name: str, first: int, last: int, table: int) -> None:
        self._exports[name](self._store, first, last, table)

    def place(self, array: Any) -> int:
        """Return the address of an array as the module has it."""
        return int(array.ctypes.data) - self._base

    def room(self, size: int) -> Any:
        """Return memory of at least so many bytes, which comes back when nobody holds it any more."""
        size = max(LINE, -(-size // LINE) * LINE)
        at = self._free.get(size, []).pop() if self._free.get(size) else self._more(size)
        room: Any = (ctypes.c_ubyte * size).from_address(self._base + at)
        weakref.finalize(room, self._free.setdefault(size, []).append, at).atexit = False
        room.instance = self  # memory goes with the instance
        return room

    def close(self) -> None:
        """Let go of everything, as the process ends."""
        self._store.close()

    def _more(self, size: int) -> int:
        at, self._top = self._top, self._top + size
        if self._top > LARGEST - PAGE:
            raise LudusError(f"{self._top / 1e9:.1f} GB are needed, and WebAssembly has {LARGEST >> 30} GB; take fewer games")
        missing = -(-(self._top - self._memory.data_len(self._store)) // PAGE)
        if missing > 0:
            self._memory.grow(self._store, missing)
            assert self._address() == self._base, "the memory of the module has moved"  # all of it is reserved at the start
        return at

    def _address(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)


@cache
def _compiled(game: Game) -> tuple[Any, Any]:
    """Return wasmtime's engine and the machine code that it makes of a game's module."""
    try:
        import wasmtime
    except ImportError:
        raise MissingExtra("wasmtime, which runs WebAssembly,", "web") from None
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, module_of(game).code)


@atexit.register
def _close_all() -> None:
    """Close what still runs while wasmtime can: later it would complain."""
    for instance in list(_running):
        instance.close()
    _compiled.cache_clear()
