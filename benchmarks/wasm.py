"""How fast WebAssembly runs the games beside one thread of the CPU backend, in one run, and how large the modules are.

usage: LUDUS_THREADS=1 python benchmarks/wasm.py [GAME…]
"""

from __future__ import annotations

import gzip
import os
import sys
import time

os.environ["LUDUS_THREADS"] = "1"

from ludus.engine import Batch, compiled_bots, module_of
from ludus.games import load, names

GAMES, STEPS, ROUNDS = 1000, 200, 5  # the best round counts, in processor time: other programs run beside it


def main(words: list[str]) -> None:
    """Print a row a game."""
    print("| game | bytes | gzipped | million random decisions a second: wasm | cpu, one thread | share | bots |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in words or names():
        module, speeds = module_of(load(name)), {device: random_play(name, device) for device in ("wasm", "cpu")}
        bots = {device: bots_play(name, device) for device in ("wasm", "cpu")}
        share, bot_share = speeds["wasm"] / speeds["cpu"], bots["wasm"] / bots["cpu"]
        sizes = f"{len(module.code):,} | {len(gzip.compress(module.code, 9)):,}"
        figures = f"{speeds['wasm'] / 1e6:.2f} | {speeds['cpu'] / 1e6:.2f} | {share:.0%} | {bot_share:.0%}"
        print(f"| {load(name).spec.title} | {sizes} | {figures} |", flush=True)


def random_play(name: str, device: str) -> float:
    """Return random decisions a second."""
    batch, best = Batch(name, GAMES, 7, device), 0.0
    batch.play_random(10)
    for _ in range(ROUNDS):
        begun = time.process_time()
        played, _ = batch.play_random(STEPS)
        best = max(best, played / (time.process_time() - begun))
    return best


def bots_play(name: str, device: str) -> float:
    """Return decisions a second of the strongest bot that plays in kernels, in games of its own kind."""
    game = load(name)
    seats = [compiled_bots(game)[-1]] * len(game.spec.seats)
    batch, best = Batch(name, 4, 7, device, restart=False), 0.0
    for number in range(ROUNDS):
        batch.new(7)
        begun = time.process_time()
        played = int(batch.finish(seats, 400).sum())
        best = max(best, played / (time.process_time() - begun)) if number else 0.0  # the first one compiles
    return best


if __name__ == "__main__":
    main(sys.argv[1:])
