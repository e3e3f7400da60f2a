"""How BattleGrid looks: scenes for a spectator and through a seat's fog, names and refusals of actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import Bar, Cell, Event, Link, Mark, Piece, Scene, UnknownName

from .compat import score_line, shrink_schedule
from .position import ACTIONS, DIRECTION_NAMES, KIND_NAMES, POWERS, parse, text
from .rules import DOUBLE_DAMAGE, DOUBLE_SHOT, DX, DY, RELOAD, SEATS, SHOOT, SIZE, SPEC, View, observe, sight

__all__ = [
    "ACTIONS", "action_name", "fallback", "final_line", "parse", "parse_action", "prompt", "public", "scene", "text", "why_not",
]  # fmt: skip

LETTERS = "UDLR"  # what people may type for a direction
SHOT_WORDS = ("shoot", "s", "!")
KIND_TEXTS = ("+", "2X", "-1", "+2")  # what the item's picture says
TANK_TEXTS = ("B", "R")
ARROWS = "↑↓←→"  # by direction


def why_not(s: Any, seat: int, action: int) -> str:
    """Return the reason for which a seat may not play this, or ""; all eight actions are always allowed."""
    if s.turn >= s.opt_max_turns:
        return "game_over"
    if seat != s.seat:
        return "not_your_turn"
    return "" if 0 <= action < SPEC.actions else "bad_action"


def action_name(action: int) -> str:
    """Return an action as people write it."""
    return ACTIONS[action]


def parse_action(text: str) -> int:
    """Read `up`, `up shoot`, `U`, `u s`, `left!` in any case, or the number of an action."""
    word = text.strip().lower()
    if word.isdecimal() and int(word) < SPEC.actions:
        return int(word)
    first, *rest = word.removesuffix("!").split() or [""]
    if first in DIRECTION_NAMES or (len(first) == 1 and first.upper() in LETTERS):
        direction = DIRECTION_NAMES.index(first) if first in DIRECTION_NAMES else LETTERS.index(first.upper())
        if not rest or (len(rest) == 1 and rest[0] in SHOT_WORDS):
            return direction + (SHOOT if rest or word.endswith("!") else 0)
    raise UnknownName("action", text, ACTIONS)


def prompt(legal: list[int]) -> str:
    """Say what a person may type."""
    return "U, D, L, R: turn there or, if the tank faces it, drive; with ! it also shoots, as in U!"


def final_line(s: Any, names: tuple[str, ...], result: Any) -> str:
    """Return the line that ends a game: every agent's name and score (D20)."""
    return score_line(names, result.points)


def fallback(s: Any) -> int:
    """Return what is played for an agent that gave no action: it drives on and holds its fire (D24)."""
    return int(s.facing[s.seat])


def scene(s: Any, seat: int = -1) -> Scene:
    """Return the position as a scene: what either tank has in view, or what one seat knows."""
    return _spectator_scene(s) if seat < 0 else _seat_scene(_look(s, seat), bool(s.turn >= s.opt_max_turns))


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    return {
        "me": SPEC.seats[view.me],
        "size": SIZE,
        "turn": int(view.turn),
        "max_turns": int(view.max_turns),
        "to_act": SPEC.seats[view.seat],
        "tank": {
            "cell": [int(view.x), int(view.y)],
            "facing": DIRECTION_NAMES[view.facing],
            "wants": DIRECTION_NAMES[view.desired],
            "cooldown": int(view.cooldown),
            "powers": [name for name in POWERS if view[name]],
            "stay": int(view.stay),
            "score": int(view.score),
        },
        "enemy": None if view.enemy_x < 0 else [int(view.enemy_x), int(view.enemy_y)],
        "enemy_area": view.enemy_area.tolist(),
        "zone": view.zone.tolist(),
        "shrinks": [turn for turn in shrink_schedule(int(view.max_turns)) if turn > view.turn],
        "hints": [[int(view.hint_x[k]), int(view.hint_y[k]), KIND_NAMES[view.hint_kind[k]]] for k in range(view.hint_count)],
        "walls": [[x, y] for x in range(SIZE) for y in range(SIZE) if int(view.wall[y]) >> x & 1],
        "rules": {
            name: int(view[name])
            for name in ("view_range", "view_metric", "shoot_range", "min_tank_distance", "double_damage_lost_on_miss")
        },
        "last": _last_of(view),
    }


def _last_of(view: Any) -> dict[str, Any] | None:
    """Return what came of the own action, if the turn just played was the seat's."""
    if view.last_action < 0:
        return None
    return {
        "action": ACTIONS[view.last_action],
        "moved": bool(view.last_moved),
        "escaped": None if view.last_escaped < 0 else DIRECTION_NAMES[view.last_escaped],
        "fired": bool(view.last_fired),
        "hit": bool(view.last_hit),
        "points": int(view.last_points),
    }


def _look(s: Any, seat: int) -> Any:
    view = np.zeros(1, View).view(np.recarray)[0]
    observe(s, seat, view)
    return view


def _spectator_scene(s: Any) -> Scene:
    """Show walls and items in view of either tank, fog elsewhere, both tanks, scores and the last turn (D31)."""
    lit = [_lit_row(s, y) for y in range(SIZE)]
    items = [
        (cell % SIZE, cell // SIZE, int(s.item_kind[k]))
        for k, cell in enumerate(s.item_cell[: s.item_count].tolist())
        if lit[cell // SIZE] >> cell % SIZE & 1
    ]
    tanks = tuple(_tank(_look(s, seat)) for seat in range(SEATS))
    numbers: list[tuple[str, str]] = [("turn", f"{s.turn}/{s.opt_max_turns}"), _next_shrink(s.turn, s.opt_max_turns)]
    for seat, name in enumerate(SPEC.seats):
        numbers += [(name, str(s.score[seat])), (f"{name} reload", str(s.cooldown[seat]))]
        numbers.append((f"{name} powers", _powers([p for p in POWERS if s[p][seat]])))
    return _frame(
        status=_status(s),
        cells=tuple(_cells([int(row) for row in s.wall], lit, lit)),
        pieces=(*_item_pieces(items), *tanks),
        marks=_zone_marks(s.zone.tolist()),
        links=_shot_link(s),
        numbers=tuple(numbers),
        events=_events(s),
    )


def _seat_scene(view: Any, is_over: bool) -> Scene:
    """Show what one seat knows, and nothing that its view does not hold."""
    me = SPEC.seats[view.me]
    lit = [_sight_of(view, y) for y in range(SIZE)]
    known = [bits | int(wall) for bits, wall in zip(lit, view.wall, strict=True)]
    enemy: tuple[Piece, ...] = ()
    marks = list(_zone_marks(view.zone.tolist()))
    if view.enemy_x >= 0:
        other = 1 - view.me
        enemy = (Piece(SPEC.seats[other], int(view.enemy_x), int(view.enemy_y), f"seat{other}", TANK_TEXTS[other]),)
    else:
        x_min, x_max, y_min, y_max = view.enemy_area.tolist()
        marks += [Mark(x, y, "danger") for y in range(y_min, y_max + 1) for x in range(x_min, x_max + 1)]
    hints = [(int(view.hint_x[k]), int(view.hint_y[k]), int(view.hint_kind[k])) for k in range(view.hint_count)]
    return _frame(
        status="the game is over" if is_over else f"{SPEC.seats[view.seat]} to act",
        cells=tuple(_cells(view.wall.tolist(), known, lit)),
        pieces=(*_item_pieces(hints, is_hint=True), *enemy, _tank(view)),
        marks=tuple(marks),
        numbers=(
            ("turn", f"{view.turn}/{view.max_turns}"),
            _next_shrink(view.turn, view.max_turns),
            (me, str(view.score)),
            ("reload", str(view.cooldown)),
            ("powers", _powers([p for p in POWERS if view[p]])),
            ("no move for", str(view.stay)),
        ),
        events=_own_events(view),
    )


def _frame(**parts: Any) -> Scene:
    numbers = tuple(str(k) for k in range(SIZE))
    return Scene(title=SPEC.title, width=SIZE, height=SIZE, columns=numbers, rows=numbers, **parts)


def _cells(walls: list[int], known: list[int], lit: list[int]) -> list[Cell]:
    """List walls that are known, and fog where nobody looks."""
    found = []
    for y in range(SIZE):
        for x in range(SIZE):
            if (walls[y] & known[y]) >> x & 1:
                found.append(Cell(x, y, "wall"))
            elif not lit[y] >> x & 1:
                found.append(Cell(x, y, "fog"))
    return found


def _lit_row(s: Any, y: int) -> int:
    """Return the cells of a row that one of the tanks has in view, as bits."""
    bits = 0
    for seat in range(SEATS):
        bits |= sight(int(s.opt_view_range), int(s.opt_view_metric), int(s.x[seat]), int(s.y[seat]), y)
    return bits


def _sight_of(view: Any, y: int) -> int:
    bits: int = sight(int(view.view_range), int(view.view_metric), int(view.x), int(view.y), y)
    return bits


def _tank(view: Any) -> Piece:
    powers = ", ".join(name for name in POWERS if view[name]) or "none"
    return Piece(
        id=SPEC.seats[view.me],
        x=int(view.x),
        y=int(view.y),
        role=f"seat{view.me}",
        text=TANK_TEXTS[view.me] + ARROWS[view.facing],
        facing=DIRECTION_NAMES[view.facing],
        bars=(Bar("loaded", max(0, RELOAD - int(view.cooldown)), RELOAD),),
        about=f"{SPEC.seats[view.me]}, score {view.score}, reload {view.cooldown}, powers: {powers}",
    )


def _item_pieces(items: list[tuple[int, int, int]], is_hint: bool = False) -> list[Piece]:
    """Draw items; several of a kind on one cell are told apart by a number."""
    pieces: dict[str, Piece] = {}
    for x, y, kind in items:
        name = f"{KIND_NAMES[kind]} {x},{y}"
        while name in pieces:
            name += "+"
        role = "resource" if kind in (DOUBLE_SHOT, DOUBLE_DAMAGE) else "danger"
        about = f"{KIND_NAMES[kind]} in the 2×2 box from {x},{y}" if is_hint else f"{KIND_NAMES[kind]} on {x},{y}"
        pieces[name] = Piece(name, x, y, role, KIND_TEXTS[kind], about=about)
    return list(pieces.values())


def _zone_marks(zone: list[int]) -> tuple[Mark, ...]:
    """Outline the safe zone by its outermost cells."""
    x1, y1, x2, y2 = zone
    cells = [(x, y) for y in range(y1, y2 + 1) for x in range(x1, x2 + 1) if x in (x1, x2) or y in (y1, y2)]
    return tuple(Mark(x, y, "safe") for x, y in cells)


def _next_shrink(turn: int, max_turns: int) -> tuple[str, str]:
    coming = [shrink for shrink in shrink_schedule(int(max_turns)) if shrink > turn]
    return "next shrink", f"turn {coming[0]}" if coming else "none"


def _powers(names: list[str]) -> str:
    """Return power-ups as the items' pictures show them: a side panel is narrow."""
    return " ".join(KIND_TEXTS[KIND_NAMES.index(name)] for name in names) or "none"


def _status(s: Any) -> str:
    if s.turn < s.opt_max_turns:
        return f"{SPEC.seats[s.seat]} to act"
    blue, red = s.score.tolist()
    ends = f"blue {blue}, red {red}"
    return f"draw: {ends}" if blue == red else f"{SPEC.seats[int(red > blue)]} wins: {ends}"


def _shot_link(s: Any) -> tuple[Link, ...]:
    if not s.last_fired:
        return ()
    x, y = int(s.x[s.last_seat]), int(s.y[s.last_seat])
    return (Link(x, y, int(s.last_shot_x), int(s.last_shot_y), "danger"),)


def _events(s: Any) -> tuple[Event, ...]:
    """Tell the last turn: the tank's action, its pick-ups and its shot, then the penalties."""
    if s.last_seat < 0:
        return ()
    who, x, y = SPEC.seats[s.last_seat], int(s.x[s.last_seat]), int(s.y[s.last_seat])
    events = [_drive_event(s, who, x, y)]
    for kind in s.last_kinds[: s.last_picked]:
        events.append(Event("pick", f"{who} takes {KIND_NAMES[kind]}", who, x, y))
    if s.last_fired:
        says = f"{who} hits for {s.last_points}" if s.last_hit else f"{who} misses"
        events.append(Event("shot", says, who, x, y, int(s.last_shot_x), int(s.last_shot_y), int(s.last_points)))
    return (*events, *(_penalty_event(s, seat) for seat in range(SEATS) if s.last_penalty[seat]))


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


def _penalty_event(s: Any, seat: int) -> Event:
    who = SPEC.seats[seat]
    return Event("penalty", f"{who} is outside the zone", who, int(s.x[seat]), int(s.y[seat]), amount=-1)


def _own_events(view: Any) -> tuple[Event, ...]:
    """Tell a seat what came of its own turn."""
    who, x, y, events = SPEC.seats[view.me], int(view.x), int(view.y), []
    if view.last_action >= 0:
        did = "breaks out" if view.last_escaped >= 0 else "drives on" if view.last_moved else "stays"
        events.append(Event("move", f"{who} {did}", who, x, y))
    if view.last_fired:
        says = f"{who} hits for {view.last_points}" if view.last_hit else f"{who} misses"
        events.append(Event("shot", says, who, x, y, amount=int(view.last_points)))
    if view.last_penalty:
        events.append(Event("penalty", f"{who} is outside the zone", who, x, y, amount=-1))
    return tuple(events)
