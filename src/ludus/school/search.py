"""Monte Carlo tree search with playouts, for any game of the box.

The kernels are the engine's (`playout_kernels.py`); here stands how many simulations are made, for how long, and how playouts
are judged. How long a playout goes on, and what points are worth, is measured on random games of the game itself.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from ludus.core import BadValue, UnknownName, whole_number
from ludus.engine import Batch, Found, Trees, compiled_bots
from ludus.games import Game

MOST_SIMULATIONS = 100_000_000
MOST_KEPT = 1_000_000  # nodes a tree; later simulations go on below the leaves that there are
AT_ONCE, MOST_AT_ONCE = 256, 4096  # simulations in one call of the kernel, so that Ctrl-C and the clock are heard soon
SLICE_S = 0.004  # that a call takes at most where the clock decides
MEASURED, LONGEST = 64, 4096  # random games that are measured, and the most decisions of one
CUT_SHARE, CUT_LEAST, CUT_MOST = 8, 20, 200  # a playout that points can judge goes on for an eighth of a game


@dataclass(frozen=True)
class Custom:
    """How a game is searched by default."""

    cut: int  # decisions after which a playout is judged by points, as soon as a turn is over
    margin: float  # points won in such a playout that are worth half a win
    horizon: float  # decisions of a random game: a win after so many is worth half as much as one at once
    playout: str = "random"  # the bot that plays on
    explore: float = 1.0  # in standard deviations of what simulations gave
    width: float = 2.0  # children of a node, times the square root of its visits
    doubt: float = 1.0  # standard errors by which an action must be better than that of the bot that plays on


def playout_of(game: Game, bot: str) -> str:
    """Return the name of a bot that can play on, or "" for the game's own choice; what is neither is refused."""
    if bot and bot not in compiled_bots(game):
        raise UnknownName("bot for playouts", bot, compiled_bots(game))
    return bot


def customs(game: Game, device: str = "cpu") -> Custom:
    """Return how a game is searched: what its bots.py says in SEARCH, and for the rest what random games tell."""
    said = game.says("bots", "SEARCH") or {}
    for name in said:
        if name not in (known := [field.name for field in fields(Custom)]):
            raise UnknownName(f"setting in SEARCH of {game.name}", name, known)
    return Custom(**{**_measured(game, tuple(game.options.items()), device).__dict__, **said})


@cache
def _measured(game: Game, options: tuple[tuple[str, int], ...], device: str) -> Custom:
    """Play random games: how long they are, and whether points tell anything before the end."""
    if game.spec.no_setup:
        return Custom(LONGEST, 1.0, float(LONGEST))
    games = MEASURED if device != "pure" else 2
    length = float(Batch(game, games, 1, device, restart=False).finish_random(LONGEST).mean())
    cut = int(min(max(length / CUT_SHARE, CUT_LEAST), CUT_MOST))
    batch = Batch(game, games, 2, device, restart=False)
    batch.finish_random(max(1, int(length / 2)))
    before = np.array(batch.host(batch.result()[2]))
    batch.finish_random(cut)
    status, _, points = (np.array(batch.host(array)) for array in batch.result())
    won = (points - before)[status == 0]
    margin = float(np.abs(won - won.mean(axis=1, keepdims=True)).mean() * 2) if won.size else 0.0
    return Custom(cut, margin, length) if margin > 0 else Custom(LONGEST, 1.0, length)


class PlayoutSearch:
    """Search `n` games at once, each with a tree of its own; a call takes what the seats to move see, and returns a Found."""

    def __init__(
        self, game: Game, n: int = 1, simulations: int = 1000, playout: str = "", seed: int = 0, device: str = "cpu",
        custom: Custom | None = None,
    ) -> None:  # fmt: skip
        self.game, self.n = game, n
        self.simulations = whole_number(simulations, "simulations", 1, MOST_SIMULATIONS)
        self.custom = custom or customs(game, "cpu" if device == "cuda" else device)
        self.playout = playout_of(game, playout or self.custom.playout)
        self._doubt = 0.0 if self.playout == "random" else self.custom.doubt
        self.trees = Trees(game, n, min(self.simulations, MOST_KEPT) + 2, seed, device)

    def __call__(self, views: Any, seconds: float | None = None, check: bool = True) -> Found:
        """Search from views [n], or one for all; where seconds are given, until then at most; `check` as in `Batch.sample`."""
        until = None if seconds is None else perf_counter() + seconds
        if until is not None and seconds is not None and not seconds > 0:
            raise BadValue(f"a search needs some time, not {seconds} s")
        self.trees.plant(views, check)
        self.made, at_once = 0, AT_ONCE if until is None else 1
        while self.made < self.simulations:
            started = perf_counter()
            some = min(at_once, self.simulations - self.made)
            self._grow(some)
            self.made += some
            if until is not None:
                now = perf_counter()
                each = (now - started) / some
                if now + each >= until:
                    break
                at_once = min(max(1, int(min(SLICE_S, until - now) / max(each, 1e-9))), 4 * at_once, MOST_AT_ONCE)
        return self.trees.counted()

    def _grow(self, simulations: int) -> None:
        how = self.custom
        self.trees.settings(simulations, 0, how.cut, how.explore, how.margin, how.horizon, how.width, self._doubt)
        self.trees.grow(self.playout)
