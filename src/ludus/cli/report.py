"""`ludus tournament report`: the table in the terminal, as data, or as a folder of pages."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Column, Table

from ludus.arena import Ledger, Results, Row, results_data, results_of

COLUMNS = (
    "place", "name", "rating", "low", "high", "needs", "games", "wins", "draws", "losses", "score", "score_low", "score_high",
    "points", "faults", "mean_ms", "worst_ms", "word", "hash",
)  # fmt: skip


def report(place: str, html: Path | None, replays: int, as_csv: bool, as_json: bool) -> None:
    """Read a ledger and print what it says; with a folder, write pages, too."""
    with Ledger.open(place) as ledger:
        results = results_of(ledger)
        if html is not None:
            _write_pages(ledger, results, html, replays)
    if as_json:
        print(json.dumps(results_data(results), allow_nan=False))
    elif as_csv:
        _print_csv(results)
    elif html is None:
        _print_text(results)


def _write_pages(ledger: Ledger, results: Results, folder: Path, replays: int) -> None:
    from ludus.viewers import write_report

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("records", total=None)

        def show(done: int, all_: int) -> None:
            bar.update(task, completed=done, total=all_)

        missing = write_report(results, ledger.game, folder, ledger.record, replays, show)
    if missing:
        print(missing, file=sys.stderr)
    print(f"open {folder / 'index.html'}", file=sys.stderr)


def _print_csv(results: Results) -> None:
    writer = csv.DictWriter(sys.stdout, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(results_data(results)["table"])


def _print_text(results: Results) -> None:
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    console.print(f"[bold]{escape(results.title)}[/bold]", escape(", ".join(f"{k} {v}" for k, v in results.facts.items())))
    console.print()
    console.print(_ranking(results))
    for row in results.standing.rows:
        if row.needs:
            console.print(f"{escape(row.name)} needs about {row.needs} more games for a rating")
    console.print()
    console.print(_cross_table(results))
    console.print()
    for verdict in results.standing.verdicts:
        console.print(escape(verdict), style=None if verdict.startswith("not") else "green")
    for one in results.blamed:
        name = results.standing.sample.names[one.entrant]
        console.print(escape(f"{name}: {one.kind}, {one.times} times; first in game {one.game}: {one.text}"), style="red")
    for text in results.anomalies[-5:]:
        console.print(escape(f"anomaly: {text}"), style="yellow")


def _table(*titles: str) -> Table:
    first, *others = titles
    columns = (Column(title, no_wrap=True, justify="right") for title in others)
    return Table(Column(first, justify="right"), *columns, box=None, pad_edge=False)


def _ranking(results: Results) -> Table:
    table = _table("", "bot", "rating", "95 %", "score", "±", "games", "won", "drawn", "lost", "points", "ms", "faults")
    table.columns[1].justify, table.columns[1].no_wrap, table.columns[1].overflow = "left", False, "fold"
    for place, row in enumerate(results.standing.rows, 1):
        half = 50 * (row.score_high - row.score_low)
        mean, _ = results.pace(row.entrant)
        counts = (str(count) for count in (row.games, row.wins, row.draws, row.losses))
        cells = (f"{row.points:.2f}", f"{mean:.2f}", f"[red]{row.faults}[/red]" if row.faults else "0")
        table.add_row(
            str(place), escape(row.name), f"[bold]{_rating(row)}[/bold]", _between(row), f"{row.score:.1%}", f"{half:.1f}",
            *counts, *cells,
        )  # fmt: skip
    return table


def _rating(row: Row) -> str:
    return "–" if row.rating is None else f"{row.rating:+.0f}"


def _between(row: Row) -> str:
    if row.low is not None and row.high is not None:
        return f"{row.low:+.0f} … {row.high:+.0f}"
    if row.low is not None:
        return f"above {row.low:+.0f}"
    return f"below {row.high:+.0f}" if row.high is not None else "not yet"


def _cross_table(results: Results) -> Table:
    """Return the scores of all against all, in percent, with half of their intervals."""
    rows = results.standing.rows
    table = _table("", "score against", *(str(place) for place in range(1, len(rows) + 1)))
    table.columns[1].justify, table.columns[1].no_wrap, table.columns[1].overflow = "left", False, "fold"
    for place, row in enumerate(rows, 1):
        cells = []
        for other in rows:
            duel = results.standing.duels.get((row.entrant, other.entrant))
            cells.append(f"{100 * duel.score:.0f}±{50 * (duel.high - duel.low):.0f}" if duel else "·")
        table.add_row(str(place), escape(row.name), *cells)
    return table
