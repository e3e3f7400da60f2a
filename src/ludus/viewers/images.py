"""Scenes as files: one picture (PNG), or a game in motion (GIF, MP4); and as HTML for notebooks."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from ludus.core import BadValue, LudusError, MissingExtra, Scene

from .lettering import pillow
from .painter import Painter

SIZE = (960, 720)
SMALL = (480, 360)
TURN_MS = 400  # how long a turn is shown
STEPS = 4  # pictures on the way from a turn to the next
MOST_SMOOTH = 150  # turns; longer games are shown without pictures on the way, and faster
FPS = 25
LAST_MS = 2500
COLOURS = 160  # of a GIF


def save_png(
    path: str | Path, scene: Scene, size: tuple[int, int] = SIZE, colours: str = "dark", names: Sequence[str] = ()
) -> None:
    """Write one scene as a picture."""
    _written(path, Painter(size, colours, names).paint(scene), optimize=True)


def save_gif(
    path: str | Path, scenes: Sequence[Scene], size: tuple[int, int] = SMALL, colours: str = "dark", names: Sequence[str] = ()
) -> None:
    """Write a game as an animated picture."""
    _some(scenes)
    _gif(path, scenes, Painter(size, colours, names))


def save_mp4(
    path: str | Path, scenes: Sequence[Scene], size: tuple[int, int] = SIZE, colours: str = "dark", names: Sequence[str] = ()
) -> None:
    """Write a game as a video."""
    _some(scenes)
    try:
        from imageio_ffmpeg import write_frames
    except ImportError:
        raise MissingExtra("imageio-ffmpeg, which writes videos,", "view") from None
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        raise LudusError(f"{path} cannot be written as a video: its folder must be there")
    width, height = (side - side % 2 for side in size)  # the codec takes even sides alone
    writer = write_frames(str(path), (width, height), fps=FPS, macro_block_size=2, ffmpeg_log_level="quiet")
    try:
        writer.send(None)
        for picture, shown_ms in _pictures(scenes, Painter((width, height), colours, names)):
            for _ in range(max(1, round(shown_ms * FPS / 1000))):
                writer.send(picture.tobytes())
    except OSError as error:
        raise LudusError(f"{path} cannot be written as a video: {error.strerror or 'the encoder ended'}") from None
    finally:
        writer.close()
    if not Path(path).is_file():
        raise LudusError(f"{path} cannot be written as a video")


def as_html(scenes: Sequence[Scene], names: Sequence[str] = ()) -> str:
    """Return scenes as HTML that needs nothing else: one is a picture, several are a game in motion."""
    _some(scenes)
    buffer = BytesIO()
    if len(scenes) == 1:
        Painter(SMALL, "light", names).paint(scenes[0]).save(buffer, "PNG", optimize=True)
        kind = "png"
    else:
        _gif(buffer, scenes, Painter(SMALL, "light", names), is_smooth=False)
        kind = "gif"
    data = base64.b64encode(buffer.getvalue()).decode()
    last = scenes[-1]
    about = escape(f"{last.title}: {last.status}")
    return f'<img src="data:image/{kind};base64,{data}" width="{SMALL[0]}" height="{SMALL[1]}" alt="{about}">'


def pixels(scene: Scene, size: tuple[int, int] = SMALL, painter: Painter | None = None) -> Any:
    """Return a scene as an array [y, x, 3] of bytes."""
    import numpy as np

    return np.asarray((painter or Painter(size)).paint(scene)).copy()


def _some(scenes: Sequence[Scene]) -> None:
    if not len(scenes):
        raise BadValue("there is no scene to draw")


def _pictures(scenes: Sequence[Scene], painter: Painter, is_smooth: bool = True) -> Iterator[tuple[Any, int]]:
    """Give the pictures of a game with the milliseconds that each is shown."""
    is_smooth = is_smooth and len(scenes) <= MOST_SMOOTH
    before: Scene | None = None
    for k, scene in enumerate(scenes):
        is_last = k == len(scenes) - 1
        if is_smooth and before is not None:
            for step in range(1, STEPS):
                yield painter.paint(scene, before, step / STEPS), TURN_MS // 2 // (STEPS - 1)
        yield painter.paint(scene), LAST_MS if is_last else TURN_MS // 2 if is_smooth else TURN_MS // 4
        before = scene


def _gif(path: Any, scenes: Sequence[Scene], painter: Painter, is_smooth: bool = True) -> None:
    """Write pictures in one set of colours, so that a picture holds what has changed alone."""
    image, _, _ = pillow()
    samples = [painter.paint(scenes[k]) for k in sorted({0, len(scenes) // 2, len(scenes) - 1})]
    width, height = painter.size
    together = image.new("RGB", (width * len(samples), height))
    for k, sample in enumerate(samples):
        together.paste(sample, (k * width, 0))
    palette = few_colours(together)
    times: list[int] = []

    def reduced() -> Iterator[Any]:
        for picture, shown_ms in _pictures(scenes, painter, is_smooth):
            times.append(shown_ms)
            yield picture.quantize(palette=palette, dither=image.Dither.NONE)

    pictures = list(reduced())
    _written(path, pictures[0], format="GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=False)


def few_colours(picture: Any, count: int = COLOURS) -> Any:
    """Return a picture in few colours: half of them are its most common ones as they are, the others those of small things."""
    import numpy as np

    image, _, _ = pillow()
    pixels = np.asarray(picture, np.int32) @ (1 << 16, 1 << 8, 1)
    seen, where, often = np.unique(pixels, return_inverse=True, return_counts=True)
    colours = np.stack([seen >> 16, seen >> 8 & 255, seen & 255], -1)
    common = colours[np.argsort(-often, kind="stable")[: count // 2]]
    covering = picture.quantize(count - len(common), method=image.Quantize.MAXCOVERAGE).getpalette()
    palette = np.concatenate([common, np.reshape(covering, (-1, 3))])
    nearest = [int(np.abs(palette - colour).sum(1).argmin()) for colour in colours]
    few = image.fromarray(np.array(nearest, np.uint8)[where].reshape(pixels.shape))
    few.putpalette(palette.ravel().tolist())
    return few


def _written(path: Any, picture: Any, **settings: Any) -> None:
    try:
        picture.save(path, **settings)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise LudusError(f"{path} cannot be written as a picture: {why}") from None
