"""`ludus match`: many games, a progress bar, a report."""

from __future__ import annotations

import json
import sys

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from ludus.arena import Match, play_match, round_up
from ludus.core import LudusError, UnknownName, parse_options
from ludus.games import load

REPORTS = ("table", "original")


def run_match(
    name: str, agents: list[str], games: int, seed: int | None, options: list[str], swap: bool, report: str, as_json: bool
) -> None:
    """Play a match and print what it says, also of one that is interrupted."""
    if report not in REPORTS:
        raise UnknownName("report", report, REPORTS)
    game = load(name, **parse_options(options))
    if named := [word for word in agents if "=" in word]:
        raise LudusError(f"a match takes one bot a seat, in the order {', '.join(game.spec.seats)}, not {named[0]!r}")
    series_text = game.says("original", "series_text")
    if report == "original" and series_text is None:
        raise LudusError(f"the original of {game.spec.title} had no report of a series; use --report table")
    planned, match = round_up(games, len(game.spec.seats), swap), Match(game, ())
    if planned != games:
        print(
            f"{planned} games are played: with --swap every set-up goes to all {len(game.spec.seats)} orders", file=sys.stderr
        )
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(f"{planned} games", total=planned)
        try:
            play_match(game, agents, games, seed, swap, lambda done: progress.update(task, completed=done), match)
        except KeyboardInterrupt:
            print(f"stopped after {len(match.games)} of {planned} games", file=sys.stderr)
            if not match.games:
                raise
    if as_json:
        summaries = [match.summary(agent) for agent in range(len(agents))]
        dealt = {"seed": seed} if seed is not None else {"secret": match.secret.hex(), "commitment": match.commitment}
        played = [{"seed": one.seed, "order": one.order, "outcome": one.result.outcome} for one in match.games]
        print(json.dumps({"game": game.name, **dealt, "swap": swap, "agents": summaries, "games": played}))
    elif report == "original":
        print(series_text(match), end="")
    else:
        _print_table(match)
        print("seeds: " + (f"open, from {seed} on" if seed is not None else f"dealt from a secret, {match.secret.hex()}"))


def _print_table(match: Match) -> None:
    table = Table("agent", "wins", "draws", "losses", "score", "95 %", "points", "±", "faults", box=None, pad_edge=False)
    for agent in range(len(match.names)):
        row = match.summary(agent)
        between = f"{row['score_low']:.1%} to {row['score_high']:.1%}"
        counts = (str(row[key]) for key in ("wins", "draws", "losses"))
        points = (f"{row['points_mean']:.2f}", f"{row['points_deviation']:.2f}")
        table.add_row(escape(row["agent"]), *counts, f"{row['score']:.1%}", between, *points, str(row["faults"]))
    Console().print(table)
    for game in match.games:
        for fault in game.faults[:1]:
            print(f"seed {game.seed}: {game.names[fault.seat]}: {fault.kind}: {fault.text}")
