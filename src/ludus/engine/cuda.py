"""The CUDA backend: the same kernels, one game a thread; arrays live on the device and pass to torch without a copy."""

from __future__ import annotations

import math
import warnings
from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ludus.core.errors import LudusError, MissingExtra
from ludus.games import Game

from .compiled import announce, kernels_of, register_rules
from .desk import Desk
from .kernels import Kernel, needs

NAME = "cuda"
THREADS = 128  # a block: kernels are short of registers, not of threads


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
        self.game = game

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernels_of(self.game)[name]

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """Make an array on the device."""
        from numba import cuda

        array = cuda.device_array(shape, dtype)
        driver().device_memset(array, 0, array.alloc_size)
        return array

    def run(self, names: tuple[str, ...], desk: Desk, n: int) -> None:
        """Start kernels on games 0..n-1, one after the other; they may still run when this returns."""
        for name in names:
            if name == "clear_planes":  # all at once is many times faster than game by game
                driver().device_memset(desk.planes, 0, desk.planes.alloc_size)
                continue
            kernel, used = launcher(self.game, name)
            kernel[math.ceil(n / THREADS), THREADS](n, *(getattr(desk, field) for field in used))

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


@cache
def launcher(game: Game, name: str) -> tuple[Any, list[str]]:
    """Compile a kernel for the device; return it with the fields of the desk that it takes."""
    from numba import cuda

    row, used = kernels_of(game)[name], needs(kernels_of(game)[name])
    register_rules()
    announce(game)
    return cuda.jit(_launch(row, used)), used


def _launch(row: Kernel, used: list[str]) -> Callable[..., None]:
    """Return a device kernel that runs one game a thread; its text is made here since each array must be an argument."""
    from numba import cuda

    names = ", ".join(used)
    text = f"def launch(n, {names}):\n    i = cuda.grid(1)\n    if i < n:\n        row(i, Desk({names}))\n"
    scope: dict[str, Any] = {"cuda": cuda, "row": row, "Desk": namedtuple("Desk", used)}
    exec(text, scope)
    launch: Callable[..., None] = scope["launch"]
    return launch


warnings.filterwarnings("ignore", message="Grid size .* will likely result in GPU under-utilization")
