"""The original's replay files (A18 to A21): a JSON list, gzipped or plain, written by `Log` and read by `read` and `frames`.

Files of the original itself are read too: its units have 8 columns and its turns are two entries each.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import BadRecord, LudusError, plain, read_bounded
from ludus.games import load

from .. import tables as t
from ..board import recount
from ..rules import State, open_turn
from ..sound import sound
from .observation import REASONS, energy_goal, territory_goal
from .watching import LARGEST

FOLDER = "game_logs"
CONFIG_KEYS = ("map_size", "max_turns")
ENTRY_KEYS = ("turn", "observation", "info")


class Log:
    """One game on its way into a replay file."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.config, self.entries = config, list[dict[str, Any]]()
        self._name = f"game_log_{datetime.now():%Y%m%d_%H%M%S}.json.gz"

    def begin(self, config: dict[str, Any], observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Write the settings and the start position; what was logged before is dropped."""
        self.config = config
        self.entries = [{"type": "game_config", **config, "timestamp": _now()}]
        self.entries.append({"type": "reset", **_entry(observation, info)})

    def add(
        self,
        observation: dict[str, Any],
        info: dict[str, Any],
        actions: object,
        reward: float,
        terminated: bool,
        truncated: bool,
    ) -> None:
        """Write a turn."""
        entry = {"type": "step", **_entry(observation, info), "action": as_json(actions), "reward": reward}
        entry |= {"terminated": terminated, "truncated": truncated}
        if terminated or truncated:
            entry["winner"] = info.get("winner")
        self.entries.append(entry)

    def path(self, file: str | Path | None = None) -> Path:
        """Return where the log goes: the given file, or one named after the time in game_logs/."""
        return Path(file) if file else Path(FOLDER) / self._name

    def save(self, file: str | Path | None = None) -> Path:
        """Write the file, gzipped if its name ends in .gz."""
        path = self.path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps(self.entries).encode()
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        return path


@dataclass(frozen=True)
class Frame:
    """One turn of a replay."""

    row: Any  # the position after it, a row of State
    actions: dict[str, Any]  # orders as they were given: "p0_3" -> four numbers
    reward: float


def read(path: str | Path) -> list[dict[str, Any]]:
    """Read a replay file, gzipped or plain: its first bytes tell."""
    file = Path(path)
    try:
        entries = json.loads(read_bounded(file, LARGEST))
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{file.name} is no replay: {error}") from None
    if not isinstance(entries, list) or len(entries) < 2 or not all(isinstance(entry, dict) for entry in entries):
        raise BadRecord(f"{file.name} is no replay: it should be a list of entries, the settings first")
    if any(key not in entries[0] for key in CONFIG_KEYS):
        raise BadRecord(f"{file.name} is no replay: its first entry lacks {' or '.join(CONFIG_KEYS)}")
    for number, entry in enumerate(entries[1:], 1):
        if any(key not in entry for key in ENTRY_KEYS):
            raise BadRecord(f"{file.name}, entry {number}, lacks {' or '.join(ENTRY_KEYS)}")
    return entries


def game_of(config: dict[str, Any]) -> Any:
    """Return the game with the settings of a replay."""
    size = config["map_size"]
    return load(
        "quantum_harvest",
        size=size,
        max_turns=config["max_turns"],
        energy_goal=energy_goal(config.get("energy_victory_threshold", 100000)),
        territory_goal=territory_goal(config.get("territory_victory_threshold", 0.7), size),
        territory_turns=config.get("territory_victory_turns", 10),
    )


def frames(entries: list[dict[str, Any]]) -> Iterator[Frame]:
    """Go through a replay turn by turn; two entries of one turn become one frame."""
    try:
        game = game_of(entries[0])
    except (TypeError, ValueError, LudusError) as error:
        raise BadRecord(f"the settings of the replay cannot be read: {error}") from None
    make = game.part("original").row_of  # of the replay's size
    turn, actions, reward, events = None, dict[str, Any](), 0.0, list[dict[str, Any]]()
    for number, entry in enumerate(entries[1:], 1):
        try:
            actions |= entry.get("action") or {}
            reward += entry.get("reward") or 0.0
            events = events + (entry["info"].get("combat_events") or [])
            if entry["turn"] == turn and not entry.get("terminated") and number + 1 < len(entries):
                continue  # the first half of a turn
            frame = Frame(make(game, entry, events), actions, reward)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
            raise BadRecord(f"entry {number} of the replay cannot be read ({repr(error)[:120]})") from None
        yield frame
        turn, actions, reward, events = entry["turn"], {}, 0.0, []


def row_of(game: Any, entry: dict[str, Any], events: list[dict[str, Any]]) -> Any:
    """Return the position of an entry; what files do not tell, such as the next ids, is taken from the units."""
    s: Any = plain(game.empty().astype(State))
    seen, told = entry["observation"], entry["info"]
    s.turn, s.winner = entry["turn"], t.NOBODY
    s.tile[:] = np.array(seen["map"], np.int8).T
    for places, amounts in (("energy_nodes", "energy_values"), ("entanglement_zones", "entanglement_zone_power")):
        for (x, y), amount in zip(told[places], told[amounts], strict=True):
            s.amount[y, x] = int(amount)
    for seat, tiles in enumerate(told["explored_tiles"]):
        for x, y in tiles:
            s.explored[seat, y] |= 1 << range(t.SIZE)[x]
    _read_units(s, seen["units"])
    s.energy[:] = [round(energy * t.QUARTERS) for energy in seen["player_energy"]]
    s.territory[:] = [round(share * t.SIZE**2) for share in told["territory_control"]]
    s.streak[:] = told.get("territory_control_turns", (0, 0))
    _read_events(s, events)
    read_end(s, entry)
    recount(s)
    open_turn(s, 0)
    if not sound(s):
        raise ValueError("such a position cannot be")
    return s


def _read_units(s: Any, units: list[list[int]]) -> None:
    """Read unit rows of nine columns, or of eight without the energy that is always 0 (D18)."""
    for born, row in enumerate(units):
        unit, seat, kind, x, y, health, *_, attacks = row
        k = int(s.units[seat])
        if k == t.UNITS:
            raise BadRecord(f"player {seat} has more than {t.UNITS} units")
        s.unit_id[seat, k], s.unit_born[seat, k], s.unit_type[seat, k] = unit, born, kind
        s.unit_x[seat, k], s.unit_y[seat, k], s.unit_attacks[seat, k] = x, y, attacks
        s.unit_health[seat, k] = int(health * t.HALVES)
        s.units[seat] = k + 1
        s.next_id[seat] = max(int(s.next_id[seat]), unit + 1)
    s.births = len(units)


def _read_events(s: Any, events: list[dict[str, Any]]) -> None:
    """Read attacks; the original did not say which units they were of."""
    for n, event in enumerate(events[: t.EVENTS]):
        s.event_seat[n] = event["attacker_player"]
        s.event_unit[n], s.event_target[n] = event.get("attacker_id", 0), event.get("target_id", 0)
        (s.event_x[n], s.event_y[n]), (s.event_to_x[n], s.event_to_y[n]) = event["attacker_pos"], event["target_pos"]
        s.event_health[n] = int(event["target_health_before"] * t.HALVES)
        s.event_boost[n] = min(max(0, event["energy_boost"]), t.BOOSTS - 1)  # the original took any number
        s.event_boosted[n], s.event_field[n] = event["is_boosted"], event["decoherence_reduction"]
        s.event_killed[n] = event["defeated"]
        s.last_events = n + 1


def read_end(s: Any, entry: dict[str, Any]) -> None:
    """Work out how the game ended: files of the original name a winner at most."""
    if not (entry.get("terminated") or entry.get("truncated")):
        return
    winner = entry.get("winner", entry["info"].get("winner"))
    if entry["info"].get("reason") in REASONS[1:]:
        s.end = REASONS.index(entry["info"]["reason"])
        s.winner = t.NOBODY if winner is None else winner
    elif entry.get("terminated"):
        s.winner = winner if winner in range(t.SEATS) else int(s.units[0] == 0)
        s.end = t.ELIMINATION if s.units[1 - s.winner] == 0 else t.ENERGY
    elif s.energy[0] == s.energy[1]:
        s.end = t.LIMIT_DRAW if s.territory[0] == s.territory[1] else t.LIMIT_TERRITORY
        s.winner = t.NOBODY if s.end == t.LIMIT_DRAW else int(s.territory[1] > s.territory[0])
    else:
        s.end, s.winner = t.LIMIT_ENERGY, int(s.energy[1] > s.energy[0])


def as_json(value: Any) -> Any:
    """Return a value as JSON has it; keys become words, foreign things their names."""
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return as_json(value.tolist())
    if isinstance(value, float):
        return value if abs(value) <= 1e308 else repr(value)
    return value if value is None or isinstance(value, str | int) else repr(value)


def _entry(observation: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
    return {
        "turn": info["turn"],
        "timestamp": _now(),
        "observation": as_json(observation),
        "info": as_json(info),
    }


def _now() -> str:
    return datetime.now().isoformat()
