"""The original's replay files as something to look at: every turn as the file tells it. No rules are asked, so that files
with more units, larger maps or other settings than the rules know can be watched, too (A18 to A21)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from ludus.core import BadRecord, one_line

from .observation import REASONS
from .settings import TileType, UnitType

LARGEST = 256 << 20  # bytes of a file, unpacked; `read` takes no more either
LARGEST_MAP = 256  # rows and columns
SIGNS = (b'"map_size"', b'"game_config"')  # one of them stands in the first entry of every such file
HEAD = 4096  # bytes in which it stands

Seat = Annotated[int, Meta(ge=0, le=1)]
Place = tuple[int, int]


class Attack(msgspec.Struct, frozen=True):
    """One attack (A20); places are x, y. Files of the original itself do not say which units they were of."""

    attacker_player: Seat
    attacker_pos: Place
    target_pos: Place
    damage: float = 0.0  # before it is halved by a field
    target_health_before: float = 0.0
    energy_boost: int = 0
    is_boosted: bool = False
    decoherence_reduction: bool = False
    defeated: bool = False
    attacker_id: int | None = None
    target_id: int | None = None
    damage_dealt: float | None = None


@dataclass(frozen=True)
class Unit:
    """A unit; `id` counts each player's from 0."""

    id: int
    seat: int
    kind: int  # a UnitType
    x: int
    y: int
    health: float
    attacks: int  # boosted ones that are left


@dataclass(frozen=True)
class Shown:
    """The position after a turn, and what happened in it. The first one is the start."""

    turn: int
    tiles: Any  # [y, x] a TileType
    amounts: Any  # [y, x] energy of nodes, power of zones
    explored: Any  # [seat, y, x] truth values
    units: tuple[Unit, ...]  # in the order of the file: oldest first
    energy: tuple[float, float]
    territory: tuple[float, float]  # shares of the map
    streak: tuple[int, int]  # turns in which a player has held enough of it
    attacks: tuple[Attack, ...]
    orders: dict[str, Any]  # as they were given: "p0_3" -> four numbers
    reward: float
    over: bool
    winner: int | None
    reason: str  # why it ended, one of REASONS; "" while it runs


@dataclass(frozen=True)
class Watched:
    """A whole file."""

    names: tuple[str, str]  # of the players
    size: int
    max_turns: int
    frames: tuple[Shown, ...]


class _Settings(msgspec.Struct):
    map_size: Annotated[int, Meta(ge=1, le=LARGEST_MAP)]
    max_turns: int = 0
    player1_username: str | None = None
    player2_username: str | None = None


class _Seen(msgspec.Struct):
    map: list[list[int]]  # [x][y]
    units: list[tuple[float, ...]]  # eight or nine columns (D18)
    player_energy: tuple[float, float]


class _Told(msgspec.Struct):
    energy_nodes: list[Place] = []
    energy_values: list[float] = []
    entanglement_zones: list[Place] = []
    entanglement_zone_power: list[float] = []
    explored_tiles: list[list[Place]] = []
    territory_control: tuple[float, float] = (0.0, 0.0)
    territory_control_turns: tuple[int, int] = (0, 0)
    combat_events: list[Attack] = []
    winner: int | None = None
    reason: str | None = None


class _Entry(msgspec.Struct):
    turn: Annotated[int, Meta(ge=0, le=2**31)]
    observation: _Seen
    info: _Told
    action: dict[str, Any] | None = None
    reward: float | None = None
    terminated: bool = False
    truncated: bool = False
    winner: int | None = None


def read_replay(data: bytes) -> Watched | None:
    """Read the contents of a replay file, unpacked; None if they are something else, a BadRecord if they are broken."""
    head = data[:HEAD].lstrip()
    if not head.startswith(b"[") or not any(sign in head for sign in SIGNS):
        return None
    try:
        raw = msgspec.json.decode(data, type=list[msgspec.Raw])
        settings = msgspec.json.decode(raw[0], type=_Settings)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadRecord(f"is no replay of Quantum Harvest: {one_line(str(error))}") from None
    if len(raw) < 2:
        raise BadRecord("is a replay of Quantum Harvest without a turn")
    names = (one_line(settings.player1_username or "Player1", 60), one_line(settings.player2_username or "Player2", 60))
    return Watched(names, settings.map_size, settings.max_turns, tuple(_frames(raw[1:], settings.map_size)))


def _frames(raw: list[msgspec.Raw], size: int) -> Iterator[Shown]:
    """Go through the entries; two of one turn, as the original wrote them, become one frame."""
    decoder = msgspec.json.Decoder(_Entry)
    turn, before = -1, list[_Entry]()
    for number, one in enumerate(raw, 1):
        try:
            entry = decoder.decode(one)
            before.append(entry)
            if entry.turn == turn and not entry.terminated and number < len(raw):
                continue  # the first half of a turn
            yield _shown(before, size)
        except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
            raise BadRecord(f"has an entry {number} that cannot be read: {one_line(str(error))}") from None
        turn, before = entry.turn, []


def _shown(entries: list[_Entry], size: int) -> Shown:
    """Return a turn as its last entry shows it, with the attacks and orders of all of them."""
    last = entries[-1]
    seen, told = last.observation, last.info
    orders = {one_line(unit, 20): order for entry in entries for unit, order in (entry.action or {}).items()}
    attacks = tuple(attack for entry in entries for attack in entry.info.combat_events)
    for attack in attacks:
        _within([attack.attacker_pos, attack.target_pos], size)
    units = tuple(_unit(row, size) for row in seen.units)
    return Shown(
        last.turn, _tiles(seen.map, size), _amounts(told, size), _explored(told.explored_tiles, size),
        units, seen.player_energy, told.territory_control, told.territory_control_turns, attacks, orders,
        sum(entry.reward or 0.0 for entry in entries), last.terminated or last.truncated, *_ending(last, units),
    )  # fmt: skip


def _ending(last: _Entry, units: tuple[Unit, ...]) -> tuple[int | None, str]:
    """Return who won and why; files of the original name a winner at most, and none at the limit of turns."""
    winner = last.winner if last.winner is not None else last.info.winner
    winner = winner if winner in (0, 1) else None
    if last.info.reason in REASONS[1:] or not (last.terminated or last.truncated):
        return winner, last.info.reason or ""
    if last.terminated:
        alive = {unit.seat for unit in units}
        if len(alive) < 2:
            return next(iter(alive)) if winner is None and alive else winner, "elimination"
        return winner, "energy_threshold"
    for amounts, reason in ((last.observation.player_energy, "limit_energy"), (last.info.territory_control, "limit_territory")):
        if amounts[0] != amounts[1]:
            return int(amounts[1] > amounts[0]), reason
    return None, "limit_draw"


def _tiles(columns: list[list[int]], size: int) -> Any:
    tiles = np.array(columns, np.int64)  # a ValueError if they are not of one length
    if tiles.shape != (size, size) or tiles.min() < 0 or tiles.max() >= len(TileType):
        raise ValueError(f"a map has {size} columns of {size} tiles, which are 0 to {len(TileType) - 1}")
    return np.ascontiguousarray(tiles.T.astype(np.int8))


def _amounts(told: _Told, size: int) -> Any:
    amounts = np.zeros((size, size), np.int32)
    parts = ((told.energy_nodes, told.energy_values), (told.entanglement_zones, told.entanglement_zone_power))
    for places, values in parts:
        _within(places, size)
        for (x, y), value in zip(places, values, strict=True):
            amounts[y, x] = min(max(int(value), 0), 2**31 - 1)
    return amounts


def _explored(tiles: list[list[Place]], size: int) -> Any:
    explored = np.zeros((2, size, size), bool)
    for seat, places in enumerate(tiles[:2]):
        _within(places, size)
        if places:
            xs, ys = zip(*places, strict=True)
            explored[seat, ys, xs] = True
    return explored


def _unit(row: tuple[float, ...], size: int) -> Unit:
    if len(row) not in (8, 9):
        raise ValueError(f"a unit has 8 or 9 numbers, not {len(row)}")
    number, seat, kind, x, y = (int(value) for value in row[:5])
    _within([(x, y)], size)
    if seat not in (0, 1) or not 0 <= kind < len(UnitType):
        raise ValueError(f"there is no unit of player {seat} and type {kind}")
    return Unit(number, seat, kind, x, y, float(row[5]), int(row[-1]))


def _within(places: list[Place], size: int) -> None:
    for x, y in places:
        if not (0 <= x < size and 0 <= y < size):
            raise ValueError(f"{one_line(str((x, y)), 40)} is no place on a map of {size}")
