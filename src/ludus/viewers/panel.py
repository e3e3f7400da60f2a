"""What stands around the board of a picture: title and status, numbers by seat, a legend, what happened, and who won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.core import NOBODY, ROLES, Piece, Scene

from .layout import EVENT_LINES, Box, Layout
from .lettering import fitted, pillow, width_of, wrapped, write
from .palette import Theme, ink_on, mixed, shape_of
from .shapes import shape_mask
from .sprites import MOST_BARS, draw_bar, sprite
from .tiles import tile

LINE = 1.42  # height of a line, in letters
PLAIN = ("floor", "fog")  # roles that need no word if a game has none for them


def paint_header(picture: Any, scene: Scene, layout: Layout, theme: Theme) -> None:
    """Write the title and the status above the board; at the end it is a banner that says who won."""
    if layout.header is None:
        return
    _, image_draw, _ = pillow()
    draw, box, size = image_draw.Draw(picture), layout.header, round(layout.letter * 1.15)
    middle, ink, faint = box.y + box.height / 2, theme.text, theme.dim
    if scene.seat == NOBODY:
        ground = theme.role("goal")
        draw.rectangle((0, box.y, layout.size[0], box.y + box.height - 1), fill=ground)
        ink, faint = ink_on(ground), mixed(ink_on(ground), ground, 0.3)
    write(draw, box.x, middle, scene.title, size, faint, "lm")
    x = box.x + width_of(scene.title, size) + size
    if scene.seat != NOBODY and scene.seat < len(scene.seats):
        side = round(size * 0.95)
        _shape(picture, round(x), round(middle - side / 2), side, scene.seat, theme)
        x += side * 1.4
    write(draw, x, middle, scene.status, size, ink, "lm", box.x + box.width - x)


def paint_events(picture: Any, scene: Scene, layout: Layout, theme: Theme) -> None:
    """Write the last events under the board, and how many more there were."""
    if layout.events is None:
        return
    _, image_draw, _ = pillow()
    draw, box, size = image_draw.Draw(picture), layout.events, layout.letter
    lines = [event for event in scene.events if event.text]
    more = len(lines) - EVENT_LINES
    for k, event in enumerate(lines[:EVENT_LINES]):
        y = box.y + size * (0.2 + LINE * k)
        x = box.x
        if event.seat != NOBODY:
            side = round(size * 0.8)
            _shape(picture, x, round(y + size * 0.15), side, event.seat, theme)
            x += round(size * 1.2)
        text = event.text + (f"  (and {more} more)" if more > 0 and k == EVENT_LINES - 1 else "")
        write(draw, x, y, text, size, theme.text if k == 0 else theme.dim, "la", box.x + box.width - x)


def paint_panel(
    picture: Any, scene: Scene, layout: Layout, theme: Theme, names: Sequence[str] = (), share: float = 1.0
) -> None:
    """Fill a share of the side panel: numbers of the game, then of each seat, then the legend in what room is left."""
    if layout.panel is None:
        return
    _, image_draw, _ = pillow()
    draw, box = image_draw.Draw(picture), layout.panel
    draw.rectangle((box.x, box.y, box.x + box.width, box.y + box.height), fill=theme.panel)
    box = box._replace(height=round(box.height * share))
    pad, size = layout.letter // 2 + 2, layout.letter
    if box.width > 2 * box.height:  # below the board: numbers on the left, the legend on the right
        left = Box(box.x + pad, box.y + pad, box.width // 2 - 2 * pad, box.height - 2 * pad)
        right = Box(box.x + box.width // 2 + pad, box.y + pad, box.width // 2 - 2 * pad, box.height - 2 * pad)
        _numbers(picture, draw, left, scene, size, theme, names)
        _legend(picture, draw, right, scene, size, theme)
        return
    inner = Box(box.x + pad, box.y + pad, box.width - 2 * pad, box.height - 2 * pad)
    y = _numbers(picture, draw, inner, scene, size, theme, names)
    rest = Box(inner.x, round(y + size * 0.6), inner.width, round(inner.y + inner.height - y - size * 0.6))
    _legend(picture, draw, rest, scene, size, theme)


def _numbers(picture: Any, draw: Any, box: Box, scene: Scene, size: int, theme: Theme, names: Sequence[str]) -> float:
    """Write the numbers and return where they end; they get smaller where there are many."""
    seats = range(len(scene.seats))
    groups = [[number for number in scene.numbers if number.seat == seat] for seat in (NOBODY, *seats)]
    count = len(groups[0]) + sum(len(group) + 1.5 for group in groups[1:])
    size = max(8, min(size, int(box.height / (LINE * max(1, count)))))
    y = float(box.y)
    for number in groups[0]:
        y = _number_line(draw, box, y, number.name, number.text, size, theme)
    for seat in seats:
        if y + size * LINE > box.y + box.height:
            break
        y += size * 0.35
        is_next = scene.seat == seat
        if is_next:
            draw.rectangle(
                (box.x - 4, y - 2, box.x + box.width + 4, y + size * 1.3),
                fill=mixed(theme.panel, theme.role(f"seat{seat}"), 0.3),
            )
        _shape(picture, box.x, round(y + size * 0.08), size, seat, theme)
        called = scene.seats[seat] + (f" ({names[seat]})" if len(names) > seat and names[seat] else "")
        write(draw, box.x + size * 1.5, y, called, size, theme.text, "la", box.width - size * 1.5)
        y += size * LINE
        for number in groups[seat + 1]:
            name = number.name.removeprefix(f"{scene.seats[seat]} ").removeprefix(f"{scene.seats[seat]}'s ")
            y = _number_line(draw, box, y, name, number.text, size, theme)
    return y


def _number_line(draw: Any, box: Box, y: float, name: str, text: str, size: int, theme: Theme) -> float:
    if y + size * 1.2 > box.y + box.height:
        return y
    text = fitted(text, size, box.width * 0.62)
    wide = width_of(text, size)
    write(draw, box.x + box.width, y, text, size, theme.text, "ra")
    write(draw, box.x, y, name, size, theme.dim, "la", box.width - wide - size * 0.5)
    return y + size * LINE


def _legend(picture: Any, draw: Any, box: Box, scene: Scene, size: int, theme: Theme) -> None:
    """Say what the pieces and patterns of this scene mean, as many as there is room for."""
    entries = legend(scene)
    if not entries or box.height < 2 * size:
        return
    size = max(9, min(size - 1, int(box.height / (1.55 * len(entries)))))
    while size > 9 and sum(high for _, high in _lines(entries, size, box)) > box.height:
        size -= 1
    y, side = float(box.y), round(size * 1.3)
    for (kind, what, _), (lines, high) in zip(entries, _lines(entries, size, box), strict=True):
        if y + high > box.y + box.height:
            break
        middle, top = y + high / 2, round(y + (high - side) / 2)
        if isinstance(what, Piece):
            drawn = sprite(theme, what.seat, what.role, what.icon, what.text, "", side)
            picture.paste(drawn, (box.x, top), drawn)
        elif kind == "mark":
            edge = (box.x + 1, top + 1, box.x + side - 2, top + side - 2)
            draw.rectangle(edge, outline=theme.role(what), width=max(2, side // 9))
        elif kind == "bar":
            draw_bar(draw, box.x + side / 2, middle + side * 0.2, side, what, 1.0, theme)
        elif kind == "sign":
            write(draw, box.x + side / 2, middle, what, size, theme.text, "mm", side * 1.3)
        else:
            picture.paste(tile(theme, what, side), (box.x, top))
        for k, line in enumerate(lines):
            write(draw, box.x + side * 1.4, middle + (k - (len(lines) - 1) / 2) * size * 1.2, line, size, theme.dim, "lm")
        y += high


def _lines(entries: list[tuple[str, Any, str]], size: int, box: Box) -> list[tuple[list[str], float]]:
    """Return the lines of each entry of a legend in this size, and how high they are."""
    side, found = round(size * 1.3), []
    for _, _, meaning in entries:
        lines = _two(wrapped(meaning, size, box.width - side * 1.4))
        found.append((lines, max(side * 1.15, (len(lines) + 0.2) * size * 1.2)))
    return found


def _two(lines: list[str]) -> list[str]:
    """Keep two lines of a text; where there are more, it goes on with …"""
    return lines if len(lines) <= 2 else [lines[0], f"{lines[1]} …"]


def legend(scene: Scene) -> list[tuple[str, Any, str]]:
    """List what a picture of a scene needs explained: kinds of pieces, patterns of cells, marks, and signs that are written."""
    said = dict(scene.legend)
    kinds: dict[tuple[str, str], Piece] = {}
    for piece in scene.pieces:
        kinds.setdefault((piece.kind, piece.icon), piece)
    found: list[tuple[str, Any, str]] = [
        ("piece", piece, said.get(piece.text, piece.kind)) for piece in kinds.values() if piece.icon
    ]
    bars = dict.fromkeys((k, bar.name) for piece in scene.pieces for k, bar in enumerate(piece.bars[:MOST_BARS]))
    found += [("bar", k, f"bar: {name}") for k, name in bars]
    roles = dict.fromkeys(cell.role for cell in scene.cells)
    found += [("cell", role, said.get(role, role)) for role in roles if role in said or role not in PLAIN]
    for role in dict.fromkeys(mark.role for mark in scene.marks):
        if role in said and role not in roles:
            found.append(("cell" if role.startswith("seat") or role == "fog" else "mark", role, said[role]))
    written = [cell.text for cell in scene.cells] + [piece.text for piece in scene.pieces if not piece.icon]
    is_all = bool(scene.pieces) and not any(piece.icon for piece in scene.pieces)
    for sign, meaning in scene.legend:
        is_role = sign in ROLES or sign.startswith("seat")
        if not is_role and (is_all or sign in written or (sign == "?" and any("?" in piece.text for piece in scene.pieces))):
            found.append(("sign", sign, meaning))
    return found


def _shape(picture: Any, x: int, y: int, side: int, seat: int, theme: Theme) -> None:
    picture.paste(theme.role(f"seat{seat}"), (x, y), shape_mask(shape_of(seat), side))
