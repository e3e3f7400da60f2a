"""The calls of the CUDA driver that a batch makes, and arrays in the device's memory; all on one stream, in order.

They go to the driver directly: Numba's own way from an array to a started kernel takes longer than many a kernel.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any

import numpy as np

from ludus.core import LudusError

WORD = 8  # bytes; memory of the device is taken in whole words
_stream = [0]  # on which kernels are started: the default one, unless somebody named another


@contextmanager
def on_stream(stream: int) -> Iterator[None]:
    """Start kernels on the caller's stream in this block, as torch's `cuda_stream` names it; a CUDA graph can capture them."""
    before, _stream[0] = _stream[0], int(stream)
    try:
        yield
    finally:
        _stream[0] = before


class DeviceArray:
    """An array in the device's memory; torch, CuPy and Numba take it as it is, by `__cuda_array_interface__`."""

    def __init__(
        self, owner: Any, address: int, shape: Sequence[int], dtype: np.dtype[Any], strides: tuple[int, ...] | None = None
    ) -> None:
        self.owner, self.address = owner, address  # who keeps the memory, and where this array begins in it
        self.shape, self.dtype = tuple(shape), dtype
        self.strides = strides or tuple(dtype.itemsize * math.prod(self.shape[k + 1 :]) for k in range(len(self.shape)))
        self.size, self.ndim = math.prod(self.shape), len(self.shape)
        self.nbytes = self.size * dtype.itemsize

    @cached_property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape, "strides": self.strides, "data": (self.address, False),
            "typestr": self.dtype.str, "descr": self.dtype.descr, "stream": None, "version": 3,
        }  # fmt: skip

    def view(self, dtype: np.dtype[Any]) -> DeviceArray:
        """Return the same memory as numbers or records of another type, one after the other."""
        return DeviceArray(self.owner, self.address, (self.nbytes // dtype.itemsize,), dtype)

    def reshape(self, shape: Sequence[int]) -> DeviceArray:
        """Return the same memory in another shape."""
        return DeviceArray(self.owner, self.address, shape, self.dtype)

    def column(self, k: int) -> DeviceArray:
        """Return column k of an array with two axes, in the same memory."""
        return DeviceArray(self.owner, self.address + k * self.strides[1], self.shape[:1], self.dtype, self.strides[:1])

    def copy_to_host(self) -> Any:
        """Return a copy in ordinary memory; this waits for the device."""
        reach = self.dtype.itemsize + sum((n - 1) * step for n, step in zip(self.shape, self.strides, strict=True))
        memory = np.empty(reach if self.size else 0, np.uint8)
        copy(memory.ctypes.data, self.address, memory.nbytes)
        return np.ndarray(self.shape, self.dtype, memory.data, strides=self.strides)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.copy_to_host() if dtype is None else self.copy_to_host().astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __setitem__(self, index: int, value: int) -> None:
        """Write one number of an array with one axis."""
        number = np.array([value], self.dtype)
        copy(self.address + index * self.strides[0], number.ctypes.data, number.nbytes)


class Launch:
    """A kernel with its arguments in place: one call of the driver starts it, as often as wanted."""

    def __init__(self, kernel: Any, blocks: int, threads: int, arguments: Sequence[int | DeviceArray]) -> None:
        self.keeps = arguments  # the memory that the kernel is told of
        numbers = [number for argument in arguments for number in flat(argument)]
        self.numbers = (ctypes.c_int64 * len(numbers))(*numbers)  # may be changed between two starts
        first = ctypes.addressof(self.numbers)
        self._places = (ctypes.c_void_p * len(numbers))(*range(first, first + 8 * len(numbers), 8))
        self._launch = _driver().cuLaunchKernel
        self._start = (kernel, blocks, 1, 1, threads, 1, 1, 0)
        self._with = ctypes.addressof(self._places)

    def __call__(self) -> None:
        """Start the kernel; it may still run when this returns."""
        if self._launch(*self._start, _stream[0], self._with, 0)[0]:
            call(self._launch, *self._start, _stream[0], self._with, 0)  # which knows what to do about it

    def about(self) -> str:
        """Say what a thread and a block need, and how many warps are at work on a multiprocessor."""
        kernel, *_, threads, _, _, _ = self._start
        kind = _driver().CUfunction_attribute
        asked = (
            kind.CU_FUNC_ATTRIBUTE_NUM_REGS,
            kind.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
            kind.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        )
        registers, own, shared = (call(_driver().cuFuncGetAttribute, what, kernel) for what in asked)
        blocks = call(_driver().cuOccupancyMaxActiveBlocksPerMultiprocessor, kernel, threads, 0)
        room = f"{registers} registers and {own} bytes of its own a thread, {shared} bytes shared a block"
        return f"{room}; {blocks * threads // 32} warps at a time on a multiprocessor"


def flat(argument: int | DeviceArray) -> list[int]:
    """Return an argument as Numba's kernels take it: an array as owner, parent, sizes, address, shape and strides."""
    if isinstance(argument, int):
        return [argument]
    return [0, 0, argument.size, argument.dtype.itemsize, argument.address, *argument.shape, *argument.strides]


def zeros(shape: Sequence[int], dtype: np.dtype[Any]) -> DeviceArray:
    """Make an array of zeros; the word in which it ends belongs to it."""
    size = max(1, -(-math.prod(shape) * dtype.itemsize // WORD)) * WORD
    owner, address = allocate(size)
    zero(address, size)
    return DeviceArray(owner, address, shape, dtype)


def allocate(size: int) -> tuple[Any, int]:
    """Take memory of the device, through Numba's memory manager; return its owner and its address."""
    from numba import cuda

    owner = cuda.device_array(size, np.uint8)
    return owner, int(owner.device_ctypes_pointer.value)


def zero(address: int, size: int) -> None:
    """Set memory to zero, without waiting for it."""
    call(_driver().cuMemsetD8Async, address, 0, size, _stream[0])


def copy(target: int, source: int, size: int) -> None:
    """Copy memory; the driver knows which is the device's, and waits where ordinary memory is the target."""
    if _stream[0]:
        call(_driver().cuMemcpyAsync, target, source, size, _stream[0])
    else:
        call(_driver().cuMemcpy, target, source, size)


def loaded(code: bytes) -> Any:
    """Load machine code and return the one kernel in it."""
    library = call(_driver().cuLibraryLoadData, code, None, None, 0, None, None, 0)
    (kernel,) = call(_driver().cuLibraryEnumerateKernels, 1, library)
    return call(_driver().cuKernelGetFunction, kernel)


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call the driver; a thread that has not used the device before is made ready for it."""
    error, *answer = function(*arguments)
    if error == _driver().CUresult.CUDA_ERROR_INVALID_CONTEXT:
        from numba import cuda

        cuda.current_context()
        error, *answer = function(*arguments)
    if error:
        raise LudusError(f"the CUDA driver refused {function.__name__}: {error.name}")
    return answer[0] if answer else None


@cache
def _driver() -> Any:
    from cuda.bindings import driver

    return driver


def capability() -> tuple[int, int, str]:
    """Return what code for this device is made for: its compute capability, with all that this one alone has."""
    from numba import cuda

    major, minor = cuda.get_current_device().compute_capability
    return major, minor, "a" if major >= 9 else ""


def versions() -> tuple[Any, ...]:
    """Return the versions of all that machine code for the device is made with."""
    import numba_cuda
    from cuda.bindings import nvjitlink, nvvm

    try:
        return numba_cuda.__version__, nvvm.version(), nvjitlink.version()
    except Exception as error:  # one of a kind for each way in which a library can be missing
        help_line = "install NVIDIA's CUDA toolkit, or: pip install 'numba-cuda[cu13]'"
        raise LudusError(f"NVIDIA's compiler or linker was not found ({type(error).__name__}); {help_line}") from None


def machine_code(function: Callable[..., None], signature: Any, made_for: tuple[int, int, str]) -> bytes:
    """Compile a kernel; `signature` is Numba's."""
    from cuda.core import Linker, LinkerOptions, ObjectCode
    from numba import cuda

    compile_kernel: Any = cuda.compile  # type: ignore[attr-defined]
    code, _ = compile_kernel(function, signature, device=False, abi="numba", cc=made_for, output="ltoir")
    options = LinkerOptions(arch="sm_{}{}{}".format(*made_for), link_time_optimization=True)
    return bytes(Linker(ObjectCode.from_ltoir(code), options=options).link("cubin").code)
