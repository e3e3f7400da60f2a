"""`ludus solve`: what perfect play makes of a position."""

from __future__ import annotations

import msgspec
from rich.columns import Columns
from rich.console import Console
from rich.table import Table as Grid

from ludus.core import Chart, LudusError, Report, parse_options
from ludus.engine import Table, Tools
from ludus.games import load, names

from .play import read_position

LONGEST_BAR = 40  # characters


def print_solution(name: str, seed: int, options: list[str], position: str | None, as_json: bool) -> None:
    """Solve a position and print the game's report."""
    game = load(name, **parse_options(options))
    if not game.has("solve"):
        solved = ", ".join(other for other in names() if load(other).has("solve"))
        raise LudusError(f"perfect play of {game.spec.title} is not known; solved are: {solved or 'none'}")
    # The set-up of one game needs no compiling.
    table = Table(game, seed, "pure", position=None if position is None else read_position(position))
    if position is None and game.spec.no_setup:
        raise LudusError(f"{game.spec.title} has no random set-up here: {game.spec.no_setup}")
    report: Report = game.part("solve").solve(table.s, Tools(game))
    if as_json:
        print(msgspec.json.encode(report).decode())
        return
    from ludus.viewers import Screen

    Screen(is_live=False).show(game.scene(table.s))
    print_report(Console(highlight=False), report)


def print_report(console: Console, report: Report) -> None:
    """Print facts, the line of play, tables and charts."""
    console.print(report.title, style="bold")
    for name, value in report.facts:
        console.print(f"  {name}: {value}")
    if report.line:
        console.print("\nbest line", style="bold")
        console.print(Columns(report.line, padding=(0, 3), equal=True, column_first=True))
    for sheet in report.sheets:
        console.print(f"\n{sheet.title}", style="bold")
        grid = Grid(*sheet.columns, box=None, header_style="")
        for row in sheet.rows:
            grid.add_row(*map(str, row))
        console.print(grid)
    for chart in report.charts:
        console.print(f"\n{chart.title}", style="bold")
        print_bars(console, chart)


def print_bars(console: Console, chart: Chart) -> None:
    """Draw bars as long as their values; one that is not zero shows at least a sliver."""
    highest = max((value for _, value in chart.bars), default=0.0)
    width = max((len(label) for label, _ in chart.bars), default=0)
    for label, value in chart.bars:
        eighths = max(round(8 * LONGEST_BAR * value / highest), value > 0) if highest else 0
        bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
        console.print(f"  {label:>{width}} {bar} {value:g} {chart.unit}")
