"""The CUDA backend: the same kernels, one game a thread; arrays live on the device and pass to torch without a copy."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ludus.core import LudusError, MissingExtra
from ludus.games import Game

from .buffers import Buffers
from .compiled import kernels_of
from .kernels import Kernel, needs
from .launch import STAGED, Block, block_of, launcher, word_of

NAME = "cuda"


def why_not() -> str:
    """Return why CUDA cannot be used here, in one line, or ""."""
    try:
        from numba import cuda
    except ImportError:
        return "numba-cuda is not installed; get it with: pip install 'ludus[cuda]'"
    try:
        return "" if cuda.is_available() else "no CUDA device was found"
    except Exception as error:
        return f"CUDA does not work here: {error}"


class Backend:
    """Run kernels on the device."""

    device = NAME

    def __init__(self, game: Game) -> None:
        reason = why_not()
        if reason.startswith("numba-cuda"):
            raise MissingExtra("numba-cuda", "cuda")
        if reason:
            raise LudusError(f"device 'cuda' cannot be used: {reason}; use device='cpu'")
        self.game, self.seated = game, frozenset[str]()  # the bots that play: no others are compiled
        self._views: dict[str, tuple[Any, Any]] = {}  # by field: an array and the same as words

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernels_of(self.game)[name]

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """Make an array on the device; its memory ends with a whole word, as `_words` needs it."""
        from numba import cuda

        size = math.prod(shape) * dtype.itemsize
        room = cuda.device_array(-(-size // 8), np.int64)
        self.zero(room)
        return room.view(np.uint8)[:size].view(dtype).reshape(shape)

    def run(self, names: tuple[str, ...], buffers: Buffers, n: int) -> None:
        """Start kernels on games 0..n-1, one after the other; they may still run when this returns."""
        for name in names:
            if name == "clear_planes":  # `encode` paints on clean sheets, unless planes are too large for that
                if not block_of(self.game, "encode").paints:
                    self.zero(buffers.planes)
                continue
            seated = self.seated if "bots" in needs(self.kernel(name)) else None
            kernel, fields, block = launcher(self.game, name, seated)
            arrays = [self._passed(getattr(buffers, field), field, block) for field in fields]
            kernel[math.ceil(n / block.games), block.threads](n, *arrays)

    def _passed(self, array: Any, field: str, block: Block) -> Any:
        """Return an array as a kernel takes it: what is staged or painted comes as words, others as they are."""
        if not block.stages or not (field in STAGED or (field == "planes" and block.paints)):
            return array
        known = self._views.get(field)
        if known is None or known[0] is not array:
            known = self._views[field] = (array, _words(array, in_one=field == "planes"))
        return known[1]

    def zero(self, array: Any) -> None:
        """Set an array to zero, without waiting for it."""
        from numba import cuda

        driver().device_memset(array, 0, array.alloc_size, stream=cuda.default_stream())

    @staticmethod
    def to_host(array: Any) -> Any:
        """Return a copy in ordinary memory."""
        host = array.copy_to_host()
        return host.view(np.recarray) if host.dtype.names else host

    @staticmethod
    def from_host(array: Any, target: Any) -> None:
        """Copy into an array of the device; what is there already stays there."""
        if hasattr(array, "__cuda_array_interface__"):
            from numba import cuda

            if type(array).__module__.startswith("torch"):
                array = array.to(dtype=_torch_type(target.dtype)).contiguous()
            source = cuda.as_cuda_array(array)
            if source.dtype == target.dtype:
                target.copy_to_device(source)
                return
            array = source.copy_to_host()
        target.copy_to_device(np.ascontiguousarray(array, target.dtype))


def _torch_type(dtype: np.dtype[Any]) -> Any:
    import torch

    return getattr(torch, dtype.name)


def driver() -> Any:
    """Return numba-cuda's driver functions."""
    from numba.cuda.cudadrv import driver

    return driver


def _words(array: Any, in_one: bool) -> Any:
    """Return the same memory as words: [n, words of a row], or all in one, the last one filled up."""
    if not in_one:
        word, count = word_of(array.dtype, array.shape[1:])
        return array.reshape(-1).view(word).reshape(array.shape[0], count)
    from numba.cuda.cudadrv.devicearray import DeviceNDArray

    return DeviceNDArray((-(-array.nbytes // 8),), (8,), np.dtype("i8"), gpu_data=array.gpu_data)


warnings.filterwarnings("ignore", message=".*will likely result in GPU under-utilization")  # a small batch is no mistake
