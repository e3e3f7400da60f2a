"""`ludus match`: many games, a progress bar, a report."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Column, Table

from ludus.agents import is_word
from ludus.arena import Conditions, Match, RecordFolder, play_match, round_up
from ludus.core import LudusError, UnknownName, parse_options
from ludus.games import load

REPORTS = ("table", "original")


def run_match(
    name: str,
    agents: list[str],
    games: int,
    seed: int | None,
    options: list[str],
    swap: bool,
    report: str,
    as_json: bool,
    conditions: Conditions,
    jobs: int = 1,
    save: Path | None = None,
) -> None:
    """Play a match and print what it says, also of one that is interrupted."""
    if report not in REPORTS:
        raise UnknownName("report", report, REPORTS)
    game = load(name, **parse_options(options))
    if named := [word for word in agents if "=" in word and not is_word(word)]:
        raise LudusError(f"a match takes one bot a seat, in the order {', '.join(game.spec.seats)}, not {named[0]!r}")
    series_text = game.says("original", "series_text")
    if report == "original" and series_text is None:
        raise LudusError(f"the original of {game.spec.title} had no report of a series; use --report table")
    match = Match(game, ())
    commit = partial(_commit, match, sys.stderr if as_json or report == "original" else sys.stdout)
    _play(match, agents, games, seed, swap, conditions, jobs, save, commit)
    if as_json:
        print(json.dumps(_as_data(match, seed, swap)))
    elif report == "original":
        print(series_text(match), end="")
    else:
        print_match(match)
        _print_circumstances(match)
        print("seeds: " + (f"open, from {seed} on" if seed is not None else f"dealt from the secret {match.secret.hex()}"))


def _commit(match: Match, out: TextIO) -> None:
    """Tell the secret's hash before the first game, so that everybody can see afterwards that nothing was dealt anew."""
    if match.secret:
        print(f"the games are dealt from a secret that is told afterwards; its hash: {match.commitment}", file=out, flush=True)


def _play(
    match: Match,
    agents: list[str],
    games: int,
    seed: int | None,
    swap: bool,
    conditions: Conditions,
    jobs: int,
    save: Path | None,
    commit: Callable[[], None],
) -> None:
    """Play under a progress bar; Ctrl-C ends the match early."""
    game = match.game
    planned = round_up(games, len(game.spec.seats), swap)
    if planned != games:
        print(
            f"{planned} games are played: with --swap every set-up goes to all {len(game.spec.seats)} orders", file=sys.stderr
        )
    keep = None if save is None else RecordFolder(save, planned).add
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(f"{planned} games", total=planned)

        def show(done: int) -> None:
            if done == 0:
                commit()
            elif not progress.disable and (done % max(1, planned // 200) == 0 or done < 20):
                progress.update(task, completed=done, description=_standing(match))

        try:
            play_match(game, agents, games, seed, swap, show, match, conditions, jobs, keep)
        except KeyboardInterrupt:
            print(f"stopped after {len(match.games)} of {planned} games", file=sys.stderr)
            if not match.games:
                raise SystemExit(130) from None


def _standing(match: Match) -> str:
    """Return the first agent's score with its error, for the progress bar."""
    row = match.summary(0)
    return f"{escape(row['agent'])} {row['score']:.1%} ± {(row['score_high'] - row['score_low']) / 2:.1%}"


def _as_data(match: Match, seed: int | None, swap: bool) -> dict[str, Any]:
    dealt = {"seed": seed} if seed is not None else {"secret": match.secret.hex(), "commitment": match.commitment}
    agents = [
        {**match.summary(agent), "level": match.levels[agent], **match.pace(agent), "by_seat": match.by_seat(agent)}
        for agent in range(len(match.names))
    ]
    played = [
        {
            "seed": one.seed, "order": one.order,
            "seats": {seat: match.names[agent] for seat, agent in zip(match.game.spec.seats, one.order, strict=True)},
            "outcome": one.result.outcome, "points": one.result.points,
            "decisions": one.decisions, "forfeit": one.forfeit, "void": one.is_void,
            "faults": [{"seat": f.seat, "turn": f.turn, "kind": f.kind, "text": f.text} for f in one.faults],
        }
        for one in match.games
    ]  # fmt: skip
    p50, p99 = match.overhead_ms()
    about = {"clock": match.clock, "overhead_ms": {"p50": p50, "p99": p99}, "verdict": match.verdict()}
    return {"game": match.game.name, **dealt, "swap": swap, **about, "agents": agents, "games": played}


def print_match(match: Match) -> None:
    is_timed = any(game.answers for game in match.games)
    titles = ["agent", "wins", "draws", "losses", "score", "95 %", "points", "±"]
    table = _table(*titles, *(("ms", "worst") if is_timed else ()), "faults")
    for agent in range(len(match.names)):
        row, pace = match.summary(agent), match.pace(agent)
        counts = (str(row[key]) for key in ("wins", "draws", "losses"))
        between = f"{100 * row['score_low']:.1f}–{100 * row['score_high']:.1f}"
        points = (f"{row['points_mean']:.2f}", f"{row['points_deviation']:.2f}")
        times = (f"{pace['mean_ms']:.2f}", f"{pace['worst_ms']:.1f}") if is_timed else ()
        table.add_row(escape(row["agent"]), *counts, f"{row['score']:.1%}", between, *points, *times, str(row["faults"]))
    _console().print(table)
    _print_by_seat(match)
    for game in match.games:
        for fault in game.faults[:1]:
            name = match.names[game.order[fault.seat]]
            print(f"seed {game.seed}: {name}: turn {fault.turn}: {fault.kind}: {fault.text}")


def _table(first: str, *titles: str) -> Table:
    """Return an empty table that breaks nothing but names."""
    return Table(Column(first, overflow="fold"), *(Column(title, no_wrap=True) for title in titles), box=None, pad_edge=False)


def _console() -> Console:
    """Return a console; a pipe or a file is as wide as a table needs."""
    return Console(width=None if sys.stdout.isatty() else 200)


def _print_by_seat(match: Match) -> None:
    """Print the score of each agent in each seat, where they changed seats."""
    splits = [match.by_seat(agent) for agent in range(len(match.names))]
    if all(len(split) < 2 for split in splits):
        return
    table = _table("score as", *match.game.spec.seats)
    for name, split in zip(match.names, splits, strict=True):
        table.add_row(escape(name), *(f"{split[seat]['score']:.1%}" if seat in split else "" for seat in match.game.spec.seats))
    print()
    _console().print(table)
    print()


def _print_circumstances(match: Match) -> None:
    """Say what was decided, under which clock, and what kept the bots apart."""
    print(match.verdict())
    void = len(match.games) - len(match.counted)
    if void:
        print(f"{void} games do not count: they stopped through no fault of the agents")
    outside = {level for level in match.levels if level != "in-process"}
    levels = ", ".join(f"{name} {level}" for name, level in zip(match.names, match.levels, strict=True))
    print(f"clock {match.clock}; isolation: {levels if outside else 'all in-process'}", end="")
    p50, p99 = match.overhead_ms()
    print(f"; the referee took {p50:.3f} ms a decision (99 %: {p99:.3f} ms)" if p99 else "")
