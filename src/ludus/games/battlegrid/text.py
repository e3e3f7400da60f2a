"""BattleGrid's positions as text, lines of facts and then the board, and views as plain data; reading.py reads it back."""

from __future__ import annotations

from typing import Any

from .actions import ACTIONS, DIRECTION_NAMES
from .reading import COUNTS, KIND_LETTERS, KIND_NAMES, LAST_FLAGS, POWERS, TANK_LETTERS, items_of, parse
from .rules import BLUE, QUIET_END, SEATS, SHRINKS, SIZE, SPEC, sight

__all__ = ["cells_in_view", "hints_of", "parse", "public", "score_line", "shrink_schedule", "text"]

OPTIONS = ("view_range", "view_metric", "shoot_range", "min_tank_distance", "double_damage_lost_on_miss")  # of a view
DIGITS = f"0{SIZE}b"  # how the cells of a row are written


def text(s: Any) -> str:
    """Return a position as facts and a drawing: `.` floor, `#` wall, `B` and `R` tanks, `s d m c` items by kind."""
    lines = [f"turn {s.turn}/{s.opt_max_turns}; {SPEC.seats[s.seat]} to act; zone {' '.join(map(str, s.zone.tolist()))}"]
    if changed := [f"{o.name}={s[f'opt_{o.name}']}" for o in SPEC.options if _is_told(s, o)]:
        lines.append(f"options {'; '.join(changed)}")
    lines += [_tank_line(s, seat) for seat in range(SEATS)]
    if s.item_count:
        lines.append(f"items {'; '.join(f'{x},{y} {KIND_NAMES[kind]}' for x, y, kind in items_of(s))}")
    if s.last_seat >= 0:
        lines.append(_last_line(s))
    for seat, name in enumerate(SPEC.seats):
        lines.append(f"seen {name} {' '.join(f'{row:x}' for row in s.seen[seat].tolist())}")
    return "\n".join([*lines, *_drawing(s)]) + "\n"


def public(view: Any) -> dict[str, Any]:
    """Return a view as plain data for people and for other languages.

    Cells are [x, y], areas [x_min, y_min, x_max, y_max] with both corners inside; the rows of `in_view` and `seen` are
    texts with a 1 for each cell that is in view now, or has been so far: seen[y][x]. A hint is the upper left cell of a 2×2
    box, and the kind of the item in it.
    """
    x_min, x_max, y_min, y_max = view.enemy_area.tolist()
    walls = [(y, row) for y, row in enumerate(view.wall.tolist()) if row]
    return {
        "me": SPEC.seats[view.me],
        "to_move": SPEC.seats[view.seat],
        "turn": view.turn,
        "over": view.turn >= view.max_turns,
        "size": SIZE,
        "max_turns": view.max_turns,
        "tank": _own_tank(view),
        "enemy": None if view.enemy_x < 0 else [view.enemy_x, view.enemy_y],
        "enemy_area": [x_min, y_min, x_max, y_max],
        "zone": view.zone.tolist(),
        "shrinks": [turn for turn in shrink_schedule(view.max_turns) if turn > view.turn],
        "hints": [[x, y, KIND_NAMES[kind]] for x, y, kind in hints_of(view)],
        "walls": [[x, y] for x in range(SIZE) for y, row in walls if row >> x & 1],
        "in_view": [_digits(row) for row in cells_in_view(view)],
        "seen": [_digits(row) for row in view.seen.tolist()],
        "rules": {name: view[name] for name in OPTIONS},
        "penalty": bool(view.last_penalty),
        "last": _own_last(view),
    }


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


def score_line(names: Any, scores: Any) -> str:
    """Return the line that ends a game on the console (D20)."""
    return " - ".join(f"{name}:{score:.0f}" for name, score in zip(names, scores, strict=True))


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
    return format(row, DIGITS)[::-1]  # a number has its lowest bit, column 0, at the right


def _is_told(s: Any, option: Any) -> bool:
    return option.name != "max_turns" and bool(s[f"opt_{option.name}"] != option.default)


def _tank_line(s: Any, seat: int) -> str:
    facts = [f"facing {DIRECTION_NAMES[s.facing[seat]]}", f"wants {DIRECTION_NAMES[s.desired[seat]]}"]
    facts += [f"{name} {s[name][seat]}" for name in COUNTS]
    return f"{SPEC.seats[seat]} {'; '.join([*facts, *(name for name in POWERS if s[name][seat])])}"


def _last_line(s: Any) -> str:
    """Tell the last turn; what is 0 or did not happen is left out."""
    facts = [SPEC.seats[s.last_seat]]
    if s.last_action >= 0:
        facts.append(ACTIONS[s.last_action])
    facts += [name for name in LAST_FLAGS if s[f"last_{name}"]]
    if s.last_escaped >= 0:
        facts.append(f"escaped {DIRECTION_NAMES[s.last_escaped]}")
    if s.last_fired:
        facts.append(f"fired {s.last_shot_x},{s.last_shot_y}")
    if s.last_hit:
        facts.append(f"hit {s.last_points}")
    facts += [f"picked {KIND_NAMES[kind]}" for kind in s.last_kinds[: s.last_picked]]
    facts += [f"penalty {name}" for seat, name in enumerate(SPEC.seats) if s.last_penalty[seat]]
    if s.last_reward[BLUE]:
        facts.append(f"reward {s.last_reward[BLUE]}")
    return f"last {'; '.join(facts)}"


def _drawing(s: Any) -> list[str]:
    """Return the rows of the board; tanks, then items in their order, share a cell's symbol."""
    symbols = [["#" if row >> x & 1 else "." for x in range(SIZE)] for row in s.wall.tolist()]
    standing = [(x, y, TANK_LETTERS[seat]) for seat, (x, y) in enumerate(zip(s.x.tolist(), s.y.tolist(), strict=True))]
    for x, y, letter in [*standing, *((x, y, KIND_LETTERS[kind]) for x, y, kind in items_of(s))]:
        symbols[y][x] = letter if symbols[y][x] == "." else symbols[y][x] + letter
    return [" ".join(row) for row in symbols]
