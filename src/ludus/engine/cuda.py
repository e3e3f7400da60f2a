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
from .desk import SAME_MEMORY, Desk, layout
from .kernels import ONLY_READ, ONLY_ROOM, ONLY_WRITTEN, Kernel, needs

NAME = "cuda"
THREADS = 128  # a block: kernels are short of registers, not of threads
# Fields whose rows a thread copies to its own memory; the others are large, or touched once.
STAGED = {"states", "views", "scratch", "rngs", "dice", "masks", "outcomes", "points", "rewards", "tally"}


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
        self._views: dict[str, tuple[Any, Any]] = {}  # by field: an array and the same as words

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernels_of(self.game)[name]

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """Make an array on the device."""
        from numba import cuda

        array = cuda.device_array(shape, dtype)
        self.zero(array)
        return array

    def run(self, names: tuple[str, ...], desk: Desk, n: int) -> None:
        """Start kernels on games 0..n-1, one after the other; they may still run when this returns."""
        for name in names:
            if name == "clear_planes":  # all at once; clearing them in the kernel that fills them was tried and is slower
                self.zero(desk.planes)
                continue
            kernel, fields = launcher(self.game, name)
            arrays = [getattr(desk, field) for field in fields]
            if is_staged(fields):
                arrays = [self._words(array, field) for array, field in zip(arrays, fields, strict=True)]
            kernel[math.ceil(n / THREADS), THREADS](n, *arrays)

    def _words(self, array: Any, field: str) -> Any:
        """Return an array as a kernel takes it: rows that are staged as words [n, words], others as they are."""
        if field not in STAGED:
            return array
        known = self._views.get(field)
        if known is None or known[0] is not array:
            word, count = _word(array.dtype, array.shape[1:])
            known = self._views[field] = (array, array.view(word).reshape(array.shape[0], count))
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


@cache
def launcher(game: Game, name: str) -> tuple[Any, list[str]]:
    """Compile a kernel for the device; return it with the fields of the desk that it takes."""
    from numba import cuda

    row, used = kernels_of(game)[name], needs(kernels_of(game)[name])
    register_rules()
    announce(game)
    return cuda.jit(launch_function(game, name, row, used)), arguments(used)


def arguments(used: list[str]) -> list[str]:
    """List the arrays that a kernel is given: staged rows stand for their other forms, too."""
    return [field for field in used if SAME_MEMORY.get(field) not in STAGED] if is_staged(used) else used


def is_staged(used: list[str]) -> bool:
    """Whether a kernel works on copies of its rows; checks, which look at single numbers, do not."""
    return "bad" not in used


def launch_function(game: Game, name: str, row: Kernel, used: list[str]) -> Callable[..., None]:
    """Write a device kernel that runs one game a thread, each on a copy of its rows in the thread's own memory.

    That memory is interleaved between threads, so that a step of a warp touches a few lines instead of one a thread; the rows
    come and go as whole words. The text is written here since each array must be an argument of its own.
    """
    from numba import cuda

    scope: dict[str, Any] = {"cuda": cuda, "row": row, "Desk": namedtuple("Desk", used)}
    fields = arguments(used)
    if not is_staged(used):
        lines = [f"row(i, Desk({', '.join(used)}))"]
    else:
        staging = [_staging(game, field, name, scope) for field in fields]
        before = [line for coming, _ in staging for line in coming]
        before += [f"own_{other} = {owner}_words" for other, owner in SAME_MEMORY.items() if owner in STAGED and other in used]
        after = [line for _, going in staging for line in going]
        lines = [*before, f"row(0, Desk({', '.join('own_' + field for field in used)}))", *after]
    head = [f"def launch(n, {', '.join(fields)}):", "    i = cuda.grid(1)", "    if i < n:"]
    exec("\n".join([*head, *("        " + line for line in lines)]), scope)
    launch: Callable[..., None] = scope["launch"]
    return launch


def _staging(game: Game, field: str, kernel: str, scope: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the lines that bring a field's row into the thread's memory and back."""
    import numba

    dtype, entry, each = layout(game)[field]
    if not each:
        return [f"own_{field} = {field}"], []
    if field not in STAGED:
        return [f"own_{field} = {field}[i:i + 1]"], []
    word, count = _word(dtype, entry)
    scope[f"{field}_type"], scope[f"{field}_word"] = numba.from_dtype(dtype), numba.from_dtype(word)
    if field == "masks":  # made of words, which must be aligned
        made = [f"masks_words = cuda.local.array((1, {count}), masks_word)", "own_masks = masks_words.view(masks_type)"]
    else:
        made = [f"own_{field} = cuda.local.array({(1, *entry)}, {field}_type, alignment=8)"]
        made += [f"{field}_words = own_{field}.view({field}_word)"]
    spot = "k" if not entry else "0, k"
    come = [f"for k in range({count}):", f"    {field}_words[{spot}] = {field}[i, k]"]
    go = [f"for k in range({count}):", f"    {field}[i, k] = {field}_words[{spot}]"]
    is_room = field in ONLY_ROOM.get(kernel, ())
    coming = [] if is_room or field in ONLY_WRITTEN.get(kernel, ()) else come
    return made + coming, [] if is_room or field in ONLY_READ.get(kernel, ()) else go


def _word(dtype: np.dtype[Any], entry: tuple[int, ...]) -> tuple[np.dtype[Any], int]:
    """Return the widest word that divides a row, and how many make one."""
    size = dtype.itemsize * math.prod(entry)
    word = np.dtype("i8") if size % 8 == 0 else np.dtype("i4")
    return word, size // word.itemsize


warnings.filterwarnings("ignore", message=".*will likely result in GPU under-utilization")  # a small batch is no mistake
