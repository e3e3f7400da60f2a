"""Boards as blocks of text: as wide as their signs need, and narrower where the paper is."""

from __future__ import annotations

from typing import NamedTuple

from ludus.core import Board, Scene

from .paper import Block, Line, Paper, beside
from .signs import QUIET, Grid, grid_of

COMFORTABLE = 3  # characters of a place on a flat board
GAP = 3  # between layers


class Shape(NamedTuple):
    """Which rows and columns of a layer have a place at all, and what the places are called."""

    board: Board
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    names: dict[int, str]


class Fit(NamedTuple):
    """How wide the parts of a board are drawn."""

    place: int  # characters of a place, with its number where it stands beside the sign
    labels: int  # characters of the rows' labels and the blank behind; 0 = they are left out
    names: int = 0  # characters of the places' numbers; 0 = none
    is_stacked: bool = False  # whether the numbers stand above the signs


def draw_boards(scene: Scene, paper: Paper, panel: int) -> list[Block] | int:
    """Return the layers of a board, those that fit side by side in one block; or the width that is needed.

    A flat board is rather narrow than without room for a panel beside it.
    """
    board = scene.board
    if board.width * board.height * board.layers == 1 and not (scene.pieces or scene.cells or board.columns):
        return []
    grid = grid_of(scene, paper.encoding)
    fits, widest = _fits(board, grid), max(len(_about(board, layer).columns) for layer in range(board.layers))
    fitting = [fit for fit in fits if fit.labels + widest * fit.place <= paper.width]
    if not fitting:
        return fits[-1].labels + widest * fits[-1].place
    roomy = [fit for fit in fitting if fit.labels + widest * fit.place + panel <= paper.width and fit.place >= COMFORTABLE]
    best = (roomy or fitting)[0] if board.layers == 1 else fitting[0]
    return _in_rows([_draw(board, grid, best, layer, paper) for layer in range(board.layers)], paper.width)


def _fits(board: Board, grid: Grid) -> list[Fit]:
    """Return the ways to draw a board, the best first; none cuts a sign."""
    need = grid.longest
    labels = 1 + max(map(len, board.rows)) if board.rows else 0
    if board.places:
        names = max(len(name) for _, _, _, name in board.places)
        beside = [Fit(names + 1 + need + blank, labels, names) for blank in (1, 0)]
        return [*beside, *(Fit(max(names, need) + blank, labels, names, True) for blank in (2, 1))]
    best = need + 1 if need > COMFORTABLE else COMFORTABLE
    return [*(Fit(place, labels) for place in range(best, need - 1, -1)), Fit(need, 0)]


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
    lines: list[Line] = [[(f"layer {layer + 1}", QUIET)]] if board.layers > 1 else []
    width = max(fit.labels + fit.place * len(shape.columns), len(lines and lines[0][0][0]))
    if board.columns and all(len(label) <= fit.place for label in board.columns):
        names = "".join(f"{board.columns[x]:^{fit.place}}" for x in shape.columns)
        lines.append([(paper.say(" " * fit.labels + names), QUIET)])
    names_of = shape.names if fit.names else {}
    for y in shape.rows:
        first = (layer * board.height + y) * board.width
        places = [first + x for x in shape.columns]
        label = f"{board.rows[y]:>{fit.labels - 1}} " if fit.labels else ""
        if fit.is_stacked:
            above = "".join(f"{names_of.get(k, ''):^{fit.place}}" for k in places)
            lines.append([(" " * fit.labels + above, QUIET)])
        lines.append(_row(grid, places, fit, paper.say(label), {} if fit.is_stacked else names_of))
    return Block(lines, width)


def _row(grid: Grid, places: list[int], fit: Fit, label: str, names: dict[int, str]) -> Line:
    """Draw one row; places of one style are one span."""
    signs, styles, fills, _ = grid
    line: Line = [(label, QUIET)] if label else []
    width = fit.place - fit.names - 1 if names else fit.place
    text, style = "", ""
    for k in places:
        if names:
            if text:
                line.append((text, style))
            line.append((f"{names.get(k, ''):>{fit.names}} ", QUIET))
            text = ""
            part = f"{signs[k]:<{width}}"
        else:
            part = signs[k] * width if fills[k] else f"{signs[k]:^{width}}"
        if styles[k] != style:
            if text:
                line.append((text, style))
            text, style = part, styles[k]
        else:
            text += part
    line.append((text, style))
    return line


def _in_rows(blocks: list[Block], width: int) -> list[Block]:
    """Put as many layers side by side as fit."""
    rows: list[list[Block]] = []
    used = width
    for block in blocks:
        if used + GAP + block.width <= width:
            rows[-1].append(block)
            used += GAP + block.width
        else:
            rows.append([block])
            used = block.width
    return [beside(row, GAP) if len(row) > 1 else row[0] for row in rows]
