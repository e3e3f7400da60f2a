"""Shapes that tell seats apart without colour, as masks."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from .lettering import pillow

FINER = 4
CORNERS = {"diamond": (4, 0.0), "hexagon": (6, 30.0), "triangle": (3, 0.0), "octagon": (8, 22.5)}  # and how far they are turned


@lru_cache(maxsize=256)
def shape_mask(shape: str, size: int) -> Any:
    """Return a shape as a mask of so many dots a side."""
    image, image_draw, _ = pillow()
    n = max(1, size) * FINER
    mask = image.new("L", (n, n))
    draw = image_draw.Draw(mask)
    if shape == "square":
        inset = n * 0.07
        draw.rounded_rectangle((inset, inset, n - 1 - inset, n - 1 - inset), n * 0.14, fill=255)
    elif shape in CORNERS:
        count, turned = CORNERS[shape]
        turns = [math.radians(turned - 90 + 360 * k / count) for k in range(count)]
        draw.polygon([(n / 2 + n / 2 * math.cos(turn), n / 2 + n / 2 * math.sin(turn)) for turn in turns], fill=255)
    elif shape == "kite":
        draw.polygon([(n / 2, 0), (n * 0.95, n * 0.35), (n / 2, n), (n * 0.05, n * 0.35)], fill=255)
    else:
        draw.ellipse((0, 0, n - 1, n - 1), fill=255)
        if shape == "ring":
            draw.ellipse((n * 0.1, n * 0.1, n * 0.9, n * 0.9), fill=150)
    return mask.reduce(FINER)
