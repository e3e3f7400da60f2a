"""How many pictures of each game a terminal gets a second, frame and scene included: `python benchmarks/terminal.py`."""

from __future__ import annotations

from time import perf_counter

import ludus
from ludus.arena import Replay
from ludus.games import load, names
from ludus.viewers import Paper, draw

POSITIONS, ROUNDS, SEED = 20, 5, 3

if __name__ == "__main__":
    for name in names():
        game = load(name)
        replay = Replay(ludus.play(name, [list(game.bots)[1]] * len(game.spec.seats), seed=SEED))
        tables = [replay.at(k * replay.turns // POSITIONS) for k in range(POSITIONS)]
        best, paper = 0.0, Paper(80, 0, True)
        for _ in range(ROUNDS):
            begun = perf_counter()
            for table in tables:
                "\n".join(draw(table.scene(), paper))
            best = max(best, POSITIONS / (perf_counter() - begun))
        print(f"{name:20} {best:6,.0f} pictures a second")
