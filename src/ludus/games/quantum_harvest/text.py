"""A position as text that reads back value for value, and what a seat may know as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import tables as t
from .actions import NAMES, UNITS, order_name
from .orders import damage
from .reading import ENDS, EVENT, FOG, SEATS, TILES, parse

__all__ = ["attacks", "parse", "public", "text", "units_of", "units_seen"]

_UNIT = ("id", "type", "x", "y", "health", "attacks")
_LETTERS = bytes.maketrans(bytes(range(len(TILES))), TILES.encode())
_BEYOND = 1 << t.SIZE  # a bit that keeps the zeros of a row


def text(s: Any) -> str:
    """Return a position as text that `parse` reads back."""
    lines = ["; ".join(_facts(s)), "; ".join(_decision(s))]
    lines += [" ".join(_tile(s, x, y) for x in range(t.SIZE)) for y in range(t.SIZE)]
    lines += [f"amount {x},{y} {s.amount[y, x]}" for y, x in np.argwhere(s.amount != 0).tolist()]
    for seat, name in enumerate(SEATS):
        alive, given = int(s.units[seat]), int(s.orders[seat])
        lines += [f"{name} {_unit(s, seat, k)} born {s.unit_born[seat, k]}" for k in range(alive)]
        for k in range(alive, alive + (int(s.promised) if seat == s.seat else 0)):
            lines.append(f"promised {s.unit_id[seat, k]} {UNITS[s.unit_type[seat, k]]}")
        for n in range(given or int(s.last_orders[seat])):
            order = order_name(s.order_unit[seat, n], int(s.order_action[seat, n]))
            head = f"{name} slot {s.order_slot[seat, n]}"
            lines.append(f"order {head}: {order}" if given else f"ran {head} paid {s.order_reward[seat, n]}: {order}")
    for n in range(int(s.last_events)):
        lines.append("attack " + " ".join(str(s[f"event_{key}"][n]) for key in EVENT))
    return "\n".join(lines) + "\n"


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    me, slot, over = int(view.me), int(view.slot), bool(view.end != t.RUNNING)
    tiles, amounts = view.tile.tobytes().translate(_LETTERS).decode(), view.amount.ravel()
    orders = zip(view.order_slot[: view.orders].tolist(), view.order_action[: view.orders].tolist(), strict=True)
    return {
        "me": SEATS[me],
        "to_move": None if over else SEATS[view.seat],
        "turn": int(view.turn),
        "max_turns": int(view.max_turns),
        "over": over,
        "winner": None if view.winner == t.NOBODY else SEATS[view.winner],
        "end": ENDS[view.end],
        "size": t.SIZE,
        "energy": _pair(view.energy, me, t.QUARTERS, int(view.energy_goal) / t.QUARTERS),
        "territory": _pair(view.territory, me, 1, int(view.territory_goal)),
        "streak": _pair(view.streak, me, 1, int(view.territory_turns)),
        "map": [tiles[cell : cell + t.SIZE] for cell in range(0, t.SIZE * t.SIZE, t.SIZE)],
        "explored": [f"{row | _BEYOND:b}"[:0:-1].replace("0", ".").replace("1", "#") for row in view.explored.tolist()],
        "amounts": [[cell % t.SIZE, cell // t.SIZE, int(amounts[cell])] for cell in np.flatnonzero(amounts > 0).tolist()],
        "units": _public_units(view, "my", int(view.mine + view.promised), "ordered", view.ordered != 0),
        "promised": int(view.promised),
        "next_id": int(view.next_id),
        "enemies": _public_units(view, "their", int(view.theirs), "younger_than", view.their_after),
        "asked": None if slot < 0 else int(view.my_id[slot]),
        "picked": bool(view.picked),
        "energy_left": int(view.budget) / t.QUARTERS,
        "orders": [order_name(_ordered_unit(view, k), action) for k, action in orders],
        "last": _public_last(view),
        "last_reward": int(view.last_reward) / t.QUARTERS,
        "attacks": list(attacks(view, int(view.events))),
    }


def units_of(s: Any) -> list[tuple[int, ...]]:
    """List all units in the order of creation: id, seat, type, x, y, halves of health, boosted attacks left."""
    rows = []
    for seat in range(t.SEATS):
        columns = (s[f"unit_{name}"][seat, : s.units[seat]].tolist() for name in ("born", *_UNIT))
        rows += [(born, (unit, seat, *rest)) for born, unit, *rest in zip(*columns, strict=True)]
    return [row for _, row in sorted(rows)]


def units_seen(view: Any) -> list[tuple[int, ...]]:
    """List the living units that a view shows, in the same order and with the same numbers."""
    me, merged = int(view.me), list[tuple[int, ...]]()
    sides = ((me, "my", int(view.mine)), (1 - me, "their", int(view.theirs)))
    mine, theirs = (
        [(unit, seat, *rest) for unit, *rest in zip(*(view[f"{side}_{name}"][:count].tolist() for name in _UNIT), strict=True)]
        for seat, side, count in sides
    )
    done = 0
    for row, older in zip(theirs, view.their_after[: len(theirs)].tolist(), strict=True):
        merged += [*mine[done:older], row]
        done = max(done, older)
    return merged + mine[done:]


def attacks(row: Any, count: int) -> Iterator[dict[str, Any]]:
    """Tell the attacks of the last turn, from a position or from a view; who is not known is None."""
    columns = (row[f"event_{key}"][:count].tolist() for key in EVENT)
    for side, unit, x, y, target, to_x, to_y, health, boost, boosted, on_field, killed in zip(*columns, strict=True):
        dealt, known = damage(boost, boosted, on_field) / t.HALVES, unit >= 0
        who = f"{SEATS[side]}'s {unit}" if known else f"an unseen warrior of {SEATS[side]}"
        extras = [word for word, is_so in (("boosted", boosted), ("halved by a field", on_field)) if is_so]
        end = "and destroys it" if killed else f"of {health / t.HALVES:g}"
        told = f"{who} hits {SEATS[1 - side]}'s {target} for {dealt:g} {end}" + (f" ({', '.join(extras)})" if extras else "")
        yield {
            "by": SEATS[side], "unit": unit if known else None, "x": x if known else None, "y": y if known else None,
            "target": target, "to_x": to_x, "to_y": to_y, "health": health / t.HALVES, "damage": dealt, "boost": boost,
            "boosted": bool(boosted), "on_field": bool(on_field), "killed": bool(killed), "text": told,
        }  # fmt: skip


def _pair(pair: Any, me: int, unit: int, goal: float) -> dict[str, float]:
    mine, theirs = int(pair[me]), int(pair[1 - me])
    return {"mine": mine if unit == 1 else mine / unit, "theirs": theirs if unit == 1 else theirs / unit, "goal": goal}


def _public_units(view: Any, side: str, count: int, more: str, column: Any) -> list[dict[str, Any]]:
    columns = (view[f"{side}_{name}"][:count].tolist() for name in _UNIT)
    return [
        {"id": unit, "type": UNITS[kind], "x": x, "y": y, "health": health / t.HALVES, "boosted_attacks": boosts, more: extra}
        for unit, kind, x, y, health, boosts, extra in zip(*columns, column[:count].tolist(), strict=True)
    ]


def _public_last(view: Any) -> list[list[Any]]:
    """List my orders of the last turn and what each paid; None = the unit was not there any more."""
    last = (view[f"last_{name}"][: view.last_orders].tolist() for name in ("unit", "action", "paid"))
    return [
        [f"{unit} {NAMES[action]}", None if paid == t.SKIPPED else paid / t.QUARTERS]
        for unit, action, paid in zip(*last, strict=True)
    ]


def _ordered_unit(view: Any, slot: int) -> int:
    """Return the id of a unit by its slot; promised ones have the ids after the last."""
    return int(view.my_id[slot]) if slot < view.mine else int(view.next_id) + slot - int(view.mine)


def _facts(s: Any) -> list[str]:
    both = {"energy": s.energy, "territory": s.territory, "streak": s.streak, "next": s.next_id, "reward": s.last_reward}
    facts = [f"turn {s.turn}/{s.opt_max_turns}", f"goals {s.opt_energy_goal} {s.opt_territory_goal} {s.opt_territory_turns}"]
    facts += [f"{name} {pair[0]} {pair[1]}" for name, pair in both.items()]
    facts += [f"births {s.births}", f"end {ENDS[s.end]}"]
    return facts + ([f"winner {SEATS[s.winner]}"] if s.winner != t.NOBODY else [])


def _decision(s: Any) -> list[str]:
    facts = [f"deciding {SEATS[s.seat]}", f"slot {s.slot}", f"budget {s.budget}"]
    return facts + (["picked 1"] if s.picked else [])


def _tile(s: Any, x: int, y: int) -> str:
    seen = (int(s.explored[0, y]) >> x & 1) + 2 * (int(s.explored[1, y]) >> x & 1)
    return TILES[s.tile[y, x]] + FOG[seen]


def _unit(s: Any, seat: int, k: int) -> str:
    boost = f" boost {s.unit_attacks[seat, k]}" if s.unit_attacks[seat, k] else ""
    place = f"{s.unit_x[seat, k]},{s.unit_y[seat, k]}"
    return f"{s.unit_id[seat, k]} {UNITS[s.unit_type[seat, k]]} {place} health {s.unit_health[seat, k] / t.HALVES:g}{boost}"
