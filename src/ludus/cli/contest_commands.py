"""The commands of `ludus` about tournaments, ratings, sequential tests, tuning."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .completion import bots, game_names

tournament = typer.Typer(help="Tournaments whose results can be checked.", no_args_is_help=True)

LedgerPlace = Annotated[str, typer.Argument(metavar="LEDGER", help="a file, or a database's URL")]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]


def register(app: typer.Typer) -> None:
    """Add these commands to `ludus`."""
    app.add_typer(tournament, name="tournament")


@tournament.command("run")
def tournament_run(
    what: Annotated[str, typer.Argument(metavar="SPEC.toml|GAME", help="the terms, or a game", autocompletion=game_names)],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOT…", help="bot, FILE.py, folder, cmd:COMMAND, or a folder of such", autocompletion=bots),
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="round-robin, gauntlet, swiss, knock-out or double-elimination")
    ] = None,
    games: Annotated[int | None, typer.Option(help="of each pairing, in whole set-ups", min=1)] = None,
    rounds: Annotated[int | None, typer.Option(help="of a Swiss tournament", min=1)] = None,
    clock: Annotated[str | None, typer.Option(metavar="CLOCK", help="as in play; default: the game's own")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="of the game")] = None,
    sides: Annotated[str | None, typer.Option(help="one: a bot has all seats of a side; each: every seat has its own")] = None,
    seed: Annotated[int | None, typer.Option(help="open, of the first set-up; dealt from a secret if not given")] = None,
    seeds: Annotated[Path | None, typer.Option(metavar="FILE", help="set-ups: a seed a line")] = None,
    positions: Annotated[Path | None, typer.Option(metavar="FILE", help="set-ups: positions, apart by empty lines")] = None,
    preset: Annotated[str | None, typer.Option(help="terms that the game's folder knows by name")] = None,
    records: Annotated[str | None, typer.Option(help="all, seeds, or a share such as 0.01")] = None,
    on_fault: Annotated[str | None, typer.Option(help="replace or forfeit; default: the game's own rule")] = None,
    inproc: Annotated[bool, typer.Option("--inproc", help="run Python files in our own process: fast, and trusting")] = False,
    contain: Annotated[bool, typer.Option("--contain", help="bots reach their own folder and no network")] = False,
    jobs: Annotated[int, typer.Option(help="worker processes that play", min=1)] = 1,
    on: Annotated[str, typer.Option(help="here, ray, or ray://host:port")] = "here",
    ledger: Annotated[str | None, typer.Option(help="a file, or a database's URL; default: NAME.db")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or go on with one that was stopped: the same command again loses nothing."""
    from .tournament import run_tournament, terms_of

    isolation = "contained" if contain else "in-process" if inproc else None
    told = {
        "format": format_, "games": games, "rounds": rounds, "clock": clock, "sides": sides, "seed": seed,
        "seeds": seeds and str(seeds), "positions": positions and str(positions), "preset": preset, "records": records,
        "on_fault": on_fault, "isolation": isolation,
    }  # fmt: skip
    terms, place = terms_of(what, words or [], option or [], told)
    sys.exit(run_tournament(terms, ledger or place, jobs, on, as_json))


@tournament.command("status")
def tournament_status(ledger: LedgerPlace, as_json: AsJson = False) -> None:
    """Say how far a tournament is, how the entrants stand, and what went wrong."""
    from .tournament import print_status

    print_status(ledger, as_json)


@tournament.command("game")
def tournament_game(
    ledger: LedgerPlace,
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="of the game")] = None,
    lost: Annotated[str | None, typer.Option(metavar="BOT", help="one that this bot lost")] = None,
    against: Annotated[str | None, typer.Option(metavar="BOT", help="… against this one")] = None,
    skip: Annotated[int, typer.Option(help="leave out so many of them", min=0)] = 0,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="write its record instead of showing it")] = None,
    view: Annotated[str, typer.Option(help="terminal or window")] = "terminal",
    plain: Annotated[bool, typer.Option("--plain", help="tell it in sentences, for pipes and screen readers")] = False,
) -> None:
    """Show a game: by its number, or one that a bot lost (`--lost BOT`)."""
    from .tournament import show_game

    show_game(ledger, number, lost, against, skip, save, view, plain)


@tournament.command("export")
def tournament_export(
    ledger: LedgerPlace, file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="the bundle")]
) -> None:
    """Write a tournament as one file for others to check: terms, hashes, ledger, records."""
    from .tournament import export

    export(ledger, file)


@tournament.command("verify")
def tournament_verify(
    what: Annotated[str, typer.Argument(metavar="BUNDLE.zip|LEDGER", help="what `export` wrote, or a ledger")],
    share: Annotated[float, typer.Option(help="of the games that are played again", min=0.0, max=1.0)] = 1.0,
    commitment: Annotated[str, typer.Option(help="the hash that was told before the first game")] = "",
    as_json: AsJson = False,
) -> None:
    """Play games again and compare every turn, result and seed; exit code 1 if something is not as it is told."""
    from .tournament import verify

    sys.exit(verify(what, share, commitment, as_json))
