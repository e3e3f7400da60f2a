"""What a window lays over the picture of a scene: the strip below, the list of choices, tips and keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludus.core import Scene, place_names

from .choices import Choice
from .layout import Box, Layout
from .lettering import pillow, width_of, write
from .palette import Theme, mixed

STRIP = 26  # dots of the strip below


def paint_strip(picture: Any, theme: Theme, about: str, at: int, count: int) -> None:
    """Draw how far the game has come, and how it is shown."""
    draw = pillow()[1].Draw(picture)
    width, height = picture.size
    top = height - STRIP
    draw.rectangle((0, top, width, height), fill=theme.panel)
    done = width * at / max(1, count - 1)
    draw.rectangle((0, top, width, top + 4), fill=theme.grid)
    draw.rectangle((0, top, done, top + 4), fill=theme.role("path"))
    write(draw, 8, top + 15, about, 13, theme.dim, "lm", width - 16)


def paint_choices(
    picture: Any, box: Box, shown: Sequence[Choice], first: int, said: str, pointed: Choice | None, letter: int, theme: Theme
) -> None:
    """Draw the list of what a person may do."""
    draw = pillow()[1].Draw(picture)
    line = round(letter * 1.5)
    draw.rectangle((box.x, box.y, box.x + box.width, box.y + box.height), fill=mixed(theme.panel, theme.role("goal"), 0.1))
    draw.rectangle((box.x, box.y, box.x + box.width, box.y + 2), fill=theme.role("goal"))
    write(draw, box.x + 8, box.y + line / 2, said, letter, theme.role("goal"), "lm", box.width - 16)
    room = box.height // line - 1
    for k, choice in enumerate(shown[first : first + room]):
        y = box.y + (k + 1) * line
        if choice is pointed:
            draw.rectangle((box.x, y, box.x + box.width, y + line - 1), fill=mixed(theme.panel, theme.role("goal"), 0.35))
        is_cut = k == room - 1 and first + room < len(shown)
        text = f"… {len(shown) - first - room + 1} more: scroll" if is_cut else choice.name
        write(draw, box.x + 12, y + line / 2, text, letter, theme.dim if is_cut else theme.text, "lm", box.width - 24)


def paint_places(picture: Any, layout: Layout, theme: Theme, places: Iterable[tuple[int, int, int]]) -> None:
    """Outline places that an action touches."""
    draw = pillow()[1].Draw(picture)
    for x, y, z in places:
        left, top = layout.corner(x, y, z)
        if layout.board.holds(left, top):
            draw.rectangle((left, top, left + layout.cell, top + layout.cell), outline=theme.role("goal"), width=3)


def paint_tip(picture: Any, layout: Layout, theme: Theme, scene: Scene, place: tuple[int, int, int]) -> None:
    """Tell what stands on the place under the mouse, and show what it is linked with."""
    x, y, _ = place
    linked = [(link.to_x, link.to_y, link.to_z) for link in scene.board.links if (link.x, link.y, link.z) == place]
    linked += [(link.x, link.y, link.z) for link in scene.board.links if (link.to_x, link.to_y, link.to_z) == place]
    paint_places(picture, layout, theme, [place, *linked])
    lines = [place_names(scene.board).get(place, f"{x},{y}")]
    for piece in scene.pieces:
        if (piece.x, piece.y, piece.z) == place:
            bars = ", ".join(f"{bar.name} {bar.value:g}/{bar.full:g}" for bar in piece.bars)
            lines.append(piece.about + (f": {bars}" if bars else ""))
    meanings = dict(scene.legend)
    for cell in scene.cells:
        if (cell.x, cell.y, cell.z) == place:
            lines[0] += f": {meanings.get(cell.text) or meanings.get(cell.role, cell.role)} {cell.amount}".rstrip()
    draw, letter = pillow()[1].Draw(picture), max(11, layout.letter - 2)
    wide, high = max(width_of(line, letter) for line in lines) + 14, len(lines) * letter * 1.4 + 8
    left, top = layout.corner(*place)
    left = max(0, min(left + layout.cell * 1.1, picture.size[0] - wide))
    top = max(0, min(top - high, picture.size[1] - STRIP - high))
    draw.rectangle((left, top, left + wide, top + high), fill=theme.panel, outline=theme.dim)
    for k, line in enumerate(lines):
        write(draw, left + 7, top + 5 + k * letter * 1.4, line, letter, theme.text)


def paint_help(picture: Any, theme: Theme, keys: Sequence[tuple[str, str]], letter: int) -> None:
    """List the keys."""
    draw = pillow()[1].Draw(picture)
    line, first = letter * 1.5, max(width_of(key, letter) for key, _ in keys) + letter
    wide = first + max(width_of(what, letter) for _, what in keys) + 2 * letter
    high = line * len(keys) + letter
    left, top = (picture.size[0] - wide) / 2, (picture.size[1] - high) / 2
    draw.rectangle((left, top, left + wide, top + high), fill=theme.panel, outline=theme.role("goal"), width=2)
    for k, (key, what) in enumerate(keys):
        y = top + letter * 0.7 + k * line
        write(draw, left + letter, y, key, letter, theme.text)
        write(draw, left + letter + first, y, what, letter, theme.dim)


def paint_curtain(size: tuple[int, int], theme: Theme, text: str) -> Any:
    """Return a picture that shows nothing of the game."""
    picture = pillow()[0].new("RGB", size, theme.ground)
    write(pillow()[1].Draw(picture), size[0] / 2, size[1] / 2, text, 22, theme.text, "mm", size[0] - 40)
    return picture
