"""Pictures and videos of games that the command line writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.core import BadValue

if TYPE_CHECKING:
    from ludus.viewers import SceneReel, TableReel

VIEWS = ("terminal", "window", "browser")
SIZE, SMALL = (960, 720), (480, 360)  # of pictures and videos; of animated pictures


@dataclass(frozen=True)
class Exports:
    """What is to be written of a game."""

    gif: Path | None = None
    mp4: Path | None = None
    png: int | None = None  # the turn of which a picture is wanted
    size: tuple[int, int] | None = None

    def __bool__(self) -> bool:
        return self.gif is not None or self.mp4 is not None or self.png is not None


NO_EXPORTS = Exports()


def exports(gif: Path | None, mp4: Path | None, png: int | None, size: str | None) -> Exports:
    """Read what was asked for, and refuse places that cannot be written to before a game is played for them."""
    for file in (gif, mp4):
        if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
            raise BadValue(f"{file} is no file that can be written: its folder must be there")
    return Exports(gif, mp4, png, None if size is None else read_size(size))


def read_size(written: str) -> tuple[int, int]:
    """Read a size such as 960x720."""
    found = re.fullmatch(r"(\d{2,4})[x×](\d{2,4})", written)
    if found is None:
        raise BadValue(f"a size is written WIDTHxHEIGHT, such as 960x720, not {written!r}")
    return int(found[1]), int(found[2])


def write_pictures(reel: SceneReel | TableReel, wanted: Exports, stem: str) -> None:
    """Write the pictures of a reel and say where they are."""
    from ludus.viewers import save_gif, save_mp4, save_png, scenes_of

    scenes, names = scenes_of(reel), reel.names
    if wanted.png is not None:
        if not 0 <= wanted.png < len(scenes):
            raise BadValue(f"turns of this game are 0 to {len(scenes) - 1}, not {wanted.png}")
        file = Path(f"{stem}-{wanted.png}.png")
        save_png(file, scenes[wanted.png], wanted.size or SIZE, names=names)
        print(f"wrote {file}")
    for path, save, size in ((wanted.gif, save_gif, SMALL), (wanted.mp4, save_mp4, SIZE)):
        if path is not None:
            save(path, scenes, wanted.size or size, names=names)
            print(f"wrote {path}")
