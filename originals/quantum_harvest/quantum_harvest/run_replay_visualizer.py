"""Show a replay file: python -m quantum_harvest.run_replay_visualizer [FILE]."""

from __future__ import annotations

import sys
import time

from ludus.core import LudusError


def show(file: str | None, delay: float = 0.0) -> int:
    """Show the turns of a replay in a window, or in the terminal where there is none; return the exit code."""
    from ludus.arena import open_original
    from ludus.viewers import SceneReel, Screen, show_reel

    if file is None:
        print("give a replay file: quantum-harvest replay game_logs/FILE.json.gz (the page in the browser is still to come)")
        return 0
    if not file.endswith((".json", ".json.gz")):
        print(f"warning: {file} does not end in .json or .json.gz; it is read all the same", file=sys.stderr)
    try:
        opened = open_original(file)
    except LudusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{' against '.join(opened.names)}, map {opened.scenes[0].board.width}, {opened.turns} turns")
    try:
        show_reel(SceneReel(opened.scenes, opened.names), file)
    except LudusError as error:
        print(f"({error}: turns are shown here)")
        screen = Screen()
        for scene in opened.scenes:
            screen.show(scene)
            time.sleep(delay)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Read the file's name and show it."""
    words = sys.argv[1:] if arguments is None else arguments
    return show(words[0] if words else None)


if __name__ == "__main__":
    sys.exit(main())
