"""`ludus match`: many games, a progress bar, a report."""

from __future__ import annotations

import json
import sys

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ludus.arena.series import Series, play_series
from ludus.core.errors import LudusError, UnknownName
from ludus.core.spec import parse_options
from ludus.games import load

REPORTS = ("table", "original")


def play_match(
    name: str, agents: list[str], games: int, seed: int, options: list[str], swap: bool, report: str, as_json: bool
) -> None:
    """Play a series and print what it says."""
    if report not in REPORTS:
        raise UnknownName("report", report, REPORTS)
    game = load(name, **parse_options(options))
    if named := [word for word in agents if "=" in word]:
        raise LudusError(f"a match takes one bot a seat, in the order {', '.join(game.spec.seats)}, not {named[0]!r}")
    if report == "original" and not game.has("reports"):
        raise LudusError(f"the original of {game.spec.title} had no report of a series; use --report table")
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(f"{games} games", total=games)
        series = play_series(game, agents, games, seed, swap, lambda done: progress.update(task, completed=done))
    if as_json:
        summaries = [series.summary(agent) for agent in range(len(agents))]
        print(json.dumps({"game": game.name, "seed": seed, "swap": swap, "agents": summaries}))
    elif report == "original":
        print(game.part("reports").series_text(series), end="")
    else:
        _print_table(series)


def _print_table(series: Series) -> None:
    table = Table("agent", "wins", "draws", "losses", "score", "95 %", "points", "±", "faults", box=None, pad_edge=False)
    for agent in range(len(series.names)):
        row = series.summary(agent)
        between = f"{row['score_low']:.1%} to {row['score_high']:.1%}"
        counts = (str(row[key]) for key in ("wins", "draws", "losses"))
        points = (f"{row['points_mean']:.2f}", f"{row['points_deviation']:.2f}")
        table.add_row(row["agent"], *counts, f"{row['score']:.1%}", between, *points, str(row["faults"]))
    Console().print(table)
    for game in series.games:
        for fault in game.played.faults[:1]:
            print(f"seed {game.seed}: {game.played.names[fault.seat]}: {fault.kind}: {fault.text}")
