"""Show a replay file: python -m quantum_harvest.run_replay_visualizer [FILE]."""

from __future__ import annotations

import sys
import time

from ludus.core import LudusError
from ludus.games import load


def show(file: str | None, delay: float = 0.0) -> int:
    """Show the turns of a replay in the terminal; return the exit code."""
    from rich.console import Console

    from ludus.viewers.terminal import draw

    if file is None:
        print("give a replay file: quantum-harvest replay game_logs/FILE.json.gz (the page in the browser is still to come)")
        return 0
    if not file.endswith((".json", ".json.gz")):
        print(f"warning: {file} does not end in .json or .json.gz; it is read all the same", file=sys.stderr)
    original = load("quantum_harvest").part("original")
    try:
        entries = original.read(file)
        game, console = original.game_of(entries[0]), Console(highlight=False)
        print("(the page in the browser is still to come: turns are shown here)")
        names = [entries[0].get(f"player{k}_username") or f"Player{k}" for k in (1, 2)]
        print(f"{names[0]} against {names[1]}, map {entries[0]['map_size']}, at most {entries[0]['max_turns']} turns")
        for frame in original.frames(entries):
            console.print(draw(game.scene(frame.row)))
            time.sleep(delay)
    except LudusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Read the file's name and show it."""
    words = sys.argv[1:] if arguments is None else arguments
    return show(words[0] if words else None)


if __name__ == "__main__":
    sys.exit(main())
