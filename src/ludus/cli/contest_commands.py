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
    app.command()(sprt)
    app.command()(tune)


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
def tournament_status(
    ledger: LedgerPlace,
    as_json: AsJson = False,
    original: Annotated[bool, typer.Option("--original", help="as the game's original program told it")] = False,
) -> None:
    """Say how far a tournament is, how the entrants stand, and what went wrong."""
    from .tournament import print_original, print_status

    if original:
        print_original(ledger)
    else:
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


@tournament.command("report")
def tournament_report(
    ledger: LedgerPlace,
    html: Annotated[Path | None, typer.Option(metavar="FOLDER", help="write static pages with every game there")] = None,
    replays: Annotated[int, typer.Option(help="records of the last games of every two bots, for the pages", min=0)] = 100,
    as_csv: Annotated[bool, typer.Option("--csv", help="print the table as comma-separated values")] = False,
    as_json: AsJson = False,
) -> None:
    """Say how the bots stand: ratings with intervals, all against all, verdicts; as text, data or pages."""
    from .report import report

    report(ledger, html, replays, as_csv, as_json)


def sprt(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="see `ludus games`", autocompletion=game_names)] = None,
    words: Annotated[list[str] | None, typer.Argument(metavar="A B", help="two bots", autocompletion=bots)] = None,
    elo0: Annotated[float, typer.Option(help="H0: A is better by so many points of normalised Elo")] = 0.0,
    elo1: Annotated[float, typer.Option(help="H1: … by so many")] = 5.0,
    alpha: Annotated[float, typer.Option(help="how often H1 may be accepted though H0 holds", min=0.0001, max=0.5)] = 0.05,
    beta: Annotated[float, typer.Option(help="how often H0 may be accepted though H1 holds", min=0.0001, max=0.5)] = 0.05,
    pairs: Annotated[str | None, typer.Option(help="judge pairs that are counted already, by 0, ½, 1, 1½ and 2 points")] = None,
    by: Annotated[str, typer.Option(help="scores, or points: margins of games of points")] = "scores",
    games: Annotated[int, typer.Option(help="play so many at most", min=2)] = 200_000,
    clock: Annotated[str, typer.Option(metavar="CLOCK", help="as in play; default: the game's own")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="of the game")] = None,
    seed: Annotated[int | None, typer.Option(help="open, of the first set-up; dealt from a secret if not given")] = None,
    inproc: Annotated[bool, typer.Option("--inproc", help="run Python files in our own process: fast, and trusting")] = False,
    contain: Annotated[bool, typer.Option("--contain", help="bots reach their own folder and no network")] = False,
    jobs: Annotated[int, typer.Option(help="worker processes that play", min=1)] = 1,
    on: Annotated[str, typer.Option(help="here, ray, or ray://host:port")] = "here",
    ledger: Annotated[str | None, typer.Option(help="a file, or a database's URL; default: GAME-sprt.db")] = None,
    as_json: AsJson = False,
) -> None:
    """Test whether A is better than B, and stop as soon as it is decided; the same command again goes on."""
    from ludus.arena import Bounds
    from ludus.core import BadValue, parse_options

    from .sprt import judge_counts, run_test

    bounds = Bounds(elo0, elo1, alpha, beta)
    if pairs is not None:
        judge_counts(pairs, bounds, as_json)
        return
    if game is None or len(words or []) != 2:
        raise BadValue("say which game and which two bots, as in `ludus sprt GAME A B`, or give --pairs")
    from ludus.arena import make_terms

    isolation = {"isolation": "contained" if contain else "in-process"} if contain or inproc else {}
    told = {"game": game, "bots": words, "games": games, "clock": clock, "seed": seed, "options": parse_options(option or [])}
    sys.exit(run_test(make_terms({**told, **isolation}), ledger or f"{game}-sprt.db", bounds, by, jobs, on, as_json))


def tune(
    game: Annotated[str, typer.Argument(metavar="GAME", help="see `ludus games`", autocompletion=game_names)],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="FILE.py with constants, or 'cmd:PROGRAM … {weight}'")],
    param: Annotated[list[str], typer.Option(metavar="NAME=LOW..HIGH", help="a number to tune; whole if all three are")],
    games: Annotated[int, typer.Option(help="how many games in all; a fifth of them checks the result", min=10)] = 1000,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="steps, curve and the tuned bot; default: tune-BOT")
    ] = None,
    clock: Annotated[str, typer.Option(metavar="CLOCK", help="as in play; default: the game's own")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="of the game")] = None,
    seed: Annotated[int, typer.Option(help="of set-ups and steps", min=0)] = 0,
    inproc: Annotated[bool, typer.Option("--inproc", help="run Python files in our own process: fast, and trusting")] = False,
    contain: Annotated[bool, typer.Option("--contain", help="bots reach their own folder and no network")] = False,
    jobs: Annotated[int, typer.Option(help="worker processes that play", min=1)] = 1,
    as_json: AsJson = False,
) -> None:
    """Find better numbers for a bot by letting it play against itself; the same command again goes on."""
    from .conditions import conditions
    from .tune import run_tuning

    run_tuning(game, bot, param, games, out, option or [], seed, conditions(clock, None, inproc, contain), jobs, as_json)
