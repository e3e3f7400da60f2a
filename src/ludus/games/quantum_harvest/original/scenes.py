"""Replay files of the original as scenes: they bring their own frames and need no rules, however many units and tiles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from msgspec.structs import replace

from ludus.core import (
    FOG,
    NOBODY,
    SEAT_ROLE,
    BadRecord,
    Board,
    Scene,
    Words,
    add_mark,
    event_from,
    event_to,
    frame_type,
    plain,
    read_scene,
    show_cell,
    show_number,
    show_status,
)

from .. import tables as t
from .. import words as w
from ..rules import SPEC
from ..scene import show_tile, show_unit
from ..telling import add_attack, end_of, identity, tell_end, tell_unit
from .replays import read_end
from .settings import ActionType

BUILDS: dict[int, int] = {
    ActionType.CREATE_ENTANGLEMENT_ZONE: t.ZONE,
    ActionType.BUILD_DECOHERENCE_FIELD: t.FIELD,
    ActionType.BUILD_QUANTUM_BARRIER: t.BARRIER,
    ActionType.BUILD_QUANTUM_GATE: t.GATE,
}
LARGEST = 1000  # rows of a map
LONGEST_NAME = 40
BROKEN = (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError)

Unit = tuple[int, int, int, int, int]  # type, x, y, halves of health, boosted attacks left
Units = dict[tuple[int, int], Unit]  # by player and number


def scenes_of_original(entries: list[dict[str, Any]]) -> Iterator[Scene]:
    """Go through a replay, a list of entries as A19 describes them, a scene a turn; two entries of one turn become one."""
    try:
        pictures = _Pictures(entries)
    except BROKEN as error:
        raise BadRecord(f"the settings of the replay cannot be read ({repr(error)[:120]})") from None
    turn, actions, attacks = None, dict[str, Any](), list[dict[str, Any]]()
    for number, entry in enumerate(entries[1:], 1):
        try:
            actions |= entry.get("action") or {}
            attacks = attacks + (entry["info"].get("combat_events") or [])
            if entry["turn"] == turn and not entry.get("terminated") and number + 1 < len(entries):
                continue  # the first half of a turn
            scene = pictures.scene(entry, actions, attacks)
        except BROKEN as error:
            raise BadRecord(f"entry {number} of the replay cannot be read ({repr(error)[:120]})") from None
        yield scene
        turn, actions, attacks = entry["turn"], {}, []


@cache
def board_of(size: int) -> Board:
    """Return the board of a map."""
    labels = tuple(map(str, range(size)))
    return Board(size, size, columns=labels, rows=labels)


class _Pictures:
    """The scenes of one file, one after the other: what happened is seen from the one before."""

    def __init__(self, entries: list[dict[str, Any]]) -> None:
        config, frames = entries[0], [entry["observation"] for entry in entries[1:]]
        self.config, self.size = config, len(frames[0]["map"])
        if not 1 <= self.size <= LARGEST:
            raise ValueError(f"a map of {self.size} rows")
        units = max(len(frame["units"]) for frame in frames)
        attacks = 2 * max(len(entry["info"].get("combat_events") or ()) for entry in entries[1:])  # of both halves of a turn
        self.frame = frame_type(
            self.size, self.size, pieces=max(1, units), bars=2, marks=self.size**2, links=max(1, attacks),
            numbers=len(w.WORDS.numbers), events=2 * attacks + 3 * units + 1,
        )  # fmt: skip
        given = (config.get(f"player{seat + 1}_username") or name for seat, name in enumerate(SPEC.seats))
        self.seats = tuple(str(name)[:LONGEST_NAME] for name in given)
        self.words: Words = replace(w.WORDS, lists={**w.WORDS.lists, "seats": self.seats})
        self.before: tuple[Any, Units] | None = None

    def scene(self, entry: dict[str, Any], actions: dict[str, Any], attacks: list[dict[str, Any]]) -> Scene:
        """Return the scene of an entry, with all orders and attacks of its turn."""
        frame, told = plain(np.zeros(1, self.frame)), entry["info"]
        tiles = np.array(entry["observation"]["map"], np.int8).T
        if tiles.shape != (self.size, self.size):
            raise ValueError(f"a map of {tiles.shape}")
        units = _units(entry["observation"]["units"])
        for (player, unit), (kind, x, y, health, boosts) in units.items():
            show_unit(frame, player, unit, kind, self.checked(x), self.checked(y), health, boosts)
        self._show_map(frame, tiles, told)
        for attack in attacks:
            self._tell_attack(frame, attack, units)
        if self.before is not None:
            self._tell_changes(frame, tiles, units, actions)
        self._show_numbers(frame, entry, units)
        self.before = tiles, units
        return read_scene(SPEC.title, self.seats, board_of(self.size), self.words, frame)

    def checked(self, place: int) -> int:
        """Return a coordinate that is on the map."""
        return range(self.size)[place] if place >= 0 else range(0)[0]

    def _show_map(self, frame: Any, tiles: Any, told: dict[str, Any]) -> None:
        amounts = np.zeros(tiles.shape, np.int64)
        for places, values in (("energy_nodes", "energy_values"), ("entanglement_zones", "entanglement_zone_power")):
            for (x, y), amount in zip(told[places], told[values], strict=True):
                amounts[self.checked(y), self.checked(x)] = int(amount)
        explored = np.zeros((t.SEATS, *tiles.shape), bool)
        for seat, places in enumerate(told["explored_tiles"]):
            for x, y in places:
                explored[seat, self.checked(y), self.checked(x)] = True
        first, second = explored.tolist()
        for y, row in enumerate(tiles.tolist()):
            for x, tile in enumerate(row):
                is_dark = not (first[y][x] or second[y][x])
                if tile != t.EMPTY:
                    show_tile(frame, x, y, range(t.GATE + 1)[tile], int(amounts[y, x]))
                elif is_dark:
                    show_cell(frame, x, y, 0, FOG)
                if first[y][x] != second[y][x]:
                    add_mark(frame, x, y, 0, SEAT_ROLE + int(second[y][x]))
                elif is_dark and tile != t.EMPTY:
                    add_mark(frame, x, y, 0, FOG)

    def _tell_attack(self, frame: Any, attack: dict[str, Any], units: Units) -> None:
        """Tell an attack; the original did not say whose it was: a warrior that alone stands there is named."""
        side = range(t.SEATS)[attack["attacker_player"]]
        (x, y), (to_x, to_y) = attack["attacker_pos"], attack["target_pos"]
        here = [key for key, unit in units.items() if key[0] == side and unit[:3] == (t.WARRIOR, x, y)]
        dealt = attack.get("damage_dealt", attack["damage"] / (2 if attack["decoherence_reduction"] else 1))
        add_attack(
            frame, side, identity(*here[0]) if len(here) == 1 else NOBODY, self.checked(x), self.checked(y),
            self.checked(to_x), self.checked(to_y), int(dealt * t.HALVES), int(attack["target_health_before"] * t.HALVES),
            attack["is_boosted"], attack["decoherence_reduction"], attack["defeated"],
        )  # fmt: skip

    def _tell_changes(self, frame: Any, tiles: Any, units: Units, actions: dict[str, Any]) -> None:
        """Tell who came, who moved, and what was built."""
        assert self.before is not None
        old_tiles, old = self.before
        for (player, unit), (_, x, y, *_) in units.items():
            if (player, unit) not in old:
                event_to(frame, tell_unit(frame, w.APPEARED, player, unit, 0), x, y, 0)
                continue
            _, from_x, from_y, *_ = old[player, unit]
            if (from_x, from_y) != (x, y):
                k = tell_unit(frame, w.MOVED, player, unit, 0)
                event_from(frame, k, from_x, from_y, 0)
                event_to(frame, k, x, y, 0)
            kind, across, down, *_ = actions.get(f"p{player}_{unit}") or (0, 1, 1)
            to_x, to_y, made = x + int(across) - 1, y + int(down) - 1, BUILDS.get(int(kind))
            is_on_map = 0 <= to_x < self.size and 0 <= to_y < self.size
            if is_on_map and made == tiles[to_y, to_x] and old_tiles[to_y, to_x] == t.EMPTY:
                event_to(frame, tell_unit(frame, w.BUILT, player, unit, made), to_x, to_y, 0)

    def _show_numbers(self, frame: Any, entry: dict[str, Any], units: Units) -> None:
        seen, told, max_turns = entry["observation"], entry["info"], int(self.config["max_turns"])
        counts = [sum(player == seat for player, _ in units) for seat in range(t.SEATS)]
        energy, territory = seen["player_energy"], told["territory_control"]
        streaks, goal = told.get("territory_control_turns") or (0, 0), self.config.get("territory_victory_threshold", 0)
        show_number(frame, w.TURN, entry["turn"], max_turns)
        for seat in range(t.SEATS):
            first = w.FIRST_OF_SEAT + seat * w.NUMBERS_A_SEAT
            show_number(frame, first + w.ENERGY_NUMBER, round(energy[seat] * t.QUARTERS), 0)
            show_number(frame, first + w.TERRITORY_NUMBER, _tenths(territory[seat]), _tenths(goal))
            show_number(frame, first + w.EXPLORED_NUMBER, _tenths(told["exploration_percentage"][seat]), 0)
            show_number(frame, first + w.UNITS_NUMBER, counts[seat], 0)
            show_number(frame, first + w.STREAK_NUMBER, streaks[seat], self.config.get("territory_victory_turns", 0))
        end = SimpleNamespace(end=t.RUNNING, winner=t.NOBODY, units=counts, energy=energy, territory=territory)
        read_end(end, entry)
        self._show_standing(frame, end, int(entry["turn"]), max_turns)

    def _show_standing(self, frame: Any, end: Any, turn: int, max_turns: int) -> None:
        """Say what turn it is, or how the game ended: a replay is between two turns, when nobody is asked."""
        tell_end(end, frame)
        if end.end == t.RUNNING:
            show_status(frame, w.BETWEEN_TURNS, NOBODY, turn)
            frame.status_value[0] = max_turns
        else:
            show_status(frame, end_of(end.end, end.winner), NOBODY, turn)
            frame.status_value[0] = max(0, end.winner)


def _units(rows: list[list[Any]]) -> Units:
    """Read unit rows of nine columns, or of eight without the energy that is always 0 (D18)."""
    found: Units = {}
    for unit, player, kind, x, y, health, *_, boosts in rows:
        place = range(t.SEATS)[player], int(unit)
        found[place] = (range(w.BOOSTED)[kind], int(x), int(y), max(0, int(health * t.HALVES)), max(0, int(boosts)))
    return found


def _tenths(share: float) -> int:
    return int(share * 100 * w.TENTHS + 0.5)  # halves upwards, as the rules round
