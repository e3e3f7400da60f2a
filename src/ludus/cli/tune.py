"""`ludus tune`: steps under a progress bar, the curve in the terminal and as a page, and what the check has found."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludus.arena import Conditions, Number, Tuning, read_number
from ludus.core import parse_options
from ludus.games import load

SPARKS = "▁▂▃▄▅▆▇█"
WIDTH = 60  # of a curve in the terminal


def run_tuning(
    name: str,
    bot: str,
    params: list[str],
    games: int,
    out: Path | None,
    options: list[str],
    seed: int,
    conditions: Conditions,
    jobs: int,
    as_json: bool,
) -> None:
    """Tune a bot, or go on with it; Ctrl-C stops and loses at most the step that is being made."""
    game, numbers = load(name, **parse_options(options)), [read_number(text) for text in params]
    stem = "command" if bot.startswith("cmd:") else Path(bot.partition(".py")[0]).name
    tuning = Tuning(game, bot, numbers, games, out or Path(f"tune-{stem}"), seed, conditions, jobs)
    try:
        _run(tuning)
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
    word = tuning.tuned()
    page = _write_page(tuning)
    if as_json:
        told = {"best": tuning.best(), "start": tuning.start, "steps": len(tuning.path), "checked": tuning.checked}
        print(json.dumps({**told, "verdict": tuning.verdict(), "tuned": word, "page": str(page)}))
        return
    for number in tuning.numbers:
        path = [step.values[number.name] for step in tuning.path]
        both = f"{number.written(tuning.start[number.name])} → {number.written(tuning.best()[number.name])}"
        print(f"{number.name}: {both}  {spark(path, number)}  ({number.low:g} to {number.high:g})")
    print(f"{tuning.verdict()}\nthe tuned bot: {word}\nthe curve: {page}")


def _run(tuning: Tuning) -> None:
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("steps"), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip
    with bar:
        task = bar.add_task(tuning.game.spec.title, total=tuning.steps, completed=len(tuning.path))
        for step in tuning.run():
            told = ", ".join(f"{name} {value:.4g}" for name, value in step.values.items())
            bar.update(task, completed=step.step, description=told)


def spark(path: Sequence[float], number: Number) -> str:
    """Draw a path as a line of small blocks between the number's bounds."""
    count = min(WIDTH, len(path))
    some = [path[round(k * (len(path) - 1) / max(1, count - 1))] for k in range(count)]
    return "".join(SPARKS[min(len(SPARKS) - 1, int(number.place(value) * len(SPARKS)))] for value in some)


def _write_page(tuning: Tuning) -> Path:
    from ludus.viewers import write_curves

    lines = {n.name: [tuning.start[n.name], *(step.values[n.name] for step in tuning.path)] for n in tuning.numbers}
    return write_curves(tuning.folder / "curve.html", f"Tuning {tuning.bot}", tuning.verdict(), lines, "steps")
