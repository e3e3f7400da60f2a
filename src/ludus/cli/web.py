"""`ludus web`: modules of games, and a site to play them on."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from ludus.core import LudusError, parse_options
from ludus.engine import built_module, check_linker, kept_module, web_folder
from ludus.games import Game, add_folder, load, names


def build(words: list[str], out: Path | None, options: list[str], is_stale: bool) -> None:
    """Build modules and say how large they are and how long it took."""
    if not words and not is_stale:
        raise LudusError(f"name the games that are to be built; there is: {', '.join(names())}")
    sizes = parse_options(options)
    for word in words or names():
        game = _game(word, sizes)
        if is_stale and kept_module(game) is not None:
            print(f"{game.name}: is built from these sources")
            continue
        if out is None and any(game.sizes != load(game.name).sizes for _ in sizes):
            raise LudusError("sizes that are not the game's own belong in a folder of their own: name one with --out")
        check_linker()
        print(f"building {game.spec.title} as WebAssembly, about a minute…", file=sys.stderr, flush=True)
        begun = time.perf_counter()
        module = built_module(game)
        files = module.write(web_folder(game) if out is None else out)
        seconds = time.perf_counter() - begun
        print(f"{game.name}: {len(module.code):,} bytes in {seconds:.0f} s: {', '.join(map(str, files))}")


def write(folder: Path) -> None:
    """Write a site and say what is on it."""
    from ludus.viewers import write_site

    titles = write_site(folder)
    print(f"wrote {folder / 'index.html'}: {', '.join(titles)}")


def _game(word: str, sizes: dict[str, int]) -> Game:
    """Return a game that is named, or whose folder is."""
    name = add_folder(Path(word)) if "/" in word or Path(word, "rules.py").is_file() else word
    return load(name, **sizes)
