"""Play a bot that speaks the wire protocol against built-in bots, and report what it does wrong.

kits/try.py GAME COMMAND…    GAME: a game's name, or all; COMMAND: what starts the bot, or the folder or file of its bot.toml
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

from referee import play_many

from ludus import games


def command_of(words: list[str]) -> tuple[list[str], Path]:
    """Return the command that words stand for, and the folder where it runs."""
    path = Path(words[0])
    path = path / "bot.toml" if path.is_dir() else path
    return (tomllib.loads(path.read_text())["command"], path.parent) if path.suffix == ".toml" else (words, Path())


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, default in (("--games", 10), ("--against", "random"), ("--device", "pure")):
        parser.add_argument(option, default=default, type=type(default))
    parser.add_argument("game", choices=["all", *games.names()])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    faults = 0
    for name in games.names() if asked.game == "all" else [asked.game]:
        report = play_many(name, *command_of(asked.command), asked.games, asked.against, asked.device)
        faults += len(report["faults"])
        outcome = ", ".join(f"{seat} {mean:+.2f}" for seat, mean in report["outcome"].items())
        line = f"{name:16} {report['games']:4} games   {outcome}   {report['milliseconds']['mean']:.2f} ms an answer"
        print("\n".join([line, *report["faults"]]), flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
