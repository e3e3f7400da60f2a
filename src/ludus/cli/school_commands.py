"""The commands of `ludus` about search, self-play, shards, training."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .completion import game_names, options

GameName = Annotated[str, typer.Argument(metavar="GAME", help="see `ludus games`", autocompletion=game_names)]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="an option of the game", autocompletion=options),
]
Jobs = Annotated[int, typer.Option(help="worker processes")]
On = Annotated[str, typer.Option(metavar="WHERE", help="here, ray, or ray://host:port")]
Seed = Annotated[int, typer.Option(help="the same seed gives the same games")]


def register(app: typer.Typer) -> None:
    """Add these commands to `ludus`."""
    for command in (selfplay, shards, train, learn, watch, evaluate, export):
        app.command()(command)


def selfplay(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT…", help="one for all seats, or one a seat")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="where the shards go; the same command goes on there")],
    games: Annotated[int, typer.Option(help="how many are played")] = 1000,
    pool: Annotated[
        str, typer.Option(metavar="AGENT,AGENT…", help="the first agent sits on each seat in turn, others are drawn from here")
    ] = "",
    temperature: Annotated[float, typer.Option(help="of networks and visits; 0 = always the best, searches without noise")] = 1,
    temperature_plies: Annotated[int, typer.Option(help="decisions after which the best is played")] = 30,
    opening: Annotated[int, typer.Option(help="up to so many random decisions begin each game; they are not kept")] = 0,
    random_share: Annotated[float, typer.Option(help="of decisions that are replaced by random ones; they are not kept")] = 0,
    shard_games: Annotated[int, typer.Option(help="games a file; default: 256, fewer if few are played")] = 0,
    seed: Seed = 0,
    jobs: Jobs = 1,
    on: On = "here",
    option: Options = None,
) -> None:
    """Let bots, networks or searches play many games, and keep every decision as training data."""
    from .school import run_selfplay

    about = (temperature, temperature_plies, opening, random_share)
    run_selfplay(game, agents, out, games, pool, about, shard_games, seed, jobs, on, option or [])


def shards(
    sources: Annotated[list[Path], typer.Argument(metavar="FROM…", help="record files, or folders of them")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="where the shards go")],
) -> None:
    """Make training data of records: every game is run again."""
    from .school import run_shards

    run_shards(sources, out)


def train(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="the run's folder; the same command goes on there")],
    setting: Annotated[
        list[str] | None, typer.Option("--set", "-s", metavar="NAME=VALUE", help="an argument of the trainer; see --list")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="list the arguments and what they are set to")] = False,
    option: Options = None,
) -> None:
    """Train a network by self-play with search: play, learn, meet the best, be promoted."""
    from .school import run_train

    run_train(game, out, setting or [], show, option or [])


def learn(
    game: GameName,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="the run's folder, where the same command goes on; default: runs/GAME"),
    ] = None,
    minutes: Annotated[float, typer.Option(help="of learning")] = 10.0,
    seat: Annotated[
        str, typer.Option(help="all (self-play), any (one a game), or names with commas between; default: the game's own")
    ] = "",
    bots: Annotated[
        str,
        typer.Option(help="on the other seats: a name, name:weight with commas (self: the learner, past: earlier), seat=name"),
    ] = "",
    device: Annotated[str, typer.Option(help="cpu or cuda; default: cuda where there is one")] = "",
    setting: Annotated[
        list[str] | None, typer.Option("--set", "-s", metavar="NAME=VALUE", help="an argument of the trainer; see --list")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="list the arguments and what they are set to")] = False,
    option: Options = None,
) -> None:
    """Let a network learn by playing, many games at once, and print what it scores against every bot."""
    from .school import run_learn

    run_learn(game, out or Path("runs") / Path(game).name, minutes, seat, bots, device, setting or [], show, option or [])


def watch(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="the folder of `ludus learn` or `ludus train`")],
    delay: Annotated[float, typer.Option(help="seconds between two decisions", min=0.0, max=60.0)] = 0.15,
    opens: Annotated[bool, typer.Option("--open/--no-open", help="open the browser, or just say where the page is")] = True,
    port: Annotated[int, typer.Option(help="of the page on this machine; default: any that is free", min=0, max=65535)] = 0,
) -> None:
    """Show a run's curves and games of its newest network in the browser, while it learns or afterwards."""
    from ludus.viewers import watch_run

    watch_run(run, delay, opens, port)


def evaluate(
    game: GameName,
    agent: Annotated[str, typer.Argument(help="net:FILE, net+search:FILE:SIMS, or any other agent")],
    against: Annotated[str, typer.Argument(help="another one")] = "random",
    rounds: Annotated[int, typer.Option(min=1, help="set-ups, each played from every side")] = 50,
    opening: Annotated[int, typer.Option(help="up to so many random decisions begin each game")] = 0,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print data")] = False,
    option: Options = None,
) -> None:
    """Let two agents meet in many games at once, from every side, and say who scores what."""
    from .school import run_evaluate

    run_evaluate(game, agent, against, rounds, opening, seed, as_json, option or [])


def export(
    checkpoint: Annotated[Path, typer.Argument(metavar="CHECKPOINT", help="a .safetensors or .pt file")],
    onnx: Annotated[Path, typer.Option("--onnx", metavar="FILE", help="where the exported network goes")],
    half: Annotated[bool, typer.Option("--half", help="keep weights in 16 bits: half the size")] = False,
) -> None:
    """Export a network to ONNX, which plays without torch, and compare both: what they say, and how fast."""
    from .school import run_export

    run_export(checkpoint, onnx, half)
