"""The games: one folder each, all of one shape. This file finds them and keeps no list.

`load("chase", size=8)` runs rules.py once per structural size: a copy of the game's package in which SIZE, State and every
table are plain constants. view.py, bots.py, compat.py and golden.py of that copy see the same constants.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

import numpy as np

from ludus.core.errors import LudusError, UnknownName
from ludus.core.spec import Option, Spec, check_options, structural_values

_loading = RLock()


@dataclass(frozen=True)
class Game:
    """A game with its options settled: its verbs, its rows, and its other files on demand."""

    name: str
    package: str  # of this copy, for imports
    folder: Path
    sizes: tuple[tuple[str, int], ...]  # the structural options
    options: dict[str, int] = field(compare=False)  # all options, structural ones too
    rules: ModuleType = field(compare=False)

    @property
    def spec(self) -> Spec:
        """The game's SPEC."""
        spec: Spec = self.rules.SPEC
        return spec

    @property
    def state_type(self) -> np.dtype[np.void]:
        """The dtype of a position."""
        dtype: np.dtype[np.void] = self.rules.State
        return dtype

    @property
    def view_type(self) -> np.dtype[np.void]:
        """The dtype of what a seat may know."""
        dtype: np.dtype[np.void] = self.rules.View
        return dtype

    @property
    def view(self) -> ModuleType:
        """view.py: scenes, texts, names of actions."""
        return self.part("view")

    @property
    def bots(self) -> dict[str, Callable[..., int]]:
        """The built-in bots by name, weak to strong."""
        bots: dict[str, Callable[..., int]] = self.part("bots").BOTS
        return bots

    def part(self, file: str) -> ModuleType:
        """Import another file of the game's folder, for these structural sizes."""
        if not self.has(file):
            raise LudusError(f"{self.name} has no {file}.py in {self.folder}")
        return importlib.import_module(f"{self.package}.{file}")

    def has(self, file: str) -> bool:
        """Whether the game's folder has that file."""
        return (self.folder / f"{file}.py").is_file()

    def empty(self, count: int = 1) -> Any:
        """Return rows [count] with the options written and nothing else, for uncompiled use."""
        rows = np.zeros(count, self.state_type)
        for name, value in self.options.items():
            if f"opt_{name}" in (self.state_type.names or ()):
                rows[f"opt_{name}"] = value
        return rows.view(np.recarray)


def names() -> list[str]:
    """List the games that are installed."""
    return sorted(_folders())


def load(name: str, **options: Any) -> Game:
    """Return a game with these options; see `options_of` for what there is. A title is taken for the name, too."""
    name = _named(name)
    default = _copy(name, ())
    structure, values = _structure(default), dict(options)
    sizes = check_options(structure, {o.name: values.pop(o.name) for o in structure if o.name in values})
    changed = tuple((o.name, sizes[o.name]) for o in structure if sizes[o.name] != o.default)
    game = _copy(name, changed)
    known: tuple[Option, ...] = (*structure, *game.spec.options)
    return Game(name, game.package, game.folder, tuple(sizes.items()), check_options(known, {**values, **sizes}), game.rules)


def options_of(game: Game) -> tuple[Option, ...]:
    """List the options of a game, structural ones first."""
    return (*_structure(game), *game.spec.options)


def _named(name: str) -> str:
    """Return the name of the game that a name or a title means; what means none comes back as it is, to be refused."""
    plain = "_".join(str(name).lower().replace("-", " ").split())
    return plain if plain in _folders() else name


def _structure(game: Game) -> tuple[Option, ...]:
    structure: tuple[Option, ...] = getattr(game.rules, "STRUCTURE", ())
    return structure


@cache
def _folders() -> dict[str, str]:
    """Map each game's name to its package: the folders here, then what other packages offer."""
    here = Path(__file__).parent
    found = {folder.name: f"{__name__}.{folder.name}" for folder in here.iterdir() if (folder / "rules.py").is_file()}
    for entry in entry_points(group="ludus.games"):
        found.setdefault(entry.name, entry.value)
    return found


@cache
def _copy(name: str, sizes: tuple[tuple[str, int], ...]) -> Game:
    """Run the game's package under these sizes and return it."""
    if not isinstance(name, str) or name not in _folders():
        raise UnknownName("game", name, names())
    package = _folders()[name]
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise LudusError(f"game {name!r} should be the package {package}, which cannot be found")
    folder = Path(next(iter(found.submodule_search_locations)))
    if sizes:
        package += "__" + "_".join(f"{key}_{value}" for key, value in sizes)
        _alias(package, folder)
    with _loading, structural_values(dict(sizes)):
        try:
            rules = importlib.import_module(f"{package}.rules")
        except (SyntaxError, ImportError, AttributeError, NameError, TypeError, ValueError) as error:
            raise LudusError(f"{name} cannot be loaded: rules.py: {type(error).__name__}: {error}") from error
    return Game(name, package, folder, sizes, {}, rules)


def _alias(package: str, folder: Path) -> None:
    """Offer the folder's files once more under another package name."""
    spec = ModuleSpec(package, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    sys.modules[package] = module_from_spec(spec)
