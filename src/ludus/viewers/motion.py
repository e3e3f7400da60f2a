"""Between two scenes: where the pieces are on their way, what is shot, who is hurt. Pieces are known by their ids."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ludus.core import NOBODY, Link, Piece, Scene

from .layout import Layout

MOST_ALONE = 4  # pieces of one place that are drawn one by one
MOVES = {"move", "turn", "blocked", "end"}  # kinds of events that the pieces themselves show


class Placed(NamedTuple):
    """A piece as it is drawn: its middle and side in dots, and how much of it is seen."""

    piece: Piece
    x: float
    y: float
    side: float
    share: float = 1.0
    together: int = 1  # pieces that are drawn as one


class Hurt(NamedTuple):
    """A number that rises from a place."""

    text: str
    x: float
    y: float
    role: str


def placed(scene: Scene, layout: Layout) -> dict[int, Placed]:
    """Return the pieces of a scene by id; those that share a place stand beside each other, many of one kind as one."""
    spots: dict[tuple[int, int, int], list[Piece]] = {}
    for piece in scene.pieces:
        spots.setdefault((piece.x, piece.y, piece.z), []).append(piece)
    found = {}
    for (x, y, z), pieces in spots.items():
        middle_x, middle_y = layout.middle(x, y, z)
        groups = _groups(pieces)
        for group, (shift_x, shift_y, share) in zip(groups, _slots(len(groups)), strict=True):
            at_x, at_y, side = middle_x + shift_x * layout.cell, middle_y + shift_y * layout.cell, share * layout.cell
            for k, piece in enumerate(group):
                found[piece.id] = Placed(piece, at_x, at_y, side, 1.0 if k == 0 else 0.0, len(group))
    return found


def _groups(pieces: list[Piece]) -> list[list[Piece]]:
    """Return the pieces of a place as they are drawn: one by one, or many of one kind together, the weakest first."""
    if len(pieces) <= MOST_ALONE:
        return [[piece] for piece in pieces]
    kinds: dict[tuple[int, str, str], list[Piece]] = {}
    for piece in pieces:
        kinds.setdefault((piece.seat, piece.kind, piece.icon), []).append(piece)
    return [sorted(group, key=lambda piece: piece.bars[0].value if piece.bars else 0.0) for group in kinds.values()]


def _slots(count: int) -> list[tuple[float, float, float]]:
    """Return where so many things stand in a place, and how large they are: shares of a cell, from its middle."""
    if count == 2:  # they may overlap a little: half a place is small
        return [(-0.18, -0.18, 0.64), (0.18, 0.18, 0.64)]
    across = math.isqrt(max(0, count - 1)) + 1
    down = -(-count // across)
    slots = []
    for k in range(count):
        in_row = min(across, count - k // across * across)
        slots.append(((k % across - (in_row - 1) / 2) / across, (k // across - (down - 1) / 2) / across, 1 / across))
    return slots


def moving(before: Scene | None, scene: Scene, layout: Layout, t: float) -> list[Placed]:
    """Return the pieces on their way from one scene to the next; t goes from 0 to 1."""
    now = placed(scene, layout)
    if before is None or t >= 1 or before.board != scene.board:
        return list(now.values())
    then = placed(before, layout)
    share = t * t * (3 - 2 * t)  # slow at both ends
    found = [old._replace(share=(1 - t) * old.share) for identity, old in then.items() if identity not in now]
    for identity, new in now.items():
        old = then.get(identity)
        if old is None or old.piece.kind != new.piece.kind:
            found.append(new._replace(share=t * new.share))
            continue
        x, y = old.x + (new.x - old.x) * share, old.y + (new.y - old.y) * share
        seen = old.share + (new.share - old.share) * t
        found.append(Placed(new.piece, x, y, old.side + (new.side - old.side) * share, seen, new.together))
    return found


def shots(scene: Scene) -> Iterator[Link]:
    """Return the lines of the last turn: those of the scene, and of events that went from a place to another."""
    yield from scene.links
    drawn = {(link.x, link.y, link.z, link.to_x, link.to_y, link.to_z) for link in scene.links}
    for event in scene.events:
        if event.x is None or event.y is None or event.to_x is None or event.to_y is None or event.kind in MOVES:
            continue
        line = event.x, event.y, event.z, event.to_x, event.to_y, event.to_z
        if line not in drawn and line[:3] != line[3:]:
            drawn.add(line)
            role = f"seat{event.seat}" if event.seat != NOBODY else "danger"
            yield Link(event.x, event.y, event.to_x, event.to_y, role, event.z, event.to_z)


def hurts(before: Scene | None, scene: Scene, layout: Layout) -> list[Hurt]:
    """Return what pieces lost or got of their first bar since the scene before, and those that are gone."""
    if before is None or before.board != scene.board:
        return []
    now = {piece.id: piece for piece in scene.pieces}
    found = []
    for piece in before.pieces:
        new = now.get(piece.id)
        if new is None or not piece.bars or not new.bars or piece.bars[0].name != new.bars[0].name:
            continue
        lost = piece.bars[0].value - new.bars[0].value
        if lost > 0 and piece.bars[0].full == new.bars[0].full:
            x, y = layout.middle(new.x, new.y, new.z)
            found.append(Hurt(f"-{lost:g}", x, y, "danger"))
    return found
