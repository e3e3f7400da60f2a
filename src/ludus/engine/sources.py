"""Where compiled code lives, and which sources it depends on: those that rules and kernels import, from file to file."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent  # of the package ludus
# What is compiled around a game's rules; the rest of the engine only calls it.
ENGINE = ("kernels.py", "playing.py", "seat_kernels.py", "buffers.py", "compiled.py", "pool.py")
DERIVED = ROOT / "games" / "derived.py"  # rules that the games room writes
COMMON = ("kernels.py", "buffers.py", "compiled.py", "pool.py")
SEARCH = ("tree.py", "playout_kernels.py", "gumbel_kernels.py")
# What is compiled for pictures, features and searches is kept apart, so that whoever works on them does not wait for the rest:
# a game's files, the engine's.
PARTS = {
    "rules": (("rules.py", "bots.py"), ENGINE),
    "scene": (("rules.py", "scene.py"), ("showing.py", *COMMON)),
    "features": (("rules.py", "features.py"), ("feature_kernels.py", "playing.py", *COMMON)),
    "search": (("rules.py", "bots.py"), (*ENGINE, *SEARCH)),
}
# What a module in WebAssembly and the JSON beside it come from: a game's files, and those of the engine.
WEB = ("rules.py", "bots.py", "scene.py", "features.py", "actions.py")
WEB_ENGINE = (
    "kernels.py", "playing.py", "seat_kernels.py", "feature_kernels.py", "showing.py", "buffers.py", "compiled.py",
    "wasm_build.py", "wasm_about.py",
)  # fmt: skip
# By the file of a kernel.
PART_OF = {"showing": "scene", "feature_kernels": "features", "playout_kernels": "search", "gumbel_kernels": "search"}


def part_of(kernel: Callable[..., None]) -> str:
    """Return the part of a game that a kernel belongs to."""
    return PART_OF.get(kernel.__module__.rpartition(".")[2], "rules")


def cache_root() -> Path:
    """Return where compiled code lives: LUDUS_CACHE_DIR, or the user's cache folder."""
    given = os.environ.get("LUDUS_CACHE_DIR")
    return Path(given) if given else own_root()


def own_root() -> Path:
    """Return where the user's cache folder has room for compiled code."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludus"


def sources(folder: Path | None, part: str = "rules") -> list[Path]:
    """List the files that the compiled code of a part of a game's folder depends on, or the engine's own without one."""
    own, engine = PARTS[part]
    left = [DERIVED, *(HERE / name for name in engine)]
    if folder is not None:
        left += [folder / name for name in own if (folder / name).is_file()]
    return _followed(left, {HERE / name for name in SEARCH if name not in engine})  # named by what is compiled, no part of it


def web_sources(folder: Path) -> list[Path]:
    """List the files that a game's module in WebAssembly depends on.

    It is kept with the game, so that the list is short: a file of the engine counts by itself, and what errors say does not.
    """
    followed = _followed([folder / name for name in WEB if (folder / name).is_file()])
    engine = (HERE / name for name in WEB_ENGINE)
    found = {*followed, DERIVED, ROOT / "core" / "seeding.py", *(file for file in engine if file.is_file())}
    return sorted(found - {ROOT / "core" / "errors.py"})


def _followed(left: list[Path], apart: Collection[Path] = ()) -> list[Path]:
    """List files and all that they import, from file to file, but for those that stand apart."""
    found: set[Path] = set()
    while left:
        file = left.pop()
        if file not in found and file not in apart:
            found.add(file)
            left += imported(file)
    return sorted(found)


@cache
def imported(file: Path) -> tuple[Path, ...]:
    """List the files that a file imports from its own folder or from the core; a front door is passed through by name."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            found |= _named(file, node)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("ludus.core"):
                    found |= set(_modules(ROOT / "core"))
                else:
                    found |= _own(file, alias.name, [])
    return tuple(sorted(found))


def _named(file: Path, node: ast.ImportFrom) -> set[Path]:
    names = [alias.name for alias in node.names]
    if node.level:  # beside the file, or above it
        folder = file.parents[node.level - 1]
        if node.module:
            return _module(folder, node.module, names)
        return {path for name in names for path in _module(folder, name, [])}
    if node.module == "ludus.core" or (node.module or "").startswith("ludus.core."):
        return _module(ROOT, node.module.removeprefix("ludus."), names) if node.module else set()
    return _own(file, node.module or "", names)


def _own(file: Path, dotted: str, names: list[str]) -> set[Path]:
    """Return the files of a module that is named in full and lies in the file's own package, if it is such a one."""
    for folder in file.parents:
        if folder.name == dotted.partition(".")[0] and (folder / "__init__.py").is_file() and folder != ROOT:
            return _module(folder.parent, dotted, names)
    return set()


def _module(folder: Path, dotted: str, names: list[str]) -> set[Path]:
    """Return the file of a module; of a package those of its modules that define the names."""
    path = folder.joinpath(*dotted.split("."))
    if path.with_suffix(".py").is_file():
        return {path.with_suffix(".py")}
    door = path / "__init__.py"
    if not door.is_file():
        return set()
    homes = _homes(door)
    return {homes.get(name) or next(iter(_module(path, name, [])), door) for name in names} or set(_modules(path))


@cache
def _homes(door: Path) -> dict[str, Path]:
    """Map each name that a package's front door takes from its modules to the module's file."""
    return {
        alias.asname or alias.name: door.parent / f"{node.module}.py"
        for node in ast.parse(door.read_bytes()).body
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module
        for alias in node.names
    }


def _modules(package: Path) -> list[Path]:
    return [*package.glob("*.py")]
