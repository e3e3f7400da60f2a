"""The threads that share the games of a batch. They wait awake for a moment, since waking takes as long as hundreds of games.

All they tell each other stands in one box of whole numbers, which they read and write as single acts: setting LEFT puts a job
up, whoever lowers it has taken a piece, and DONE counts the pieces that are finished. A helper that finds nothing to do for a
while goes to bed: it waits in Python, at a queue of its own, until the leader calls it.
"""

from __future__ import annotations

import os
import platform
import sys
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import callconv, cgutils, types
from numba.extending import intrinsic

from ludus.core import rule
from ludus.core.errors import LudusError

from .compiled import machine_code

WORD = 8  # bytes of a number
LINE = 8  # numbers of a line of the cache: what several threads write stands in lines of its own
LEFT, DONE, JOB, BEDS = 0, LINE, 2 * LINE, 4 * LINE  # places in the box; each helper has a line from BEDS on
PIECES, GAMES, TABLE, FAILED, KERNELS, FIRST_KERNEL = range(JOB, JOB + 6)  # the job; then the addresses of its kernels
MOST_KERNELS = BEDS - FIRST_KERNEL
ASLEEP, CALLED = 0, 1  # places in a helper's line
AWAKE = 8_000  # looks at the box before a thread goes to bed: some 200 µs
NAP = 200  # microseconds between looks at a piece that takes long


class Crew:
    """A process's threads: the one that calls leads, the others help."""

    def __init__(self, helpers: int) -> None:
        self._box = np.zeros(BEDS + LINE * helpers, np.int64)
        self._at, self._lock = int(self._box.ctypes.data), Lock()
        self._put_up = machine_code(None, put_up, "int64(int64, int64, int64, int64, int64, int64)")
        self._take = machine_code(None, take, "int64(int64)")
        self._finish = machine_code(None, finish, "int64(int64, int64)")
        stand_ready = machine_code(None, stand_by, "void(int64, int64, int64)")
        self._beds: list[SimpleQueue[None]] = []
        for number in range(helpers):
            bed: SimpleQueue[None] = SimpleQueue()
            try:
                Thread(target=_help, args=(stand_ready, self._box, number, bed), name="ludus", daemon=True).start()
            except RuntimeError:  # the system gives no more threads: those that there are will do
                break
            self._beds.append(bed)

    def share(self, kernels: list[int], n: int, pieces: int, table: int) -> bool:
        """Run kernels, given by their addresses, on games 0..n-1 in pieces; return False if another thread is leading.

        Whatever Ctrl-C interrupts, no piece is under way when this returns: the arrays must outlive whoever works on them.
        """
        leads = False
        try:
            leads = len(kernels) <= MOST_KERNELS and self._lock.acquire(blocking=False)
            if not leads:
                return False
            self._box[FIRST_KERNEL : FIRST_KERNEL + len(kernels)] = kernels
            try:
                if self._put_up(self._at, len(self._beds), pieces, n, table, len(kernels)):
                    self._call()
                while self._take(self._at):  # piece by piece, so that Ctrl-C is heard between them
                    pass
            finally:
                failed = self._finish(self._at, AWAKE)  # one call, which no signal cuts short
            if failed:
                raise LudusError("a rule raised an error in compiled code; play the game with device='pure' to see which")
            return True
        finally:
            if leads:
                self._lock.release()

    def _call(self) -> None:
        """Get helpers out of bed; one call too many does no harm, one too few would."""
        called = self._box[BEDS + CALLED :: LINE]
        for number in np.flatnonzero(called):
            self._beds[number].put(None)
            called[number] = 0


_crews: dict[int, Crew] = {}
_making = Lock()


def crew(helpers: int) -> Crew:
    """Return this process's crew of so many helpers."""
    with _making:
        if helpers not in _crews:
            _crews[helpers] = Crew(helpers)
        return _crews[helpers]


def _forget_crews() -> None:
    """A fork has none of its parent's threads, and perhaps a lock that one of them held."""
    global _making
    _making = Lock()
    _crews.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_crews)


def _help(stand_ready: Any, box: Any, number: int, bed: SimpleQueue[None]) -> None:
    """Help for ever. The box is held here, too, so that it lives as long as anybody looks at it."""
    at = int(box.ctypes.data)
    while True:
        stand_ready(at, at + WORD * (BEDS + LINE * number), AWAKE)
        bed.get()


# From here on: machine code, which holds no lock. Addresses come as numbers.


def put_up(box, helpers, pieces, games, table, kernels):
    """Put a job up, and mark those helpers that must be called; return how many are to be."""
    write(box + WORD * DONE, 0)
    write(box + WORD * PIECES, pieces)
    write(box + WORD * GAMES, games)
    write(box + WORD * TABLE, table)
    write(box + WORD * FAILED, 0)
    write(box + WORD * KERNELS, kernels)
    write(box + WORD * LEFT, pieces)
    called = 0
    for number in range(min(helpers, pieces - 1)):
        line = box + WORD * (BEDS + LINE * number)
        if swap(line + WORD * ASLEEP, 0) == 1:
            write(line + WORD * CALLED, 1)
        called += look(line + WORD * CALLED)
    return called


@rule
def take(box):
    """Take a piece of the job and finish it; return 0 if none is left."""
    piece = add(box + WORD * LEFT, -1) - 1
    if piece < 0:
        return 0
    pieces, games, table = look(box + WORD * PIECES), look(box + WORD * GAMES), look(box + WORD * TABLE)
    for k in range(look(box + WORD * KERNELS)):
        if call(look(box + WORD * (FIRST_KERNEL + k)), games * piece // pieces, games * (piece + 1) // pieces, table):
            write(box + WORD * FAILED, 1)
    add(box + WORD * DONE, 1)
    return 1


def finish(box, patience):
    """Take back what nobody has begun, wait for the rest, and return whether any of it failed."""
    left, looks = swap(box + WORD * LEFT, 0), 0
    if left > 0:
        add(box + WORD * DONE, left)
    while look(box + WORD * DONE) < look(box + WORD * PIECES):
        looks += 1
        if looks < patience:
            pause()
        else:
            nap()
    return look(box + WORD * FAILED)


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
    """Call a compiled loop by its address, in the way in which Numba's functions call each other; return 0 if all went well."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        void, number, status = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(32)
        loop = ir.FunctionType(status, [void.as_pointer(), void.as_pointer(), number, number, number])
        result, error = cgutils.alloca_once(builder, void), cgutils.alloca_once(builder, void)
        returned = builder.call(builder.inttoptr(args[0], loop.as_pointer()), [result, error, *args[1:]])
        failed = builder.and_(
            builder.icmp_signed("!=", returned, callconv.RETCODE_OK), builder.icmp_signed("!=", returned, callconv.RETCODE_NONE)
        )
        return builder.zext(failed, number)

    return types.int64(*[types.int64] * 4), codegen


@intrinsic
def pause(typingctx: Any) -> Any:
    """Let the core rest for some nanoseconds, where it knows how to."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name, numbers = {"x86_64": ("x86.sse2.pause", []), "aarch64": ("aarch64.isb", [15])}.get(platform.machine(), ("", []))
        if name:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)] * len(numbers))
            instruction = builder.module.declare_intrinsic(f"llvm.{name}", fnty=kind)
            builder.call(instruction, [ir.IntType(32)(number) for number in numbers])
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def nap(typingctx: Any) -> Any:
    """Let other threads have the core for a while, where the C library knows how to."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if sys.platform != "win32":
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32)])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "usleep"), [ir.IntType(32)(NAP)])
        return context.get_dummy_value()

    return types.void(), codegen
