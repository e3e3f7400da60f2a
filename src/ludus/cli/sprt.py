"""`ludus sprt`: a sequential test of two bots, live, or of pair counts that are given."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ludus.arena import Bounds, Judged, as_data, judge_pairs
from ludus.core import BadValue

if TYPE_CHECKING:
    from ludus.arena import Terms


def judge_counts(pairs: str, bounds: Bounds, as_json: bool) -> None:
    """Judge how many pairs of games gave 0, ½, 1, 1½ and 2 points."""
    try:
        counts = [int(part) for part in pairs.split(",")]
        if len(counts) != 5 or min(counts) < 0:
            raise ValueError
    except ValueError:
        raise BadValue(
            f"pairs are five counts, of 0, ½, 1, 1½ and 2 points, as in 379,10170,21828,10640,343; not {pairs!r}"
        ) from None
    _print(judge_pairs(counts, bounds), bounds, as_json)


def run_test(terms: Terms, ledger: str, bounds: Bounds, by: str, jobs: int, on: str, as_json: bool) -> int:
    """Play until the test is decided, or Ctrl-C; return the exit code."""
    from ludus.arena import play_test

    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[said]}"), TimeElapsedColumn(),
        console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip
    last: list[Judged] = []
    with bar:
        task = bar.add_task("log-likelihood ratio", total=bounds.upper - bounds.lower, said="")

        def show(judged: Judged) -> None:
            last[:] = [judged]
            bar.update(task, completed=min(max(judged.llr, bounds.lower), bounds.upper) - bounds.lower, said=_short(judged))

        try:
            last[:] = [play_test(terms, ledger, bounds, by, jobs, on, show)]
        except KeyboardInterrupt:
            if not last:
                raise
            print("stopped; the same command goes on", file=sys.stderr)
    _print(last[0], bounds, as_json, f"the games are in {ledger}: ludus tournament report {ledger}")
    return 0


def _short(judged: Judged) -> str:
    elo = "" if judged.nelo is None else f", {judged.nelo:+.1f} ± {judged.nelo_error:.1f}"
    return f"{judged.llr:+.2f} of {judged.lower:.2f} … {judged.upper:.2f}, {judged.rounds} rounds{elo}"


def _print(judged: Judged, bounds: Bounds, as_json: bool, more: str = "") -> None:
    if as_json:
        print(
            json.dumps(
                {**as_data(judged), "elo0": bounds.elo0, "elo1": bounds.elo1, "alpha": bounds.alpha, "beta": bounds.beta}
            )
        )
        return
    print(f"H0: {bounds.elo0:g}, H1: {bounds.elo1:g} normalised Elo")
    print(judged.in_words)
    if more:
        print(more)
