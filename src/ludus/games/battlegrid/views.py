"""A seat's view of BattleGrid as plain data: what each key means, the data, and the way back to the row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from ludus.core import Area, Place, PlainView, about

from .actions import ACTIONS, DIRECTION_NAMES
from .reading import KIND_NAMES, POWERS
from .rules import QUIET_END, SHRINKS, SIZE, SPEC, sight

OPTIONS = tuple(option.name for option in SPEC.options)  # a view has them under these names
FULL = f"0{SIZE}b"  # how the cells of a row are written
REWARDS = """What a turn changed in your score less what it changed in the other's: hits, items, the penalty outside the zone.
The higher score after the last turn wins; points are the scores."""
# What each plane of `encode` shows, for the page of its environments.
PLANES = (
    "walls that have been seen",
    "cells that have been seen",
    "the own tank facing up",
    "the own tank facing down",
    "the own tank facing left",
    "the own tank facing right",
    "the enemy, where its area is decoded",
    "outline of the zone",
    "hints of a double_shot",
    "hints of a double_damage",
    "hints of a minus_one",
    "hints of a double_cooldown",
    "bars of the own tank: reload in row 0, turns without a move in row 1; in row 2 its three powers and its colour",
    "bars: time in row 0, time to the next items in row 1, half of the score in row 2, an eighth of a score below 0 in row 3",
)
Direction = Literal["up", "down", "left", "right"]
Kind = Literal["double_shot", "double_damage", "minus_one", "double_cooldown"]


class Tank(TypedDict):
    """The own tank."""

    cell: Annotated[Place, about("where it stands: [x, y]")]
    facing: Annotated[Direction, about("where its gun points; a step goes there")]
    wants: Annotated[Direction, about("the direction asked for last, or that of an escape; it plays no part")]
    cooldown: Annotated[int, about("own turns until the gun is loaded; 0 = it can fire in this one")]
    powers: Annotated[list[Literal["double_shot", "double_damage", "double_cooldown"]], about("what it has picked up")]
    stay: Annotated[int, about("own turns in a row without a step; the third drives it off at random")]
    score: Annotated[int, about("points so far")]


class Last(TypedDict):
    """What came of the own action."""

    action: Annotated[str, about("what you asked for")]
    moved: Annotated[bool, about("whether the tank took a step")]
    escaped: Annotated[Direction | None, about("where it was driven because it had stood too long, or null")]
    fired: Annotated[bool, about("whether a shot left the gun")]
    hit: Annotated[bool, about("whether it hit")]
    points: Annotated[int, about("what the hit was worth")]


class Shown(PlainView):
    """What `public` tells."""

    size: Annotated[int, about("rows and columns of the board")]
    tank: Annotated[Tank, about("your own tank")]
    enemy: Annotated[Place | None, about("where the enemy stands, [x, y], if you see it")]
    enemy_area: Annotated[Area, about("somewhere in here the enemy stands: [x_min, y_min, x_max, y_max]")]
    zone: Annotated[Area, about("the safe zone: [x_min, y_min, x_max, y_max]; outside it each turn costs a point")]
    shrinks: Annotated[list[int], about("the turns to come after which the zone shrinks")]
    hints: Annotated[
        list[tuple[int, int, Kind]], about("items: x and y of the upper left cell of a 2 by 2 box, and what lies in it")
    ]
    walls: Annotated[list[Place], about("the walls that you have seen: [x, y]")]
    in_view: Annotated[list[str], about("rows of the board, in_view[y][x]: 1 where you look now, else 0")]
    seen: Annotated[list[str], about("the same for all that you have looked at so far")]
    penalty: Annotated[bool, about("whether the turn just played cost you a point outside the zone")]
    last: Annotated[Last | None, about("what came of your action, if the turn just played was yours")]


def public(view: Any) -> dict[str, Any]:
    """Return a view as plain data for people and for other languages."""
    x_min, x_max, y_min, y_max = view.enemy_area.tolist()
    walls = [(y, row) for y, row in enumerate(view.wall.tolist()) if row]
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "turn": view.turn,
        "over": view.turn >= view.max_turns,
        "size": SIZE,
        "tank": _own_tank(view),
        "enemy": None if view.enemy_x < 0 else [view.enemy_x, view.enemy_y],
        "enemy_area": [x_min, y_min, x_max, y_max],
        "zone": view.zone.tolist(),
        "shrinks": [turn for turn in shrink_schedule(view.max_turns) if turn > view.turn],
        "hints": [[x, y, KIND_NAMES[kind]] for x, y, kind in hints_of(view)],
        "walls": [[x, y] for y, row in walls for x in range(SIZE) if row >> x & 1],
        "in_view": [_digits(row) for row in cells_in_view(view)],
        "seen": [_digits(row) for row in view.seen.tolist()],
        "penalty": bool(view.last_penalty),
        "last": _own_last(view),
        "options": {"grid_size": SIZE, **{name: view[name] for name in OPTIONS}},
    }


def read_view(shown: Mapping[str, Any], view: Any) -> None:
    """Write a view of zeros from what `public` told of it."""
    view.me, view.seat, view.turn = SPEC.seats.index(shown["me"]), SPEC.seats.index(shown["to_move"]), shown["turn"]
    for name in OPTIONS:
        view[name] = shown["options"][name]
    _read_tank(shown["tank"], view)
    view.enemy_x, view.enemy_y = shown["enemy"] or (-1, -1)
    x_min, y_min, x_max, y_max = shown["enemy_area"]
    view.enemy_area[:], view.zone[:] = (x_min, x_max, y_min, y_max), shown["zone"]
    view.hint_count = len(shown["hints"])
    for k, (x, y, kind) in enumerate(shown["hints"]):
        view.hint_x[k], view.hint_y[k], view.hint_kind[k] = x, y, KIND_NAMES.index(kind)
    for x, y in shown["walls"]:
        view.wall[y] |= 1 << x
    view.seen[:] = [int(row[::-1], 2) for row in shown["seen"]]
    view.last_penalty, view.last_action, view.last_escaped = shown["penalty"], -1, -1
    if last := shown["last"]:
        view.last_action, view.last_points = ACTIONS.index(last["action"]), last["points"]
        view.last_escaped = -1 if last["escaped"] is None else DIRECTION_NAMES.index(last["escaped"])
        view.last_moved, view.last_fired, view.last_hit = last["moved"], last["fired"], last["hit"]


def cells_in_view(view: Any) -> list[int]:
    """Return the cells that a seat has in view now, by row as bits."""
    reach, metric, x, y = view.view_range, view.view_metric, view.x, view.y
    return [sight(reach, metric, x, y, row) if abs(row - y) <= reach else 0 for row in range(SIZE)]


def hints_of(view: Any) -> list[tuple[int, int, int]]:
    """List the boxes in which items lie: left column, upper row and the item's kind."""
    columns, rows, kinds = (view[name][: view.hint_count].tolist() for name in ("hint_x", "hint_y", "hint_kind"))
    return list(zip(columns, rows, kinds, strict=True))


def shrink_schedule(max_turns: int) -> list[int]:
    """List the turns after which the zone shrinks; short games name turns that never come (D29)."""
    gap = (max_turns - QUIET_END) // (2 * SHRINKS)
    return [2 * gap * k for k in range(1, SHRINKS + 1)]


def _own_tank(view: Any) -> dict[str, Any]:
    return {
        "cell": [view.x, view.y],
        "facing": DIRECTION_NAMES[view.facing],
        "wants": DIRECTION_NAMES[view.desired],
        "cooldown": view.cooldown,
        "powers": [name for name in POWERS if view[name]],
        "stay": view.stay,
        "score": view.score,
    }


def _read_tank(tank: Mapping[str, Any], view: Any) -> None:
    view.x, view.y = tank["cell"]
    view.facing, view.desired = DIRECTION_NAMES.index(tank["facing"]), DIRECTION_NAMES.index(tank["wants"])
    view.cooldown, view.stay, view.score = tank["cooldown"], tank["stay"], tank["score"]
    for name in tank["powers"]:
        view[POWERS[POWERS.index(name)]] = 1


def _own_last(view: Any) -> dict[str, Any] | None:
    """Return what came of the own action, if the turn just played was the seat's."""
    if view.last_action < 0:
        return None
    return {
        "action": ACTIONS[view.last_action],
        "moved": bool(view.last_moved),
        "escaped": None if view.last_escaped < 0 else DIRECTION_NAMES[view.last_escaped],
        "fired": bool(view.last_fired),
        "hit": bool(view.last_hit),
        "points": view.last_points,
    }


def _digits(row: int) -> str:
    return format(row, FULL)[::-1]  # a number has its lowest bit, column 0, at the right
