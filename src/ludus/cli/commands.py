"""The commands of `ludus`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from . import contest_commands, school_commands, web_commands
from .completion import bots, game_names, languages, options, players


class FileFirst(TyperGroup):
    """Commands of which the first may be left out: a word that is no command is a file for it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command's name back."""
        if not args or (args[0] not in self.commands and args[0] not in ("--help", "-h")):
            args = ["show", *args]
        return super().parse_args(ctx, args)


class Stopped(Exception):
    """Ctrl-C, which no command has heard."""


class Program(TyperGroup):
    """All commands; Ctrl-C is told by whoever runs them: Typer would end without a word."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Stopped from None


app = typer.Typer(
    cls=Program,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich costs half of the time that --help takes
)
golden = typer.Typer(help="Recorded games that the rules must reproduce.", no_args_is_help=True)
app.add_typer(golden, name="golden")
new = typer.Typer(help="Begin something of your own.", no_args_is_help=True)
app.add_typer(new, name="new")
replay = typer.Typer(help="Records of games that were played.", cls=FileFirst)
app.add_typer(replay, name="replay")


def _print_version(wanted: bool) -> None:
    from ludus import __version__

    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def ludus(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """One arena for turn-based grid strategy games played by programs and people."""


Clock = Annotated[str, typer.Option(metavar="CLOCK", help="1+0.1, bank=60, move=0.2 or inf; in seconds")]
OnFault = Annotated[str | None, typer.Option(help="replace or forfeit; default: the game's own rule")]
Inproc = Annotated[bool, typer.Option("--inproc", help="run Python files in our own process: fast, and trusting")]
Contain = Annotated[bool, typer.Option("--contain", help="bots reach their own folder and no network, or nothing is played")]
Log = Annotated[
    Path | None, typer.Option("--log", metavar="DIR", help="keep what bots print there, in one file a game and seat")
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="see `ludus games`", autocompletion=game_names)]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="an option of the game", autocompletion=options),
]
Plain = Annotated[bool, typer.Option("--plain", help="tell it in sentences, for pipes and screen readers")]
View = Annotated[str, typer.Option(help="terminal, window or browser")]
Port = Annotated[int, typer.Option(help="of the page on this machine; default: any that is free", min=0, max=65535)]
Opens = Annotated[bool, typer.Option("--open/--no-open", help="open the browser, or just say where the page is")]
Gif = Annotated[Path | None, typer.Option("--gif", metavar="FILE", help="write the game as an animated picture")]
Mp4 = Annotated[Path | None, typer.Option("--mp4", metavar="FILE", help="write the game as a video")]
Png = Annotated[int | None, typer.Option("--png", metavar="TURN", help="write a picture of this turn")]
Size = Annotated[str | None, typer.Option("--size", metavar="WxH", help="of pictures and videos, such as 960x720")]


@app.command()
def games() -> None:
    """List the games with their seats, bots and options."""
    from .listing import print_games

    print_games()


@app.command()
def rules(game: GameName) -> None:
    """Show the rules of a game."""
    from .listing import print_rules

    print_rules(game)


@app.command()
def play(
    game: GameName,
    seats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEAT=]BOT", help="bot, FILE.py, FILE.py:CLASS, cmd:COMMAND, folder or human", autocompletion=players
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="the same seed gives the same game; drawn if not given")] = None,
    option: Options = None,
    delay: Annotated[float, typer.Option(help="seconds between moves", min=0.0, max=60.0)] = 0.1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="print the result only")] = False,
    position: Annotated[str | None, typer.Option("--from", metavar="TEXT|FILE", help="start from this position")] = None,
    ask: Annotated[bool, typer.Option("--ask", help="ask for the set-up")] = False,
    clock: Clock = "move=10",
    on_fault: OnFault = None,
    inproc: Inproc = False,
    contain: Contain = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="keep the record, as .json or .json.gz")] = None,
    log: Log = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="breakpoint() works in bots' Python files: in our own process, without clocks")
    ] = False,
    plain: Plain = False,
    view: View = "terminal",
    gif: Gif = None,
    mp4: Mp4 = None,
    png: Png = None,
    size: Size = None,
    opens: Opens = True,
    port: Port = 0,
) -> None:
    """Play a game in the terminal, a window or the browser: bots, files and people; empty seats get a random bot."""
    from .conditions import conditions
    from .pictures import exports
    from .play import Wishes, play_game

    under = conditions("inf" if debug else clock, on_fault, inproc, contain, log, save)
    wishes = Wishes(delay, quiet, plain, debug, view, save, exports(gif, mp4, png, size), opens, port)
    play_game(game, seats or [], seed, option or [], position, ask, under, wishes)


@app.command()
def match(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(metavar="BOT BOT…", help="one a seat: bot, FILE.py, cmd:COMMAND, folder", autocompletion=bots),
    ],
    games: Annotated[int, typer.Option(help="how many games", min=1)] = 100,
    seed: Annotated[int | None, typer.Option(help="of the first game; dealt from a secret if not given")] = None,
    option: Options = None,
    swap: Annotated[bool, typer.Option(help="change seats after every game, on the same set-up")] = False,
    report: Annotated[str, typer.Option(help="table, or original (the text of the game's original program)")] = "table",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    clock: Annotated[str | None, typer.Option(metavar="CLOCK", help="as in play; default: the game's own")] = None,
    jobs: Annotated[int, typer.Option(help="worker processes that play", min=1)] = 1,
    on_fault: OnFault = None,
    inproc: Inproc = False,
    contain: Contain = False,
    save: Annotated[Path | None, typer.Option(metavar="DIR", help="keep the record of every game in this new folder")] = None,
    log: Log = None,
) -> None:
    """Play many games between agents and report who won."""
    from .conditions import conditions
    from .match import run_match

    under = conditions(clock or "", on_fault, inproc, contain, log, save)
    run_match(game, agents, games, seed, option or [], swap, report, as_json, under, jobs, save)


@replay.command("show")
def replay_show(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="a record, or a replay file of a game's original program")
    ] = None,
    view: Annotated[
        str | None, typer.Option(help="terminal, window or browser; default: the browser if there is a screen, else terminal")
    ] = None,
    plain: Plain = False,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="write it as one page with all in it")] = None,
    gif: Gif = None,
    mp4: Mp4 = None,
    png: Png = None,
    size: Size = None,
    opens: Opens = True,
    port: Port = 0,
) -> None:
    """Show a recorded game turn by turn (`ludus replay FILE` is enough), or write it as pictures or a page of its own."""
    from .pictures import exports
    from .replay import Look, show_replay

    show_replay(file, Look(view, plain, html, opens, port), exports(gif, mp4, png, size))


@replay.command("verify")
def replay_verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="records, JSON lines of them, or folders")],
    device: Annotated[str, typer.Option(help="cpu, or pure: uncompiled")] = "cpu",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Play recorded games again and compare every turn; exit code 1 if one is not as it was recorded."""
    from .replay import verify

    sys.exit(verify(files, device, as_json))


@app.command("verify-deal")
def verify_deal(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="what `ludus match … --json` printed")],
    commitment: Annotated[str | None, typer.Option(help="the hash that was told before the first game")] = None,
) -> None:
    """Check that the games of a match were dealt from the secret that was committed before the first one."""
    from .deal import verify

    sys.exit(verify(report, commitment))


@app.command()
def solve(
    game: GameName,
    seed: Annotated[int, typer.Option(help="of the set-up")] = 0,
    option: Options = None,
    position: Annotated[str | None, typer.Option("--from", metavar="TEXT|FILE", help="solve this position")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Say what perfect play makes of a position, where a game has been solved."""
    from .solve import print_solution

    print_solution(game, seed, option or [], position, as_json)


@golden.command("check")
def golden_check(
    game: GameName,
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]…", help="default: those of the project")] = None,
    backend: Annotated[str, typer.Option(help="pure, or cpu: games of standard size are played compiled")] = "pure",
) -> None:
    """Play recorded games and compare every value."""
    from .checks import check_golden

    sys.exit(check_golden(game, files or [], backend))


@app.command()
def check(
    game: GameName,
    option: Options = None,
    bot: Annotated[
        str | None,
        typer.Option(help="check this bot, FILE.py, folder or cmd:COMMAND instead of the game", autocompletion=bots),
    ] = None,
    inproc: Inproc = False,
    contain: Contain = False,
) -> None:
    """Hold a game, or a bot, to the contract."""
    from .checks import check_contract

    sys.exit(check_contract(game, option or [], bot, inproc, contain))


@new.command("bot")
def new_bot(
    game: GameName,
    path: Annotated[
        Path | None, typer.Argument(metavar="[FILE.py|FOLDER]", help="default: my_GAME_bot.py, or my_GAME_bot with --language")
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(help="write a folder for python, javascript, c++, rust, java, go or php", autocompletion=languages),
    ] = None,
) -> None:
    """Write a starter bot that runs as it is: a Python file, or a folder for any language."""
    from .new import write_bot
    from .new_kit import write_kit

    if language is None:
        write_bot(game, path)
    else:
        write_kit(game, path, language)


@new.command("game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="of small letters, digits and _")],
    folder: Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help="default: NAME")] = None,
    hidden: Annotated[bool, typer.Option("--hidden", help="seats see different things")] = False,
    simultaneous: Annotated[bool, typer.Option("--simultaneous", help="all commit before anything happens")] = False,
    seats: Annotated[int, typer.Option(help="how many play, 2 to 8")] = 2,
) -> None:
    """Write a project that adds a game to Ludus and works as it is."""
    from .new import write_game

    write_game(name, folder, hidden, simultaneous, seats)


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="default: all")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one object a line: name, value, unit, counted")] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda or wasm")] = "cpu",
) -> None:
    """Measure how fast the games run here."""
    from .listing import print_benchmarks

    print_benchmarks(game, as_json, device)


@app.command()
def info() -> None:
    """Say what this machine is and where ludus keeps its files."""
    from .doctor import print_info

    print_info()


@app.command()
def version() -> None:
    """Print the version."""
    _print_version(True)


@app.command()
def doctor() -> None:
    """Say what is installed, what is missing, and how to get it."""
    from .doctor import print_doctor

    print_doctor()


for others in (contest_commands, school_commands, web_commands):
    others.register(app)
