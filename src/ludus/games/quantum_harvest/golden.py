"""Recorded games of Quantum Harvest: how a record becomes a row, and what of it is compared. Maps in records are [x][y]."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import Tape, Trace, plain

from .board import recount
from .original import all_units, combat_events, energy_goal, plan, reason_name, seen_units, territory_goal
from .rules import LOWEST_VALUE, PAIRS, QUADRANT, State, new, open_turn
from .tables import ELIMINATION, HALVES, NOBODY, NODE, QUARTERS, RUNNING, SEATS, SIZE, SKIPPED, TERRITORY, ZONE

FILES = ("visible.jsonl.gz", "maps.jsonl.gz")
EVENT_KEYS = (
    "attacker_pos", "target_pos", "damage", "damage_dealt", "target_health_before", "energy_boost", "is_boosted",
    "decoherence_reduction", "defeated",
)  # fmt: skip


def options(data: dict[str, Any]) -> dict[str, int]:
    """Return the options that a record needs."""
    if "config" not in data:
        return {"size": data["map_size"]}
    config = data["config"]
    size = config["map_size"]
    return {
        "size": size,
        "max_turns": config["max_turns"],
        "energy_goal": energy_goal(config["energy_victory_threshold"]),
        "territory_goal": territory_goal(config["territory_victory_threshold"], size),
        "territory_turns": config["territory_victory_turns"],
    }


def play(record: Trace, border: Any) -> None:
    """Play one recorded game, or make one recorded map."""
    if not record.has("config"):
        make_map(record, border)
        return
    record.take("config"), record.take("kind")
    state = record.take("initial")
    table = border.table(row_of(state, border.game))
    record.data["start"] = state
    record.compare("start", state_of(table.s))
    if record.has("initial_obs"):
        record.compare("initial_obs", observations(table))
    for step in record.steps():
        step.compare("player", None)
        play_turn(step, table)
        compare_change(step, state, table.s)
        state = state_of(table.s)
    compare_final(record, table.s)


def make_map(record: Trace, border: Any) -> None:
    """Make a map from its draws; a draw left over or missing is a difference."""
    record.take("map_size"), record.take("seed")
    tape = Tape(draws(record.take("draws")))
    s: Any = plain(border.game.empty())
    new(s, tape)
    record.data["draws left over"] = 0
    record.compare("draws left over", tape.left())
    made = state_of(s)
    for key in ("map", "nodes", "units", "energy", "explored", "territory", "next_id"):
        record.compare(key, made[key])


def draws(made: dict[str, Any]) -> list[int]:
    """Turn recorded pairs and places into the numbers that `new` draws: places are indices into the free tiles."""
    numbers = [pairs - max(1, SIZE // low) for pairs, (_, low, _) in zip(made["pairs"], PAIRS, strict=True)]
    free = [(x, y) for x in range(QUADRANT) for y in range(QUADRANT)][1:]
    for kind in ("energy", "barrier", "decoherence", "gate"):
        for x, y, *value in made[kind]:
            numbers.append(free.index((x, y)))
            free.remove((x, y))
            numbers += [number - LOWEST_VALUE for number in value]
    return numbers


def play_turn(step: Trace, table: Any) -> None:
    """Give both players' orders as recorded, and compare what each came to."""
    actions, places, s = step.take("actions"), [], table.s
    for seat in range(SEATS):
        count = int(s.units[seat])
        ids, types = s.unit_id[seat, :count].tolist(), s.unit_type[seat, :count].tolist()
        turn = plan(ids, types, int(s.next_id[seat]), actions[str(seat)])
        places.append(turn.places)
        for action in turn.decisions:
            table.apply(action)
    result = step.part("result")
    due = result.take("actions")
    result.data["paid"] = {seat: [reward for reward, _ in entries] for seat, entries in due.items()}
    result.compare("paid", {str(seat): [paid(s, seat, n) for n in places[seat]] for seat in range(SEATS)})
    result.compare("rewards", [reward / QUARTERS for reward in s.last_reward.tolist()])
    result.compare("events", events(s))
    result.compare("terminated", bool(ELIMINATION <= s.end <= TERRITORY))
    result.compare("truncated", bool(s.turn >= s.opt_max_turns))
    result.close()
    if step.has("obs"):
        step.compare("obs", observations(table))


def paid(s: Any, seat: int, order: int | None) -> float | None:
    """Return the reward of an order, None if it never ran."""
    if order is None or s.order_reward[seat, order] == SKIPPED:
        return None
    return float(s.order_reward[seat, order] / QUARTERS)


def events(s: Any) -> list[dict[str, Any]]:
    """Return the attacks of the last turn as records have them."""
    return [
        {
            "attacker": [event["attacker_player"], event["attacker_id"]],
            "target": [event["target_player"], event["target_id"]],
            **{key: event[key] for key in EVENT_KEYS},
        }
        for event in combat_events(s)
    ]


def compare_change(step: Trace, before: dict[str, Any], s: Any) -> None:
    """Compare every key of the state that changed."""
    after = state_of(s)
    step.compare("delta", {key: after[key] for key in after if after[key] != before[key]})


def compare_final(record: Trace, s: Any) -> None:
    """Compare the end of the record."""
    final, state = record.part("final"), state_of(s)
    final.compare("winner", state["winner"])
    final.compare("reason", state["reason"])
    final.compare("scores", state["energy"])
    final.compare("turns", state["turn"])
    final.compare("territory", state["territory"])
    final.close()


def row_of(state: dict[str, Any], game: Any) -> Any:
    """Return a recorded state as a row [1]."""
    s: Any = plain(game.empty().astype(State))
    s.turn, s.end, s.winner = state["turn"], RUNNING, NOBODY
    s.tile[:] = np.array([list(column) for column in state["map"]], np.int8).T
    for x, y, amount in state["nodes"] + state["zones"]:
        s.amount[y, x] = amount
    for born, (unit, seat, kind, x, y, health, _, attacks) in enumerate(state["units"]):
        k = s.units[seat]
        s.unit_id[seat, k], s.unit_born[seat, k], s.unit_type[seat, k] = unit, born, kind
        s.unit_x[seat, k], s.unit_y[seat, k], s.unit_attacks[seat, k] = x, y, attacks
        s.unit_health[seat, k] = int(health * HALVES)
        s.units[seat] = k + 1
    s.births = len(state["units"])
    s.energy[:] = [int(energy * QUARTERS) for energy in state["energy"]]
    s.next_id[:], s.streak[:], s.territory[:] = state["next_id"], state["streak"], state["territory"]
    for seat in range(SEATS):
        for x, column in enumerate(state["explored"][seat]):
            for y, mark in enumerate(column):
                s.explored[seat, y] |= (mark == "#") << x
    recount(s)
    open_turn(s, 0)
    return s.array


def state_of(s: Any) -> dict[str, Any]:
    """Return a row as a recorded state."""
    tile, amount = s.tile.T, s.amount.T
    seen = (s.explored[:, None, :] >> np.arange(SIZE)[None, :, None] & 1).astype(bool)  # [seat, x, y]
    return {
        "turn": int(s.turn),
        "map": ["".join(map(str, column)) for column in tile.tolist()],
        "nodes": places_of(tile, amount, NODE),
        "zones": places_of(tile, amount, ZONE),
        "units": all_units(s),
        "energy": [energy / QUARTERS for energy in s.energy.tolist()],
        "next_id": s.next_id.tolist(),
        "explored": [["".join(".#"[mark] for mark in column) for column in side] for side in seen.tolist()],
        "streak": s.streak.tolist(),
        "territory": s.territory.tolist(),
        "done": bool(s.end != RUNNING),
        "winner": None if s.winner == NOBODY else int(s.winner),
        "reason": reason_name(s.end),
    }


def places_of(tile: Any, amount: Any, kind: int) -> list[list[int]]:
    """List [x, y, amount] of the tiles of one kind."""
    xs, ys = np.nonzero(tile == kind)
    return [[x, y, int(amount[x, y])] for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]


def observations(table: Any) -> list[dict[str, Any]]:
    """Return what both players see, in the records' compact form."""
    return [compact(table.observe(seat)) for seat in range(SEATS)]


def compact(view: Any) -> dict[str, Any]:
    """Return one view in that form."""
    tile, amount = view.tile.T, view.amount.T
    seen = (view.explored[None, :] >> np.arange(SIZE)[:, None] & 1).astype(bool)  # [x, y]
    share = [-1.0, -1.0]
    share[view.me] = int(seen.sum()) / (SIZE * SIZE)
    fog = np.where(seen, tile, -1).tolist()
    return {
        "units": seen_units(view),
        "fog": ["".join("?" if code < 0 else str(code) for code in column) for column in fog],
        "exploration_percentage": share,
        "node_energy": places_of(np.where(seen, tile, -1), amount, NODE),
        "zone_power": places_of(np.where(seen, tile, -1), amount, ZONE),
    }
