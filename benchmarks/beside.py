"""This checkout's `ludus bench` beside another one's: python benchmarks/beside.py OTHER [GAME …] [--rounds N]

Each has a process of its own, started anew several times, since where code and arrays come to lie changes figures by some
per cent. Both do the same amount of work in short turns, so that a noisy machine disturbs both alike. Printed a figure: the
best of this checkout by the best of the other, and by the medians of neighbouring turns. Games that grow slower as they go on
must be compared at the same number of steps; the turns are equally long for that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

HERE = Path(__file__).resolve().parents[1]
STARTS, ROUNDS, SECONDS = 2, 12, 0.08  # of both processes; turns of each; how long one is


def serve(name: str) -> None:
    """Do the work of figures as they are asked for: a name and an amount a line."""
    import ludus.bench as bench

    works: list[Any] = []

    def note(work: Any, *_: Any) -> float:
        work(1)  # compiles
        works.append(work)
        return 1.0

    bench.rate = note
    bench.describe_random_play = lambda *_: (0.0, 0.0)
    figures = dict(zip([figure.name for figure in bench.measure([name])], works, strict=True))
    print(json.dumps(list(figures)), flush=True)
    for line in sys.stdin:
        figure, amount = line.split()
        begun = perf_counter()
        done = figures[figure](int(amount))
        spent = perf_counter() - begun
        print(json.dumps([done / spent, spent]), flush=True)


class Side:
    """One checkout's process."""

    def __init__(self, checkout: Path, game: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        command = [sys.executable, "-P", __file__, "--serve", game]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.figures: list[str] = self._read()

    def _read(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("one of the checkouts does not run; try its `ludus bench` alone")
        return json.loads(line)

    def work(self, figure: str, amount: int) -> tuple[float, float]:
        """Return how much a second was done, and how long it took."""
        assert self.process.stdin
        print(figure, amount, file=self.process.stdin, flush=True)
        rate, spent = self._read()
        return rate, spent

    def end(self) -> None:
        """Let the process end."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def compare(other: Path, game: str, rounds: int) -> None:
    """Print a line a figure that both have."""
    for checkout in (other, HERE):
        Side(checkout, game).end()  # from now on, what is compiled lies on disk
    found: dict[str, list[list[tuple[float, float]]]] = {}
    for _ in range(STARTS):
        sides = [Side(other, game), Side(HERE, game)]
        for figure in [one for one in sides[0].figures if one in sides[1].figures]:
            amount = amount_for(sides, figure)
            turns = [[side.work(figure, amount)[0] for side in sides] for _ in range(rounds)]
            found.setdefault(figure, []).append([(before, now) for before, now in turns])
        for side in sides:
            side.end()
    for figure, starts in found.items():
        pairs = [pair for turns in starts for pair in turns]
        before, now = (max(pair[k] for pair in pairs) for k in range(2))
        by_turns = " ".join(f"{median(new / old for old, new in turns):.3f}" for turns in starts)
        print(f"{figure:44} {before:>14,.0f} {now:>14,.0f}   best {now / before:.3f}   turns {by_turns}", flush=True)


def amount_for(sides: list[Side], figure: str) -> int:
    """Return how much work takes about as long as a turn should; both sides do the same while this is found out."""
    amount = 1
    while (spent := max(side.work(figure, amount)[1] for side in sides)) < SECONDS / 4:
        amount *= 4
    return max(1, int(amount * SECONDS / spent))


def main(words: list[str]) -> None:
    """Read the command line."""
    if words[:1] == ["--serve"]:
        return serve(words[1])
    rounds = int(words.pop(words.index("--rounds") + 1)) if "--rounds" in words else ROUNDS
    chosen = [word for word in words if word != "--rounds"]
    if not chosen or not (Path(chosen[0]) / "src" / "ludus").is_dir():
        raise SystemExit("usage: python benchmarks/beside.py OTHER [GAME …] [--rounds N]; OTHER is another checkout of Ludus")
    from ludus.games import names

    for game in chosen[1:] or names():
        compare(Path(chosen[0]).resolve(), game, rounds)


if __name__ == "__main__":
    main(sys.argv[1:])
