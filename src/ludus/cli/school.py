"""What the commands about self-play, shards and training print."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from rich.console import Console
from rich.progress import Progress

from ludus import school
from ludus.core import BadValue, UnknownName, one_line, parse_options
from ludus.engine import compiled_bots, cuda_problem
from ludus.games import load

from .match import print_match


def run_selfplay(
    name: str, agents: list[str], out: Path, games: int, pool: str, about: tuple[float, int, int, float], shard_games: int,
    seed: int, jobs: int, on: str, options: list[str],
) -> None:  # fmt: skip
    """Play, and show how fast it goes."""
    game = load(name, **parse_options(options))
    plan = school.make_plan(
        game, agents, games, seed, [word for word in pool.split(",") if word], shard_games, school.Chance(*about)
    )
    begun, made = time.perf_counter(), list[Any]()
    with _going_on(), Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(f"{games} games", total=games)
        for one in school.play_plan(plan, out, jobs, on, lambda line: print(line, file=sys.stderr)):
            made.append(one)
            pace = _pace(made, time.perf_counter() - begun)
            progress.update(task, advance=one.games, description=pace)
            if progress.disable and len(made) < plan.shards:  # a log, where no bar tells how long it will take
                left = (time.perf_counter() - begun) / sum(m.games for m in made) * (games - sum(m.games for m in made))
                print(f"{pace}; {left:.0f} s left", file=sys.stderr, flush=True)
    there = games - sum(one.games for one in made)
    print(_pace(made, time.perf_counter() - begun) if made else "nothing was left to play")
    if there and made:
        print(f"{there} games had been played before")
    print(f"{games} games in {plan.shards} shards: {one_line(str(out))}")


@contextmanager
def _going_on() -> Iterator[None]:
    """Say what Ctrl-C means for work that can be gone on with."""
    try:
        yield
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        raise SystemExit(130) from None


def _pace(made: list[Any], seconds: float) -> str:
    games, rows, memory = sum(m.games for m in made), sum(m.rows for m in made), max(m.memory_mb for m in made)
    return f"{games} games, {games / seconds:.1f} games/s, {rows / seconds:.0f} positions/s, {memory} MB a worker"


def run_shards(sources: list[Path], out: Path) -> None:
    """Turn records into shards."""
    manifest = school.shards_from(sources, out, lambda line: print(line, file=sys.stderr))
    rows = sum(file["rows"] for file in manifest["files"] if file["name"].startswith("train-"))
    print(f"{manifest['made_by']['games']} games, {rows} decisions: {one_line(str(out))}")


def run_train(name: str, out: Path, settings: list[str], is_list: bool, options: list[str]) -> None:
    """Train, a line a step of the work."""
    options_of = dict(load(name, **parse_options(options)).options)
    arguments = school.Arguments(name, options_of, **_settings(school.Arguments, settings))
    if is_list:
        _print_arguments(arguments)
        return
    with _going_on():
        best = school.train(arguments, out, lambda line: print(line, flush=True))
    print(f"the best network: {one_line(str(best))}; try: {_command(name, best, options)}")


def run_learn(
    name: str, out: Path, minutes: float, seat: str, bots: str, device: str, settings: list[str], is_list: bool,
    options: list[str],
) -> None:  # fmt: skip
    """Learn by playing, a line now and then; then print a table against all bots."""
    is_first = school.settle()
    game = load(name, **parse_options(options))
    given: dict[str, Any] = {key: value for key, value in (("seat", seat), ("bots", bots)) if value}
    given |= {"minutes": minutes, **_settings(school.LearnArguments, settings)}
    arguments = school.suited(game, device or ("cpu" if cuda_problem() else "cuda"), given)
    if is_list:
        _print_arguments(arguments)
        return
    with _going_on():
        best = school.learn_by_play(arguments, out, lambda line: print(line, flush=True))
    if not is_first:
        return
    print("\nagainst all bots, 400 games each, draws as half:")
    for label, score in school.table_against(out, compiled_bots(game)).items():
        print(f"  {label:40} {score:6.1%}")
    print(f"the network: {one_line(str(best))}; try: {_command(name, best, options)}")


def _command(name: str, network: Path, options: list[str]) -> str:
    """Return a command that lets a network play, on the board that it knows."""
    return shlex.join(["ludus", "play", name, f"net:{network}", *(word for option in options for word in ("-o", option))])


def _print_arguments(arguments: Any) -> None:
    for field in fields(arguments):
        print(f"{field.name}={getattr(arguments, field.name)}")


def _settings(trainer: type, words: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE words as the trainer's arguments have their types."""
    kinds, found = get_type_hints(trainer), dict[str, Any]()
    for word in words:
        name, sign, value = word.partition("=")
        if name not in kinds or name in ("game", "options"):
            raise UnknownName("argument", name, [kind for kind in kinds if kind not in ("game", "options")])
        if not sign:
            raise BadValue(f"an argument is written name=value, not {word!r}")
        try:
            found[name] = kinds[name](value)
        except ValueError:
            raise BadValue(f"{name} is a {'whole number' if kinds[name] is int else 'number'}, not {value!r}") from None
    return found


def run_evaluate(
    name: str, agent: str, against: str, rounds: int, opening: int, seed: int, as_json: bool, options: list[str]
) -> None:
    """Play, and print the table of a match."""
    game = load(name, **parse_options(options))
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("rounds", total=rounds)
        for match in school.evaluate(game, agent, against, rounds, seed, chance=school.Chance(0.0, 0, opening)):
            progress.update(task, completed=len({one.seed for one in match.games}))
    if as_json:
        agents = [match.summary(k) | {"by_seat": match.by_seat(k)} for k in range(2)]
        print(json.dumps({"game": game.name, "seed": seed, "opening": opening, "agents": agents, "verdict": match.verdict()}))
        return
    print_match(match)
    print(match.verdict())


def run_export(checkpoint: Path, onnx: Path, half: bool = False) -> None:
    """Export, compare on real positions, and print how fast both are."""
    from ludus.engine import Batch

    net, about = school.load_net(checkpoint)
    game = load(about.game, **about.options)
    school.export_onnx(net, about, game, onnx, half)
    exported, original = school.OnnxNetwork(onnx, game), school.TorchNetwork(checkpoint, game)
    batch = Batch(game, 256)
    batch.play_random(20)
    shown = np.array({"features": batch.features, "planes": batch.encode, "both": batch.both}[exported.input]())
    differences = [float(np.abs(a - b).max()) for a, b in zip(exported(shown), original(shown), strict=True)]
    print(f"{one_line(str(onnx))}: largest difference of logits {differences[0]:.2g}, of values {differences[1]:.2g}")
    for label, network in (("onnxruntime", exported), ("torch", original)):
        print(f"{label}: {school.speed(network, shown):.0f} positions a second, 256 at once")
