"""Build every kit, play it over pipes in every game it plays, and print a table of games and faults."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee import play_many

from ludus import games

KITS = Path(__file__).parent
TOOLS = {"python": "python3", "javascript": "node", "cpp": "g++", "rust": "rustc", "java": "javac", "go": "go", "php": "php"}


def kits() -> Iterator[tuple[str, Path, str]]:
    """Yield the language of every bot, its toml file, and the tool that must be there."""
    for language, tool in TOOLS.items():
        for file in sorted((KITS / language).glob("*.toml")):
            yield language, file, tool


def build(file: Path) -> dict[str, Any]:
    """Build the bot that a toml file describes, and return what the file says."""
    bot = tomllib.loads(file.read_text())
    if "build" in bot:
        subprocess.run(bot["build"], cwd=file.parent, check=True)
    return bot


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=10, type=int, help="of each game")
    count = parser.parse_args().games
    faults: list[str] = []
    print(f"{count} games of each; games / faults\n{'':20}" + "".join(f"{name:>17}" for name in games.names()))
    for _language, file, tool in kits():
        if shutil.which(tool) is None:
            print(f"{file.parent.name}/{file.stem:8}  left out: no {tool} here")
            continue
        bot = build(file)
        print(f"{bot['name']:20}", end="", flush=True)
        for name in games.names():
            if file.stem == "chaser" and name != "chase":
                print(f"{'-':>17}", end="")
                continue
            report = play_many(name, bot["command"], file.parent, count, "random", "pure")
            print(f"{report['games']:>13} / {len(report['faults'])}", end="", flush=True)
            faults += [f"{bot['name']} in {name}: {fault}" for fault in report["faults"]]
        print()
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
