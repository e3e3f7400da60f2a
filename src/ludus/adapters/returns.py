"""What players return under each kind of reward, measured: the figures on the pages of environments."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.engine import Batch, compiled_bots
from ludus.games import Game

GAMES, SEED = 64, 1
KINDS = ("outcome", "points", "original")
HEAD = f"""What the first seat returns over a whole game against random players ({GAMES} games of seed {SEED}; `points` is its
margin over the best other side):

| player | {" | ".join(f'`"{kind}"`' for kind in KINDS)} |
|---|---:|---:|---:|
"""


def returns_table(game: Game) -> str:
    """Return the table of returns: of a random player and of the game's best compiled bot."""
    lines = []
    for bot in dict.fromkeys(("random", compiled_bots(game)[-1])):
        got = returns(game, bot)
        lines.append(f"| `{bot}` | {' | '.join(f'{got[kind]:.2f}' for kind in KINDS)} |")
    return HEAD + "\n".join(lines) + "\n"


def returns(game: Game, bot: str, games: int = GAMES, seed: int = SEED) -> dict[str, float]:
    """Play a bot on the first seat, random ones on the others; return its mean return by kind of reward."""
    batch = Batch(game, games, seed, restart=False)
    bots = [bot, *["random"] * (len(game.spec.seats) - 1)]
    paid = np.zeros(games)
    while np.asarray(batch.counts()).any():
        batch.step(batch.choose(bots), check=False)
        paid += np.asarray(batch.rewards)[:, 0]
    _, outcomes, points = (np.asarray(part) for part in batch.result())
    return {
        "outcome": float(outcomes[:, 0].mean()),
        "points": float(margins(game, points).mean()),
        "original": float(paid.mean()),
    }


def margins(game: Game, points: Any) -> Any:
    """Return the first seat's points [n] less those of the best other side."""
    others = [seat for seat in range(len(game.spec.seats)) if game.spec.side(seat) != game.spec.side(0)]
    return points[:, 0] - points[:, others].max(axis=1)
