"""How a game looks: scenes of every seat and of spectators, drawn by the terminal."""

from __future__ import annotations

from io import StringIO

import msgspec
from rich.console import Console

from ludus.core import ROLES, Row, Scene
from ludus.viewers import draw

from .breach import fail
from .judge import Judge


def check_scenes(judge: Judge, rows: list[Row]) -> str:
    """scenes stand within their boards and can be drawn."""
    game, count = judge.game, 0
    if game.hidden and game.says("scene", "scene") and not game.says("scene", "scene_all"):
        fail("scene.py has no scene_all(s): spectators of a game that hides something would see what its first seat sees")
    for row in rows:
        for seat in range(-1, len(judge.spec.seats)):
            before = bytes(row.bytes)
            scene = judge.call(f"scene for {judge.spec.seats[seat] if seat >= 0 else 'spectators'}", game.scene, row, seat)
            judge.check_untouched("scene.py: scene", row, before)
            check_scene(judge, scene)
            if count % 5 == 0:
                _draw(judge, scene)
            if count % 5 == 1 and game.scene(row, seat) != scene:
                fail("scene.py: scene shows the same position differently when asked again")
            count += 1
    return f"{count} scenes"


def check_scene(judge: Judge, scene: Scene) -> None:
    """Hold one scene to what viewers need."""
    if not isinstance(scene, Scene):
        fail(f"scene.py: scene returned a {type(scene).__name__}, not a ludus.core.Scene")
    try:
        again = msgspec.json.decode(msgspec.json.encode(scene), type=Scene)
    except (msgspec.ValidationError, TypeError, OverflowError) as error:
        _name_what_is_not_plain(scene, "Scene")
        fail(f"scene.py: a scene is no plain data: {error}")
    if again != scene:
        _name_what_is_not_plain(scene, "Scene")
        parts = [name for name in scene.__struct_fields__ if getattr(again, name) != getattr(scene, name)]
        fail(
            f"scene.py: Scene.{parts[0] if parts else '?'} changes on its way through JSON: it holds a list, or NumPy's numbers"
        )
    if scene.width < 1 or scene.height < 1 or scene.layers < 1:
        fail(f"scene.py: a scene of {scene.width} × {scene.height} × {scene.layers} cells cannot be drawn")
    if not scene.status.strip() or "\n" in scene.status:
        fail(f"scene.py: Scene.status must be one line, not {scene.status!r}")
    for labels, length, name in ((scene.columns, scene.width, "columns"), (scene.rows, scene.height, "rows")):
        if labels and len(labels) != length:
            fail(f"scene.py: Scene.{name} has {len(labels)} labels for {length} {name}")
    _check_parts(judge, scene)
    ids = [piece.id for piece in scene.pieces]
    if len(set(ids)) < len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        fail(f"scene.py: two pieces have the id {twice!r}")
    for event in scene.events:
        if event.who and event.who not in ids:
            fail(f"scene.py: the event {event.text!r} is of {event.who!r}, but no piece of the scene has that id")


def _draw(judge: Judge, scene: Scene) -> None:
    with StringIO() as paper:
        judge.call("drawing a scene in the terminal", Console(file=paper, width=200).print, draw(scene))


def _name_what_is_not_plain(part: object, path: str) -> None:
    """Name the first part of a scene that is a list, one of NumPy's numbers or the like."""
    if isinstance(part, msgspec.Struct):
        for name in part.__struct_fields__:
            _name_what_is_not_plain(getattr(part, name), f"{path}.{name}")
    elif isinstance(part, tuple):
        for place, one in enumerate(part):
            _name_what_is_not_plain(one, f"{path}[{place}]")
    elif isinstance(part, list):
        for place, one in enumerate(part):
            _name_what_is_not_plain(one, f"{path}[{place}]")
        fail(f"scene.py: {path} is a list; scenes hold tuples: tuple(…)")
    elif type(part) not in (str, int, float, bool, type(None)):
        fail(f"scene.py: {path} is {part!r} of the type {type(part).__name__}, which is no plain data (int(…), str(…))")


def _check_parts(judge: Judge, scene: Scene) -> None:
    roles = {*ROLES, *(f"seat{seat}" for seat in range(len(judge.spec.seats)))}
    spots = [
        (kind, part, part.x, part.y, part.z) for kind in ("cells", "pieces", "marks", "links") for part in getattr(scene, kind)
    ]
    spots += [("links", link, link.to_x, link.to_y, link.to_z) for link in scene.links]
    spots += [("events", e, e.x, e.y, e.z) for e in scene.events if e.x is not None and e.y is not None]
    spots += [("events", e, e.to_x, e.to_y, e.to_z) for e in scene.events if e.to_x is not None and e.to_y is not None]
    for kind, part, x, y, z in spots:
        if not (0 <= x < scene.width and 0 <= y < scene.height and 0 <= z < scene.layers):
            board = f"{scene.width} × {scene.height}" + (f" × {scene.layers}" if scene.layers > 1 else "")
            fail(
                f"scene.py: one of Scene.{kind} stands at x {x}, y {y}{f', z {z}' if z else ''},"
                f" beyond the board of {board}: {part}"
            )
        role = getattr(part, "role", "floor")
        if role not in roles:
            fail(f"scene.py: one of Scene.{kind} has the role {role!r}; roles are: {', '.join(sorted(roles))}")
    for kind, parts in (("cells", scene.cells), ("pieces", scene.pieces)):
        for part in parts:
            if len(part.text) > 2:
                fail(f"scene.py: {part.text!r} of Scene.{kind} is longer than two characters")
    for piece in scene.pieces:
        for bar in piece.bars:
            if not 0 <= bar.value <= bar.full:
                fail(f"scene.py: the bar {bar.name!r} of {piece.id!r} has {bar.value} of {bar.full}")
