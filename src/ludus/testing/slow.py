"""Bots that are slow as Python runs them: compiled, in a process that can be ended, it shows whether they answer at all."""

from __future__ import annotations

import json
import subprocess
import sys

from ludus.core import streams
from ludus.games import Game

from .breach import fail
from .judge import Judge
from .play import SLOW, Slow, ask_bot, scratches
from .work import work

SECONDS = 10  # for one answer of a compiled bot
# The first question, to another bot, compiles all of them.
PROGRAM = """
import json, sys
from pathlib import Path
from ludus.engine import Batch
from ludus.games import add_folder, load, names
folder, name, bot, options = sys.argv[1:]
game = load(name if name in names() else add_folder(Path(folder)), **json.loads(options))
batch, seats = Batch(game, 1), len(game.spec.seats)
batch.choose(["random"] * seats)
print("compiled", flush=True)
batch.choose([bot] * seats)
print("answered", flush=True)
"""
QUICK = 200_000  # cells for an answer, uncompiled, of a bot that can be asked many times


def quick_bots(judge: Judge, bots: list[str]) -> tuple[list[str], list[str]]:
    """Return the bots that answer in time uncompiled, and the others, which must answer compiled; note the quick ones."""
    patient, slow = [], []
    row, _ = judge.new(0)
    mask = judge.legal(row)
    for bot in bots if mask.any() else ():
        started = work.done
        try:
            ask_bot(judge, bot, row, mask, streams(1, 1)[0], scratches(judge)[row.seat], twice=False, most=SLOW)
            patient.append(bot)
            if work.done - started < QUICK:
                judge.bots.append(bot)
        except Slow as breach:
            must_answer(judge.game, bot, str(breach))
            slow.append(bot)
    return patient, slow


def must_answer(game: Game, bot: str, words: str) -> None:
    """Ask a bot compiled, in a process of its own."""
    command = [sys.executable, "-c", PROGRAM, str(game.folder), game.name, bot, json.dumps(dict(game.given))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline():  # what cannot be compiled is told later, by whoever compiles it here
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                fail(f"{words}, nor has its compiled form after {SECONDS} s")
