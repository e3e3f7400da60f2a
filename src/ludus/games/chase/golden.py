"""Recorded games of Chase: how a record becomes a row, and what of it is compared. Pairs in records are (row, column)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import BadRecord, Tape, Trace

from .actions import legal_moves
from .original import original_layout, win_condition, winner
from .rules import CAUGHT, ESCAPED, ROOM, RUNNING, SIZE, SPEC, State
from .scene import grid

FILES = ("visible.jsonl.gz",)


def options(data: dict[str, Any]) -> dict[str, int]:
    """Return the structural options that a record needs."""
    return {"size": data["initial"]["size"]}


def play(record: Trace, border: Any) -> None:
    """Play one recorded game."""
    config, initial = record.take("config"), record.take("initial")
    if config.get("generator") == "python-random":
        layout = original_layout(config["seed"], config["obstacles"])
        record.data["layout"] = {key: initial[key] for key in layout}
        record.compare("layout", layout)
    row = row_of(initial)
    record.compare("initial_board", digits(row))
    if config["layer"] == "core":
        play_core(record, border.table(row))
    elif config["layer"] == "aec":
        play_aec(record, border.aec(row))
    else:
        play_single(record, border, row, SPEC.seats.index(config["agent"]))


def play_core(record: Trace, table: Any) -> None:
    """Play the calls of the core layer, refused ones too."""
    s, accepted = table.s, 0
    record.compare("initial_legal", {name: legal_moves(s, seat) for seat, name in enumerate(SPEC.seats)})
    for step in record.steps():
        seat, action, before = SPEC.seats.index(step.take("player")), step.take("actions"), state_of(s)
        reason = table.why_not(seat, action)
        step.compare("result", {"ok": False, "reason": reason} if reason else {"ok": True})
        if not reason:
            table.apply(action)
            accepted += 1
            step.compare("legal", table.legal())
        compare_state(step, before, s)
        if step.has("shared"):
            (y, x), _ = step.data["shared"]
            step.compare("shared", [[y, x], int(grid(s)[y, x])])
    compare_final(record, s, accepted)


def play_aec(record: Trace, env: Any) -> None:
    """Play the steps of the environment in which one agent acts after the other, refused and dead ones too."""
    s = env.table.s
    record.compare("aec", snapshot(env))
    for step in record.steps():
        agent, action, before = step.take("player"), step.take("actions"), state_of(s)
        was = env.agent_selection
        env.step(action)
        illegal = agent in env.agents and "illegal_action" in env.infos[agent]
        step.compare("result", {"ok": False, "reason": "illegal"} if illegal else {"ok": True})
        step.data["selected"] = agent
        step.compare("selected", was)
        compare_state(step, before, s)
        step.compare("aec", snapshot(env))
    compare_final(record, s, None)


def play_single(record: Trace, border: Any, row: Any, seat: int) -> None:
    """Play the steps of the environment of one seat; the others play, and illegal actions are replaced, as recorded."""
    others: list[list[Any]] = []

    def script(other: int) -> int:
        name, action = others.pop(0)
        if name != SPEC.seats[other]:
            raise BadRecord(f"{record.where}: the record has an action of {name} where {SPEC.seats[other]} is to move")
        return int(action)

    env = border.single(seat, script)
    s = env.table.s
    for step in record.steps():
        player, action, draws = step.take("player"), step.take("actions"), step.take("draws")
        others[:] = draws["others"]
        before = state_of(s if player else row)
        legal = env.table.legal()
        tape = env.dice = Tape([legal.index(draws["replaced_by"])] if "replaced_by" in draws else [])
        if player:
            _, reward, terminated, truncated, info = env.step(action)
            told = {"reward": reward, "terminated": terminated, "truncated": truncated, "win_condition": info["win_condition"]}
        else:
            (_, info), told = env.reset(options={"position": row}), {}
        ok = "illegal_action" not in info
        step.compare("result", {"ok": ok, **told, "action_mask": info["action_mask"].tolist()})
        step.data["draws left"] = 0
        step.compare("draws left", len(others) + tape.left())
        compare_state(step, before, s)
    compare_final(record, s, None)


def snapshot(env: Any) -> dict[str, Any]:
    """Return what an AEC environment says of itself."""
    told = {
        "agent_selection": env.agent_selection if env.agents else None,
        "agents": list(env.agents),
        "rewards": dict(env.rewards),
        "cumulative": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
    }
    if env.agents:
        info = dict(env.infos[env.agent_selection])
        told["info"] = {**info, "action_mask": info["action_mask"].tolist()}
    return told


def compare_state(step: Trace, before: dict[str, Any], s: Any) -> None:
    """Compare what changed in the state; no word of it means no change."""
    after = state_of(s)
    changed = {key: after[key] for key in after if after[key] != before[key]}
    if step.has("delta"):
        step.compare("delta", changed)
    elif changed:
        raise_changed(step, changed)


def raise_changed(step: Trace, changed: dict[str, Any]) -> None:
    """Report a change that the record does not have."""
    step.data["delta"] = {}
    step.compare("delta", changed)


def compare_final(record: Trace, s: Any, moves: int | None) -> None:
    """Compare the end of the record."""
    final = record.part("final")
    final.compare("winner", winner(s))
    final.compare("win_condition", win_condition(s))
    rewards = {name: int(s.last_reward[seat]) for seat, name in enumerate(SPEC.seats)}
    final.compare("scores", None if s.end == RUNNING else rewards)
    final.compare("turn", int(s.turn))
    final.compare("board", digits(s))
    if moves is not None:
        final.compare("moves", moves)
    final.close()


def row_of(state: dict[str, Any]) -> Any:
    """Return a recorded state as a row."""
    s = np.zeros(1, State).view(np.recarray)[0]
    s.opt_obstacles, s.opt_max_turns = min(len(state["obstacles"]), ROOM), state["max_turns"]
    for seat, name in enumerate(SPEC.seats):
        s.y[seat], s.x[seat] = state[name]
    for y, x in state["obstacles"]:
        s.wall[y] |= 1 << x
    s.turn, s.seat = state["turn"], SPEC.seats.index(state["to_move"])
    s.last_seat, s.last_action = -1, -1
    if state["over"]:
        s.end = CAUGHT if state["winner"] == "chasers" else ESCAPED
        s.last_reward[:] = (-1, 1, 1) if s.end == CAUGHT else (1, 0, 0)
    return s


def state_of(s: Any) -> dict[str, Any]:
    """Return a row as a recorded state."""
    return {
        "size": SIZE,
        "obstacles": [[y, x] for y, row in enumerate(s.wall.tolist()) for x in range(SIZE) if row >> x & 1],
        **{name: [int(s.y[seat]), int(s.x[seat])] for seat, name in enumerate(SPEC.seats)},
        "to_move": SPEC.seats[s.seat],
        "turn": int(s.turn),
        "max_turns": int(s.opt_max_turns),
        "over": bool(s.end != RUNNING),
        "winner": winner(s),
    }


def digits(s: Any) -> list[str]:
    """Return the code grid as strings of digits."""
    return ["".join(map(str, row)) for row in grid(s)]
