"""Machine code of kernels for a CUDA device, kept on disk beside the text that it was made of.

Numba compiles the text, NVIDIA's linker makes the code of this kind of device; a process that finds it kept needs neither.
What lies there is checked before it is run: damage costs a recompile and one line.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ludus.core import LudusError
from ludus.games import Game

from . import driver
from .cache import announce, cache_folder, cannot_keep, one_at_a_time, warn
from .compiled import complaint, kernels_of, register_rules
from .kernels import needs
from .launch import arguments, block_of, launch_text, passed
from .sharing import ALIKE, kernel_of, shared_rooms
from .sources import part_of

HERE = Path(__file__).parent
DIGEST = 16  # bytes of a checksum before kept code


@cache
def game_kernel(game: Game, name: str, seated: frozenset[str] | None = None) -> Any:
    """Return a kernel of the game, loaded; of the bots it has those that are seated: all of a game's take minutes."""
    text = launch_text(game, name)
    called = ".".join([name, *sorted(seated or ())])

    def make() -> Callable[..., None]:
        announce(game, "first time on this GPU: seconds to a minute…")
        return _function(game, name, seated, text, called)

    fields = arguments(needs(kernel_of(game, name)), block_of(game, name))
    kinds = [passed(game, field, block_of(game, name)) for field in fields]
    types = [(dtype, 1 if entry is None else 1 + len(entry), "C") for dtype, entry in kinds]
    source = text + (HERE / "tiles.py").read_text(encoding="utf-8")
    return driver.loaded(_kept(game, called, source, make, ["n", *types], part_of(kernel_of(game, name))))


@cache
def plain_kernel(function: Callable[..., None], types: tuple[Any, ...]) -> Any:
    """Return a kernel of the engine's own, loaded, for arguments of these types."""
    called = ".".join([function.__name__, *(kind[0].name for kind in types if kind != "n")])
    source = Path(function.__code__.co_filename).read_text(encoding="utf-8")
    return driver.loaded(_kept(None, called, source + repr(types), lambda: function, types))


def _folder(game: Game | None, part: str = "rules") -> Path | None:
    folder = cache_folder(game, part)
    if folder is not None:
        folder /= "cuda"
        with suppress(OSError):  # what is written there says so
            folder.mkdir(exist_ok=True)
    return folder


def _function(game: Game, name: str, seated: frozenset[str] | None, text: str, called: str) -> Callable[..., None]:
    """Write the text to its file, for people and for Numba's messages, and return the function in it."""
    import numba

    folder, file = _folder(game, part_of(kernel_of(game, name))), f"{called}.py"
    if folder is not None:
        file = str(folder / file)
        _write(Path(file), [text.encode()])
    fields = {"states": game.state_type, "views": game.view_type, "scratch": game.says("bots", "Scratch")}
    scope: dict[str, Any] = {f"{field}_type": numba.from_dtype(dtype) for field, dtype in fields.items() if dtype is not None}
    scope["row"] = kernels_of(game, seated)[ALIKE.get(name, name)]
    if (block := block_of(game, name)).shares:
        rooms = shared_rooms(game, name, block.games)
        scope |= {f"{owner}_room_type": numba.from_dtype(room) for owner, room in rooms.items()}
    if block.shares and name == "encode":  # in two halves
        scope["row"], scope["paint"] = kernels_of(game, seated)["observe"], game.verbs.encode
    register_rules()
    exec(compile(text, file, "exec"), scope)
    launch: Callable[..., None] = scope["launch"]
    return launch


def _kept(
    game: Game | None, called: str, source: str, make: Callable[[], Any], types: Iterable[Any], part: str = "rules"
) -> bytes:
    """Return machine code from the file that is named after all that it depends on, or make it and keep it there."""
    folder, made_for = _folder(game, part), driver.capability()
    if folder is None:
        return _compiled(make(), types, made_for)
    key = hashlib.blake2b(repr((source, driver.versions())).encode(), digest_size=8).hexdigest()
    file = folder / "{}.sm_{}{}{}.{}.cubin".format(called, *made_for, key)
    with one_at_a_time(folder, called):
        if (code := _read(file)) is None:
            code = _compiled(make(), types, made_for)
            _write(file, [_digest(code), code])
    return code


def _compiled(function: Callable[..., None], types: Iterable[Any], made_for: tuple[int, int, str]) -> bytes:
    import numba
    from numba.core import types as kinds

    known = [kinds.int64 if kind == "n" else kinds.Array(numba.from_dtype(kind[0]), *kind[1:]) for kind in types]
    try:
        return driver.machine_code(function, kinds.void(*known), made_for)
    except numba.core.errors.NumbaError as error:
        raise LudusError(f"{function.__qualname__} cannot be compiled: {complaint(str(error))}") from error


def _read(file: Path) -> bytes | None:
    """Return kept code, or None where there is none; what is damaged is removed, with a line."""
    try:
        whole = file.read_bytes()
    except OSError:
        return None
    if whole[:DIGEST] == _digest(whole[DIGEST:]):
        return whole[DIGEST:]
    with suppress(OSError):
        file.unlink()
    warn(f"kept code {file.name} is damaged and is compiled again")
    return None


def _write(file: Path, parts: list[bytes]) -> None:
    """Write a file whole or not at all; a full disk costs time, not the game."""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
        with os.fdopen(handle, "wb") as part:
            part.writelines(parts)
        os.replace(name, file)
    except OSError as error:
        cannot_keep(f"{file.parent}: {error.strerror}")


def _digest(code: bytes) -> bytes:
    return hashlib.blake2b(code, digest_size=DIGEST).digest()
