"""Measure what tournaments cost beside their games, and work out what a million games of each game take.

`python benchmarks/scale.py` prints the table of docs/scale.md, `--ray` adds what a unit costs on a local Ray cluster, and
`--only GAME --bots A B --games 10000 --jobs 2` times one tournament. Times are the clock's: they mean something on idle cores.
It needs the extra `contest`, and nothing of the command line.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ludus.agents import Builtin, make_agent
from ludus.arena import Terms, Tournament
from ludus.games import load, names
from ludus.scale import workers

UNITS = 300
MILLION, MACHINES, CORES = 1_000_000, 100, 2
HOW = {"all": "referees, with records", "seeds": "kernels, kept as seeds"}
FIRST = 40  # games that compile the bots and tell how many fit into the time


class Cost(NamedTuple):
    """What a tournament took."""

    games: int
    seconds: float
    playing: float  # ms of a core that a game takes
    beside: float  # ms of whoever runs the tournament, a game: planning, handing out, writing


def main() -> None:
    """Print the costs and what follows from them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ray", action="store_true", help="measure a local Ray cluster, too")
    options.add_argument("--only", nargs="*", default=names(), help="these games")
    options.add_argument("--bots", nargs=2, help="not the two strongest that play inside kernels")
    options.add_argument("--records", nargs="*", default=list(HOW), choices=HOW, help="referees (all), kernels (seeds)")
    options.add_argument("--games", type=int, help="so many, not as many as fit into the time")
    options.add_argument("--seconds", type=float, default=10, help="for each game and way to play it")
    options.add_argument("--jobs", type=int, default=1)
    words = options.parse_args()
    os.environ["LUDUS_THREADS"] = "1"  # a worker has a core
    if words.games is None:
        for on, jobs in [("here", 1), ("here", 2), *([("ray", 2)] if words.ray else [])]:
            where = "in this process" if (on, jobs) == ("here", 1) else f"in {jobs} processes" if on == "here" else "on Ray"
            print(f"a unit in which nothing is done, {where}: {handing_out(on, jobs):.3f} ms", flush=True)
        print(f"\na million games on {MACHINES} machines of {CORES} cores: all play, and one writes")
    for name in words.only:
        bots = tuple(words.bots) if words.bots else strongest(name)
        for records in words.records:
            tell(name, bots, records, measured(name, bots, records, words.games, words.seconds, words.jobs), words.jobs)


def tell(name: str, bots: tuple[str, ...], records: str, cost: Cost, jobs: int) -> None:
    """Print what a tournament took, and what a million such games would."""
    rate, all_play, one_writes = cost.games / cost.seconds, span(cost.playing / MACHINES / CORES), span(cost.beside)
    print(f"{name}, {' against '.join(bots)}, {HOW[records]}: {cost.games} games in {cost.seconds:.1f} s with {jobs} jobs,")
    print(f"    {rate:.1f} a second; a game takes a core {cost.playing:.3f} ms, and the one that writes {cost.beside:.3f} ms;")
    print(f"    a million: {all_play} of playing on all machines, {one_writes} of writing", flush=True)


def span(ms: float) -> str:
    """Return how long a million of something takes."""
    minutes = MILLION * ms / 60_000
    return f"{minutes:.1f} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"


def measured(name: str, bots: tuple[str, ...], records: str, games: int | None, seconds: float, jobs: int) -> Cost:
    """Play a tournament of two bots that is to take so long."""
    first = played(name, bots, records, FIRST, 1)  # compiles
    if games is None:
        first = played(name, bots, records, FIRST if records == "all" else 10 * FIRST, 1)
        games = max(FIRST, int(1000 * seconds / (first.playing + first.beside)))
    return played(name, bots, records, games, jobs)


def played(name: str, bots: tuple[str, ...], records: str, games: int, jobs: int) -> Cost:
    """Play a tournament into a ledger on disk, and throw it away."""
    words = (bots[0], bots[1] if bots[0] != bots[1] else f"name=Second {bots[1]}")
    with tempfile.TemporaryDirectory() as folder:
        terms = Terms(game=name, bots=words, games=games, seed=1, records=records)
        with Tournament(terms, Path(folder, "cup.db"), jobs) as tournament:
            count = sum(1 for _ in tournament.play())
            playing = 1000 * jobs * (tournament.seconds - (tournament.overhead if jobs == 1 else 0)) / count
            return Cost(count, tournament.seconds, playing, 1000 * tournament.overhead / count)


def strongest(name: str) -> tuple[str, ...]:
    """Return the two strongest bots that play inside kernels."""
    game = load(name)
    return tuple(bot for bot in game.bots if isinstance(make_agent(game, bot), Builtin))[-2:]


def handing_out(on: str, jobs: int) -> float:
    """Return the milliseconds that a unit costs in which nothing is done; the workers stand already."""
    team = workers(nothing, bytes(1 << 20), on, jobs)
    list(team.run(range(20)))
    begun = time.perf_counter()
    list(team.run(range(UNITS)))
    spent = time.perf_counter() - begun
    team.close()
    return 1000 * spent / UNITS


def nothing(shared: bytes, unit: int) -> int:
    """Do nothing."""
    return unit


if __name__ == "__main__":
    sys.exit(main())
