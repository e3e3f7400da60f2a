"""What a shell offers when the Tab key is pressed; nothing is compiled for it. Where nothing fits, shells offer files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ludus.games import Game

LANGUAGES = {  # of kits, by the names that people type
    "python": "python", "javascript": "javascript", "c++": "cpp", "rust": "rust", "java": "java", "go": "go", "php": "php",
}  # fmt: skip


def game_names(incomplete: str) -> list[str]:
    """Offer the games."""
    from ludus.games import names

    return [name for name in names() if name.startswith(incomplete)]


def bots(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the bots of the game that was named."""
    game = _game(ctx)
    return [bot for bot in game.bots if bot.startswith(incomplete)] if game else []


def players(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer bots and people, and seats for them."""
    game = _game(ctx)
    if game is None:
        return []
    known = [*game.bots, "human"]
    seat, sign, start = incomplete.partition("=")
    if sign:
        return [f"{seat}={name}" for name in known if name.startswith(start)]
    return [word for word in (*known, *(f"{name}=" for name in game.spec.seats)) if word.startswith(incomplete)]


def options(ctx: typer.Context, incomplete: str) -> list[str]:
    """Offer the options of the game that was named, with their defaults."""
    from ludus.games import options_of

    game = _game(ctx)
    known = [f"{option.name}={option.default}" for option in options_of(game)] if game else []
    return [word for word in known if word.startswith(incomplete)]


def languages(incomplete: str) -> list[str]:
    """Offer the languages that there are kits for."""
    return [name for name in LANGUAGES if name.startswith(incomplete)]


def _game(ctx: typer.Context) -> Game | None:
    """Return the game of the command line so far, if there is one; before an option's value it has not been read yet."""
    from ludus.core import LudusError
    from ludus.games import load

    try:
        return load(ctx.params.get("game") or next(iter(ctx.args), ""))
    except LudusError:
        return None
