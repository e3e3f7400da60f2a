"""The games: one folder each, all of one shape. This file finds them and keeps no list.

`load("chase", size=8)` runs rules.py once per structural size: a copy of the game's package in which SIZE, State and every
table are plain constants. The other files of that copy see the same constants.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import RLock
from types import MappingProxyType
from typing import Any

from ludus.core import LudusError, Option, UnknownName, check_options, structural_values

from .derived import digest_rows
from .game import Game

__all__ = ["Game", "add_folder", "digest_rows", "folder_of", "load", "names", "options_of"]

_loading = RLock()


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
    settled = MappingProxyType(check_options(known, {**values, **sizes}))
    given = MappingProxyType({name: settled[name] for name in options})
    return Game(name, game.package, game.folder, tuple(sizes.items()), settled, game.rules, given)


def add_folder(folder: Path) -> str:
    """Offer the game in a folder, for this process, without installing it; return its name."""
    folder = folder.resolve()
    name = folder.name
    if not (folder / "rules.py").is_file():
        raise LudusError(f"{folder} has no rules.py")
    if name not in _folders():
        _alias(f"ludus_game_{name}", folder)
        _folders()[name] = f"ludus_game_{name}"
    elif folder_of(name) != folder:
        raise LudusError(f"there is another game {name}, in {folder_of(name)}; call the folder otherwise")
    return name


def folder_of(name: str) -> Path:
    """Return a game's folder, before anything of it runs."""
    name = _named(name)
    if name not in _folders():
        raise UnknownName("game", name, names())
    package = _folders()[name]
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise LudusError(f"game {name!r} should be the package {package}, which cannot be found")
    return Path(next(iter(found.submodule_search_locations)))


def options_of(game: Game) -> tuple[Option, ...]:
    """List the options of a game, structural ones first."""
    return (*_structure(game), *game.spec.options)


def _named(name: str) -> str:
    """Return the name of the game that a name or a title means; what means none comes back as it is, to be refused."""
    if not isinstance(name, str):
        raise UnknownName("game", name, names())
    plain = "_".join(name.lower().replace("-", " ").split())
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
    folder, package = folder_of(name), _folders()[name]
    if sizes:
        package += "__" + "_".join(f"{key}_{value}" for key, value in sizes)
        _alias(package, folder)
    with _loading, structural_values(dict(sizes)):
        try:
            rules = importlib.import_module(f"{package}.rules")
        except (SyntaxError, ImportError, AttributeError, NameError, TypeError, ValueError) as error:
            raise LudusError(f"{name} cannot be loaded: rules.py: {type(error).__name__}: {error}") from error
    return Game(name, package, folder, sizes, MappingProxyType({}), rules)


def _alias(package: str, folder: Path) -> None:
    """Offer the folder's files once more under another package name."""
    spec = ModuleSpec(package, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    sys.modules[package] = module_from_spec(spec)
