"""The threads that share the games of a batch. They wait awake for a moment, since waking costs as much as a hundred games.

All they tell each other stands in one box of whole numbers, which they read and write as single acts: setting LEFT puts a job
up, whoever lowers it has taken a piece, and DONE counts the pieces that are finished.
"""

from __future__ import annotations

import platform
import time
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ludus.core import rule

from .compiled import machine_code

WORD = 8  # bytes of a number
LINE = 8  # numbers of a line of the cache: what several threads write stands in lines of its own
LEFT, DONE, JOB, BEDS = 0, LINE, 2 * LINE, 4 * LINE  # places in the box; each helper has a line from BEDS on
PIECES, GAMES, TABLE, KERNELS, FIRST_KERNEL = range(JOB, JOB + 5)  # the job; then the addresses of its kernels
MOST_KERNELS = BEDS - FIRST_KERNEL
ASLEEP, CALLED = 0, 1  # places in a helper's line
AWAKE = 8_000  # looks at the box before a thread lies down: some 200 µs
POLITE = 0.0002  # seconds between looks at a job that takes longer


class Crew:
    """A process's threads: the one that calls leads, the others help."""

    def __init__(self, helpers: int) -> None:
        self._box = np.zeros(BEDS + LINE * helpers, np.int64)
        self._at, self._lock = int(self._box.ctypes.data), Lock()
        self._put_up = machine_code(None, put_up, "int64(int64, int64)")
        self._take = machine_code(None, take, "int64(int64)")
        self._finish = machine_code(None, finish, "int64(int64, int64)")
        stand_ready = machine_code(None, stand_by, "void(int64, int64, int64)")
        self._beds: list[SimpleQueue[None]] = [SimpleQueue() for _ in range(helpers)]
        for number, bed in enumerate(self._beds):
            line = self._at + WORD * (BEDS + LINE * number)
            Thread(target=_help, args=(stand_ready, self._at, line, bed), name="ludus", daemon=True).start()

    def share(self, kernels: list[int], n: int, pieces: int, table: int) -> bool:
        """Run kernels, given by their addresses, on games 0..n-1 in pieces; return False if another thread is leading."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self._box[JOB : FIRST_KERNEL + len(kernels)] = [pieces, n, table, len(kernels), *kernels]
            if self._put_up(self._at, len(self._beds)):
                self._wake()
            try:
                while self._take(self._at):  # piece by piece, so that Ctrl-C is heard between them
                    pass
            finally:  # even then: the arrays must outlive whoever works on them
                while not self._finish(self._at, AWAKE):
                    time.sleep(POLITE)
        finally:
            self._lock.release()
        return True

    def _wake(self) -> None:
        called = self._box[BEDS + CALLED :: LINE]
        for number in np.flatnonzero(called):
            called[number] = 0
            self._beds[number].put(None)


@cache
def crew(helpers: int, process: int) -> Crew:
    """Return the crew of a process: a fork has none of its parent's threads."""
    return Crew(helpers)


def _help(stand_ready: Any, box: int, line: int, bed: SimpleQueue[None]) -> None:
    while True:
        stand_ready(box, line, AWAKE)
        bed.get()


# From here on: machine code, which holds no lock. Addresses come as numbers.


def put_up(box, helpers):
    """Put the job of the box up, and mark those helpers that must be called; return how many."""
    pieces, called = look(box + WORD * PIECES), 0
    write(box + WORD * DONE, 0)
    write(box + WORD * LEFT, pieces)
    for number in range(min(helpers, pieces - 1)):
        line = box + WORD * (BEDS + LINE * number)
        if swap(line + WORD * ASLEEP, 0) == 1:
            write(line + WORD * CALLED, 1)
            called += 1
    return called


@rule
def take(box):
    """Take a piece of the job and finish it; return 0 if none is left."""
    piece = add(box + WORD * LEFT, -1) - 1
    if piece < 0:
        return 0
    pieces, games, table = look(box + WORD * PIECES), look(box + WORD * GAMES), look(box + WORD * TABLE)
    for k in range(look(box + WORD * KERNELS)):
        call(look(box + WORD * (FIRST_KERNEL + k)), games * piece // pieces, games * (piece + 1) // pieces, table)
    add(box + WORD * DONE, 1)
    return 1


def finish(box, patience):
    """Take back what nobody has begun, and wait for the rest; return 0 if that takes too long."""
    left = swap(box + WORD * LEFT, 0)
    if left > 0:
        add(box + WORD * DONE, left)
    for _ in range(patience):
        if look(box + WORD * DONE) == look(box + WORD * PIECES):
            return 1
        pause()
    return 0


def stand_by(box, line, patience):
    """Help with every job, until there was none for a while and nobody has called."""
    while True:
        idle = 0
        while idle < patience:
            if look(box + WORD * LEFT) > 0:
                take(box)
                idle = 0
            else:
                pause()
                idle += 1
        # Say so first, then look once more: a job that is put up meanwhile is seen here, or its leader sees who sleeps.
        write(line + WORD * ASLEEP, 1)
        if look(box + WORD * LEFT) <= 0 or swap(line + WORD * ASLEEP, 0) == 0:
            return


def _pointer(builder: Any, address: Any) -> Any:
    return builder.inttoptr(address, ir.IntType(64).as_pointer())


@intrinsic
def look(typingctx: Any, address: Any) -> Any:
    """Read the number at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(builder, args[0]), "seq_cst", WORD)

    return types.int64(types.int64), codegen


@intrinsic
def write(typingctx: Any, address: Any, value: Any) -> Any:
    """Write a number to an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[1], _pointer(builder, args[0]), "seq_cst", WORD)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


def _changing(how: str) -> Any:
    @intrinsic
    def change(typingctx: Any, address: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.atomic_rmw(how, _pointer(builder, args[0]), args[1], "seq_cst")

        return types.int64(types.int64, types.int64), codegen

    return change


add, swap = _changing("add"), _changing("xchg")  # both return what stood there before


@intrinsic
def call(typingctx: Any, function: Any, first: Any, last: Any, table: Any) -> Any:
    """Call a compiled loop by its address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        loop = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * 3)
        builder.call(builder.inttoptr(args[0], loop.as_pointer()), args[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), codegen


@intrinsic
def pause(typingctx: Any) -> Any:
    """Let the core rest for some nanoseconds, where it knows how to."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if platform.machine() in ("x86_64", "AMD64"):
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), ir.FunctionType(ir.VoidType(), [])), [])
        return context.get_dummy_value()

    return types.void(), codegen
