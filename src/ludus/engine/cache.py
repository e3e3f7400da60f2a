"""Where compiled code lives, under which key, and what happens when a file there is not what was written.

The folder's name is a hash of all that the code depends on: Numba's own key watches the one file of the outer function, and
would answer an edit of the rules with the old code. What lies there is checked before it is run, since a damaged file of
machine code would crash: damage costs a recompile and one line.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np

from ludus.games import Game

from .sources import cache_root, own_root, sources

KEPT_DAYS = 30
_SUMS = ".sums"


def cache_folder(game: Game | None, part: str = "rules") -> Path | None:
    """Return the folder that holds the compiled code of exactly these sources, sizes, versions, settings and this CPU.

    Where the cache can be read and not written, as a contained bot sees it, it is one of the user's own, and `kept` finds what
    is in the other. None, with a line, where there can be no such folder: then code is compiled in every process.
    """
    place = Path(game.name if game else "engine", source_key(game, part))
    try:
        return _writable(cache_root() / place)
    except OSError as error:
        why = error.strerror
    if cache_root().is_dir():
        with suppress(OSError):
            return _writable(own_root() / place)
    cannot_keep(f"{cache_root()}: {why}")
    return None


@cache
def source_key(game: Game | None, part: str = "rules") -> str:
    """Hash the sources that kernels see and where they lie, a game's structural sizes, versions, settings, and the CPU.

    Numba names its files after the places of the sources, so that two installations can share none; each would take the
    other's for damage.
    """
    key = hashlib.sha256()
    for file in sources(game.folder if game else None, part):
        key.update(str(file).encode() + b"\0" + file.read_bytes() + b"\0")
    cpu = (llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten())
    versions = (numba.__version__, np.__version__, llvmlite.__version__, sys.version, platform.platform())
    # How many threads there are is in no code of ours, and bots are given fewer.
    settings = sorted(
        (name, value) for name, value in os.environ.items() if name.startswith("NUMBA_") and name != "NUMBA_NUM_THREADS"
    )
    key.update(repr((game and (game.name, game.sizes), cpu, versions, settings)).encode())
    return key.hexdigest()[:24]


def kept(folder: Path, name: str) -> list[Path]:
    """List the files in which the code of a function is kept; those that are damaged are removed first, with a line."""
    files = _files(folder, name) or _linked(folder, name)
    if not files:
        return []
    with suppress(OSError):
        if (folder / f"{name}{_SUMS}").read_bytes() == _sums(files):
            return files
    forget(folder, name)
    warn(f"kept code of {name} is damaged and is compiled again")
    return []


def sign(folder: Path, name: str) -> None:
    """Note what the files of a function hold, so that damage is found."""
    with suppress(OSError):
        (folder / f"{name}{_SUMS}").write_bytes(_sums(_files(folder, name)))


def forget(folder: Path, name: str) -> None:
    """Remove the files of a function."""
    for file in [*_files(folder, name), folder / f"{name}{_SUMS}"]:
        with suppress(OSError):
            file.unlink()


@contextmanager
def one_at_a_time(folder: Path, name: str) -> Iterator[None]:
    """Let one process compile a function while others wait for its result, where files can be locked."""
    try:
        import fcntl

        lock = (folder / f"{name}.lock").open("a")
    except (ImportError, OSError):
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # a child that was forked meanwhile has the file, too


def cannot_keep(why: str) -> None:
    """Say that there is no place for compiled code, and what to do."""
    warn(f"compiled code cannot be kept ({why}), so that every process compiles it; set LUDUS_CACHE_DIR to another folder")


@cache
def warn(line: str) -> None:
    """Say once that something of the cache is not as it should be."""
    print(f"ludus: {line}", file=sys.stderr, flush=True)


@cache
def announce(game: Game, when: str) -> None:
    """Tell people, once, why they wait."""
    print(f"compiling {game.spec.title}, {when}", file=sys.stderr, flush=True)


def _writable(folder: Path) -> Path:
    """Return a folder into which files can be written: only trying tells."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old(folder.parent)
    folder.touch()
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def _linked(folder: Path, name: str) -> list[Path]:
    """Link to the files of a function in the cache that this folder stands in for, if it does; return the links.

    Numba loads code from folders alone that it can write to.
    """
    shared, sums = cache_root() / folder.parent.name / folder.name, f"{name}{_SUMS}"
    if shared == folder or not (shared / sums).is_file():  # or another process is still writing
        return []
    for file in [*_files(shared, name), shared / sums]:
        link = folder / file.relative_to(shared)
        link.parent.mkdir(exist_ok=True)
        with suppress(FileExistsError):
            link.symlink_to(file.absolute())
    return _files(folder, name)


def _files(folder: Path, name: str) -> list[Path]:
    return sorted(file for ending in ("nbi", "nbc") for file in folder.rglob(f"*{name}-*.{ending}"))


def _sums(files: list[Path]) -> bytes:
    sums = (f"{file.name} {hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()}\n" for file in files)
    return "".join(sums).encode()


def _forget_old(folder: Path) -> None:
    for other in folder.iterdir():
        with suppress(OSError):  # another process may be doing the same
            if time.time() - other.stat().st_mtime > KEPT_DAYS * 86400:
                shutil.rmtree(other, ignore_errors=True)
