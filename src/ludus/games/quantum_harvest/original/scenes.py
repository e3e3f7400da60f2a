"""Replay files of the original as scenes, made from what watching.py read: no rules are asked, however many units and tiles."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from msgspec.structs import replace

from ludus.core import (
    FOG,
    NOBODY,
    SEAT_ROLE,
    Board,
    Scene,
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
from .observation import REASONS
from .settings import ActionType
from .watching import Attack, Shown, Watched

BUILDS: dict[int, int] = {
    ActionType.CREATE_ENTANGLEMENT_ZONE: t.ZONE,
    ActionType.BUILD_DECOHERENCE_FIELD: t.FIELD,
    ActionType.BUILD_QUANTUM_BARRIER: t.BARRIER,
    ActionType.BUILD_QUANTUM_GATE: t.GATE,
}
STAY = (ActionType.MOVE, 1, 1, 0)


def scenes_of_original(told: Watched) -> list[Scene]:
    """Draw a replay: the start, then a scene a turn."""
    labels = tuple(map(str, range(told.size)))
    board = Board(told.size, told.size, columns=labels, rows=labels)
    words = replace(w.WORDS, lists={**w.WORDS.lists, "seats": told.names})
    units, attacks = (max(len(getattr(shown, name)) for shown in told.frames) for name in ("units", "attacks"))
    room = frame_type(
        told.size, told.size, pieces=max(1, units), bars=2, marks=told.size**2, links=max(1, attacks),
        numbers=len(w.WORDS.numbers), events=2 * attacks + 2 * units + 1,
    )  # fmt: skip
    scenes = []
    for before, shown in zip((None, *told.frames), told.frames, strict=False):
        frame = plain(np.zeros(1, room))
        _show(frame, told, shown, before)
        scenes.append(read_scene(SPEC.title, told.names, board, words, frame))
    return scenes


def _show(frame: Any, told: Watched, shown: Shown, before: Shown | None) -> None:
    """Draw a turn; what happened in it is seen from the one before."""
    for unit in shown.units:
        health, attacks = max(0, int(unit.health * t.HALVES)), max(0, unit.attacks)
        show_unit(frame, unit.seat, unit.id, unit.kind, unit.x, unit.y, health, attacks)
    _show_map(frame, shown)
    _tell_attacks(frame, shown)
    if before is not None:
        _tell_changes(frame, shown, before)
    _show_numbers(frame, told, shown)
    _show_standing(frame, told, shown)


def _show_map(frame: Any, shown: Shown) -> None:
    first, second = shown.explored.tolist()
    for y, row in enumerate(shown.tiles.tolist()):
        for x, tile in enumerate(row):
            is_dark = not (first[y][x] or second[y][x])
            if tile != t.EMPTY:
                show_tile(frame, x, y, tile, int(shown.amounts[y, x]))
            elif is_dark:
                show_cell(frame, x, y, 0, FOG)
            if first[y][x] != second[y][x]:
                add_mark(frame, x, y, 0, SEAT_ROLE + int(second[y][x]))
            elif is_dark and tile != t.EMPTY:
                add_mark(frame, x, y, 0, FOG)


def _tell_attacks(frame: Any, shown: Shown) -> None:
    """Tell attacks; the original did not say of which unit: a warrior that alone stands there is named."""
    living, warriors = {(unit.seat, unit.id) for unit in shown.units}, dict[tuple[int, int, int], int]()
    for unit in shown.units:
        if unit.kind == t.WARRIOR:
            place = unit.seat, unit.x, unit.y
            warriors[place] = NOBODY if place in warriors else identity(unit.seat, unit.id)
    for attack in shown.attacks:
        side, number = attack.attacker_player, attack.attacker_id
        if number is None:
            who = warriors.get((side, *attack.attacker_pos), NOBODY)
        else:
            who = identity(side, number) if (side, number) in living else NOBODY
        _tell_attack(frame, attack, who)


def _tell_attack(frame: Any, attack: Attack, who: int) -> None:
    dealt = attack.damage_dealt
    if dealt is None:
        dealt = attack.damage / (2 if attack.decoherence_reduction else 1)
    add_attack(
        frame, attack.attacker_player, who, *attack.attacker_pos, *attack.target_pos, int(dealt * t.HALVES),
        int(attack.target_health_before * t.HALVES), attack.is_boosted, attack.decoherence_reduction, attack.defeated,
    )  # fmt: skip


def _tell_changes(frame: Any, shown: Shown, before: Shown) -> None:
    """Tell who came, who moved, and what was built."""
    old, size = {(unit.seat, unit.id): unit for unit in before.units}, len(shown.tiles)
    for unit in shown.units:
        if (was := old.get((unit.seat, unit.id))) is None:
            event_to(frame, tell_unit(frame, w.APPEARED, unit.seat, unit.id, 0), unit.x, unit.y, 0)
            continue
        if (was.x, was.y) != (unit.x, unit.y):
            k = tell_unit(frame, w.MOVED, unit.seat, unit.id, 0)
            event_from(frame, k, was.x, was.y, 0)
            event_to(frame, k, unit.x, unit.y, 0)
        kind, across, down, _ = shown.orders.get(f"p{unit.seat}_{unit.id}", STAY)
        x, y, made = unit.x + across - 1, unit.y + down - 1, BUILDS.get(kind)
        if 0 <= x < size and 0 <= y < size and made == shown.tiles[y, x] and before.tiles[y, x] == t.EMPTY:
            event_to(frame, tell_unit(frame, w.BUILT, unit.seat, unit.id, made), x, y, 0)


def _show_numbers(frame: Any, told: Watched, shown: Shown) -> None:
    show_number(frame, w.TURN, shown.turn, told.max_turns)
    for seat in range(t.SEATS):
        first, units = w.FIRST_OF_SEAT + seat * w.NUMBERS_A_SEAT, sum(unit.seat == seat for unit in shown.units)
        show_number(frame, first + w.ENERGY_NUMBER, round(shown.energy[seat] * t.QUARTERS), 0)
        show_number(frame, first + w.TERRITORY_NUMBER, _tenths(shown.territory[seat]), _tenths(told.territory_goal))
        show_number(frame, first + w.EXPLORED_NUMBER, _tenths(shown.explored[seat].mean()), 0)
        show_number(frame, first + w.UNITS_NUMBER, units, 0)
        show_number(frame, first + w.STREAK_NUMBER, shown.streak[seat], told.territory_turns)


def _show_standing(frame: Any, told: Watched, shown: Shown) -> None:
    """Say what turn it is, or how the game ended: a replay is between two turns, when nobody is asked."""
    if not shown.over:
        show_status(frame, w.BETWEEN_TURNS, NOBODY, shown.turn)
        frame.status_value[0] = told.max_turns
        return
    end = SimpleNamespace(end=REASONS.index(shown.reason), winner=t.NOBODY if shown.winner is None else shown.winner)
    tell_end(end, frame)
    show_status(frame, end_of(end.end, end.winner), NOBODY, shown.turn)
    frame.status_value[0] = max(0, end.winner)


def _tenths(share: float) -> int:
    return int(share * 100 * w.TENTHS + 0.5)  # halves upwards, as the rules round
