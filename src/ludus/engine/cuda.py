"""The CUDA backend: the same kernels, one game a thread; arrays live on the device and pass to torch without a copy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ludus.core import BadValue, LudusError, MissingExtra
from ludus.games import Game

from . import driver, pure
from .buffers import Buffers
from .driver import DeviceArray, Launch
from .kernels import Kernel, needs, parameters
from .launch import arguments, block_of, passed, word_of
from .sharing import kernel_of

NAME = "cuda"
THREADS = 128  # of a block of the engine's own kernels
ACTIONS = np.dtype("i4")
BLOCKS = 256  # that add up numbers: enough to keep a device busy


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
        self._launches: dict[str, Callable[[], None]] = {}  # kernels by name, with their arguments in place
        self._launched: tuple[Any, ...] = (None, None, 0)  # buffers, bots and games that they are for
        self._narrowing: dict[Any, Launch] = {}  # by the dtype of the source and the address of the target
        self._columns: dict[tuple[int, int], tuple[DeviceArray, DeviceArray]] = {}  # by array and number, with the array

    def kernel(self, name: str) -> Kernel:
        """Return a kernel as the function it is, for looking at what it needs."""
        return kernel_of(self.game, name)

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> DeviceArray:
        """Make an array of zeros on the device."""
        return driver.zeros(shape, dtype)

    def run(self, names: tuple[str, ...], buffers: Buffers, n: int) -> None:
        """Start kernels on games 0..n-1, one after the other; they may still run when this returns."""
        known, seated, games = self._launched
        if known is not buffers or seated != self.seated or games != n:
            self._launches.clear()
            self._launched = (buffers, self.seated, n)
        for name in names:
            launch = self._launches.get(name)
            if launch is None:
                launch = self._launches[name] = self._prepared(name, buffers, n)
            launch()

    def _prepared(self, name: str, buffers: Buffers, n: int) -> Callable[[], None]:
        """Return a call that starts a kernel on these buffers."""
        from .device_code import game_kernel

        if name == "clear_own_masks":
            return partial(self.zero, buffers.own_masks)
        if name == "clear_planes":  # `encode` clears shared memory, unless planes are too large for that
            return _nothing if block_of(self.game, "encode").shares else partial(self.zero, buffers.planes)
        if name == "seat_step" and not any("scratch" in parameters(self.game.bots[bot]) for bot in self.seated):
            name = "light_seat_step"
        used, block = needs(self.kernel(name)), block_of(self.game, name)
        arrays = [_as_passed(getattr(buffers, field), *passed(self.game, field, block)) for field in arguments(used, block)]
        kernel = game_kernel(self.game, name, self.seated if "bots" in used else None)
        return driver.Launch(kernel, math.ceil(n / block.games), block.threads, [n, *arrays])

    def about(self, name: str) -> str:
        """Say what a kernel that has run needs of the device, and how many of its warps fit there at a time."""
        launch = self._launches[name]
        return launch.about() if isinstance(launch, Launch) else ""

    def zero(self, array: DeviceArray) -> None:
        """Set an array to zero, without waiting for it."""
        driver.zero(array.address, array.nbytes)

    @staticmethod
    def narrowed(array: Any) -> Any:
        """Return actions of any whole type as `from_host` takes them: on the device it narrows them while it copies."""
        return array if placed(array) else pure.Backend.narrowed(array)

    def from_host(self, array: Any, target: DeviceArray) -> None:
        """Copy into an array of the device; what is on the device already stays there."""
        source = placed(array)
        if source is None:
            host = np.ascontiguousarray(np.broadcast_to(array, target.shape), target.dtype)
            driver.copy(target.address, host.ctypes.data, host.nbytes)
        elif source.dtype == target.dtype and source.is_whole:
            driver.copy(target.address, source.address, target.nbytes)
        elif target.dtype == ACTIONS and target.ndim == 1 and source.dtype.kind in "iu":
            self._narrow(source, target)
        else:
            raise BadValue(f"an array {target.dtype} {target.shape} is needed, not {source.dtype}")

    def _narrow(self, source: Place, target: DeviceArray) -> None:
        key = (source.dtype, target.address)
        launch = self._narrowing.get(key)
        if launch is None:
            like = DeviceArray(None, 0, target.shape, source.dtype)
            launch = self._narrowing[key] = prepared("narrow", target.size, like, target)
        launch.numbers[5], launch.numbers[7] = source.address, source.stride  # after n and the head of an array
        launch()

    def places(self, index: Any, n: int, source: int) -> DeviceArray:
        """Return an index into `source` games, one for each of n, that is surely inside."""
        place = placed(index)
        if place is None:
            host = np.ascontiguousarray(pure.Backend.places(index, n, source), np.int64)
            target = driver.zeros((n,), host.dtype)
            driver.copy(target.address, host.ctypes.data, host.nbytes)
            return target
        bad = driver.zeros((1,), np.dtype("i8"))
        fits = tuple(index.shape) == (n,) and place.dtype.kind in "iu"
        array = DeviceArray(index, place.address, (n,), place.dtype, (place.stride,))
        if fits:
            prepared("check_places", n, array, source, bad)()
        if not fits or bad.copy_to_host()[0]:
            raise BadValue(f"an index has {n} whole numbers from 0 to {source - 1}, not {place.dtype} {tuple(index.shape)}")
        return array

    @staticmethod
    def gather(source: DeviceArray, index: DeviceArray, target: DeviceArray) -> None:
        """Copy rows of one array to another."""
        word, count = word_of(source.dtype, source.shape[1:])
        before, after = (DeviceArray(a.owner, a.address, (a.shape[0], count), word) for a in (source, target))
        prepared("gather", after.size, before, index, after)()

    def fill(self, row: Any, target: DeviceArray) -> None:
        """Copy one row to all places of an array."""
        one = driver.zeros((1,), target.dtype)
        self.from_host(row, one)
        nowhere_else = driver.zeros((1,), np.dtype("i8"))
        self.gather(one, DeviceArray(nowhere_else, nowhere_else.address, target.shape[:1], nowhere_else.dtype, (0,)), target)

    def column(self, array: DeviceArray, k: int) -> DeviceArray:
        """Return a column of an array, in its own memory; the same one each time."""
        key = (array.address, k)
        known = self._columns.get(key)
        if known is None or known[0] is not array:
            known = self._columns[key] = (array, array.column(k))
        return known[1]

    @staticmethod
    def total(array: DeviceArray) -> Any:
        """Return the sums of the columns in ordinary memory."""
        sums = driver.zeros(array.shape[1:], array.dtype)
        prepared("add_up", array.shape[0], array, sums, blocks=BLOCKS)()
        return sums.copy_to_host()

    @staticmethod
    def read_only(array: DeviceArray) -> DeviceArray:
        """Return the array itself: what is on the device is written by kernels."""
        return array

    @staticmethod
    def to_host(array: DeviceArray) -> Any:
        """Return a copy in ordinary memory."""
        host = array.copy_to_host()
        return host.view(np.recarray) if host.dtype.names else host


class Place(NamedTuple):
    """Where somebody's array lies on the device."""

    address: int
    dtype: np.dtype[Any]
    stride: int  # bytes from one entry of the first axis to the next
    is_whole: bool  # without gaps


def placed(array: Any) -> Place | None:
    """Say where an array lies on the device; None if it is in ordinary memory."""
    if isinstance(array, DeviceArray):
        return Place(array.address, array.dtype, array.strides[0], array.strides[0] * len(array) == array.nbytes)
    if hasattr(array, "data_ptr"):  # torch's: asked directly, since its interface takes microseconds to write
        if not array.is_cuda:
            return None
        dtype = _numpy_type(array.dtype)
        return Place(array.data_ptr(), dtype, array.stride(0) * dtype.itemsize, array.is_contiguous())
    about = getattr(array, "__cuda_array_interface__", None)
    if about is None:
        return None
    dtype, strides = np.dtype(about["typestr"]), about.get("strides")
    return Place(about["data"][0], dtype, strides[0] if strides else dtype.itemsize, not strides)


def prepared(name: str, n: int, *others: int | DeviceArray, blocks: int = 0) -> Launch:
    """Return one of the engine's own kernels with its arguments in place; one thread a number unless blocks are given."""
    from . import device_tools
    from .device_code import plain_kernel

    types = tuple("n" if isinstance(other, int) else (other.dtype, other.ndim, "A") for other in others)
    kernel = plain_kernel(getattr(device_tools, name), ("n", *types))
    return driver.Launch(kernel, blocks or math.ceil(n / THREADS), THREADS, [n, *others])


def _as_passed(array: DeviceArray, dtype: np.dtype[Any], entry: tuple[int, ...] | None) -> DeviceArray:
    """Return the same memory as a kernel takes it."""
    shape = (-(-array.nbytes // dtype.itemsize),) if entry is None else (array.shape[0], *entry)
    return DeviceArray(array.owner, array.address, shape, dtype)


def _nothing() -> None:
    pass


@cache
def _numpy_type(dtype: Any) -> np.dtype[Any]:
    return np.dtype(str(dtype).removeprefix("torch."))
