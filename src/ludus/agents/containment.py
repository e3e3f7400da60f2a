"""How far a bot is kept apart from the rest of the machine, what the machine allows, and under which limits a bot runs.

`in-process`  shares our memory: for friends, for speed, for debugging.
`process`     a process of its own, under limits, killed with all its children; it may read what its user may read.
`contained`   beside that it reads and writes its own folder alone, reaches no network and signals nobody. It may read
              libraries and compiled code, too, which it must not write: others would run it.
"""

from __future__ import annotations

import os
import secrets
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludus.core import BadValue, LudusError, MissingExtra, UnknownName
from ludus.engine import cache_root

from .wire import LONGEST_LINE

LEVELS = ("in-process", "process", "contained")
# What programs need beside their own folder: libraries, interpreters, the time zone, their own entry in /proc.
READABLE = ("/usr", "/lib", "/lib64", "/bin", "/etc", "/opt", "/proc", "/dev/null", "/dev/urandom", "/dev/zero")
KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "JAVA_HOME", "GOROOT")  # of the environment
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Limits:
    """What a bot may use; times are the clock's."""

    memory: int = 1 << 30  # bytes, of the bot and its children together
    processes: int = 64
    file_size: int = 1 << 26  # bytes
    cpu_s: int = 36_000  # of one process, for as long as it lives
    stdout: int = LONGEST_LINE  # bytes a turn, and in one line
    stderr: int = 8_000_000  # bytes a turn
    start_s: float = 60.0  # seconds from `hello` to `ready`: enough to compile a game
    tell_s: float = 10.0  # seconds within which it must read what it is told

    def resources(self) -> dict[str, int]:
        """Return the limits that the kernel holds a process to; address space is not one: some reserve much and use little."""
        return {
            "RLIMIT_DATA": 2 * self.memory, "RLIMIT_FSIZE": self.file_size, "RLIMIT_CPU": self.cpu_s, "RLIMIT_CORE": 0,
            "RLIMIT_NOFILE": 256,
        }  # fmt: skip


def checked_level(level: str) -> str:
    """Return a level that this machine reaches, or say why it does not: containment fails closed."""
    if level not in LEVELS:
        raise UnknownName("level of isolation", level, LEVELS)
    if level != "in-process" and not sys.platform.startswith("linux"):
        raise LudusError("bots in processes of their own need Linux; use --inproc")
    if level == "contained" and (problem := why_not_contained()):
        if not find_spec("sandlock"):
            raise MissingExtra("sandlock, which contains bots,", "contain")
        raise LudusError(f"bots cannot be contained here: {problem}")
    return level


@cache
def why_not_contained() -> str:
    """Return why bots cannot be contained on this machine, or "": a bot is tried that must not reach what it should not."""
    if not find_spec("sandlock"):
        return "sandlock is not installed"
    from .probe import probe

    return probe()


def check_apart(bots: Sequence[tuple[str, Path]], kept: Sequence[Path] = ()) -> None:
    """Refuse contained bots, by name and folder, whose folder holds another one, or what is kept of the games."""
    for place, (name, folder) in enumerate(bots):
        for other, others in bots[:place]:
            if folder.is_relative_to(others) or others.is_relative_to(folder):
                raise BadValue(
                    f"{other} and {name} lie in one folder, {folder}, where each may read and change the other; give each "
                    "contained bot a folder of its own"
                )
        for one in kept:
            if one.resolve().is_relative_to(folder):
                raise BadValue(f"{one} lies in the folder of the contained bot {name}, which could read it; name another place")


def surroundings(name: str, folder: Path) -> dict[str, str]:
    """Return the environment of a bot: what it needs to run, and nothing of the user's."""
    kept = {key: os.environ[key] for key in KEPT if key in os.environ}
    own = {"HOME": str(folder), "LUDUS_BOT": f"{name}-{secrets.token_hex(8)}", "LUDUS_CACHE_DIR": str(cache_root().absolute())}
    python = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}  # the same games every time
    return {"PATH": os.defpath, **kept, **dict.fromkeys(ONE_THREAD, "1"), **python, **own}


def setup(command: list[str], name: str, folder: Path, limits: Limits, level: str) -> dict[str, Any]:
    """Return what a warden is told."""
    about: dict[str, Any] = {
        "command": command, "folder": str(folder), "environment": surroundings(name, folder),
        "limits": limits.resources(), "memory": limits.memory, "processes": limits.processes,
        "contained": level == "contained",
    }  # fmt: skip
    if about["contained"]:
        ludus, compiled = Path(__file__).parents[2], Path(about["environment"]["LUDUS_CACHE_DIR"])
        with suppress(OSError):  # one that is not there cannot be read
            compiled.mkdir(parents=True, exist_ok=True)
        libraries = {sys.prefix, sys.base_prefix, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        libraries |= {str(ludus), str(compiled)}
        about["readable"] = [path for path in sorted({*READABLE, *libraries}) if Path(path).exists()]
        about["writable"] = [str(folder)]
        about["path"] = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
        about["environment"]["TMPDIR"] = str(folder)
    return about
