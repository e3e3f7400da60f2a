"""Draw a scene in a terminal: a grid in colour, the numbers beside it, the last events below."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludus.core import Piece, Scene

# One style per role of core/scene.py; seats have colours of their own.
STYLES = {
    "floor": "grey50",
    "wall": "white on grey30",
    "goal": "black on bright_green",
    "resource": "black on yellow",
    "danger": "white on red3",
    "safe": "black on green",
    "fog": "grey35 on grey15",
    "path": "black on cyan",
    "neutral": "white on grey23",
}
SEATS = ("bold black on bright_cyan", "bold white on red", "bold black on orange1", "bold white on purple")
TINTS = ("grey50 on #0b2a30", "grey50 on #351212", "grey50 on #33240b", "grey50 on #2a1033")
WALL, FLOOR, FOG = "█", "·", "░"


def draw(scene: Scene) -> RenderableType:
    """Return a scene as something that rich prints."""
    boards = [_board(scene, layer) for layer in range(scene.board.layers)]
    parts: list[RenderableType] = [Text(f"{scene.title}: {scene.status}", style="bold")]
    side = Table.grid(padding=(0, 2))
    for number in scene.numbers:
        side.add_row(Text(number.name, style="grey62"), Text(number.text))
    if scene.board.layers == 1:
        frame = Table.grid(padding=(0, 4))
        frame.add_row(boards[0], side)
        parts.append(frame)
    else:
        parts += [Columns(boards, padding=(0, 3)), side]
    parts += [Text(event.text, style="italic grey62") for event in scene.events]
    return Group(*parts)


def _board(scene: Scene, layer: int) -> Text:
    """Draw one layer, without rows and columns that have no place; a cell of a flat board is three characters wide."""
    symbols, styles = _cells(scene, layer)
    holes = {(x, y) for x, y, z in scene.board.holes if z == layer}
    columns = [x for x in range(scene.board.width) if any((x, y) not in holes for y in range(scene.board.height))]
    rows = [y for y in range(scene.board.height) if any((x, y) not in holes for x in range(scene.board.width))]
    width = 3 if scene.board.layers == 1 else 1 + max(3, *(len(symbols[y][x]) for y in rows for x in columns))
    labels = max((len(label) for label in scene.board.rows), default=0)
    board = Text()
    if scene.board.columns:
        names = "".join(f" {scene.board.columns[x]:<{width - 1}}" for x in columns)
        board.append(" " * (labels + 1) + names + "\n", style="grey62")
    for y in rows:
        if scene.board.rows:
            board.append(f"{scene.board.rows[y]:>{labels}} ", style="grey62")
        for x in columns:
            board.append(f"{symbols[y][x]:^{width}}", style=styles[y][x])
        board.append("\n")
    return board


def _cells(scene: Scene, layer: int) -> tuple[list[list[str]], list[list[str]]]:
    """Return symbol and style of every cell: floor, then cells, marks, pieces on top."""
    symbols = [[FLOOR] * scene.board.width for _ in range(scene.board.height)]
    styles = [[STYLES["floor"]] * scene.board.width for _ in range(scene.board.height)]
    for x, y, z in scene.board.holes:
        if z == layer:
            symbols[y][x] = " "
    for cell in scene.cells:
        if cell.z == layer:
            plain = {"wall": WALL * 3, "fog": FOG * 3}.get(cell.role, FLOOR)
            symbols[cell.y][cell.x], styles[cell.y][cell.x] = cell.text or plain, STYLES[cell.role]
    for mark in scene.marks:
        if mark.z == layer:
            styles[mark.y][mark.x] = tint_of(mark.role)
    stacks: dict[tuple[int, int], int] = {}
    for piece in scene.pieces:
        if piece.z == layer:
            spot = piece.y, piece.x
            stacks[spot] = stacks.get(spot, 0) + 1
            symbols[piece.y][piece.x] = _tag(scene, piece) if stacks[spot] == 1 else f"{piece.text[:2]}+"
            styles[piece.y][piece.x] = style_of(piece.role)
    for mark in scene.marks:
        if mark.z == layer and mark.role == "danger":  # a capture must be seen, whoever stands there
            styles[mark.y][mark.x] = STYLES["danger"]
    return symbols, styles


def _tag(scene: Scene, piece: Piece) -> str:
    """Return what stands for a piece; boards in layers are small, so whose it is and its first bar's value fit in, too."""
    if scene.board.layers == 1 or not piece.bars:
        return piece.text
    whose = "ABCDEFGH"[int(piece.role[4:]) % 8] if piece.role.startswith("seat") else ""
    return f"{whose}{piece.text}:{piece.bars[0].value:g}"


def tint_of(role: str) -> str:
    """Return the style of a mark: a seat only tints the floor that is its own."""
    return TINTS[int(role[4:]) % len(TINTS)] if role.startswith("seat") else STYLES[role]


def style_of(role: str) -> str:
    """Return the style of a role, also of a seat."""
    return SEATS[int(role[4:]) % len(SEATS)] if role.startswith("seat") else STYLES[role]
