"""A position as text that reads back value for value; what a seat may know as plain data is in views.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import tables as t
from .actions import UNITS, order_name
from .reading import ENDS, EVENT, FOG, SEATS, TILES, parse
from .views import PLANES, REWARDS, Shown, attacks, public, read_view

__all__ = ["PLANES", "REWARDS", "Shown", "attacks", "parse", "public", "read_view", "text", "units_of", "units_seen"]

_UNIT = ("id", "type", "x", "y", "health", "attacks")


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
