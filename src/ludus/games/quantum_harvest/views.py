"""A seat's view of Quantum Harvest as plain data: what each key means, the data, and the way back to the row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypedDict

import numpy as np

from ludus.core import PlainView, about

from . import tables as t
from .actions import NAMES, NUMBERS, UNITS, order_name
from .orders import damage
from .reading import ENDS, EVENT, SEATS, TILES

OPTIONS = ("max_turns", "energy_goal", "territory_goal", "territory_turns")  # a view has them under these names
REWARDS = """What your orders paid when the turn was played: a move 1, a quantum move 2, a harvest what it gave, an attack the
damage, or 50 for a kill, a spawn 20 (harvester), 30 (warrior) or 25 (scout), a zone 30, a field 10, a barrier 10, a gate 25,
healing 10, a teleport 15. Who wins is another matter (`energy`, `territory`, or nobody left): the outcome tells it. Points are
the energies."""
# What each plane of `encode` shows, for the page of its environments.
PLANES = (
    "nodes",
    "barriers",
    "zones",
    "fields",
    "gates",
    "what is left in a node, in steps of 8",
    "what is left of a zone's power",
    "explored tiles",
    "own harvesters: how many",
    "own warriors",
    "own scouts",
    "enemy harvesters: how many",
    "enemy warriors",
    "enemy scouts",
    "least health of own units there, in steps of 2",
    "least health of enemy units there",
    "most boosted attacks of own units there",
    "most boosted attacks of enemy units there",
    "the unit that is asked: a harvester",
    "the unit that is asked: a warrior",
    "the unit that is asked: a scout",
    "its health",
    "its boosted attacks",
    "own units there that have an order",
    "the own corner",
    "the enemy's corner",
    "numbers in the first cells: own energy, the same in steps of 64, the enemy's twice, what is left after the orders so far "
    "twice, time, both territories, both streaks, own units, promised ones, orders, whether the unit was picked, the seat",
)
# By halves: whole numbers as such, which are written faster.
_HEALTH = [halves // t.HALVES if halves % t.HALVES == 0 else halves / t.HALVES for halves in range(t.HEALTH_CAP + 1)]
_PAID = [paid // t.QUARTERS if paid % t.QUARTERS == 0 else paid / t.QUARTERS for paid in range(t.KILL_REWARD + 1)]
_LETTERS = bytes.maketrans(bytes(range(len(TILES))), TILES.encode())
_CODES = bytes.maketrans(TILES.encode(), bytes(range(len(TILES))))
_BEYOND = 1 << t.SIZE  # a bit that keeps the zeros of a row
_MARKS, _BITS = str.maketrans("01", ".#"), str.maketrans(".#", "01")
Seat = Literal["player1", "player2"]
UnitType = Literal["harvester", "warrior", "scout"]


class Both(TypedDict):
    """A number of both sides."""

    mine: Annotated[float, about("your own")]
    theirs: Annotated[float, about("the enemy's")]
    goal: Annotated[float, about("what wins before the last turn")]


class Unit(TypedDict):
    """An own unit; the last `promised` ones would be made by your spawn orders of this turn."""

    id: Annotated[int, about("never used again")]
    type: Annotated[UnitType, about("what it is")]
    x: Annotated[int, about("column, to the right")]
    y: Annotated[int, about("row, down")]
    health: Annotated[float, about("45 for a new unit, at most 300; it goes by halves")]
    boosted_attacks: Annotated[int, about("attacks left with the boost of a zone")]
    ordered: Annotated[bool, about("whether it has an order of this turn")]


class Enemy(TypedDict):
    """An enemy unit on a tile that you have explored."""

    id: Annotated[int, about("never used again")]
    type: Annotated[UnitType, about("what it is")]
    x: Annotated[int, about("column, to the right")]
    y: Annotated[int, about("row, down")]
    health: Annotated[float, about("45 for a new unit, at most 300; it goes by halves")]
    boosted_attacks: Annotated[int, about("attacks left with the boost of a zone")]


class Attack(TypedDict):
    """An attack of the last turn, by you or on you."""

    by: Annotated[Seat, about("who attacked")]
    unit: Annotated[int | None, about("id of the attacker; null if it stood where you have not explored")]
    x: Annotated[int | None, about("where it stood")]
    y: Annotated[int | None, about("where it stood")]
    target: Annotated[int, about("id of the unit that was hit")]
    to_x: Annotated[int, about("where that stood")]
    to_y: Annotated[int, about("where that stood")]
    health: Annotated[float, about("what the target had before")]
    damage: Annotated[float, about("what it lost")]
    boost: Annotated[int, about("energy that was added")]
    boosted: Annotated[bool, about("whether it used the boost of a zone")]
    on_field: Annotated[bool, about("whether a field under the target halved it")]
    killed: Annotated[bool, about("whether the target was destroyed")]
    text: Annotated[str, about("the same in words")]


class Shown(PlainView):
    """What `public` tells."""

    winner: Annotated[Seat | None, about("who has won; null while it runs, and in a draw")]
    end: Annotated[
        Literal["running", "elimination", "energy", "territory", "limit_energy", "limit_territory", "limit_draw"],
        about("how the game ended, or `running`"),
    ]
    size: Annotated[int, about("rows and columns of the map")]
    energy: Annotated[Both, about("energy of both sides")]
    territory: Annotated[Both, about("tiles that both sides hold")]
    streak: Annotated[Both, about("turns in a row at or above the territory goal; the goal of a streak wins")]
    map: Annotated[
        list[str], about("rows of tiles, map[y][x]: `.` empty, `N` node, `#` barrier, `Z` zone, `F` field, `G` gate")
    ]
    explored: Annotated[list[str], about("rows of the map, explored[y][x]: `#` where you have looked, else `.`")]
    amounts: Annotated[
        list[tuple[int, int, int]], about("x, y and what is left in a node or the power of a zone, where you have looked")
    ]
    units: Annotated[list[Unit], about("your own, in the order of creation")]
    promised: Annotated[int, about("how many of them, the last ones, are still to be made")]
    next_id: Annotated[int, about("of your next unit")]
    enemies: Annotated[list[Enemy], about("those that you see, in the order of creation")]
    older_units: Annotated[list[int], about("for each of them how many of your living units are older")]
    asked: Annotated[int | None, about("id of the unit that is to be ordered now; null while you are not asked")]
    picked: Annotated[bool, about("whether you picked it yourself")]
    energy_left: Annotated[float, about("your energy if all orders of this turn so far succeed")]
    orders: Annotated[list[str], about("your orders of this turn so far: unit id and action")]
    last: Annotated[
        list[tuple[str, float | None]], about("your orders of the last turn and what each paid; null = the unit was gone")
    ]
    last_reward: Annotated[float, about("what they paid together, if the turn has just been played")]
    attacks: Annotated[list[Attack], about("the attacks of the last turn that you know of")]


def public(view: Any) -> dict[str, Any]:
    """Return a view as a small dictionary for people and for other languages."""
    me, slot, over, promised = int(view.me), int(view.slot), bool(view.end != t.RUNNING), int(view.promised)
    tiles, amounts = view.tile.tobytes().translate(_LETTERS).decode(), view.amount.ravel()
    found = np.flatnonzero(amounts > 0)
    orders = zip(view.order_slot[: view.orders].tolist(), view.order_action[: view.orders].tolist(), strict=True)
    return {
        "me": SEATS[me],
        "to_move": None if over else SEATS[view.seat],
        "turn": int(view.turn),
        "over": over,
        "winner": None if view.winner == t.NOBODY else SEATS[view.winner],
        "end": ENDS[view.end],
        "size": t.SIZE,
        "energy": _pair(view.energy, me, t.QUARTERS, int(view.energy_goal) / t.QUARTERS),
        "territory": _pair(view.territory, me, 1, int(view.territory_goal)),
        "streak": _pair(view.streak, me, 1, int(view.territory_turns)),
        "map": [tiles[cell : cell + t.SIZE] for cell in range(0, t.SIZE * t.SIZE, t.SIZE)],
        "explored": [f"{row | _BEYOND:b}"[:0:-1].translate(_MARKS) for row in view.explored.tolist()],
        "amounts": [
            [cell % t.SIZE, cell // t.SIZE, amount]
            for cell, amount in zip(found.tolist(), amounts[found].tolist(), strict=True)
        ],
        "units": _units(view, int(view.mine) + promised),
        "promised": promised,
        "next_id": int(view.next_id),
        "enemies": _enemies(view, int(view.theirs)),
        "older_units": view.their_after[: view.theirs].tolist(),
        "asked": None if slot < 0 else int(view.my_id[slot]),
        "picked": bool(view.picked),
        "energy_left": int(view.budget) / t.QUARTERS,
        "orders": [order_name(_ordered_unit(view, k), action) for k, action in orders],
        "last": _public_last(view),
        "last_reward": int(view.last_reward) / t.QUARTERS,
        "attacks": list(attacks(view, int(view.events))),
        "options": {"size": t.SIZE, **{name: int(view[name]) for name in OPTIONS}},
    }


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


def read_view(shown: Mapping[str, Any], view: Any) -> None:
    """Write a view of zeros from what `public` told of it."""
    me = view.me = SEATS.index(shown["me"])
    view.seat = 0 if shown["to_move"] is None else SEATS.index(shown["to_move"])
    view.turn, view.end = shown["turn"], ENDS.index(shown["end"])
    view.winner = t.NOBODY if shown["winner"] is None else SEATS.index(shown["winner"])
    for name in OPTIONS:
        view[name] = shown["options"][name]
    for name, unit in (("energy", t.QUARTERS), ("territory", 1), ("streak", 1)):
        view[name][me], view[name][1 - me] = shown[name]["mine"] * unit, shown[name]["theirs"] * unit
    _read_map(shown, view)
    _read_units(shown["units"], view, "my")
    _read_units(shown["enemies"], view, "their")
    view.their_after[: len(shown["older_units"])] = shown["older_units"]
    view.promised, view.next_id, view.theirs = shown["promised"], shown["next_id"], len(shown["enemies"])
    view.mine = len(shown["units"]) - view.promised
    _read_orders(shown, view)
    for n, attack in enumerate(shown["attacks"]):
        _read_attack(attack, view, n)
    view.events = len(shown["attacks"])


def _read_map(shown: Mapping[str, Any], view: Any) -> None:
    tiles = "".join(shown["map"]).encode().translate(_CODES)
    view.tile[:] = np.frombuffer(tiles, np.int8).reshape(t.SIZE, t.SIZE)
    for y, row in enumerate(shown["explored"]):
        view.explored[y] = int(row[::-1].translate(_BITS), 2)
        view.amount[y] = [0 if mark == "#" else -1 for mark in row]
    for x, y, amount in shown["amounts"]:
        view.amount[y, x] = amount


def _read_units(units: Any, view: Any, side: str) -> None:
    for k, unit in enumerate(units):
        view[f"{side}_id"][k], view[f"{side}_type"][k] = unit["id"], UNITS.index(unit["type"])
        view[f"{side}_x"][k], view[f"{side}_y"][k] = unit["x"], unit["y"]
        view[f"{side}_health"][k], view[f"{side}_attacks"][k] = unit["health"] * t.HALVES, unit["boosted_attacks"]
        if side == "my":
            view.ordered[k] = unit["ordered"]


def _read_orders(shown: Mapping[str, Any], view: Any) -> None:
    """Write the orders of this turn, which name units by their ids, and what those of the last turn came to."""
    slots = {unit["id"]: k for k, unit in enumerate(shown["units"])}
    view.slot = -1 if shown["asked"] is None else slots[shown["asked"]]
    view.picked, view.budget = shown["picked"], round(shown["energy_left"] * t.QUARTERS)
    view.orders, view.last_orders = len(shown["orders"]), len(shown["last"])
    for n, order in enumerate(shown["orders"]):
        unit, _, action = order.partition(" ")
        slot = slots.get(int(unit), view.mine + int(unit) - view.next_id)  # once you are done promised units are not shown
        view.order_slot[n], view.order_action[n] = slot, NUMBERS[action]
    for n, (order, paid) in enumerate(shown["last"]):
        unit, _, action = order.partition(" ")
        view.last_unit[n], view.last_action[n] = int(unit), NUMBERS[action]
        view.last_paid[n] = t.SKIPPED if paid is None else round(paid * t.QUARTERS)
    view.last_reward = round(shown["last_reward"] * t.QUARTERS)


def _read_attack(attack: Mapping[str, Any], view: Any, n: int) -> None:
    for key, name in (("unit", "unit"), ("x", "x"), ("y", "y")):
        view[f"event_{key}"][n] = -1 if attack[name] is None else attack[name]
    for key in ("target", "to_x", "to_y", "boost", "boosted", "killed"):
        view[f"event_{key}"][n] = attack[key]
    view.event_seat[n], view.event_field[n] = SEATS.index(attack["by"]), attack["on_field"]
    view.event_health[n] = attack["health"] * t.HALVES


def _ordered_unit(view: Any, slot: int) -> int:
    """Return the id of a unit by its slot; promised ones have the ids after the last."""
    return int(view.my_id[slot]) if slot < view.mine else int(view.next_id) + slot - int(view.mine)


def _pair(pair: Any, me: int, unit: int, goal: float) -> dict[str, float]:
    mine, theirs = int(pair[me]), int(pair[1 - me])
    return {"mine": mine if unit == 1 else mine / unit, "theirs": theirs if unit == 1 else theirs / unit, "goal": goal}


def _units(view: Any, count: int) -> list[dict[str, Any]]:
    columns = (view.my_id, view.my_type, view.my_x, view.my_y, view.my_health, view.my_attacks, view.ordered != 0)
    return [
        {
            "id": unit,
            "type": UNITS[kind],
            "x": x,
            "y": y,
            "health": _HEALTH[health],
            "boosted_attacks": boosts,
            "ordered": ordered,
        }
        for unit, kind, x, y, health, boosts, ordered in zip(*[column[:count].tolist() for column in columns], strict=True)
    ]


def _enemies(view: Any, count: int) -> list[dict[str, Any]]:
    columns = (view.their_id, view.their_type, view.their_x, view.their_y, view.their_health, view.their_attacks)
    return [
        {"id": unit, "type": UNITS[kind], "x": x, "y": y, "health": _HEALTH[health], "boosted_attacks": boosts}
        for unit, kind, x, y, health, boosts in zip(*[column[:count].tolist() for column in columns], strict=True)
    ]


def _public_last(view: Any) -> list[list[Any]]:
    """List my orders of the last turn and what each paid; None = the unit was not there any more."""
    count = view.last_orders
    columns = [column[:count].tolist() for column in (view.last_unit, view.last_action, view.last_paid)]
    return [
        [f"{unit} {NAMES[action]}", None if paid == t.SKIPPED else _PAID[paid]]
        for unit, action, paid in zip(*columns, strict=True)
    ]
