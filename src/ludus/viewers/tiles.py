"""The board of a picture: floor, cells, marks and lines. A role is told by its pattern as well as by its colour."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ludus.core import Cell, Link, Scene

from .layout import Layout
from .lettering import pillow, size_for, width_of, write
from .palette import Colour, Theme, ink_on, mixed, shape_of
from .shapes import shape_mask

FINER = 3  # dots a side that make one: patterns are drawn finer than they are shown
Place = tuple[int, int, int]
SIDES = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@lru_cache(maxsize=256)
def tile(theme: Theme, role: str, size: int) -> Any:
    """Return a place of a role as a picture of so many dots a side."""
    image, image_draw, _ = pillow()
    n, colour = size * FINER, theme.role(role)
    base = {"floor": theme.floor, "wall": theme.wall, "fog": theme.fog}.get(role) or theme.tint(role)
    picture = image.new("RGB", (n, n), base)
    draw, line = image_draw.Draw(picture), max(1, n // 14)
    if role == "wall":
        draw.rectangle((0, 0, n, n // 8), fill=mixed(base, (255, 255, 255), 0.25))
        draw.rectangle((0, n - n // 8, n, n), fill=mixed(base, (0, 0, 0), 0.35))
    elif role == "fog":
        _hatch(draw, n, theme.hatch, line, 1)
    elif role == "danger":
        _hatch(draw, n, mixed(base, colour, 0.6), line, -1)
    elif role in ("goal", "resource", "path", "safe", "neutral"):
        _sign(draw, n, role, mixed(base, colour, 0.75), line)
    smooth = picture.resize((size, size), image.Resampling.BOX)
    if role.startswith("seat"):
        _corner_shape(smooth, int(role[4:]), size, mixed(base, colour, 0.6))
    return smooth


@lru_cache(maxsize=16)
def veil(size: int) -> Any:
    """Return a mask of slanting lines: fog over a place whose content is known."""
    image, image_draw, _ = pillow()
    mask = image.new("L", (size * FINER, size * FINER), 90)
    _hatch(image_draw.Draw(mask), size * FINER, 200, max(1, size * FINER // 7), 1)
    return mask.resize((size, size), image.Resampling.BOX)


def _hatch(draw: Any, n: int, colour: Colour | int, line: int, slope: int) -> None:
    """Draw slanting lines that go on from tile to tile."""
    for start in range(-n, 2 * n, max(2, n // 3)):
        ends = (start, n, start + n, 0) if slope > 0 else (start, 0, start + n, n)
        draw.line(ends, fill=colour, width=line)


def _sign(draw: Any, n: int, role: str, colour: Colour, line: int) -> None:
    if role == "goal":
        draw.rectangle((line, line, n - line - 1, n - line - 1), outline=colour, width=2 * line)
        for x, y, dx, dy in ((0, 0, 1, 1), (n, 0, -1, 1), (0, n, 1, -1), (n, n, -1, -1)):
            draw.polygon([(x, y), (x + dx * n * 0.32, y), (x, y + dy * n * 0.32)], fill=colour)
    elif role == "path":
        for across, down in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)):
            dot = across - 0.07, down - 0.07, across + 0.07, down + 0.07
            draw.ellipse([n * side for side in dot], fill=colour)
    elif role == "safe":
        draw.line((n * 0.2, n / 2, n * 0.8, n / 2), fill=colour, width=line)
        draw.line((n / 2, n * 0.2, n / 2, n * 0.8), fill=colour, width=line)
    else:
        draw.rectangle((line, line, n - line - 1, n - line - 1), outline=colour, width=line)


def _corner_shape(picture: Any, seat: int, size: int, colour: Colour) -> None:
    """Sign a tile with its seat's shape."""
    small = max(4, size // 5)
    picture.paste(colour, (size - small - 2, 2), shape_mask(shape_of(seat), small))


def paint_board(picture: Any, scene: Scene, layout: Layout, theme: Theme, fullest: dict[str, float]) -> None:
    """Draw everything that lies under the pieces."""
    _, image_draw, _ = pillow()
    draw, size = image_draw.Draw(picture), max(1, round(layout.cell))
    cells = {(cell.x, cell.y, cell.z): cell for cell in scene.cells}
    tints = {(mark.x, mark.y, mark.z): mark.role for mark in scene.marks if mark.role.startswith("seat")}
    dark = {(mark.x, mark.y, mark.z) for mark in scene.marks if mark.role == "fog"}
    for place in places(scene, layout):
        left, top = layout.corner(*place)
        found = cells.get(place)
        role = found.role if found else tints.get(place, "floor")
        draw.rectangle((left, top, left + layout.cell, top + layout.cell), fill=theme.grid)
        picture.paste(tile(theme, role, max(1, size - 1)), (round(left) + (size > 3), round(top) + (size > 3)))
        if place in tints and found:
            _corner_shape_at(picture, layout, place, tints[place], theme)
        if place in dark and role != "fog":
            picture.paste(theme.fog, (round(left), round(top)), veil(size))
    for link in scene.board.links:
        if link.z == link.to_z:  # a flat drawing has no way to show lines between layers that are always there
            ends = *layout.middle(link.x, link.y, link.z), *layout.middle(link.to_x, link.to_y, link.to_z)
            draw.line(ends, fill=mixed(theme.grid, theme.dim, 0.4))
    taken = {(piece.x, piece.y, piece.z) for piece in scene.pieces}
    for place, cell in cells.items():
        _say_cell(draw, cell, place in taken, layout, theme, fullest)
    _label(draw, scene, layout, theme)
    _mark_regions(draw, scene, layout, theme)


def places(scene: Scene, layout: Layout) -> Iterable[Place]:
    """List the places of a board."""
    holes = set(scene.board.holes)
    for z in range(scene.board.layers):
        yield from ((x, y, z) for y in layout.rows[z] for x in layout.columns[z] if (x, y, z) not in holes)


def _corner_shape_at(picture: Any, layout: Layout, place: Place, role: str, theme: Theme) -> None:
    left, top = layout.corner(*place)
    small = max(4, int(layout.cell) // 5)
    shape = shape_mask(shape_of(int(role[4:])), small)
    picture.paste(theme.role(role), (round(left + layout.cell) - small - 2, round(top) + 3), shape)


def _say_cell(draw: Any, cell: Cell, is_taken: bool, layout: Layout, theme: Theme, fullest: dict[str, float]) -> None:
    """Write a cell's text and amount; an amount fills it from below, as full as the fullest one was."""
    left, top = layout.corner(cell.x, cell.y, cell.z)
    size, ground = layout.cell, theme.tint(cell.role)
    value = _number(cell.amount)
    if value > 0:
        fullest[cell.role] = max(fullest.get(cell.role, 0.0), value)
        high = (size - 2) * value / fullest[cell.role]
        ground = mixed(ground, theme.role(cell.role), 0.55)
        draw.rectangle((left + 1, top + size - 1 - high, left + size - 1, top + size - 1), fill=ground)
    said = [part for part in (cell.text, cell.amount) if part]
    if not said or size < 10:
        return
    if is_taken:  # the piece has the middle
        if size >= 26:
            write(draw, left + 3, top + 2, " ".join(said), size_for(" ".join(said), size * 0.6, size * 0.26), theme.dim)
        return
    ink = ink_on(theme.wall) if cell.role == "wall" else theme.text
    for k, line in enumerate(said):
        letters = size_for(line, size * 0.84, size * (0.5 if len(said) == 1 else 0.36))
        write(draw, left + size / 2, top + size * (0.5 + (k - (len(said) - 1) / 2) * 0.4), line, letters, ink, "mm")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _label(draw: Any, scene: Scene, layout: Layout, theme: Theme) -> None:
    """Write the labels of columns and rows, and of layers."""
    board, cell = scene.board, layout.cell
    size = max(7, min(layout.letter, int(cell * 0.42)))
    left, top = layout.corners[0]
    if board.layers == 1 and cell >= 12:
        for x, k in layout.columns[0].items() if board.columns else ():
            write(draw, left + (k + 0.5) * cell, top - 3, board.columns[x], size, theme.dim, "mb")
        for y, k in layout.rows[0].items() if board.rows else ():
            write(draw, left - 5, top + (k + 0.5) * cell, board.rows[y], size, theme.dim, "rm")
    if board.layers > 1 and cell >= 10:
        for z, (left, top) in enumerate(layout.corners):
            write(draw, left, top - 3, f"layer {z}", size, theme.dim, "lb")


def name_places(picture: Any, scene: Scene, layout: Layout, theme: Theme) -> None:
    """Write the names of places that have one, over whatever stands there: moves are told by them."""
    draw, size = pillow()[1].Draw(picture), max(8, int(layout.cell * 0.24))
    taken = {(piece.x, piece.y, piece.z) for piece in scene.pieces}
    for x, y, z, name in scene.board.places if layout.cell >= 22 else ():
        left, top = layout.corner(x, y, z)
        if (x, y, z) in taken:
            wide = width_of(name, size)
            draw.rectangle((left + 1, top + 1, left + 4 + wide, top + size * 1.05 + 1), fill=theme.floor)
        write(draw, left + 3, top + 1, name, size, theme.dim)


def _mark_regions(draw: Any, scene: Scene, layout: Layout, theme: Theme) -> None:
    """Outline what is marked: marks of one role that touch are one region, and a ring of marks is all that it surrounds."""
    regions: dict[tuple[str, int], set[tuple[int, int]]] = {}
    for mark in scene.marks:
        if not mark.role.startswith("seat") and mark.role != "fog":
            spot = layout.columns[mark.z].get(mark.x, 0), layout.rows[mark.z].get(mark.y, 0)
            regions.setdefault((mark.role, mark.z), set()).add(spot)
    for number, ((role, z), region) in enumerate(sorted(regions.items())):
        inner = _filled(region, len(layout.columns[z]), len(layout.rows[z]))
        inset = 1 + number % 3  # two outlines may run along one line
        for x, y in inner:
            _outline(draw, x, y, inner, layout, z, inset, theme.role(role), role in ("danger", "neutral"))


def _outline(
    draw: Any, x: int, y: int, inner: set[tuple[int, int]], layout: Layout, z: int, inset: int, colour: Colour, is_dashed: bool
) -> None:
    """Draw the sides of a place that lie on the edge of its region; along the edge the line goes on to the next place."""
    (left, top), cell, thick = layout.corners[z], layout.cell, max(2, round(layout.cell / 14))
    sides = {side: (x + dx, y + dy) not in inner for side, (dx, dy) in SIDES.items()}
    x0 = left + x * cell + (inset if sides["left"] else 0)
    x1 = left + (x + 1) * cell - (inset if sides["right"] else 0)
    y0 = top + y * cell + (inset if sides["up"] else 0)
    y1 = top + (y + 1) * cell - (inset if sides["down"] else 0)
    lines = {
        "left": (x0, y0, x0 + thick, y1), "right": (x1 - thick, y0, x1, y1),
        "up": (x0, y0, x1, y0 + thick), "down": (x0, y1 - thick, x1, y1),
    }  # fmt: skip
    for side, line in lines.items():
        if sides[side]:
            _edge(draw, line, colour, is_dashed)


def _edge(draw: Any, line: tuple[float, float, float, float], colour: Colour, is_dashed: bool) -> None:
    x0, y0, x1, y1 = line
    if x1 < x0 or y1 < y0:  # a place of a few dots has no room for an outline
        return
    if not is_dashed:
        draw.rectangle(line, fill=colour)
        return
    is_flat = x1 - x0 > y1 - y0
    start, end = (x0, x1) if is_flat else (y0, y1)
    dash = max(2.0, (end - start) / 7)
    for k in range(0, 7, 2):
        a, b = start + k * dash, min(end, start + (k + 1) * dash)
        if b > a:
            draw.rectangle((a, y0, b, y1) if is_flat else (x0, a, x1, b), fill=colour)


def _filled(region: set[tuple[int, int]], width: int, height: int) -> set[tuple[int, int]]:
    """Return a region with all that it surrounds, if it surrounds anything."""
    outside, edge = set(), [(-1, -1)]
    while edge:
        x, y = edge.pop()
        if (x, y) in outside or (x, y) in region or not (-1 <= x <= width and -1 <= y <= height):
            continue
        outside.add((x, y))
        edge += [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return {(x, y) for x in range(width) for y in range(height) if (x, y) not in outside}


def paint_arrow(picture: Any, link: Link, layout: Layout, colour: Colour, reach: float = 1.0) -> None:
    """Draw a line with an arrow between two places, drawn finer than it is shown; `reach` is how far it has come."""
    image, image_draw, _ = pillow()
    x0, y0 = layout.middle(link.x, link.y, link.z)
    x1, y1 = layout.middle(link.to_x, link.to_y, link.to_z)
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 1:
        return
    dx, dy, short = (x1 - x0) / length, (y1 - y0) / length, min(layout.cell * 0.34, length / 3)
    x0, y0, x1, y1 = x0 + dx * short, y0 + dy * short, x1 - dx * short, y1 - dy * short
    x1, y1 = x0 + (x1 - x0) * reach, y0 + (y1 - y0) * reach
    thick, head = max(2.0, layout.cell / 13), max(5.0, layout.cell / 4.5)
    pad = head + 2
    left, top = math.floor(min(x0, x1) - pad), math.floor(min(y0, y1) - pad)
    width, height = math.ceil(max(x0, x1) + pad) - left, math.ceil(max(y0, y1) + pad) - top
    mask = image.new("L", (width * FINER, height * FINER))
    draw = image_draw.Draw(mask)
    points = [
        ((x - left) * FINER, (y - top) * FINER) for x, y in ((x0, y0), (x1 - dx * head / 2, y1 - dy * head / 2), (x1, y1))
    ]
    draw.line((*points[0], *points[1]), fill=235, width=round(thick * FINER))
    (tip_x, tip_y), head = points[2], head * FINER
    back_x, back_y = tip_x - dx * head, tip_y - dy * head
    half = head * 0.55
    draw.polygon([(tip_x, tip_y), (back_x - dy * half, back_y + dx * half), (back_x + dy * half, back_y - dx * half)], fill=235)
    picture.paste(colour, (left, top), mask.resize((width, height), image.Resampling.BOX))
