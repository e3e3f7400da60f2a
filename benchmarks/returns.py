"""What a game pays in all, by kind of reward: a random and a good player against random ones, and the good one against itself.

usage: python benchmarks/returns.py [--games=N] [GAME…]
"""

from __future__ import annotations

import sys

import numpy as np

from ludus.engine import REWARDS, Batch, compiled_bots
from ludus.games import load, names


def main(words: list[str]) -> None:
    """Print a line a game and pairing."""
    given = dict(word.removeprefix("--").split("=") for word in words if word.startswith("--"))
    for name in [word for word in words if not word.startswith("--")] or names():
        best = compiled_bots(load(name))[-1]
        for mine, others in (("random", "random"), (best, "random"), (best, best)):
            paid, score = returns(name, mine, others, int(given.get("games", 64)))
            told = ", ".join(f"{kind} {value:.2f}" for kind, value in zip(REWARDS, paid, strict=True))
            print(f"{name}: the side of the first seat by {mine} against {others}: {told} a game; wins {score:.0%}", flush=True)


def returns(name: str, mine: str, others: str, games: int) -> tuple[list[float], float]:
    """Play whole games; return what the first seat was paid in each kind, and how often it won, draws as half."""
    batch = Batch(name, games, 1, restart=False)
    spec = batch.game.spec
    sides = [spec.side(seat) for seat in range(len(spec.seats))]
    bots = [mine if side == sides[0] else others for side in sides]
    rivals = [seat for seat, side in enumerate(sides) if side != sides[0]]
    first = np.array(batch.result()[2])
    total = np.zeros(games)
    while batch.counts().any():
        batch.step(batch.choose(bots))
        total += batch.rewards[:, 0]
    _, outcomes, points = batch.result()
    lead = [array[:, 0] - array[:, rivals].max(axis=1) for array in (points, first)]
    score = (np.sign(outcomes[:, 0]) + 1) / 2
    return [float(total.mean()), float(outcomes[:, 0].mean()), float((lead[0] - lead[1]).mean())], float(score.mean())


if __name__ == "__main__":
    main(sys.argv[1:])
