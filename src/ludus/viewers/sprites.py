"""Pieces of a picture: the icon on the seat's shape and colour, where it faces, its bars, how many it stands for."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ludus.core import Piece

from . import icons
from .lettering import pillow, readable, size_for, width_of, write
from .palette import Colour, Theme, ink_on, mixed, shape_of
from .shapes import shape_mask

TURNED = {"up": 0, "right": 90, "down": 180, "left": 270}
STEP = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
PAST = 0.5  # how much is seen of a piece that is only remembered
MOST_BARS = 3


@lru_cache(maxsize=2048)
def sprite(theme: Theme, seat: int, role: str, icon: str, text: str, facing: str, size: int) -> Any:
    """Return a piece without what changes often, as a picture that can be laid over another."""
    image, image_draw, _ = pillow()
    colour = theme.role(role)
    picture = image.new("RGBA", (size, size), (*colour, 0))
    ink: Colour = colour
    shape = shape_of(seat)
    if shape:
        edge, inner = max(1, size // 20), shape_mask(shape, size - 2 * max(1, size // 20))
        picture.paste((*mixed(colour, (0, 0, 0), 0.55), 255), (0, 0), shape_mask(shape, size))
        picture.paste((*colour, 255), (edge, edge), inner)
        ink = ink_on(colour)
    inside = round(size * (0.66 if shape in ("disc", "square", "octagon", "hexagon", "ring") else 0.5 if shape else 0.84))
    drawn = icons.mask(icon, inside, TURNED.get(facing, 0))
    if drawn is not None:
        at = (size - inside) // 2
        if not shape:  # nobody's: an edge lets it stand out on a floor of its own colour
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                picture.paste((*theme.ground, 255), (at + dx, at + dy), drawn)
        picture.paste((*ink, 255), (at, at), drawn)
    elif text:
        draw = image_draw.Draw(picture)
        if not shape:
            draw.rounded_rectangle((size * 0.06, size * 0.06, size * 0.94, size * 0.94), size * 0.2, fill=(*colour, 255))
            ink = ink_on(colour)
        letters = size_for(text, size * (0.78 if shape != "diamond" else 0.6), size * 0.62)
        write(draw, size / 2, size / 2, text, letters, (*ink, 255), "mm")  # type: ignore[arg-type]
    return picture


def paint_piece(
    picture: Any, piece: Piece, x: float, y: float, side: float, theme: Theme, share: float = 1.0, label: str = ""
) -> None:
    """Draw a piece around a dot in a square of a side; `share` is how much of it is seen."""
    _, image_draw, _ = pillow()
    has_bars = bool(piece.bars) and side >= 14
    size = max(3, round(side * (0.74 if has_bars or piece.facing else 0.82)))
    top = y - size / 2 - (side * 0.06 if has_bars else 0)
    drawn = sprite(theme, piece.seat, piece.role, piece.icon, readable(piece.text), piece.facing, size)
    share *= PAST if piece.is_past else 1.0
    if share < 1.0:
        faint = drawn.getchannel("A").point(lambda alpha: int(alpha * max(0.0, share)))
        drawn = drawn.copy()
        drawn.putalpha(faint)
    at = round(x - size / 2), round(top)
    picture.paste(drawn, at, drawn)
    if share < 0.3 or side < 14:
        return
    draw = image_draw.Draw(picture)
    middle = top + size / 2
    for k, bar in enumerate(piece.bars[:MOST_BARS] if has_bars else ()):
        draw_bar(draw, x, y + side * 0.5 - 2, side, k, bar.value / bar.full if bar.full else 0.0, theme)
    if piece.facing:
        _nose(draw, x, middle, size / 2, side, piece, theme)
    if piece.amount and str(abs(piece.amount)) not in piece.text:
        label = f"{label} {piece.amount}".strip()
    if piece.is_past and "?" not in piece.text:
        label = f"{label}?"
    if label and side >= 22:
        _badge(draw, x + side * 0.48, y - side * 0.48, label, side, theme)


def _nose(draw: Any, x: float, y: float, reach: float, side: float, piece: Piece, theme: Theme) -> None:
    """Draw a tip on the side that a piece faces."""
    dx, dy = STEP[piece.facing]
    far, wide = reach + max(2.0, side * 0.11), side * 0.13
    x0, y0 = x + dx * reach * 0.96, y + dy * reach * 0.96
    tip = x + dx * far, y + dy * far
    draw.polygon([tip, (x0 - dy * wide, y0 - dx * wide), (x0 + dy * wide, y0 + dx * wide)], fill=theme.text)


def draw_bar(draw: Any, x: float, bottom: float, side: float, k: int, share: float, theme: Theme) -> None:
    """Draw a bar under a piece: the first one is health or the like, later ones lie above it and are paler."""
    share = max(0.0, min(1.0, share))
    high, wide = max(2, round(side * 0.075)), side * 0.78
    low, left = bottom - k * (high + 1), x - wide / 2
    draw.rectangle((left - 1, low - high - 1, left + wide + 1, low + 1), fill=(10, 11, 13))
    colour = theme.role("safe" if share > 0.5 else "goal" if share > 0.25 else "danger") if k == 0 else theme.role("path")
    if share > 0:
        draw.rectangle((left, low - high, left + max(1.0, wide * share), low), fill=colour)


def _badge(draw: Any, x: float, y: float, text: str, side: float, theme: Theme) -> None:
    """Write a short text on a plate that ends at a corner."""
    letters = max(8, int(side * 0.28))
    wide, high = width_of(text, letters) + letters * 0.5, letters * 1.1
    left = x - wide
    draw.rounded_rectangle((left, y, left + wide, y + high), high * 0.3, fill=theme.panel, outline=theme.dim)
    write(draw, left + wide / 2, y + high / 2, text, letters, theme.text, "mm")
