"""Tables and records in notebooks: a picture, or a game in motion; text where Pillow is not installed."""

from __future__ import annotations

from html import escape
from typing import Any

from ludus.arena import Replay
from ludus.core import MissingExtra, Record

from .images import as_html
from .reels import reel_of
from .terminal import draw

MOST_SHOWN = 80  # scenes of a record; of longer games, so many of them at even distances


def thing_as_html(thing: Any) -> str:
    """Return a table or a record as HTML that needs nothing else."""
    if isinstance(thing, Record):
        reel = reel_of(Replay(thing))
        last = len(reel) - 1
        shown = (
            sorted({round(k * last / (MOST_SHOWN - 1)) for k in range(MOST_SHOWN)}) if last >= MOST_SHOWN else range(last + 1)
        )
        scenes, names = [reel.scene(k) for k in shown], reel.names
    else:
        scenes, names = [thing.scene()], ()
    try:
        return as_html(scenes, names)
    except MissingExtra as missing:
        lines = [*draw(scenes[-1]), "", str(missing)]
        return f"<pre>{escape(chr(10).join(lines))}</pre>"
