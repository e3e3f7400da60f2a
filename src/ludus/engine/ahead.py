"""Kernels before they are needed: which of them are still to be compiled, and compile them."""

from __future__ import annotations

from collections.abc import Iterable

from ludus.games import Game

from .cache import cache_folder, kept, source_key
from .compiled import compiled, kernels_of
from .sources import part_of


def kernels_to_compile(game: Game, names: Iterable[str]) -> list[str]:
    """Return those of a game's kernels whose machine code is not kept on disk; none where none can be."""
    found = []
    for name in names:
        if kernel := kernels_of(game).get(name):
            part = part_of(kernel)
            folder = cache_folder(game, part)
            if folder is not None and not kept(folder, f"{game.name}.{name}_{source_key(game, part)[:8]}"):
                found.append(name)
    return found


def compile_kernels(game: Game, names: Iterable[str]) -> None:
    """Compile kernels, one after the other; what is kept already is loaded."""
    for name in names:
        compiled(game, name)
