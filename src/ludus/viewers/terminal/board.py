"""Boards as blocks of text: as wide as their signs need, and narrower where the paper is."""

from __future__ import annotations

from typing import NamedTuple

from ludus.core import Board

from .paper import Block, Line, Paper, beside
from .signs import QUIET, Grid

COMFORTABLE = 3  # characters of a place on a flat board
GAP = 3  # between layers
STEADY = 5  # characters at least for a sign with a number beside it, so that boards seldom change their size


class Shape(NamedTuple):
    """Which rows and columns of a layer have a place at all, and what the places are called."""

    board: Board
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    names: dict[int, str]


class Fit(NamedTuple):
    """How wide the parts of a layer are drawn."""

    place: int  # characters of a place, with its number where it stands beside the sign
    labels: int  # characters of the rows' labels and the blank behind; 0 = they are left out
    names: int = 0  # characters of the places' numbers; 0 = none
    is_stacked: bool = False  # whether the numbers stand above the signs


def draw_boards(board: Board, grid: Grid, paper: Paper, panel: int) -> list[Block] | int:
    """Return the layers of a board, those that fit side by side in one block; or the width that is needed.

    A flat board is rather narrow than without room for a panel beside it; layers are rather narrow than tall.
    """
    layers, ways = range(board.layers), _ways(board, grid)
    fitting = [way for way in ways if max(map(_width, [board] * len(way), way, layers)) <= paper.width]
    if not fitting:
        return min(max(map(_width, [board] * len(way), way, layers)) for way in ways)
    if board.layers == 1:
        roomy = [way for way in fitting if _width(board, way[0], 0) + panel <= paper.width and way[0].place >= COMFORTABLE]
        best = (roomy or fitting)[0]
    else:
        best = min([way for way in fitting if way is not ways[-1]] or fitting, key=lambda way: _height(board, way, paper.width))
    blocks = [_draw(board, grid, fit, layer, paper) for layer, fit in enumerate(best)]
    return [beside([blocks[layer] for layer in row], GAP) for row in _rows(board, best, paper.width)]


def _ways(board: Board, grid: Grid) -> list[list[Fit]]:
    """Return the ways to draw a board's layers, the best first; none cuts a sign."""
    labels, layers = 1 + max(map(len, board.rows)) if board.rows else 0, range(board.layers)
    needs = [_need(board, grid, layer) for layer in layers]
    if not board.places:
        need = max(needs)
        best = need + 1 if need > COMFORTABLE else COMFORTABLE
        wide = [[Fit(place, labels)] * board.layers for place in range(best, need - 1, -1)]
        return [*wide, [Fit(need, 0)] * board.layers]
    names = [max(map(len, _about(board, layer).names.values()), default=0) for layer in layers]
    beside = [Fit(names[k] + 1 + max(STEADY, needs[k] + 1), labels, names[k]) for k in layers]
    above = [[Fit(max(names[k], needs[k]) + blank, labels, names[k], True) for k in layers] for blank in (2, 1)]
    tight = [Fit(max(names[k] + 1, needs[k]), labels, names[k], True) for k in layers]
    return [beside, *above, tight]


def _need(board: Board, grid: Grid, layer: int) -> int:
    """Return how long the longest sign of a layer is."""
    deep = board.width * board.height
    return max(map(len, grid.signs[layer * deep : (layer + 1) * deep]))


def _width(board: Board, fit: Fit, layer: int) -> int:
    return fit.labels + fit.place * len(_about(board, layer).columns)


def _rows(board: Board, way: list[Fit], width: int) -> list[list[int]]:
    """Put as many layers side by side as fit."""
    rows: list[list[int]] = []
    used = width
    for layer, fit in enumerate(way):
        wide = _width(board, fit, layer)
        if used + GAP + wide <= width:
            rows[-1].append(layer)
            used += GAP + wide
        else:
            rows.append([layer])
            used = wide
    return rows


def _height(board: Board, way: list[Fit], width: int) -> int:
    """Return how many lines a way to draw the layers takes."""
    lines = [1 + len(_about(board, layer).rows) * (2 if fit.is_stacked else 1) for layer, fit in enumerate(way)]
    return sum(max(lines[layer] for layer in row) for row in _rows(board, way, width))


_shapes: dict[tuple[int, int], Shape] = {}  # by the board's identity, which is kept with it


def _about(board: Board, layer: int) -> Shape:
    """Return what never changes in a layer."""
    found = _shapes.get((id(board), layer))
    if found is None:
        holes = {(x, y) for x, y, z in board.holes if z == layer}
        columns = tuple(x for x in range(board.width) if any((x, y) not in holes for y in range(board.height)))
        rows = tuple(y for y in range(board.height) if any((x, y) not in holes for x in range(board.width)))
        first = layer * board.width * board.height
        names = {first + y * board.width + x: name for x, y, z, name in board.places if z == layer}
        found = _shapes[id(board), layer] = Shape(board, columns, rows, names)
    return found


def _draw(board: Board, grid: Grid, fit: Fit, layer: int, paper: Paper) -> Block:
    """Draw one layer."""
    shape = _about(board, layer)
    lines: list[Line] = [[(f"layer {layer}", QUIET)]] if board.layers > 1 else []
    width = max(_width(board, fit, layer), len(lines[0][0][0]) if lines else 0)
    if board.columns and all(len(label) <= fit.place for label in board.columns):
        names = "".join(f"{board.columns[x]:^{fit.place}}" for x in shape.columns)
        lines.append([(paper.say(" " * fit.labels + names), QUIET)])
    for y in shape.rows:
        first = (layer * board.height + y) * board.width
        places = [first + x for x in shape.columns]
        label = f"{board.rows[y]:>{fit.labels - 1}} " if fit.labels else ""
        if fit.is_stacked:
            above = "".join(f"{shape.names.get(k, ''):^{fit.place}}" for k in places)
            lines.append([(" " * fit.labels + above, QUIET)])
        if fit.names and not fit.is_stacked:
            lines.append(_named_row(grid, places, fit, paper.say(label), shape.names))
        else:
            lines.append(_row(grid, places, fit, paper.say(label)))
    return Block(lines, width)


def _row(grid: Grid, places: list[int], fit: Fit, label: str) -> Line:
    """Draw one row; places of one style are one span."""
    signs, styles, fills = grid
    line: Line = [(label, QUIET)] if label else []
    text, style, width = "", "", fit.place
    for k in places:
        part = signs[k] * width if fills[k] else f"{signs[k]:^{width}}"
        if styles[k] != style:
            if text:
                line.append((text, style))
            text, style = part, styles[k]
        else:
            text += part
    line.append((text, style))
    return line


def _named_row(grid: Grid, places: list[int], fit: Fit, label: str, names: dict[int, str]) -> Line:
    """Draw one row, each place with its number before it."""
    line: Line = [(label, QUIET)] if label else []
    for k in places:
        sign = grid.signs[k]
        blank = " " * (fit.place - fit.names - 1 - len(sign))
        line += [(f"{names.get(k, ''):>{fit.names}} ", QUIET), (sign, grid.styles[k]), (blank, "")]
    return line
