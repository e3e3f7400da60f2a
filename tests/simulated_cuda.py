"""Run the CUDA backend in Numba's simulator, where a thread of the device is one of Python's: no script for people.

It shows that rows and planes come and go rightly, on a machine without a GPU; not that kernels compile for one, nor how fast.
`test_launch.py` starts it in a process of its own, since the simulator is chosen when Numba is imported.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy as np
from numba.core import types
from numba.cuda.simulator import kernelapi
from numba.np.numpy_support import as_dtype

from ludus.engine import cuda, launch
from ludus.games import load
from ludus.testing import compare_devices, compare_seat

GARBAGE = 171  # fills memory that nobody has written yet
_making = threading.Lock()


def complete_the_simulator() -> None:
    """Add what it lacks: aligned arrays, records with fields, warps that wait (here the block does), arrays as other words."""
    kernelapi.FakeCUDALocal.array = lambda self, shape, dtype, alignment=None: _array(shape, dtype)
    kernelapi.FakeCUDAShared.array = _shared
    kernelapi.FakeCUDAModule.syncwarp = lambda self: threading.current_thread().syncthreads()  # type: ignore[attr-defined]
    words = cuda._words
    cuda._words = lambda array, in_one: _all_words(array) if in_one else words(array, False)


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


def _all_words(array: Any) -> Any:
    flat = array._ary.reshape(-1).view(np.uint8)
    return type(array)(np.lib.stride_tricks.as_strided(flat, (-(-flat.size // 8) * 8,)).view(np.int64))


if __name__ == "__main__":
    name, games, sheets = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    launch.SHEETS = sheets
    complete_the_simulator()
    game = load(name)
    print("paints" if launch.block_of(game, "encode").paints else "does not paint")
    compare_devices(game, "cpu", "cuda", games, steps=2)
    compare_seat(game, "cpu", "cuda", games, decisions=2)
