"""The icons, drawn for this project: one set for the browser, the window and images.

They are SVG in a small subset, which a page takes as it is and this file draws: `path` (M L H V C Q Z, absolute),
`rect`, `circle` and `polygon` in a box of 24 × 24, filled by the even-odd rule in one colour. Whoever moves looks up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

FOLDER = Path(__file__).parent / "icons"
BOX = 24.0
STEPS = 12  # straight lines in a curve
FINER = 4  # dots a side that make one dot of a mask

Point = tuple[float, float]


def icon_names() -> list[str]:
    """List the icons there are."""
    return sorted(file.stem for file in FOLDER.glob("*.svg"))


@cache
def outlines(name: str) -> tuple[tuple[Point, ...], ...]:
    """Return an icon as closed lines in a box of 1 × 1; no line if there is no such icon."""
    file = FOLDER / f"{name}.svg"
    if not name.isidentifier() or not file.is_file():
        return ()
    shapes = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    found = [line for shape in shapes for line in _lines(shape.tag.rpartition("}")[2], shape.attrib)]
    return tuple(tuple((x / BOX, y / BOX) for x, y in line) for line in found)


@cache
def mask(name: str, size: int, turned: int = 0) -> Any:
    """Return an icon as a Pillow mask of so many dots a side, turned clockwise by degrees; None if there is no such icon."""
    from PIL import Image, ImageChops, ImageDraw

    lines = outlines(name)
    if not lines or size < 1:
        return None
    full = size * FINER
    whole = Image.new("1", (full, full))
    for line in lines:  # even-odd: what two lines surround is a hole
        one = Image.new("1", (full, full))
        ImageDraw.Draw(one).polygon([(x * full, y * full) for x, y in line], fill=1)
        whole = ImageChops.logical_xor(whole, one)
    smooth = whole.convert("L").reduce(FINER)
    return smooth.rotate(-turned, Image.Resampling.BICUBIC) if turned else smooth


def _lines(tag: str, given: dict[str, str]) -> Iterator[list[Point]]:
    if tag == "path":
        yield from _path(given["d"])
    elif tag == "polygon":
        numbers = [float(word) for word in re.findall(r"[-\d.]+", given["points"])]
        yield list(zip(numbers[::2], numbers[1::2], strict=True))
    elif tag == "circle":
        x, y, r = (float(given[key]) for key in ("cx", "cy", "r"))
        turns = [2 * math.pi * k / (4 * STEPS) for k in range(4 * STEPS)]
        yield [(x + r * math.cos(turn), y + r * math.sin(turn)) for turn in turns]
    elif tag == "rect":
        x, y, width, height = (float(given[key]) for key in ("x", "y", "width", "height"))
        yield rounded(x, y, width, height, float(given.get("rx", 0)))


def rounded(x: float, y: float, width: float, height: float, r: float) -> list[Point]:
    """Return a rectangle with round corners as a line."""
    corners = (
        (x + width - r, y + r, -90),
        (x + width - r, y + height - r, 0),
        (x + r, y + height - r, 90),
        (x + r, y + r, 180),
    )
    line = []
    for middle_x, middle_y, start in corners:
        for k in range(STEPS + 1 if r else 1):
            turn = math.radians(start + 90 * k / STEPS)
            line.append((middle_x + r * math.cos(turn), middle_y + r * math.sin(turn)))
    return line


def _path(written: str) -> Iterator[list[Point]]:
    """Follow a path; every M begins a line."""
    line: list[Point] = []
    for letter, words in re.findall(r"([MLHVCQZ])([^MLHVCQZ]*)", written):
        numbers = [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?|-?\.\d+", words)]
        if letter == "M" and line:
            yield line
            line = []
        if letter in "ML":
            line += zip(numbers[::2], numbers[1::2], strict=True)
        elif letter == "H":
            line += [(x, line[-1][1]) for x in numbers]
        elif letter == "V":
            line += [(line[-1][0], y) for y in numbers]
        elif letter in "CQ":
            line += _curve(line[-1], numbers, 3 if letter == "C" else 2)
    if line:
        yield line


def _curve(start: Point, numbers: list[float], order: int) -> list[Point]:
    """Return the points of Bézier curves after their start."""
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    found: list[Point] = []
    for k in range(0, len(points), order):
        bent = [start, *points[k : k + order]]
        for step in range(1, STEPS + 1):
            t, ring = step / STEPS, bent
            while len(ring) > 1:  # de Casteljau's way
                ring = [((1 - t) * x + t * to_x, (1 - t) * y + t * to_y) for (x, y), (to_x, to_y) in pairwise(ring)]
            found.append(ring[0])
        start = bent[-1]
    return found
