"""Turn kernels into machine code, and keep it on disk."""

from __future__ import annotations

import os
import secrets
from collections import namedtuple
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import populate_array

from ludus.core import WAITING, LudusError
from ludus.games import Game

from . import kernels as _kernels
from .buffers import Buffers, layout
from .cache import announce, cache_folder, cannot_keep, forget, kept, one_at_a_time, sign, source_key
from .sources import part_of

Loop = Callable[[int, int, int], None]  # first game, game after the last, address of the table of addresses

# Whose rules are put in place: those of features pass a row of them along, those of seats many arrays, and that costs more
# than what they do.
IN_PLACE = (".features", ".feature_kernels", ".seat_kernels")

# What Numba says of code that allocates.
ALLOCATES = ("NRT required but not enabled", "Only accept returning of array passed into the function as argument")

_compiling = RLock()
_PROCESS = secrets.token_hex(4)  # marks what this process compiles


if hasattr(os, "register_at_fork"):  # a fork waits for what is being compiled: its child has no thread that would finish it
    os.register_at_fork(before=_compiling.acquire, after_in_parent=_compiling.release, after_in_child=_compiling.release)


def compiled(game: Game, name: str) -> Loop:
    """Return a kernel of the game as a compiled loop over games that holds no lock, without the types being looked up again."""
    return code_of(game, name).entry_point  # type: ignore[no-any-return]


@cache
def address(game: Game, name: str) -> int:
    """Return where the machine code of a kernel stands, for other machine code."""
    code = code_of(game, name)
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


@cache
def code_of(game: Game, name: str) -> Any:
    """Return the compiled loop of a kernel as Numba keeps it."""
    kernel = kernels_of(game)[name]
    loop = FunctionType(_loop.__code__, {**globals(), "kernel": kernel, "buffers_at": _buffers_at(game, kernel)}, name)
    loop.__qualname__ = f"{game.name}.{name}"
    return only_code(machine_code(game, loop, "void(int64, int64, int64)", part_of(kernel)))


def only_code(function: Any) -> Any:
    """Return what was compiled of a function that has one signature."""
    (code,) = function.overloads.values()
    return code


@cache
def compiled_rule(game: Game, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a rule of the game, compiled when it is first called with arrays of some types; it holds no lock."""
    code, known, folder = machine_code(game, function), set(), cache_folder(game, "rules")

    def call(*arguments: Any) -> Any:
        kinds = tuple(numba.typeof(argument) for argument in arguments)
        if kinds not in known:
            with _compiling:
                code.compile(kinds)
                if folder is not None:
                    sign(folder, code.py_func.__qualname__)
            known.add(kinds)
        return code(*arguments)

    return call


def machine_code(game: Game | None, function: Callable[..., Any], signature: str | None = None, part: str = "rules") -> Any:
    """Give a function to Numba; its machine code is kept in the folder of the cache that is the game's, or the engine's own."""
    register_rules()
    function = _renamed(function, source_key(game, part)[:8])  # the same in every process, since it is looked for
    folder, name = cache_folder(game, part), function.__qualname__
    if folder is None:
        with _compiling:
            return _jit(function, signature, None)
    with _compiling, one_at_a_time(folder, name):  # where code is kept is a setting of the whole process
        is_kept = bool(kept(folder, name))
        if game and not is_kept:
            announce(game, "first time on this machine: some seconds…")
        try:
            code = _jit(function, signature, folder)
        except LudusError:
            raise
        except Exception as error:  # whatever pickle or the disk say of files that are not as they were written
            forget(folder, name)
            cannot_keep(str(error) or type(error).__name__)
            return _jit(function, signature, None)
        if not is_kept and signature:
            sign(folder, name)
        return code


def _jit(function: Callable[..., Any], signature: str | None, folder: Path | None) -> Any:
    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
    # Rules allocate nothing, and arrays outlive their calls: counting references would cost as much as a short rule.
    settings: Any = {"cache": folder is not None, "nogil": True, "error_model": "numpy", "_nrt": False}
    try:
        return numba.njit(signature, **settings)(function)
    except numba.core.errors.NumbaError as error:
        name, _, _ = function.__qualname__.rpartition("_")
        raise LudusError(f"{name} cannot be compiled: {complaint(str(error))}") from error
    finally:
        config.CACHE_DIR = before


def complaint(message: str) -> str:
    """Return the one complaint at the heart of Numba's nested ones, with its place."""
    if any(sign in message for sign in ALLOCATES):
        return "a rule makes an array; rules have no memory but the row, a bot's scratch, and tables of their module"
    heart = message.split("nopython frontend)")[-1].split("During:")[0]
    return " ".join(line.strip() for line in heart.splitlines() if line.strip())[:600]


def kernels_of(game: Game, seated: frozenset[str] | None = None) -> dict[str, _kernels.Kernel]:
    """Return the kernels of a game, known to Numba; with those bots alone that are seated, if any are named.

    Numba must put them in place: handing all buffers to a function at every game costs as much as a step of a game.
    """
    return _registered(game, seated)


@cache  # not above: to a cache f(x) and f(x, None) are two calls
def _registered(game: Game, seated: frozenset[str] | None) -> dict[str, _kernels.Kernel]:
    found = _kernels.kernels(game, seated)
    for kernel in found.values():
        overload(kernel, strict=False, jit_options={"forceinline": True})(_as_is(kernel))
    return found


def register_rules() -> None:
    """Hand every function that `@rule` has marked so far to Numba."""
    while WAITING:
        function, body = WAITING.pop()
        in_place = str(function.__module__).endswith(IN_PLACE)  # others are called, even in a kernel
        overload(function, strict=False, jit_options={"forceinline": in_place})(_as_is(body))


def _renamed(function: Callable[..., Any], mark: str) -> FunctionType:
    """Return a function with a mark in its name.

    Kept code of several games, or of one in several sizes, is loaded side by side, and functions of one name are one there,
    whatever they do: a rule that the engine makes for each game has one name for all.
    """
    assert isinstance(function, FunctionType)
    renamed = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    renamed.__qualname__ = f"{function.__qualname__}_{mark}"
    return renamed


def _as_is(body: Callable[..., Any]) -> Callable[..., Any]:
    body = _renamed(body, _PROCESS)

    def implementation(*args: Any, **kwargs: Any) -> Callable[..., Any]:
        return body

    return implementation


def _loop(first: int, last: int, table: int) -> None:
    buffers = buffers_at(table)  # type: ignore[name-defined]  # noqa: F821
    for i in range(first, last):
        kernel(i, buffers)  # type: ignore[name-defined]  # noqa: F821


def _buffers_at(game: Game, kernel: _kernels.Kernel) -> Any:
    """Return an intrinsic that makes the arrays a kernel needs out of a table of addresses.

    Arrays passed as arguments would be unpacked and typed anew at every call, which costs more than a step of a game.
    """
    fields = layout(game)
    used = _kernels.needs(kernel)
    arrays = [types.Array(numba.from_dtype(fields[f][0]), 1 + len(fields[f][1]), "C") for f in used]
    cls = namedtuple("Buffers", used)  # type: ignore[misc]
    buffers_type = types.NamedTuple(arrays, cls)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = context.get_value_type(types.intp)
        table = builder.inttoptr(args[0], word.as_pointer())
        made = []
        for field, array_type in zip(used, arrays, strict=True):
            dtype, entry, _ = fields[field]
            address = builder.load(builder.gep(table, [word(Buffers._fields.index(field))]))
            sizes = [dtype.itemsize]
            for length in reversed(entry):
                sizes.insert(0, sizes[0] * length)
            array = context.make_array(array_type)(context, builder)
            populate_array(
                array,
                data=builder.bitcast(builder.inttoptr(address, cgutils.voidptr_t), array.data.type),
                shape=[word(2**31), *(word(length) for length in entry)],  # the loop knows how many games there are
                strides=[word(size) for size in sizes],
                itemsize=word(dtype.itemsize),
                meminfo=None,
            )
            made.append(array._getvalue())
        return context.make_tuple(builder, buffers_type, made)

    @intrinsic
    def buffers_at(typingctx: Any, table: Any) -> Any:
        return buffers_type(types.int64), codegen

    return buffers_at
