"""Where everything stands in a picture: the boxes of board, panel and events, and every place of the board in dots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ludus.core import Board

LEAST_CELL, LEAST_WIDTH, LEAST_HEIGHT = 4, 300, 220  # smaller pictures show the board alone
EVENT_LINES = 3
GAP = 0.9  # between layers, in cells
ZOOMS = (0.3, 3.0)
PANELS = ("proportional", "fixed", "none")  # how the panel takes its room
FIXED_PANEL = 280  # dots


class Box(NamedTuple):
    """A rectangle in dots."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: float, y: float) -> bool:
        """Whether a dot is inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Camera(NamedTuple):
    """How the board is looked at: nearer or farther, and shifted in dots."""

    zoom: float = 1.0
    x: float = 0.0
    y: float = 0.0


STRAIGHT = Camera()


@dataclass(frozen=True)
class Layout:
    """A picture's boxes, and the grid of each layer inside the box of the board."""

    size: tuple[int, int]
    letter: int  # size of text in dots
    header: Box | None
    board: Box
    panel: Box | None
    events: Box | None
    cell: float  # dots a side
    corners: tuple[tuple[float, float], ...]  # by layer: where its first place begins, in the picture
    columns: tuple[dict[int, int], ...]  # by layer: x of the board -> which column of the drawing
    rows: tuple[dict[int, int], ...]

    def corner(self, x: int, y: int, z: int = 0) -> tuple[float, float]:
        """Return where a place begins."""
        left, top = self.corners[z]
        return left + self.columns[z].get(x, 0) * self.cell, top + self.rows[z].get(y, 0) * self.cell

    def middle(self, x: int, y: int, z: int = 0) -> tuple[float, float]:
        """Return the middle of a place."""
        left, top = self.corner(x, y, z)
        return left + self.cell / 2, top + self.cell / 2

    def place_at(self, x: float, y: float) -> tuple[int, int, int] | None:
        """Return the place under a dot of the picture, or None."""
        if not self.board.holds(x, y):
            return None
        for z, (left, top) in enumerate(self.corners):
            column, row = (x - left) // self.cell, (y - top) // self.cell
            for at_x, k in self.columns[z].items():
                for at_y, n in self.rows[z].items():
                    if k == column and n == row:
                        return at_x, at_y, z
        return None


@lru_cache(maxsize=64)
def _grids(board: Board) -> tuple[tuple[dict[int, int], ...], tuple[dict[int, int], ...]]:
    """Return by layer the columns and rows that have places: layers of other sizes stand in one frame, with gaps between."""
    holes = set(board.holes)
    columns, rows = [], []
    for z in range(board.layers):
        xs = [x for x in range(board.width) if any((x, y, z) not in holes for y in range(board.height))]
        ys = [y for y in range(board.height) if any((x, y, z) not in holes for x in range(board.width))]
        columns.append({x: k for k, x in enumerate(xs)})
        rows.append({y: k for k, y in enumerate(ys)})
    return tuple(columns), tuple(rows)


def lay_out(board: Board, size: tuple[int, int], camera: Camera = STRAIGHT, panel_mode: str = PANELS[0]) -> Layout:
    """Share a picture's room out."""
    width, height = size
    letter = max(9, min(22, round(min(width * 0.75, height) / 36)))
    header = panel = events = None
    room = Box(0, 0, width, height)
    if panel_mode != "none" and width >= LEAST_WIDTH and height >= LEAST_HEIGHT:
        pad, top = letter // 2, round(letter * 2.1)
        header = Box(pad, 0, width - 2 * pad, top)
        low = round(letter * (1.4 * EVENT_LINES + 0.6))
        if width >= 0.95 * height:
            side = FIXED_PANEL if panel_mode == "fixed" else round(max(11 * letter, min(16 * letter, 0.3 * width)))
            panel = Box(width - side, top, side, height - top)
            room = Box(0, top, width - side, height - top - low)
            events = Box(pad, height - low, width - side - 2 * pad, low)
        else:
            below = round(max(0.28 * height, 11 * letter))
            panel = Box(0, height - below, width, below)
            room = Box(0, top, width, height - top - below - low)
            events = Box(pad, height - below - low, width - 2 * pad, low)
    cell, corners = _place_layers(board, room, camera)
    columns, rows = _grids(board)
    return Layout(size, letter, header, room, panel, events, cell, corners, columns, rows)


def _place_layers(board: Board, room: Box, camera: Camera) -> tuple[float, tuple[tuple[float, float], ...]]:
    """Set the layers side by side, in as many lines as make them largest."""
    columns, rows = _grids(board)
    sizes = [(max(1, len(xs)), max(1, len(ys))) for xs, ys in zip(columns, rows, strict=True)]
    before, after = (0.85, 0.25) if board.columns or board.rows or board.layers > 1 else (0.25, 0.25)  # for labels, in cells
    best, chosen = 0.0, 1
    for count in range(1, board.layers + 1):  # layers in a line
        wide, high = _extent(sizes, count)
        cell = min(room.width / (wide + before + after), room.height / (high + before + after))
        if cell > best:
            best, chosen = cell, count
    cell = float(max(LEAST_CELL, int(best * camera.zoom)))  # whole dots: lines stay sharp
    wide, high = _extent(sizes, chosen)
    shift = (before - after) * cell / 2
    top = room.y + (room.height - high * cell) / 2 + shift + camera.y
    corners = []
    for first in range(0, board.layers, chosen):
        line = sizes[first : first + chosen]
        length = sum(w for w, _ in line) + GAP * (len(line) - 1)
        left = room.x + (room.width - length * cell) / 2 + shift + camera.x
        tall = max(h for _, h in line)
        for w, h in line:
            corners.append((float(round(left)), float(round(top + (tall - h) * cell / 2))))
            left += (w + GAP) * cell
        top += (tall + GAP) * cell
    return cell, tuple(corners)


def _extent(sizes: list[tuple[int, int]], count: int) -> tuple[float, float]:
    lines = [sizes[k : k + count] for k in range(0, len(sizes), count)]
    wide = max(sum(w for w, _ in line) + GAP * (len(line) - 1) for line in lines)
    return wide, sum(max(h for _, h in line) for line in lines) + GAP * (len(lines) - 1)
