"""The commands of `ludus` about the rules in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .completion import game_names

web = typer.Typer(help="The rules in the browser.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add these commands to `ludus`."""
    app.add_typer(web, name="web")


@web.command("build")
def web_build(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME…", help="games, or their folders", autocompletion=game_names)
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="default: the folder `web` beside the game's rules")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="a structural size")] = None,
    stale: Annotated[bool, typer.Option("--stale", help="only where sources have changed; without GAME: of all")] = False,
) -> None:
    """Build games as WebAssembly, for a page: GAME.wasm and GAME.json."""
    from .web import build

    build(games or [], out, option or [], stale)


@web.command("site")
def web_site(folder: Annotated[Path, typer.Argument(metavar="DIR", help="where the site is written")]) -> None:
    """Write a static site on which all installed games are played, for any file host."""
    from .web import write

    write(folder)
