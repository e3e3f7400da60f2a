"""Recorded games of BattleGrid: how a record becomes a row, and what of it is compared. Cells in records are (x, y)."""

from __future__ import annotations

from typing import Any

from ludus.core import Tape, Trace

from .original import DIRECTION_NAMES, FLAGS, ITEM_TYPES, NUMBERS, action_of, arguments, wish
from .reading import items_of
from .rules import BLUE, ESCAPE_ORDERS, RED, SEATS, SIZE, ZONE_FLOOR, ZONE_STEP, look_around, new
from .text import score_line, shrink_schedule

FILES = ("visible.jsonl.gz",)
METRICS = ("manhattan", "square")


def options(data: dict[str, Any]) -> dict[str, int]:
    """Return the options that a record needs."""
    config = data["config"]
    return {
        **{name: config[name] for name in ("grid_size", "view_range", "shoot_range", "max_turns", "min_tank_distance")},
        "view_metric": METRICS.index(config["view_metric"]),
        "double_damage_lost_on_miss": int(config["double_damage_lost_on_miss"]),
    }


def play(record: Trace, border: Any) -> None:
    """Play one recorded game."""
    for key in ("seed", "start", "config"):
        record.take(key)
    initial, setup = record.take("initial"), record.take("setup")
    row = row_of(border.game, initial)
    record.compare("shrink_schedule", shrink_schedule(int(row.opt_max_turns)))
    if setup is not None:
        compare_setup(record, border.game, initial, setup)
    table = border.table(row)
    wishes = [tank["desired_direction"] for tank in initial["tanks"]]
    state = state_of(table.s, wishes)
    for step in record.steps():
        state = play_step(step, table, state, wishes, always_taped=border.device == "pure")
    compare_final(record, table)


def compare_setup(record: Trace, game: Any, initial: dict[str, Any], setup: dict[str, Any]) -> None:
    """Let `new` draw what the record says was drawn, and compare the position that it makes."""
    cells = [y * SIZE + x for x, y in setup["walls_before_corridor"]]
    spawns = []
    for tank, first_row in ((initial["tanks"][RED], 2 * SIZE // 3), (initial["tanks"][BLUE], 0)):
        spawns += [tank["x"], tank["y"] - first_row]
    tape = Tape([*cells, setup["corridor"], *spawns, *item_draws(initial["items"])])
    row = game.empty()[0]
    new(row, tape)
    record.data["new"], record.data["draws left"] = initial, 0
    walls = [[x, y] for x in range(SIZE) for y in range(SIZE) if int(row.wall[y]) >> x & 1]
    record.compare("new", {**state_of(row, ["RIGHT"] * SEATS), "walls": walls})
    record.compare("draws left", tape.left())


def play_step(step: Trace, table: Any, before: dict[str, Any], wishes: list[object], always_taped: bool) -> dict[str, Any]:
    """Play one turn: compare what the actor was shown, what happened, and what changed; return the state after it."""
    s = table.s
    step.compare("player", table.seat)
    seat, facing = table.seat, int(s.facing[table.seat])
    view = table.observe()
    step.compare("obs", {"shoot_cooldown": int(view.cooldown), **arguments(view)})
    direction, flag = step.take("actions")
    numbers = draws_of(step.take("draws", {}), s)
    # Compiled rules have no tape: they play the turns in which nothing is drawn.
    tape = Tape(numbers) if numbers or always_taped else None
    table.apply(action_of((direction, flag), facing), tape)
    wishes[seat] = wish(direction, facing, int(s.desired[seat]))
    step.compare("result", result_of(s))
    after = state_of(s, wishes)
    step.compare("delta", changes(before, after))
    if tape is not None:
        step.data["draws left"] = 0
        step.compare("draws left", tape.left())
    return after


def compare_final(record: Trace, table: Any) -> None:
    """Compare the end of the record."""
    names = [player["name"] for player in record.take("players")]
    outcome, scores = table.result().outcome, [int(points) for points in table.result().points]
    final = record.part("final")
    final.compare("winner", None if outcome[BLUE] == 0 else BLUE if outcome[BLUE] > 0 else RED)
    final.compare("scores", scores)
    final.compare("line", score_line(names, scores))
    final.close()
    record.data["over"] = True
    record.compare("over", table.over)


def draws_of(draws: dict[str, Any], s: Any) -> list[int]:
    """Return the numbers that the rules must draw for the recorded chance to happen."""
    numbers = []
    if "escape_order" in draws:
        order = [DIRECTION_NAMES.index(name) for name in draws["escape_order"]]
        numbers.append(ESCAPE_ORDERS.tolist().index(order))
    if "zone_center" in draws:
        for axis, centre in enumerate(draws["zone_center"]):
            low, width = int(s.zone[axis]), int(s.zone[axis + 2] - s.zone[axis]) + 1
            if width > ZONE_FLOOR:  # D15
                numbers.append(centre - low - max(ZONE_FLOOR, width - ZONE_STEP) // 2)
    return numbers + item_draws(draws.get("items", []))


def item_draws(items: list[Any]) -> list[int]:
    """Return the draws of a set of items: cell and type of each."""
    return [number for x, y, kind in items for number in (y * SIZE + x, ITEM_TYPES.index(kind))]


def row_of(game: Any, state: dict[str, Any]) -> Any:
    """Return a recorded state as a row."""
    s = game.empty()[0]
    s.turn, s.seat = state["turn"], state["turn"] % SEATS
    for x, y in state["walls"]:
        s.wall[y] |= 1 << x
    for seat, tank in enumerate(state["tanks"]):
        for key, field in (NUMBERS | FLAGS).items():
            s[field][seat] = tank[key]
        facing = DIRECTION_NAMES.index(tank["facing"])
        s.facing[seat], s.desired[seat] = facing, action_of((tank["desired_direction"], False), facing)
    for k, (x, y, kind) in enumerate(state["items"]):
        s.item_cell[k], s.item_kind[k] = y * SIZE + x, ITEM_TYPES.index(kind)
    s.item_count = len(state["items"])
    s.zone[:] = state["safe_zone"]
    s.last_seat, s.last_action, s.last_escaped, s.last_shot_x, s.last_shot_y = -1, -1, -1, -1, -1
    for seat in range(SEATS):
        look_around(s, seat)
    return s


def state_of(s: Any, wishes: list[Any]) -> dict[str, Any]:
    """Return a row as a recorded state, without the walls, which never change."""
    numbers = {key: s[field].tolist() for key, field in NUMBERS.items()}
    flags = {key: s[field].tolist() for key, field in FLAGS.items()}
    facings = s.facing.tolist()
    tanks = [
        {
            **{key: values[seat] for key, values in numbers.items()},
            **{key: bool(values[seat]) for key, values in flags.items()},
            "facing": DIRECTION_NAMES[facings[seat]],
            "desired_direction": wishes[seat],
        }
        for seat in range(SEATS)
    ]
    return {
        "turn": int(s.turn),
        "tanks": tanks,
        "items": [(x, y, ITEM_TYPES[kind]) for x, y, kind in items_of(s)],
        "safe_zone": s.zone.tolist(),
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return what a turn changed, as records tell it."""
    changed = {key: after[key] for key in after if after[key] != before[key]}
    if "tanks" in changed:
        changed["tanks"] = [
            {key: tank[key] for key in tank if tank[key] != old[key] or type(tank[key]) is not type(old[key])}
            for tank, old in zip(after["tanks"], before["tanks"], strict=True)
        ]
    return changed


def result_of(s: Any) -> dict[str, Any]:
    """Return what came of the last action."""
    return {
        "rotated": bool(s.last_rotated),
        "moved": bool(s.last_moved),
        "escaped": None if s.last_escaped < 0 else DIRECTION_NAMES[s.last_escaped],
        "picked": [ITEM_TYPES[kind] for kind in s.last_kinds[: s.last_picked].tolist()],
        "fired": bool(s.last_fired),
        "hit": bool(s.last_hit),
        "points": int(s.last_points),
        "zone_penalty": s.last_penalty.tolist(),
    }
