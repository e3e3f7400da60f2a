"""Measure what handing work out costs, and work out what a million games of each game take: python benchmarks/scale.py [--ray].

Times of games are processor time of one core, so that a busy machine does not change them; times of handing out and of
the ledger are the clock's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from ludus.agents import Builtin, make_agent
from ludus.arena import Terms, Tournament
from ludus.games import load, names
from ludus.scale import workers

UNITS = 300
GAMES, MACHINES, CORES = 1_000_000, 100, 2


def nothing(shared: bytes, unit: int) -> int:
    """Do nothing."""
    return unit


def handing_out(on: str, jobs: int) -> float:
    """Return the milliseconds that a unit costs in which nothing is done; the workers stand already."""
    team = workers(nothing, bytes(1 << 20), on, jobs)
    list(team.run(range(20)))
    begun = time.perf_counter()
    list(team.run(range(UNITS)))
    spent = time.perf_counter() - begun
    team.close()
    return 1000 * spent / UNITS


def games_of(game: str, bots: tuple[str, str], records: str, games: int) -> tuple[float, float]:
    """Return the milliseconds of processor time that a game takes, with all around it, and those beside it by the clock."""
    with tempfile.TemporaryDirectory() as folder:
        terms = Terms(game=game, bots=bots, games=games, seed=1, records=records)
        with Tournament(terms, Path(folder, "cup.db")) as tournament:
            play = tournament.play()
            next(play)  # compiled by now
            begun = time.process_time()
            count = sum(1 for _ in play)
            return 1000 * (time.process_time() - begun) / count, 1000 * tournament.overhead / (count + 1)


def strongest(name: str) -> tuple[str, str]:
    """Return the two strongest bots that play inside kernels."""
    game = load(name)
    found = [bot for bot in game.bots if isinstance(make_agent(game, bot), Builtin)]
    return found[-2], found[-1]


def hours(ms: float) -> str:
    """Return how long a million games take on all machines, if a game takes one core so many milliseconds."""
    minutes = GAMES * ms / 1000 / 60 / (MACHINES * CORES)
    return f"{minutes:.1f} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"


def main() -> None:
    """Print the costs and what follows from them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ray", action="store_true", help="measure a local Ray cluster, too")
    options.add_argument("--games", type=int, default=400, help="of each game before referees; ten times as many in kernels")
    options.add_argument("--only", nargs="*", default=names(), help="these games")
    options.add_argument("--records", nargs="*", default=["all", "seeds"], help="before referees (all), in kernels (seeds)")
    words = options.parse_args()
    places = [("here", 1), ("here", 2), *([("ray", 2)] if words.ray else [])]
    for on, jobs in places:
        where = "in this process" if (on, jobs) == ("here", 1) else f"in {jobs} processes" if on == "here" else "on Ray"
        print(f"a unit in which nothing is done, {where}: {handing_out(on, jobs):.3f} ms", flush=True)
    print(f"\n{GAMES} games on {MACHINES} machines of {CORES} cores")
    for name in words.only:
        bots = strongest(name)
        for records in words.records:
            each, beside = games_of(name, bots, records, words.games * (1 if records == "all" else 10))
            how = "referees, with records" if records == "all" else "kernels, kept as seeds"
            print(
                f"{name}, {bots[0]} against {bots[1]}, {how}: {each:.3f} ms of a core a game, {hours(each)} on all machines; "
                f"the one that writes needs {beside:.3f} ms a game, {GAMES * beside / 60_000:.1f} minutes",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
