"""What is installed, what is missing, and how to get it."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import ludus
from ludus.agents import why_not_contained
from ludus.games import names

# What each extra brings, by the name of the package that tells.
EXTRAS = {
    "contain": ("sandlock", "bots that reach their own folder and no network"),
    "cuda": ("numba-cuda", "the same rules on a GPU"),
    "rl": ("pettingzoo", "PettingZoo and Gymnasium environments"),
    "view": ("pillow", "pictures, videos and windows"),
    "web": ("wasmtime", "the rules as WebAssembly, built and run here"),
    "contest": ("sqlalchemy", "tournaments, ratings and sequential tests"),
    "postgresql": ("psycopg", "tournaments in a PostgreSQL database"),
    "scale": ("ray", "work on many machines"),
    "learn": ("sb3-contrib", "training with stable-baselines3"),
}
NEEDED = ("numpy", "numba", "msgspec", "typer", "rich")


def print_info() -> None:
    """Say what this machine is and where files are kept."""
    from ludus.engine import cache_root, threads

    print(f"ludus {ludus.__version__}, Python {platform.python_version()}, {platform.platform()}")
    print(f"games: {', '.join(names())}")
    print(f"threads: {threads()} of {os.cpu_count()} (LUDUS_THREADS sets another number)")
    print(f"compiled code: {cache_root()} (LUDUS_CACHE_DIR sets another folder)")
    print(f"cuda: {_cuda()}")


def print_doctor() -> None:
    """Say what is there and what is not; exit code 1 if something needed is missing."""
    missing = [name for name in NEEDED if not _version(name)]
    for name in NEEDED:
        print(f"{'ok     ' if _version(name) else 'MISSING'} {name} {_version(name) or ': pip install ludus'}")
    for extra, (package, what) in EXTRAS.items():
        found = _version(package)
        print(f"{'ok     ' if found else 'absent '} {package} {found or f': {what}; pip install ludus[{extra}]'}")
    problem = why_not_contained()
    print(f"{'ok     ' if not problem else 'absent '} containment of bots: {problem or 'ready'}")
    print(f"{'ok     ' if _cuda().startswith('ready') else 'absent '} GPU: {_cuda()}")
    sys.exit(1 if missing else 0)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _cuda() -> str:
    if not _version("numba-cuda"):
        return "numba-cuda is not installed; pip install 'ludus[cuda]'"
    from ludus.engine import cuda_problem

    return cuda_problem() or "ready"
