"""Bots that are slow as Python runs them: compiled, in a process that can be ended, it shows whether they answer at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ludus.games import Game

from .breach import fail
from .judge import Judge
from .play import Slow, ask_bot, scratches

SECONDS = 90  # for compiling, and one whole game
PROGRAM = """
import sys
from pathlib import Path
from ludus.engine import Batch
from ludus.games import add_folder, load
folder, name, bot, seats = sys.argv[1:]
game = load(name if name in __import__("ludus.games").games.names() else add_folder(Path(folder)))
Batch(game, 1).finish([bot] * int(seats))
"""


def quick_bots(judge: Judge, bots: list[str]) -> tuple[list[str], list[str]]:
    """Return the bots that answer in time uncompiled, and the others, which must answer compiled."""
    from ludus.core import streams

    quick, slow = [], []
    row, _ = judge.new(0)
    mask = judge.legal(row)
    for bot in bots:
        try:
            ask_bot(judge, bot, row, mask, streams(1, 1)[0], scratches(judge)[0], twice=False)
            quick.append(bot)
        except Slow as breach:
            _must_end(judge.game, bot, str(breach))
            slow.append(bot)
    return quick, slow


def _must_end(game: Game, bot: str, words: str) -> None:
    command = [sys.executable, "-c", PROGRAM, str(Path(game.folder)), game.name, bot, str(len(game.spec.seats))]
    try:
        subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        fail(f"{words}, nor has a game of its compiled form ended after {SECONDS} s")
