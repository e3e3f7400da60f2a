"""Turn kernels into machine code, and keep it on disk.

The cache is a folder whose name is a hash of all that the code depends on: Numba's own key watches the one file of the outer
function, and would answer an edit of the rules with the old code.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import time
from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import populate_array

from ludus.core.errors import LudusError
from ludus.core.rule import WAITING
from ludus.games import Game

from . import kernels as _kernels
from .desk import Desk, layout

KEPT_DAYS = 30
Loop = Callable[[int, int, int], None]  # first game, game after the last, address of the table of addresses

# Files of a game's folder that no kernel depends on: rules.py and bots.py may not import them (tests/test_rooms.py).
NOT_COMPILED = ("view.py", "compat.py", "golden.py", "setup.py", "starter.py", "solve.py", "reports.py", "bench.py")

_compiling = RLock()


@cache
def compiled(game: Game, name: str) -> Loop:
    """Return a kernel of the game as a compiled loop over games that holds no lock."""
    kernel = kernels_of(game)[name]
    loop = FunctionType(_loop.__code__, {**globals(), "kernel": kernel, "desk_at": _desk_at(game, kernel)}, name)
    loop.__qualname__ = f"{game.name}.{name}"
    return machine_code(game, loop, "void(int64, int64, int64)")  # type: ignore[no-any-return]


@cache
def address(game: Game, name: str) -> int:
    """Return where the machine code of a kernel stands, for other machine code."""
    (code,) = compiled(game, name).overloads.values()  # type: ignore[attr-defined]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


@cache
def compiled_rule(game: Game, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a rule of the game, compiled when it is first called with arrays of some types; it holds no lock."""
    return machine_code(game, function)  # type: ignore[no-any-return]


def machine_code(game: Game | None, function: Callable[..., Any], signature: str | None = None) -> Any:
    """Give a function to Numba; its machine code is kept in the folder of the cache that is the game's, or the engine's own."""
    register_rules()
    folder = cache_folder(game)
    if game and not any(folder.rglob(f"*{function.__qualname__}-*.nbi")):
        announce(game, "first time on this machine: some seconds…")
    config: Any = numba.config
    with _compiling:  # the setting is everybody's
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            return numba.njit(signature, cache=True, nogil=True, error_model="numpy")(function)
        except numba.core.errors.NumbaError as error:
            raise LudusError(f"{function.__qualname__} cannot be compiled: {_innermost(str(error))}") from error
        finally:
            config.CACHE_DIR = before


def _innermost(message: str) -> str:
    """Return the one complaint at the heart of Numba's nested ones, with its place."""
    heart = message.split("nopython frontend)")[-1].split("During:")[0]
    return " ".join(line.strip() for line in heart.splitlines() if line.strip())[:600]


def kernels_of(game: Game, seated: frozenset[str] | None = None) -> dict[str, _kernels.Kernel]:
    """Return the kernels of a game, known to Numba; with those bots alone that are seated, if any are named.

    Numba must put them in place: handing the whole desk to a function at every game costs as much as a step of a game.
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
        overload(function, strict=False, jit_options={"forceinline": False})(_as_is(body))  # not even in a kernel


def _as_is(body: Callable[..., Any]) -> Callable[..., Any]:
    def implementation(*args: Any, **kwargs: Any) -> Callable[..., Any]:
        return body

    return implementation


def _loop(first: int, last: int, table: int) -> None:
    desk = desk_at(table)  # type: ignore[name-defined]  # noqa: F821
    for i in range(first, last):
        kernel(i, desk)  # type: ignore[name-defined]  # noqa: F821


def _desk_at(game: Game, kernel: _kernels.Kernel) -> Any:
    """Return an intrinsic that makes the arrays a kernel needs out of a table of addresses.

    Arrays passed as arguments would be unpacked and typed anew at every call, which costs more than a step of a game.
    """
    fields = layout(game)
    used = _kernels.needs(kernel)
    arrays = [types.Array(numba.from_dtype(fields[f][0]), 1 + len(fields[f][1]), "C") for f in used]
    cls = namedtuple("Desk", used)  # type: ignore[misc]
    desk_type = types.NamedTuple(arrays, cls)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = context.get_value_type(types.intp)
        table = builder.inttoptr(args[0], word.as_pointer())
        made = []
        for field, array_type in zip(used, arrays, strict=True):
            dtype, entry, _ = fields[field]
            address = builder.load(builder.gep(table, [word(Desk._fields.index(field))]))
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
        return context.make_tuple(builder, desk_type, made)

    @intrinsic
    def desk_at(typingctx: Any, table: Any) -> Any:
        return desk_type(types.int64), codegen

    return desk_at


def cache_folder(game: Game | None) -> Path:
    """Return the folder that holds the compiled code of exactly these sources, sizes, versions and this CPU."""
    folder = cache_root() / (game.name if game else "engine") / source_key(game)
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _forget_old(folder.parent)
        folder.touch()
    except OSError as error:
        problem = f"compiled code cannot be kept in {cache_root()} ({error.strerror})"
        raise LudusError(f"{problem}; set LUDUS_CACHE_DIR to a folder that can be written") from None
    return folder


def cache_root() -> Path:
    """Return where compiled code lives: LUDUS_CACHE_DIR, or the user's cache folder."""
    if given := os.environ.get("LUDUS_CACHE_DIR"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludus"


def source_key(game: Game | None) -> str:
    """Hash the sources of core and engine and those of a game, its structural sizes, the versions, and the CPU."""
    here = Path(__file__).parent
    files = [*here.glob("*.py"), *(here.parent / "core").glob("*.py")]
    if game:
        files += [file for file in game.folder.glob("*.py") if file.name not in NOT_COMPILED]
    key = hashlib.sha256()
    for file in sorted(files):
        key.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    cpu = (llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten())
    versions = (numba.__version__, np.__version__, llvmlite.__version__, sys.version, platform.platform())
    key.update(repr((game and (game.name, game.sizes), cpu, versions)).encode())
    return key.hexdigest()[:24]


def _forget_old(folder: Path) -> None:
    for other in folder.iterdir():
        with suppress(FileNotFoundError):  # another process may be doing the same
            if time.time() - other.stat().st_mtime > KEPT_DAYS * 86400:
                shutil.rmtree(other, ignore_errors=True)


@cache
def announce(game: Game, when: str) -> None:
    """Tell people, once, why they wait."""
    print(f"compiling {game.spec.title}, {when}", file=sys.stderr, flush=True)
