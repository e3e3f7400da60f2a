"""Interrupt batches, tables, games and matches at random moments, and compare what comes after with an undisturbed run.

usage: python tests/interrupts.py GAME… [--times N] [--seed S]

After every interrupt the masks must be those of the positions as they stand, an illegal action must be refused, and a new start
must give the same games as ever. It also says how long the slowest interrupt took to be heard.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.agents import seat_agents
from ludus.arena import Referee, play_match
from ludus.core import IllegalAction
from ludus.engine import Batch, Table
from ludus.games import Game, load

GAMES = 3000  # of the batch


class Disturbed:
    """One game whose play is interrupted; `slowest` is the longest time in seconds until an interrupt was heard."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.chance, self.slowest, self.heard = game, random.Random(seed), 0.0, 0
        self.batch, self.table = Batch(game, GAMES, 1), Table(game, 1)
        self.bots = ["random"] * len(game.spec.seats)
        self.due = {work: work() for work in (self.batch_run, self.table_run, self.referee_run, self.match_run)}

    def interrupted(self, work: Callable[[], Any], within: float) -> None:
        """Let a signal interrupt some work."""
        wait = self.chance.uniform(1e-5, within)
        started = time.perf_counter()
        try:
            signal.setitimer(signal.ITIMER_REAL, wait)
            work()
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            self.slowest = max(self.slowest, time.perf_counter() - started - wait)
            self.heard += 1

    def batch_run(self) -> bytes:
        """Return what a batch of one seed comes to."""
        self.batch.new(7)
        for _ in range(4):
            self.batch.step(self.batch.legal().argmax(axis=1))
        self.batch.play_random(5, encode=True)
        return bytes(self.batch.digest().tobytes())

    def table_run(self) -> int:
        """Return what a game of one seed comes to."""
        self.table.begin(7)
        for _ in range(200):
            if not self.table.over:
                self.table.observe()
                self.table.apply(self.table.legal()[-1])
        return self.table.digest()

    def referee_run(self) -> Any:
        """Return the record of a game of one seed."""
        return Referee(Table(self.game, 7), seat_agents(self.game, self.bots)).finish()

    def match_run(self) -> Any:
        """Return the games of a match."""
        return [one.result for one in play_match(self.game, self.bots, 600, seed=3).games]

    def check(self) -> None:
        """Compare masks with positions, and let something illegal be refused."""
        batch, table = self.batch, self.table
        shown, fresh = np.array(batch.legal()), batch.copy()
        if not np.array_equal(shown, fresh.legal()):
            raise AssertionError("a batch keeps a stale mask")
        if table.legal() != Table(self.game, 1, position=table.s).legal():
            raise AssertionError("a table keeps a stale mask")
        forbidden = np.flatnonzero(shown.min(axis=1) == 0)
        if self.game.spec.refuses and len(forbidden) and shown.any(axis=1).all():
            actions = shown.argmax(axis=1)
            actions[forbidden[0]] = shown[forbidden[0]].argmin()
            try:
                batch.step(actions)
            except IllegalAction:
                return
            raise AssertionError("an illegal action was played")

    def run(self, times: int) -> None:
        """Interrupt every kind of work so often, and compare."""
        for _ in range(times):
            work = self.chance.choice(list(self.due))
            self.interrupted(work, 0.05)
            self.check()
            if work() != self.due[work]:
                raise AssertionError(f"{work.__name__} gives something else after an interrupt")


def main(words: list[str]) -> int:
    """Disturb the games that are named."""
    settings, names = {"times": 200, "seed": 0}, []
    while words:
        word = words.pop(0)
        if word.startswith("--"):
            settings[word[2:]] = int(words.pop(0))
        else:
            names.append(word)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)
    for name in names:
        disturbed = Disturbed(load(name), settings["seed"])
        disturbed.run(settings["times"])
        print(
            f"{name}: {disturbed.heard} interrupts, equal after each; the slowest was heard after {disturbed.slowest:.2f} s",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
