"""Signs and colours: what stands on every place of a board. Whatever a colour says a sign says, too."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ludus.core import Mark, Piece, Scene, spelled

# Of every role of core/frame.py a sign, which also ASCII tells from the others, and its colours (numbers of 256).
SIGNS = {
    "floor": "·", "wall": "█", "goal": "◎", "resource": "◆", "danger": "!", "safe": "○", "fog": "░", "path": "•",
    "neutral": "▪",
}  # fmt: skip
TINT_SIGNS = "',`;~^_|"  # by seat: a place that this seat alone knows
STYLES = {
    "floor": "38;5;243", "wall": "38;5;250;48;5;240", "goal": "38;5;16;48;5;120", "resource": "38;5;16;48;5;220",
    "danger": "38;5;231;48;5;124", "safe": "38;5;16;48;5;71", "fog": "38;5;239;48;5;234", "path": "38;5;16;48;5;80",
    "neutral": "38;5;231;48;5;238",
}  # fmt: skip
SEATS = (
    "1;38;5;16;48;5;51", "1;38;5;231;48;5;160", "1;38;5;16;48;5;214", "1;38;5;231;48;5;91",
    "1;38;5;16;48;5;118", "1;38;5;231;48;5;26", "1;38;5;16;48;5;213", "1;38;5;231;48;5;94",
)  # fmt: skip
TINTS = (
    "38;5;73;48;5;23", "38;5;174;48;5;52", "38;5;179;48;5;58", "38;5;140;48;5;54",
    "38;5;114;48;5;22", "38;5;75;48;5;17", "38;5;176;48;5;53", "38;5;137;48;5;237",
)  # fmt: skip
MIXED, PAST, QUIET, STRONG = "1;38;5;16;48;5;177", "4", "38;5;245", "1"
FILLING = ("wall", "fog")  # roles whose sign fills the whole place
SEAT_LETTERS = "ABCDEFGH"
LONGEST_STACK = 3  # signs of pieces on one place that are shown one by one


class Grid(NamedTuple):
    """What stands on each place: by place, counted along rows, then columns, then layers."""

    signs: list[str]
    styles: list[str]
    fills: list[bool]  # whether the sign fills the place


def style_of(role: str) -> str:
    """Return the colours of a role, also of a seat."""
    return SEATS[int(role[4:]) % len(SEATS)] if role.startswith("seat") else STYLES[role]


def mark_style(role: str) -> str:
    """Return the colours of a mark: a seat only tints the floor that is its own."""
    return TINTS[int(role[4:]) % len(TINTS)] if role.startswith("seat") else STYLES[role]


@cache
def mark_sign(role: str, encoding: str = "utf-8") -> str:
    """Return the sign of a cell or a mark of a role."""
    sign = TINT_SIGNS[int(role[4:]) % len(TINT_SIGNS)] if role.startswith("seat") else SIGNS[role]
    return spelled(sign, encoding)


def piece_sign(scene: Scene, piece: Piece, encoding: str = "utf-8") -> str:
    """Return what stands for a piece; whose it is can be told without colour.

    Of two seats the second has small letters, and other signs get a letter of the seat before them, unless kind or sign
    tell it already. A piece that is only remembered has a question mark. Boards in layers are small, so that the value of
    the first bar fits in, too.
    """
    text = piece.text
    if piece.seat >= 0 and not _tells_seat(scene.seats, piece):
        if len(scene.seats) == 2 and any(map(str.isalpha, text)):
            text = text.lower() if piece.seat else text
        else:
            text = SEAT_LETTERS[piece.seat % len(SEAT_LETTERS)] + text
    if scene.board.layers > 1 and piece.bars:
        text = f"{text}:{piece.bars[0].value:g}"
    return spelled(f"{text}?" if piece.is_past and not text.endswith("?") else text, encoding)


def _tells_seat(seats: tuple[str, ...], piece: Piece) -> bool:
    """Whether a piece's kind is its seat's name, or its sign begins like that name, or with a plus or minus."""
    if piece.kind == seats[piece.seat] or piece.text.startswith(("+", "-", "−")):
        return True
    return piece.text[:1].lower() == seats[piece.seat][:1].lower() and len({name[:1] for name in seats}) == len(seats)


def grid_of(scene: Scene, encoding: str = "utf-8") -> Grid:
    """Put floor, then cells, marks, and pieces on top."""
    board = scene.board
    wide, deep, places = board.width, board.height * board.width, board.width * board.height * board.layers
    floor, fog = mark_sign("floor", encoding), mark_sign("fog", encoding)
    signs, styles, fills = [floor] * places, [STYLES["floor"]] * places, [False] * places
    for x, y, z in board.holes:
        signs[z * deep + y * wide + x], styles[z * deep + y * wide + x] = " ", ""
    for cell in scene.cells:
        k = cell.z * deep + cell.y * wide + cell.x
        sign = cell.text or cell.amount
        signs[k], styles[k] = spelled(sign, encoding) if sign else mark_sign(cell.role, encoding), style_of(cell.role)
        fills[k] = not sign and cell.role in FILLING
    marked: dict[int, str] = {}  # signs of marks by place
    for mark in (*_lines(scene), *scene.marks):
        k = mark.z * deep + mark.y * wide + mark.x
        if not mark.role.startswith("seat") or signs[k] == floor:
            styles[k] = mark_style(mark.role)
        if (sign := mark_sign(mark.role, encoding)) not in marked.get(k, ""):
            marked[k] = sign + marked.get(k, "")
    tints = {mark_sign(f"seat{seat}", encoding) for seat in range(len(scene.seats))}
    under: dict[int, str] = {}  # signs that stay where a piece stands
    for k, sign in marked.items():
        if signs[k] == floor or (fills[k] and sign not in tints and sign != fog):
            signs[k], fills[k] = sign, sign == fog
        if sign not in tints and sign != fog:
            under[k] = sign
    return _with_pieces(scene, encoding, Grid(signs, styles, fills), under)


def _with_pieces(scene: Scene, encoding: str, grid: Grid, under: dict[int, str]) -> Grid:
    """Put the pieces on their places, the mark of which stands before them."""
    wide, deep = scene.board.width, scene.board.height * scene.board.width
    stacks: dict[int, list[Piece]] = {}
    for piece in scene.pieces:
        stacks.setdefault(piece.z * deep + piece.y * wide + piece.x, []).append(piece)
    for k, stack in stacks.items():
        found = [piece_sign(scene, piece, encoding) for piece in stack]
        roles = {piece.role for piece in stack}
        grid.signs[k], grid.fills[k] = under.get(k, "") + stacked(found), False
        grid.styles[k] = style_of(roles.pop()) if len(roles) == 1 else MIXED
        if all(piece.is_past for piece in stack):
            grid.styles[k] = f"{PAST};{grid.styles[k]}"
    return grid


def stacked(signs: list[str]) -> str:
    """Return one sign for several pieces on a place: each kind with its number, or the first one and how many more."""
    if len(signs) == 1:
        return signs[0]
    kinds = {sign: signs.count(sign) for sign in signs}
    joined = "".join(sign if count == 1 else f"{sign}{count}" for sign, count in kinds.items())
    return joined if len(joined) <= LONGEST_STACK else f"{signs[0]}+{len(signs) - 1}"


def _lines(scene: Scene) -> list[Mark]:
    """Return the places between the ends of straight lines, such as the way of a shot."""
    found = []
    for link in scene.links:
        across, down = link.to_x - link.x, link.to_y - link.y
        steps = max(abs(across), abs(down))
        if link.z == link.to_z and steps > 1 and min(abs(across), abs(down)) in (0, steps):
            for k in range(1, steps):
                found.append(Mark(link.x + across // steps * k, link.y + down // steps * k, _line_role(link.role), link.z))
    return found


def _line_role(role: str) -> str:
    return "danger" if role.startswith("seat") else role  # a seat's own sign means that it alone knows a place
