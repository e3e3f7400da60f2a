"""`ludus tournament`: terms from the command line, live progress, how a tournament stands, one of its games."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Column, Table

from ludus.arena import (
    Ledger,
    Terms,
    Tournament,
    export_bundle,
    make_terms,
    open_bundle,
    read_terms,
    verify_ledger,
    write_record,
)
from ludus.core import BadValue, LudusError, UnknownName, parse_options

from .replay import Look, show_replay

if TYPE_CHECKING:
    from ludus.arena import Entrant, Entry

REDRAW_S = 0.2  # between two looks at the progress bar


def terms_of(what: str, words: list[str], options: list[str], told: dict[str, Any]) -> tuple[Terms, str]:
    """Return the terms, from a file or from the command line, and where the ledger lies if nobody says otherwise."""
    given = {key: value for key, value in told.items() if value is not None}
    if not what.endswith(".toml"):
        bots = {"bots": words} if words else {}
        return make_terms({"game": what, **bots, "options": parse_options(options), **given}), f"{what}.db"
    if words or options or given:
        raise BadValue(f"the terms are those of {what}; write there what you want otherwise")
    return read_terms(Path(what)), str(Path(what).with_suffix(".db"))


def run_tournament(terms: Terms, place: str, jobs: int, on: str, as_json: bool) -> int:
    """Play what is missing under a progress bar; Ctrl-C stops and loses nothing. Return the exit code."""
    out = sys.stderr if as_json else sys.stdout
    progress, is_stopped = _progress(), False
    tournament = Tournament(terms, place, jobs, on, lambda line: progress.console.print(f"anomaly: {escape(line)}"))
    with tournament, progress:
        ledger = tournament.ledger
        if ledger.secret:
            print(f"the games are dealt from a secret that is told afterwards; its hash: {ledger.commitment}", file=out)
        print(_opening(tournament, ledger.counts().played), file=out, flush=True)
        try:
            _play(tournament, progress)
        except KeyboardInterrupt:
            is_stopped = True
            print("stopped; the same command goes on", file=sys.stderr)
    _print_run(tournament, out)
    print_status(place, as_json)
    return 130 if is_stopped else 0


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[faults]}"),
        console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip


def _opening(tournament: Tournament, before: int) -> str:
    terms, field = tournament.terms, tournament.entrants
    went_on = f"; {before} games are there already" if before else ""
    clock = tournament.ledger.clock
    return f"{tournament.game.spec.title}, {terms.format}, {len(field)} bots, clock {clock}{went_on}"


def _play(tournament: Tournament, progress: Progress) -> None:
    """Play, and show how many games are done, how fast, and what went wrong."""
    faults, shown, begun = 0, 0.0, time.monotonic()
    counts = tournament.ledger.counts()
    task = progress.add_task(tournament.game.spec.title, total=None, completed=counts.played, rate="", faults="")
    for played, entry in enumerate(tournament.play(), 1):
        faults += sum(entry.faults)
        now = time.monotonic()
        if not progress.disable and now - shown > REDRAW_S:
            shown = now
            progress.update(
                task, completed=counts.played + played, total=tournament.planned, rate=f"{played / (now - begun):.1f} a second",
                faults=f"[red]{faults} faults[/red]" if faults else "no faults",
            )  # fmt: skip


def _print_run(tournament: Tournament, out: Any) -> None:
    """Say what the run took, and what of it was not playing."""
    games = tournament.games
    if games:
        rate, each = games / tournament.seconds, 1000 * tournament.overhead / games
        print(f"{games} games in {tournament.seconds:.1f} s, {rate:.1f} a second; ", end="", file=out)
        print(f"ledger and scheduling took {each:.3f} ms a game", file=out)


def print_status(place: str, as_json: bool) -> None:
    """Print how far a tournament is, how the entrants stand, and what went wrong."""
    with Ledger.open(place) as ledger:
        told = status_of(ledger)
        if as_json:
            print(json.dumps(told))
            return
        print(f"{told['played']} of {told['planned']} games that are planned so far are played; faults: {told['faults']}")
        table = Table(Column("bot", overflow="fold"), *(Column(t, no_wrap=True) for t in TITLES), box=None, pad_edge=False)
        for row in told["standing"]:
            name = row["name"] if row["is_current"] else f"{row['name']} (before: {row['hash'][:8]})"
            cells = (row["games"], row["wins"], row["draws"], row["losses"])
            table.add_row(escape(name), *map(str, cells), f"{row['score']:.1%}", f"{row['points']:.2f}", str(row["faults"]))
        Console(width=None if sys.stdout.isatty() else 200).print(table)
        for when, text in ledger.anomalies()[-10:]:
            print(f"anomaly, {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(when))}: {text}")
        if ledger.secret and told["played"] == told["planned"]:
            print(f"seeds: dealt from the secret {ledger.secret.hex()}, whose hash is {ledger.commitment}")


def print_original(place: str) -> None:
    """Print a round robin of two seats as the game's original program told one."""
    with Ledger.open(place) as ledger:
        tell, terms = ledger.game.says("original", "tournament_text"), ledger.terms
        field = [one for one in ledger.entrants() if one.is_current]
        if tell is None or terms.format != "round-robin" or ledger.places != 2:
            raise LudusError("there is no other way to tell this tournament; leave out --original")
        counts = ledger.counts()
        if counts.played < counts.planned:
            raise LudusError(f"{counts.planned - counts.played} games are missing; the same command goes on with it")
        place_of = {one.id: k for k, one in enumerate(field)}
        games = [
            (entry.round - 1, *(place_of[one] for one in entry.entrants), int(entry.points[0] - entry.points[1]))
            for entry in ledger.entries()
            if set(entry.entrants) <= place_of.keys()
        ]
        print(tell([one.name for one in field], terms.games, games, ledger.seconds), end="")


TITLES = ("games", "wins", "draws", "losses", "score", "points", "faults")


def status_of(ledger: Ledger) -> dict[str, Any]:
    """Return how a tournament stands, as plain data; ratings and intervals are for the report."""
    counts = ledger.counts()
    dealt: dict[str, Any] = {"seed": ledger.terms.seed} if not ledger.secret else {"commitment": ledger.commitment}
    if ledger.secret and counts.played == counts.planned:
        dealt["secret"] = ledger.secret.hex()
    return {
        "game": ledger.terms.game, "format": ledger.terms.format, "clock": ledger.clock, **dealt, **counts._asdict(),
        "standing": [row._asdict() for row in ledger.standing()], "anomalies": [text for _, text in ledger.anomalies()],
    }  # fmt: skip


def show_game(
    place: str, number: int | None, lost: str | None, against: str | None, skip: int, save: Path | None, view: str, plain: bool
) -> None:
    """Show a game, or write its record."""
    if (number is None) == (lost is None):
        raise BadValue("say which game: its number, or --lost BOT")
    with Ledger.open(place) as ledger:
        number = _lost(ledger, lost, against, skip) if lost is not None else number
        assert number is not None
        record = ledger.record(number)
    who = ", ".join(f"{seat} {name}" for seat, name in zip(record.seats, record.agents, strict=True))
    print(f"game {number}: {who}", flush=True)
    if save is not None:
        write_record(record, save)
        return
    with tempfile.TemporaryDirectory(prefix="ludus-game-") as folder:
        file = Path(folder, f"game-{number}.json")
        write_record(record, file)
        show_replay(file, Look(view, plain))


def _lost(ledger: Ledger, bot: str, against: str | None, skip: int) -> int:
    """Return the number of a game that a bot lost."""
    mine, theirs = _named(ledger, bot), _named(ledger, against) if against else None
    for entry in ledger.entries():
        if _is_lost(entry, mine) and (theirs is None or theirs & set(entry.entrants)):
            if not skip:
                return entry.number
            skip -= 1
    raise LudusError(f"{bot} has lost no {'other ' if skip else ''}game{f' against {against}' if against else ''}")


def _is_lost(entry: Entry, entrants: set[int]) -> bool:
    return any(one in entrants and outcome < 0 for one, outcome in zip(entry.entrants, entry.outcome, strict=True))


def _named(ledger: Ledger, name: str) -> set[int]:
    """Return the entrants of a name: all versions of the bot."""
    known: list[Entrant] = ledger.entrants()
    found = {one.id for one in known if name in (one.name, one.word)}
    if not found:
        raise UnknownName("bot", name, dict.fromkeys(one.name for one in known))
    return found


def export(place: str, file: Path) -> None:
    """Write a bundle."""
    with Ledger.open(place) as ledger:
        kept, counts = export_bundle(ledger, file), ledger.counts()
    print(f"{file}: {counts.played} games, {kept} records; check it with: ludus tournament verify {file}")


def verify(what: str, share: float, commitment: str, as_json: bool) -> int:
    """Check a bundle or a ledger; return the exit code."""
    with (
        _opened(what) as ledger,
        Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar,
    ):
        task = bar.add_task("games", total=ledger.counts().played)
        found = verify_ledger(ledger, share, commitment, lambda done: bar.update(task, completed=done))
    if as_json:
        print(json.dumps(found._asdict()))
    else:
        for problem in found.problems[:20]:
            print(f"WRONG: {problem}")
        wrong = f"; {len(found.problems)} things are wrong" if found.problems else ", and all of it is as it is told"
        print(f"{found.games} games, of which {found.checked} were played again{wrong}")
    return 1 if found.problems else 0


@contextmanager
def _opened(what: str) -> Iterator[Ledger]:
    if what.endswith(".zip"):
        with open_bundle(Path(what)) as ledger:
            yield ledger
    else:
        with Ledger.open(what) as ledger:
            yield ledger
