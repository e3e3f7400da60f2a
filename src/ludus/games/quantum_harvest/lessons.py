"""A teacher for networks: the commander, but hurt and new warriors are healed at a gate before they hunt.

Two commanders are no even match: seat 0's orders run first, so that its warriors shoot first, and it wins nearly all games. A
warrior with 145 of health outlives two shots and wins as seat 1, too. Arrays are torch's, on any device; nothing is imported.
"""

from __future__ import annotations

from typing import Any

from .fog import ASKED_HEALTH, ASKED_PLANE, HEALTH_STEP, MY_CORNER, NODE_PLANE, NUMBERS, THEIRS_PLANE
from .tables import (
    ATTACK,
    BARRIER,
    DIRECTIONS,
    DX,
    DY,
    GATE,
    HALVES,
    HEAL,
    HEAL_COST,
    HERE,
    MOVE,
    NODE,
    NOTHING,
    PICK,
    QUARTERS,
    SIZE,
    WARRIOR,
)

HEALTHY, HURT, MORTAL = (health * HALVES // HEALTH_STEP for health in (145, 60, 54))  # in steps of a plane
FAR = 2 * SIZE  # steps of a way to a gate, at most


def healer(advice: Any, planes: Any, mask: Any) -> Any:
    """Return the commander's advice [n], but for warriors that should heal, wait at a gate, or go to one."""
    asked = planes[:, ASKED_PLANE + WARRIOR] != 0
    gates = planes[:, NODE_PLANE - NODE + GATE] != 0
    health = planes[:, ASKED_HEALTH].flatten(1).amax(1)
    is_warrior, is_at_gate = asked.flatten(1).any(1), (asked & gates).flatten(1).any(1)
    can_shoot, can_heal = (mask[:, ATTACK:PICK] != 0).any(1), mask[:, HEAL] != 0
    can_pay = planes[:, NUMBERS, 0, 4] >= HEAL_COST // QUARTERS
    is_weak = is_warrior & (health < HEALTHY)
    lesson = advice.clone()
    lesson[is_weak & is_at_gate & ~can_shoot] = NOTHING
    lesson[is_weak & is_at_gate & can_heal & (~can_shoot | (health <= MORTAL))] = HEAL
    goes = (is_warrior & (health < HURT) & ~is_at_gate & ~can_shoot & can_pay).nonzero()[:, 0]
    if len(goes):
        step = way_home(asked[goes], gates[goes], planes[goes], mask[goes])
        lesson[goes] = step.where(step >= 0, lesson[goes])
    return lesson


def way_home(asked: Any, gates: Any, planes: Any, mask: Any) -> Any:
    """Return a step [n] on a shortest way to a gate in the own half of the map, -1 where there is none."""
    enemies = planes[:, THEIRS_PLANE : THEIRS_PLANE + 3].amax(1) != 0
    is_open = (planes[:, NODE_PLANE - NODE + BARRIER] == 0) & (~enemies | gates)
    is_left = planes[:, MY_CORNER, 0, 0] != 0
    reached = gates.clone()
    reached[:, :, : SIZE // 2] &= is_left[:, None, None]
    reached[:, :, SIZE // 2 :] &= ~is_left[:, None, None]
    count = len(asked)
    away = asked.new_full((count, SIZE + 2, SIZE + 2), FAR, dtype=planes.dtype)  # with an edge around the map
    inner = away[:, 1:-1, 1:-1]
    for steps in range(FAR):
        inner.masked_fill_(reached & (inner == FAR), steps)
        near = away < FAR
        reached = reached | (is_open & _any_beside(near))
    ways = []
    for d in range(DIRECTIONS):
        there = away[:, 1 + DY[d] : 1 + DY[d] + SIZE, 1 + DX[d] : 1 + DX[d] + SIZE]
        distance = there.masked_fill(~asked, 0).flatten(1).amax(1)
        ways.append(distance.masked_fill((mask[:, MOVE + d] == 0) | (d == HERE), FAR))
    best = ways[0].new_full((count,), FAR)
    step = best.long() * 0 - 1
    for d in range(DIRECTIONS):
        step = step.masked_fill(ways[d] < best, MOVE + d)
        best = best.minimum(ways[d])
    return step


def _any_beside(marked: Any) -> Any:
    """Return the tiles that are marked, or one of whose neighbours is; `marked` has an edge."""
    wide = marked[:, :, :-2] | marked[:, :, 1:-1] | marked[:, :, 2:]
    return wide[:, :-2] | wide[:, 1:-1] | wide[:, 2:]
