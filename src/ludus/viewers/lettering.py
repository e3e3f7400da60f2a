"""Text in pictures: Pillow's own font, in every size, cut to the room there is."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from ludus.core import MissingExtra

from .palette import Colour

# The font knows few signs beyond ASCII: others are written with those it knows.
PLAIN = str.maketrans({
    "→": "->", "←": "<-", "↑": "^", "↓": "v", "×": "x", "−": "-", "–": "-", "—": "-", "•": "·", "≥": ">=", "≤": "<=", "²": "2",
    "³": "3", "½": "1/2", "█": "#", "░": ":", "■": "#", "●": "o", "▲": "^", "▼": "v", "★": "*", "✓": "v",
})  # fmt: skip
KNOWN = "…·°“”‘’"
MOST_KEPT = 20_000  # widths of texts


def pillow() -> Any:
    """Return Pillow's modules Image, ImageDraw and ImageFont, or say in a sentence how to get them."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise MissingExtra("Pillow, which draws pictures,", "view") from None
    return Image, ImageDraw, ImageFont


@cache
def font(size: int) -> Any:
    """Return the font in a size in dots."""
    return pillow()[2].load_default(max(6, size))


@cache
def readable(text: str) -> str:
    """Return a text in signs that the font has."""
    written = text.translate(PLAIN)
    if written.isascii():
        return written
    parts = unicodedata.normalize("NFKD", written)
    return "".join(sign if sign.isascii() or sign in KNOWN else "?" for sign in parts if not unicodedata.combining(sign))


_widths: dict[tuple[str, int], float] = {}


def width_of(text: str, size: int) -> float:
    """Return how wide a text is, in dots."""
    key = text, size
    if key not in _widths:
        if len(_widths) > MOST_KEPT:
            _widths.clear()
        _widths[key] = font(size).getlength(readable(text))
    return _widths[key]


def fitted(text: str, size: int, width: float) -> str:
    """Return a text, cut with … where it is wider than the room."""
    if width_of(text, size) <= width:
        return text
    while text and width_of(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…" if text else ""


def wrapped(text: str, size: int, width: float) -> list[str]:
    """Return a text as lines that fit; a word that is too wide is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(word, size, width))
    return lines


def write(
    draw: Any, x: float, y: float, text: str, size: int, colour: Colour, anchor: str = "la", width: float | None = None
) -> None:
    """Write a text at a place; the anchor is Pillow's: `la` left and above, `mm` the middle, `ra` right and above."""
    line = text if width is None else fitted(text, size, width)
    draw.text((round(x), round(y)), readable(line), font=font(size), fill=colour, anchor=anchor)


def size_for(text: str, width: float, height: float) -> int:
    """Return the largest size in which a text fits."""
    size = max(6, int(height))
    wide = width_of(text, size)
    return size if wide <= width else max(6, int(size * width / wide))
