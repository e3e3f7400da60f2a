"""Make the pictures of this folder again: python docs/pictures/make.py (needs the extra `view`, some minutes)."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"

import ludus
from ludus.arena import Replay
from ludus.viewers import TableReel, Window, few_colours, reel_of, save_gif, scenes_of

HERE = Path(__file__).parent
SIZE = (960, 720)
COLOURS = 220
# Game, agents, seed, and the turns that are shown: early, in the middle, the last one.
GAMES = (
    ("chase", ["greedy", "greedy", "search"], 3),
    ("battlegrid", ["tactician", "hunter"], 5),
    ("plantation", ["tracker", "scry_and_die"], 2),
    ("quantum_harvest", ["commander", "raider"], 6),
    ("unit", ["planner", "greedy"], 1),
)
MOVING, COUNT = "quantum_harvest", 24  # the animated picture of the README: the game, and how many of its last turns
SMALL = (420, 315)  # the animated pictures of the environments' pages: the last turns of every game


def main() -> None:
    """Play the games and write what their windows show."""
    for game, agents, seed in GAMES:
        reel = reel_of(Replay(ludus.play(game, agents, seed)))
        last = len(reel) - 1
        for number, turn in enumerate((max(1, last // 8), last // 2, last), 1):
            shoot(reel, turn, HERE / f"{game}-{number}.png")
        scenes = scenes_of(reel)[-COUNT:]
        save_gif(HERE / f"{game}.gif", scenes, SMALL, names=reel.names)
        if game == MOVING:
            save_gif(HERE / "game.gif", scenes, (540, 405), names=reel.names)


def shoot(reel: TableReel, turn: int, file: Path) -> None:
    """Write what a window shows of a turn, in few colours."""
    from PIL import Image

    window = Window(reel, file.stem, SIZE)
    window.stage.is_playing = False
    window.stage.step(turn)
    window.stage.t = 1.0
    window.tick()
    window.save(str(file))
    window.close()
    with Image.open(file) as shot:
        few = few_colours(shot.convert("RGB"), COLOURS)
    few.save(file, optimize=True)
    print(f"{file.name}: turn {turn}, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
