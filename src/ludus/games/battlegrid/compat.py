"""BattleGrid as the original program showed it: agents decide directions and shots from plain lists."""

from __future__ import annotations

from typing import Any

from .rules import QUIET_END, SHOOT, SHRINKS, sight

DIRECTIONS = ("UP", "DOWN", "LEFT", "RIGHT")  # by number
ITEM_TYPES = ("DOUBLE_SHOT", "DOUBLE_DAMAGE", "MINUS_ONE", "DOUBLE_COOLDOWN")  # by number


def arguments(view: Any) -> dict[str, Any]:
    """Return what `decide` is given beside the tank, by the names of its parameters and in their order."""
    area, zone = view.enemy_area.tolist(), view.zone.tolist()
    hints = zip(view.hint_x.tolist(), view.hint_y.tolist(), view.hint_kind.tolist(), strict=True)
    return {
        "visible_enemy": None if view.enemy_x < 0 else (int(view.enemy_x), int(view.enemy_y)),
        "visible_walls": walls_in_view(view),
        "enemy_area": tuple(area),
        "safe_zone": tuple(zone),
        "item_hints": [(x, y, x + 1, y + 1, ITEM_TYPES[kind]) for x, y, kind in list(hints)[: view.hint_count]],
    }


def walls_in_view(view: Any) -> list[tuple[int, int]]:
    """List the walls that the tank has in view now, by column, then row."""
    reach, metric, x, y = int(view.view_range), int(view.view_metric), int(view.x), int(view.y)
    found = []
    for row, walls in enumerate(view.wall.tolist()):
        bits = walls & sight(reach, metric, x, y, row)
        while bits:
            lowest = bits & -bits
            found.append((lowest.bit_length() - 1, row))
            bits ^= lowest
    return sorted(found)


def action_of(answer: tuple[object, object], facing: int) -> int:
    """Return an answer of `decide` as an action; a direction that is none of the four drives on (D23)."""
    direction, flag = answer
    number = DIRECTIONS.index(direction) if isinstance(direction, str) and direction in DIRECTIONS else facing
    return number + (SHOOT if flag else 0)


def wish(direction: object, facing: int, desired: int) -> object:
    """Return `desired_direction` after a turn: what was asked for as it was given, or the direction of an escape.

    An illegal wish is played as the facing; an escape from there leads elsewhere, as the way ahead was closed.
    """
    illegal = not (isinstance(direction, str) and direction in DIRECTIONS)
    return direction if illegal and desired == facing else DIRECTIONS[desired]


def shrink_schedule(max_turns: int) -> list[int]:
    """List the turns after which the zone shrinks; short games name turns that never come (D29)."""
    gap = (max_turns - QUIET_END) // (2 * SHRINKS)
    return [2 * gap * k for k in range(1, SHRINKS + 1)]


def final_line(names: list[str], scores: list[int]) -> str:
    """Return the line that ends a game on the console (D20)."""
    return " - ".join(f"{name}:{score}" for name, score in zip(names, scores, strict=True))
