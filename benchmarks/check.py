"""How long `ludus check` takes: python benchmarks/check.py [GAME or folder …]

Each game twice, in processes of their own: with nothing compiled, and once more with what the first time left on disk.
Without names: all games that come along, and one of each kind that `ludus new game` makes. Wall: what somebody waits;
processor: what all processes of the check worked together, which tells more where the machine is busy.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from ludus.games import names

KINDS = {"open": [], "hidden": ["--hidden"], "simultaneous": ["--simultaneous"], "four_seats": ["--seats", "4"]}


def ludus(*words: str, cwd: Path, cache: Path) -> tuple[float, float]:
    """Run a command; return what it took on the wall and of processors."""
    begun, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "LUDUS_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-m", "ludus", *words], cwd=cwd, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"ludus {' '.join(words)}: {done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return perf_counter() - begun, worked


def main(chosen: list[str]) -> None:
    """Print a line a game."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder, "cache")
        games = [(name, str(Path(name).resolve()) if "/" in name else name) for name in chosen or names()]
        for kind, options in KINDS.items() if not chosen else ():
            ludus("new", "game", f"new_{kind}", *options, cwd=Path(folder), cache=cache)
            games.append((f"new_{kind}", str(Path(folder, f"new_{kind}", f"new_{kind}"))))
        print(f"{'seconds':20} {'wall':>6} {'processor':>10} {'wall, cold':>12} {'processor, cold':>16}", flush=True)
        for title, game in games:
            cold = ludus("check", game, cwd=Path(folder), cache=cache)
            warm = ludus("check", game, cwd=Path(folder), cache=cache)
            print(f"{title:20} {warm[0]:6.0f} {warm[1]:10.0f} {cold[0]:12.0f} {cold[1]:16.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
