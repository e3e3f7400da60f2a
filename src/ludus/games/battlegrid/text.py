"""BattleGrid's positions as text, lines of facts and then the board; reading.py reads it back, views.py has views as data."""

from __future__ import annotations

from typing import Any

from .actions import ACTIONS, DIRECTION_NAMES
from .reading import COUNTS, KIND_LETTERS, KIND_NAMES, LAST_FLAGS, POWERS, TANK_LETTERS, items_of, parse
from .rules import BLUE, SEATS, SIZE, SPEC
from .views import PLANES, REWARDS, Shown, cells_in_view, hints_of, public, read_view, shrink_schedule

__all__ = [
    "PLANES", "REWARDS", "Shown", "cells_in_view", "hints_of", "parse", "public", "read_view", "score_line",
    "shrink_schedule", "text",
]  # fmt: skip


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


def score_line(names: Any, scores: Any) -> str:
    """Return the line that ends a game on the console (D20)."""
    return " - ".join(f"{name}:{score:.0f}" for name, score in zip(names, scores, strict=True))


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
