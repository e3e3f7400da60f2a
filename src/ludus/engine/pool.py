"""The worker pool: threads that share the games of a batch.

They spin for a while before they are parked, since waking one takes as long as hundreds of games.

All they tell each other stands in one box of whole numbers, which they read and write atomically: setting LEFT posts a job,
whoever lowers it has taken a piece, and DONE counts the pieces that are finished. A worker that finds nothing to do for a
while is parked: it waits in Python, at a mailbox of its own, until the leader wakes it.
"""

from __future__ import annotations

import os
import platform
import sys
from queue import SimpleQueue
from threading import Lock, Thread, get_ident
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import callconv, cgutils, types
from numba.extending import intrinsic

from ludus.core import LudusError, rule

from .compiled import machine_code, only_code

WORD = 8  # bytes of a number
LINE = 8  # numbers of a line of the cache: what several threads write stands in lines of its own
LEFT, DONE, JOB, WORKERS = 0, LINE, 2 * LINE, 4 * LINE  # places in the box; each worker has a line from WORKERS on
PIECES, GAMES, TABLE, FAILED, KERNELS, FIRST_KERNEL = range(JOB, JOB + 6)  # the job; then the addresses of its kernels
MOST_KERNELS = WORKERS - FIRST_KERNEL
PARKED, WOKEN = 0, 1  # places in a worker's line
SPINS = 8_000  # looks at the box before a worker is parked: some 200 µs
PAUSE_US = 200  # microseconds between looks at a piece that takes long


class WorkerPool:
    """A process's threads: the one that calls leads, the others help."""

    def __init__(self, workers: int) -> None:
        self._box = np.zeros(WORKERS + LINE * workers, np.int64)
        self._at = int(self._box.ctypes.data)
        self._leader: dict[str, int] = {}  # the thread that leads, if any does
        self._post = _entry(post, "int64(int64, int64, int64, int64, int64, int64)")
        self._take = _entry(take, "int64(int64)")
        self._finish = _entry(finish, "int64(int64, int64)")
        wait_for_work = _entry(work, "void(int64, int64, int64)")
        self._mailboxes: list[SimpleQueue[None]] = []
        for number in range(workers):
            mailbox: SimpleQueue[None] = SimpleQueue()
            try:
                Thread(target=_serve, args=(wait_for_work, self._box, number, mailbox), name="ludus", daemon=True).start()
            except RuntimeError:  # the system gives no more threads: those that there are will do
                break
            self._mailboxes.append(mailbox)

    def share(self, kernels: list[int], n: int, pieces: int, table: int) -> bool:
        """Run kernels, given by their addresses, on games 0..n-1 in pieces; return False if another thread is leading.

        Whatever Ctrl-C interrupts, no piece is under way when this returns: the arrays must outlive whoever works on them.
        """
        if len(kernels) > MOST_KERNELS or not self._leads() or self._box[DONE] < self._box[PIECES]:
            return False
        try:
            self._box[FIRST_KERNEL : FIRST_KERNEL + len(kernels)] = kernels
            try:
                if self._post(self._at, len(self._mailboxes), pieces, n, table, len(kernels)):
                    self._wake()
                while self._take(self._at):  # piece by piece, so that Ctrl-C is heard between them
                    pass
            finally:
                failed = self._finish(self._at, SPINS)  # one call, which no signal cuts short
            if failed:
                raise LudusError("a rule raised an error in compiled code; play the game with device='pure' to see which")
            return True
        finally:
            self._leader.clear()

    def _leads(self) -> bool:
        """Whether this thread may lead: nobody does, or it does itself, having been interrupted on its way out of a job.

        So no interrupt can leave the pool without a leader for good, as it could between taking a lock and noting it.
        """
        me = get_ident()
        return self._leader.setdefault("thread", me) == me

    def _wake(self) -> None:
        """Wake parked workers; once too often does no harm, once too few would."""
        woken = self._box[WORKERS + WOKEN :: LINE]
        for number in np.flatnonzero(woken):
            self._mailboxes[number].put(None)
            woken[number] = 0


_pools: dict[int, WorkerPool] = {}
_making = Lock()


def worker_pool(workers: int) -> WorkerPool:
    """Return this process's pool of so many workers."""
    with _making:
        if workers not in _pools:
            _pools[workers] = WorkerPool(workers)
        return _pools[workers]


def _forget_pools() -> None:
    """A fork has none of its parent's threads, and perhaps a lock that one of them held."""
    global _making
    _making = Lock()
    _pools.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pools)


def _entry(function: Any, signature: str) -> Any:
    return only_code(machine_code(None, function, signature)).entry_point


def _serve(wait_for_work: Any, box: Any, number: int, mailbox: SimpleQueue[None]) -> None:
    """Help for ever. The box is held here, too, so that it lives as long as anybody looks at it."""
    at = int(box.ctypes.data)
    while True:
        wait_for_work(at, at + WORD * (WORKERS + LINE * number), SPINS)
        mailbox.get()


# From here on: machine code, which holds no lock. Addresses come as numbers.


def post(box, workers, pieces, games, table, kernels):
    """Post a job, and mark the parked workers that must be woken; return how many are to be."""
    write(box + WORD * DONE, 0)
    write(box + WORD * PIECES, pieces)
    write(box + WORD * GAMES, games)
    write(box + WORD * TABLE, table)
    write(box + WORD * FAILED, 0)
    write(box + WORD * KERNELS, kernels)
    write(box + WORD * LEFT, pieces)
    called = 0
    for number in range(min(workers, pieces - 1)):
        line = box + WORD * (WORKERS + LINE * number)
        if swap(line + WORD * PARKED, 0) == 1:
            write(line + WORD * WOKEN, 1)
        called += look(line + WORD * WOKEN)
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
            sleep_a_while()
    return look(box + WORD * FAILED)


def work(box, line, patience):
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
        write(line + WORD * PARKED, 1)
        if look(box + WORD * LEFT) <= 0 or swap(line + WORD * PARKED, 0) == 0:
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
def sleep_a_while(typingctx: Any) -> Any:
    """Let other threads have the core for a while, where the C library knows how to."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if sys.platform != "win32":
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32)])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "usleep"), [ir.IntType(32)(PAUSE_US)])
        return context.get_dummy_value()

    return types.void(), codegen
