"""`ludus golden check` and `ludus check`."""

from __future__ import annotations

import sys
from pathlib import Path

from ludus.core import parse_options


def check_golden(name: str, files: list[Path], backend: str) -> int:
    """Play recorded games; return the exit code."""
    from rich.console import Console
    from rich.progress import Progress

    from ludus import golden
    from ludus.games import load

    chosen = files or golden.files_of(load(name))
    console = Console(stderr=True)
    try:
        with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
            task = progress.add_task(f"playing recorded games of {name}", total=None)
            count = golden.check(name, chosen, backend, lambda count: progress.update(task, completed=count.games))
    except golden.Difference as difference:
        print(difference)
        return 1
    print(f"{count.games} games, {count.steps} steps, {count.values} values, 0 differences")
    return 0


def check_contract(name: str, options: list[str], bot: str | None, inproc: bool = False, contain: bool = False) -> int:
    """Hold a game, by its name or its folder, or a bot to the contract; return the exit code."""
    from ludus.testing import CheckFailed, check_bot, check_game

    from .conditions import conditions

    try:
        if bot is not None:
            isolation = conditions("inf", None, inproc, contain).isolation
            check_bot(name, bot, say=print, isolation=isolation, **parse_options(options))
        else:
            check_game(name, say=print, **parse_options(options))
    except CheckFailed as breach:
        print(f"FAILED: {breach}")
        return 1
    print("all checks passed")
    return 0
