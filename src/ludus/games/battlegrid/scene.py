"""How BattleGrid looks: what a seat's view shows, and what a spectator sees, who looks through the eyes of both tanks."""

from __future__ import annotations

from typing import Any

from ludus.core import Bar, Cell, Event, Link, Mark, Piece, Scene

from .actions import DIRECTION_NAMES
from .reading import KIND_NAMES, POWERS, TANK_LETTERS, items_of
from .rules import DOUBLE_DAMAGE, DOUBLE_SHOT, DX, DY, RELOAD, SEATS, SIZE, SPEC, sight
from .text import cells_in_view, hints_of, score_line, shrink_schedule

KIND_TEXTS = ("+", "2X", "-1", "+2")  # what the item's picture says
ARROWS = "↑↓←→"  # by direction
LABELS = tuple(str(k) for k in range(SIZE))


def scene(view: Any) -> Scene:
    """Return what one seat knows as a scene: walls once seen, boxes for items, the enemy or the area that it is in."""
    me, enemy = view.me, 1 - view.me
    in_view = cells_in_view(view)
    pieces = _item_pieces(hints_of(view), "in the 2×2 box from")
    marks = _zone_marks(view.zone.tolist())
    if view.enemy_x >= 0:
        pieces.append(Piece(SPEC.seats[enemy], view.enemy_x, view.enemy_y, f"seat{enemy}", TANK_LETTERS[enemy]))
    else:
        x_min, x_max, y_min, y_max = view.enemy_area.tolist()
        marks += [Mark(x, y, "danger") for y in range(y_min, y_max + 1) for x in range(x_min, x_max + 1)]
    powers = [power for power in POWERS if view[power]]
    pieces.append(_tank(me, view.x, view.y, view.facing, view.cooldown, view.score, powers))
    numbers = [
        *_time(view.turn, view.max_turns),
        (SPEC.seats[me], str(view.score)),
        ("reload", str(view.cooldown)),
        ("powers", _pictures(powers)),
        ("no move for", str(view.stay)),
    ]
    status = "the game is over" if view.turn >= view.max_turns else f"{SPEC.seats[view.seat]} to act"
    return _framed(status, _cells(view.wall.tolist(), in_view), pieces, marks, numbers, _own_events(view))


def scene_all(s: Any) -> Scene:
    """Return a position as a scene: walls and items in view of either tank, both tanks, scores and the last turn (D31)."""
    in_view = [_in_view_of_any(s, y) for y in range(SIZE)]
    walls = [wall & lit for wall, lit in zip(s.wall.tolist(), in_view, strict=True)]
    pieces = _item_pieces([(x, y, kind) for x, y, kind in items_of(s) if in_view[y] >> x & 1], "on")
    numbers = _time(s.turn, s.opt_max_turns)
    for seat, name in enumerate(SPEC.seats):
        powers = [power for power in POWERS if s[power][seat]]
        x, y, facing, cooldown, score = (int(s[field][seat]) for field in ("x", "y", "facing", "cooldown", "score"))
        pieces.append(_tank(seat, x, y, facing, cooldown, score, powers))
        numbers += [(name, str(score)), (f"{name} reload", str(cooldown)), (f"{name} powers", _pictures(powers))]
    return _framed(status(s), _cells(walls, in_view), pieces, _zone_marks(s.zone.tolist()), numbers, _events(s), _shot(s))


def status(s: Any) -> str:
    """Return the line that says who acts, or how the game ended."""
    if s.turn < s.opt_max_turns:
        return f"{SPEC.seats[s.seat]} to act"
    blue, red = s.score.tolist()
    ends = f"blue {blue}, red {red}"
    return f"draw: {ends}" if blue == red else f"{SPEC.seats[int(red > blue)]} wins: {ends}"


def final_line(s: Any, names: tuple[str, ...], result: Any) -> str:
    """Return the line that ends a game: every agent's name and score (D20)."""
    return score_line(names, result.points)


def _framed(
    status: str,
    cells: list[Cell],
    pieces: list[Piece],
    marks: list[Mark],
    numbers: list[tuple[str, str]],
    events: list[Event],
    links: tuple[Link, ...] = (),
) -> Scene:
    return Scene(
        SPEC.title, SIZE, SIZE, status, 1, LABELS, LABELS,
        tuple(cells), tuple(pieces), tuple(marks), links, tuple(numbers), tuple(events),
    )  # fmt: skip


def _cells(walls: list[int], in_view: list[int]) -> list[Cell]:
    """List the walls, and fog where nobody looks."""
    found = []
    for y in range(SIZE):
        wall, plain = walls[y], in_view[y] & ~walls[y]
        found += [Cell(x, y, "wall" if wall >> x & 1 else "fog") for x in range(SIZE) if not plain >> x & 1]
    return found


def _in_view_of_any(s: Any, y: int) -> int:
    """Return the cells of a row that one of the tanks has in view, as bits."""
    bits = 0
    for seat in range(SEATS):
        bits |= sight(s.opt_view_range, s.opt_view_metric, int(s.x[seat]), int(s.y[seat]), y)
    return bits


def _tank(seat: int, x: int, y: int, facing: int, cooldown: int, score: int, powers: list[str]) -> Piece:
    return Piece(
        id=SPEC.seats[seat],
        x=x,
        y=y,
        role=f"seat{seat}",
        text=TANK_LETTERS[seat] + ARROWS[facing],
        facing=DIRECTION_NAMES[facing],
        bars=(Bar("loaded", max(0, RELOAD - cooldown), RELOAD),),
        about=f"{SPEC.seats[seat]}, score {score}, reload {cooldown}, powers: {', '.join(powers) or 'none'}",
    )


def _item_pieces(items: list[tuple[int, int, int]], where: str) -> list[Piece]:
    """Draw items; several of a kind on one cell are told apart by a sign."""
    pieces: dict[str, Piece] = {}
    for x, y, kind in items:
        name = f"{KIND_NAMES[kind]} {x},{y}"
        while name in pieces:
            name += "+"
        role = "resource" if kind in (DOUBLE_SHOT, DOUBLE_DAMAGE) else "danger"
        pieces[name] = Piece(name, x, y, role, KIND_TEXTS[kind], about=f"{KIND_NAMES[kind]} {where} {x},{y}")
    return list(pieces.values())


def _zone_marks(zone: list[int]) -> list[Mark]:
    """Outline the safe zone by its outermost cells."""
    x1, y1, x2, y2 = zone
    return [Mark(x, y, "safe") for y in range(y1, y2 + 1) for x in range(x1, x2 + 1) if x in (x1, x2) or y in (y1, y2)]


def _time(turn: int, max_turns: int) -> list[tuple[str, str]]:
    coming = next((f"turn {shrink}" for shrink in shrink_schedule(max_turns) if shrink > turn), "none")
    return [("turn", f"{turn}/{max_turns}"), ("next shrink", coming)]


def _pictures(powers: list[str]) -> str:
    """Return power-ups as the items' pictures show them: a side panel is narrow."""
    return " ".join(KIND_TEXTS[KIND_NAMES.index(name)] for name in powers) or "none"


def _shot(s: Any) -> tuple[Link, ...]:
    if s.last_shot_x < 0:
        return ()
    return (Link(int(s.x[s.last_seat]), int(s.y[s.last_seat]), s.last_shot_x, s.last_shot_y, "danger"),)


def _events(s: Any) -> list[Event]:
    """Tell the last turn: the tank's action, its pick-ups and its shot, then the penalties."""
    if s.last_seat < 0:
        return []
    who, x, y = SPEC.seats[s.last_seat], int(s.x[s.last_seat]), int(s.y[s.last_seat])
    events = [_drive_event(s, who, x, y)] if s.last_action >= 0 else []
    for kind in s.last_kinds[: s.last_picked].tolist():
        events.append(Event("pick", f"{who} takes {KIND_NAMES[kind]}", who, x, y))
    if s.last_fired:
        says = f"{who} hits for {s.last_points}" if s.last_hit else f"{who} misses"
        to_x, to_y = (s.last_shot_x, s.last_shot_y) if s.last_shot_x >= 0 else (None, None)
        events.append(Event("shot", says, who, x, y, to_x, to_y, s.last_points))
    for seat, name in enumerate(SPEC.seats):
        if s.last_penalty[seat]:
            events.append(_penalty_event(name, int(s.x[seat]), int(s.y[seat])))
    return events


def _drive_event(s: Any, who: str, x: int, y: int) -> Event:
    direction = int(s.facing[s.last_seat])
    facing, before = DIRECTION_NAMES[direction], (x - DX[direction], y - DY[direction])
    if s.last_escaped >= 0:
        return Event("escape", f"{who} breaks out {facing}", who, *before, x, y)
    if s.last_moved:
        return Event("move", f"{who} drives {facing} to {x},{y}", who, *before, x, y)
    if s.last_rotated:
        return Event("turn", f"{who} turns {facing}", who, x, y)
    return Event("blocked", f"{who} cannot drive {facing}", who, x, y)


def _penalty_event(who: str, x: int, y: int) -> Event:
    return Event("penalty", f"{who} is outside the zone", who, x, y, amount=-1)


def _own_events(view: Any) -> list[Event]:
    """Tell a seat what came of its own turn."""
    who, x, y = SPEC.seats[view.me], view.x, view.y
    events = []
    if view.last_action >= 0:
        did = "breaks out" if view.last_escaped >= 0 else "drives on" if view.last_moved else "stays"
        events.append(Event("move", f"{who} {did}", who, x, y))
    if view.last_fired:
        says = f"{who} hits for {view.last_points}" if view.last_hit else f"{who} misses"
        events.append(Event("shot", says, who, x, y, amount=view.last_points))
    if view.last_penalty:
        events.append(_penalty_event(who, x, y))
    return events
