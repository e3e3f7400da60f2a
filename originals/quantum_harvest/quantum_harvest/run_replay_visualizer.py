"""Show a replay file: python -m quantum_harvest.run_replay_visualizer [FILE]."""

from __future__ import annotations

import sys
import time

from ludus.core import LudusError
from ludus.games import load


def show(file: str | None, delay: float = 0.0) -> int:
    """Show the turns of a replay in a window, or in the terminal where there is none; return the exit code."""
    from ludus.viewers import SceneReel, Screen, show_reel

    if file is None:
        print("give a replay file: quantum-harvest replay game_logs/FILE.json.gz (the page in the browser is still to come)")
        return 0
    if not file.endswith((".json", ".json.gz")):
        print(f"warning: {file} does not end in .json or .json.gz; it is read all the same", file=sys.stderr)
    original = load("quantum_harvest").part("original")
    try:
        entries = original.read(file)
        scenes = list(original.scenes_of_original(entries))
    except LudusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    names = [entries[0].get(f"player{k}_username") or f"Player{k}" for k in (1, 2)]
    print(f"{names[0]} against {names[1]}, map {entries[0]['map_size']}, at most {entries[0]['max_turns']} turns")
    try:
        show_reel(SceneReel(scenes, names), file)
    except LudusError as error:
        print(f"({error}: turns are shown here)")
        screen = Screen()
        for scene in scenes:
            screen.show(scene)
            time.sleep(delay)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Read the file's name and show it."""
    words = sys.argv[1:] if arguments is None else arguments
    return show(words[0] if words else None)


if __name__ == "__main__":
    sys.exit(main())
