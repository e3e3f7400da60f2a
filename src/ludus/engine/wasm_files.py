"""Where modules in WebAssembly are: beside a game's rules, or in the cache, where they are built when they are needed.

A module belongs to the sources that it was built from; their hash stands in the JSON beside it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ludus.core import LudusError, one_line
from ludus.games import Game

from .sources import ROOT, cache_root, web_sources
from .wasm_about import FORMAT, about
from .wasm_build import build, check_linker

FOLDER = "web"  # in a game's folder
LARGEST = 64 << 20  # bytes of a file that is read


@dataclass(frozen=True)
class Module:
    """A game in WebAssembly, and what must be known of it."""

    game: str
    code: bytes
    about: dict[str, Any]

    def write(self, folder: Path) -> list[Path]:
        """Write GAME.wasm and GAME.json, each whole or not at all, and return where they are."""
        files = {folder / f"{self.game}.wasm": self.code, folder / f"{self.game}.json": msgspec.json.encode(self.about) + b"\n"}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for file, data in files.items():
                handle, part = tempfile.mkstemp(dir=folder, suffix=".part")
                with os.fdopen(handle, "wb") as stream:
                    stream.write(data)
                Path(part).chmod(0o644)
                Path(part).replace(file)
        except OSError as error:
            raise LudusError(f"{one_line(str(folder))} cannot be written: {one_line(error.strerror or str(error))}") from None
        return list(files)


def source_hash(game: Game) -> str:
    """Hash the sources that a module and its JSON come from, wherever they lie, and the structural sizes."""
    key = hashlib.sha256(repr(sorted(game.sizes)).encode())
    for file in sorted(web_sources(game.folder), key=_place(game)):
        key.update(_place(game)(file).encode() + b"\0" + file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return key.hexdigest()[:24]


def built_module(game: Game) -> Module:
    """Build the module of a game in its sizes; this takes about a minute."""
    told = about(game, source_hash(game))  # first: what is wrong there is known at once
    return signed(game.name, build(game), told)


def signed(name: str, code: bytes, told: dict[str, Any]) -> Module:
    """Return a module whose JSON says which bytes it belongs to."""
    return Module(name, code, {**told, "sha256": base64.b64encode(hashlib.sha256(code).digest()).decode()})


def kept_module(game: Game) -> Module | None:
    """Return the module that lies beside the game's rules, or in the cache, if it comes from these very sources."""
    key = source_hash(game)
    for folder in (web_folder(game), cache_folder(game, key)):
        found = read_module(folder, game.name)
        if found is not None and found.about["sources"] == key:
            return found
    return None


@cache
def module_of(game: Game) -> Module:
    """Return the module of a game in its sizes; one that is nowhere is built, and kept in the cache."""
    found = kept_module(game)
    if found is not None:
        return found
    from .cache import announce, cannot_keep

    check_linker()
    announce(game, "for WebAssembly: about a minute…")
    found = built_module(game)
    try:
        found.write(cache_folder(game, found.about["sources"]))
    except LudusError as error:
        cannot_keep(str(error))
    return found


def web_folder(game: Game) -> Path:
    """Return where a game's own module lies."""
    return game.folder / FOLDER


def cache_folder(game: Game, key: str) -> Path:
    """Return where a module is kept that lies not beside its game."""
    return cache_root() / game.name / f"{FOLDER}-{key}"


def read_module(folder: Path, name: str) -> Module | None:
    """Return what lies in a folder; None if there is nothing that holds together."""
    try:
        if (folder / f"{name}.wasm").stat().st_size > LARGEST:
            return None
        code = (folder / f"{name}.wasm").read_bytes()
        told = msgspec.json.decode((folder / f"{name}.json").read_bytes())
        is_one = base64.b64decode(told["sha256"]) == hashlib.sha256(code).digest() and told["format"] == FORMAT
        return Module(name, code, told) if is_one and told["game"] == name else None
    except (OSError, msgspec.MsgspecError, ValueError, KeyError, TypeError):
        return None


def _place(game: Game) -> Any:
    """Return what names a source file wherever the package lies."""

    def place(file: Path) -> str:
        root = game.folder.parent if file.is_relative_to(game.folder) else ROOT
        return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name

    return place
