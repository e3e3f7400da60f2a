"""What there is: games, rules, benchmarks."""

from __future__ import annotations

import json
import sys

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

import ludus.games as _games
from ludus.core import LudusError


def print_games() -> None:
    """List the games, a block each."""
    console = Console(highlight=False)
    for name in _games.names():
        try:
            game, bots = _games.load(name), ", ".join(_games.load(name).bots)
        except LudusError as error:  # one broken game does not hide the others
            console.print(f"[bold]{name}[/] cannot be listed: {error}")
            continue
        console.print(f"[bold]{name}[/] ({game.spec.title})")
        rows = Table.grid(padding=(0, 2))
        rows.add_row("  seats", ", ".join(game.spec.seats))
        rows.add_row("  bots", bots + " (weak to strong)")
        for number, option in enumerate(_games.options_of(game)):
            bounds = f"{option.name}={option.default} ({option.low} to {option.high}): {option.about}"
            rows.add_row("  options" if number == 0 else "", bounds)
        console.print(rows)


def print_rules(name: str) -> None:
    """Show the game's README: rendered for a person, without escape codes, which not every pager takes; as it is for a pipe."""
    file = _games.load(name).folder / "README.md"
    if not file.is_file():
        raise LudusError(f"{name} comes without a README.md, which should hold its rules")
    text = file.read_text(encoding="utf-8")
    if sys.stdout.isatty():
        console = Console()
        with console.pager(styles=False):
            console.print(Markdown(text, hyperlinks=False))
    else:
        print(text, end="")


def print_benchmarks(name: str | None, as_json: bool, device: str) -> None:
    """Measure and print, line by line as they come."""
    from ludus.bench import measure

    for figure in measure([_games.load(name).name] if name else _games.names(), device):
        if as_json:
            print(json.dumps(figure.as_dict()), flush=True)
        else:
            print(f"{figure.name:32} {figure.value:>16,.0f} {figure.unit:12} {figure.counted}", flush=True)
