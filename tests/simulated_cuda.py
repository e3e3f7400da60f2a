"""Run the CUDA backend in Numba's simulator, where a thread of the device is one of Python's: no script for people.

It shows that rows and planes are loaded and stored rightly, on a machine without a GPU; not that kernels compile for one, nor
how fast. `test_launch.py` starts it in a process of its own, since the simulator is chosen when Numba is imported.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from typing import Any

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy as np
import pytest
from numba.core import types
from numba.cuda.simulator import kernelapi
from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray
from numba.np.numpy_support import as_dtype

from ludus.core import BadValue, IllegalAction
from ludus.engine import Batch, Trees, device_code, driver, launch, sharing
from ludus.engine.driver import DeviceArray
from ludus.games import load
from ludus.testing import compare_devices, compare_seat, same

GARBAGE = 171  # fills memory that nobody has written yet
_making = threading.Lock()


def complete_the_simulator() -> None:
    """Add what it lacks: aligned arrays, records with fields, warps that wait (here the block does)."""
    kernelapi.FakeCUDALocal.array = lambda self, shape, dtype, alignment=None: _array(shape, dtype)
    kernelapi.FakeCUDAShared.array = _shared
    kernelapi.FakeCUDAModule.syncwarp = lambda self: threading.current_thread().syncthreads()  # type: ignore[attr-defined]


def stand_in_for_the_driver() -> None:
    """Let ordinary memory be the device's, and the simulator start the kernels."""
    driver.allocate = _allocate
    driver.zero = lambda address, size: ctypes.memset(address, 0, size)
    driver.copy = lambda target, source, size: ctypes.memmove(target, source, size)
    driver.Launch = _Launch  # type: ignore[misc]
    driver.loaded = lambda function: function
    device_code._kept = lambda game, called, source, make, types, part="rules": make()  # type: ignore[assignment]


class _Launch:
    def __init__(self, function: Any, blocks: int, threads: int, arguments: Any) -> None:
        from numba import cuda

        self.kernel, self.arguments = cuda.jit(function)[blocks, threads], arguments
        self.numbers = {}  # by place, as they are changed

    def __call__(self) -> None:
        arguments = list(self.arguments)
        if self.numbers:
            first = arguments[1]
            arguments[1] = DeviceArray(None, self.numbers[5], first.shape, first.dtype, (self.numbers[7],))
        self.kernel(*(_seen(a) if isinstance(a, DeviceArray) else a for a in arguments))


def _allocate(size: int) -> tuple[Any, int]:
    memory = np.full(size, GARBAGE, np.uint8)
    return memory, memory.ctypes.data


def _seen(array: DeviceArray) -> Any:
    """Return memory as the simulator hands it to a kernel."""
    span = sum((n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)) + array.dtype.itemsize
    memory = (ctypes.c_uint8 * span).from_address(array.address)
    seen = np.ndarray(array.shape, array.dtype, memory, strides=array.strides)
    return FakeCUDAArray(seen.view(np.recarray) if array.dtype.names else seen)


def _array(shape: Any, dtype: Any) -> Any:
    array = np.empty(shape, as_dtype(dtype) if isinstance(dtype, types.Type) else dtype)
    array.reshape(-1).view(np.uint8)[:] = GARBAGE
    return array.view(np.recarray) if array.dtype.names else array


def _shared(self: Any, shape: Any, dtype: Any, alignment: int | None = None) -> Any:
    """Give all threads of a block the array that belongs to this line of the kernel."""
    line = sys._getframe(1).f_lineno
    with _making:
        if line not in self._allocations:
            self._allocations[line] = _array(shape, dtype)
        return self._allocations[line]


def compare_the_rest(game: Any, games: int) -> None:
    """Compare what a batch does beside playing: actions that somebody has on the device, positions taken, sums, copies."""
    one, other = Batch(game, games, 1), Batch(game, games, 1, "cuda", frame="rules")
    same(one.legal(), other.host(other.legal()), "masks in the ids of the rules")
    for dtype in ("i1", "u2", "i8", "u8"):
        actions = one.legal().argmax(axis=1).astype(dtype)
        own = other._backend.zeros((2 * games,), np.dtype(dtype))
        other._backend.from_host(np.repeat(actions, 2), own)
        every_second = DeviceArray(own, own.address, (games,), own.dtype, (2 * own.dtype.itemsize,))
        one.step(actions)
        other.step(every_second)
        same(one.states, other.host(other.states), f"states after actions {dtype}")
    wrong = other._backend.zeros((games,), np.dtype("i8"))
    other._backend.from_host(one.legal().argmax(axis=1), wrong)
    wrong[games - 1] = 2**32
    with pytest.raises(IllegalAction, match=f"row {games - 1}: action {2**31 - 1} is not in"):
        other.step(wrong)
    index = np.arange(games)[::-1].copy()
    for batch in (one, other):
        batch.take(batch.copy(), index)
    same(one.states, other.host(other.states), "positions taken")
    wrong[games - 1] = games
    with pytest.raises(BadValue, match="an index has"):
        other.take(other.copy(), wrong)
    alike = other.copy()
    alike.take(other, other._backend.zeros((games,), np.dtype("i8")))
    same(alike.host(alike.states), other.host(other.states)[[0] * games], "one position taken for all")
    assert one.play_random(3) == other.play_random(3)
    assert one.play_random(2, encode=True) == other.play_random(2, encode=True)
    same(one._buffers.planes, other.host(other._buffers.planes), "planes after random steps")
    one.finish(["random"] * len(game.spec.seats))
    other.finish(["random"] * len(game.spec.seats))
    same(one.states, other.host(other.states), "rows after games of bots")


def compare_searches(game: Any, trees: int) -> None:
    """Compare what both devices find with the same chance: with short playouts, and with a network that is a table."""
    found = {}
    views = np.array(Batch(game, trees, 1).observe())
    for device in ("cpu", "cuda"):
        own = Trees(game, trees, 64, 2, device, halving=[0, 0, 0, 0, 0, 1])
        own.settings(3, considered=1, cut=4, explore=1.0, width=2.0)
        own.plant(views)
        own.grow()
        found[device] = [np.array(own.host(array)) for array in own.counted()]
        own.shake(np.zeros((trees, game.spec.actions), np.float32))
        own.plant(views)
        for k in range(4):
            own.descend()
            logits = np.arange(trees * game.spec.actions, dtype=np.float32).reshape(trees, -1) % (7 + k)
            own.settle(logits, np.full((trees, len(game.spec.seats)), 0.1 * k, np.float32))
        found[device] += [np.array(own.host(array)) for array in own.advised()]
    for one, other in zip(found["cpu"], found["cuda"], strict=True):
        assert np.allclose(one, other, atol=1e-6)
    assert found["cpu"][1].sum() == 3 * trees


if __name__ == "__main__":
    name, games, shared = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    sharing.SHARED = shared
    complete_the_simulator()
    stand_in_for_the_driver()
    game = load(name)
    print("shares" if launch.block_of(game, "encode").shares else "does not share")
    compare_devices(game, "cpu", "cuda", games, steps=2)
    compare_seat(game, "cpu", "cuda", games, decisions=2)
    compare_the_rest(game, games)
    compare_searches(game, 3)
