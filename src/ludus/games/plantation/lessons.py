"""A teacher for networks: the tracker, but it scouts every other turn and attacks whatever is known to give 2 or more.

It reads planes, in which both seats have their home at the left. Arrays are torch's, on any device; nothing is imported.
"""

from __future__ import annotations

from typing import Any

from .rules import BOMB, CELLS, COLS, CROSS_X, CROSS_Y, HIGHEST_PLANE, ROWS, SCOUT, SPRAY

LEAST = 2  # what an attack takes at least
BOMB_DAMAGE = 4
MORE = 1 / 3  # of the turns in which the tracker does not scout: one in two in all, with its one in four


def forager(advice: Any, planes: Any, mask: Any) -> Any:
    """Return the tracker's advice [n], but for attacks and scouts that it leaves out."""
    count, lesson = len(advice), advice.clone()
    chance = advice.new_empty((count, 2 * CELLS + 1)).float().uniform_()
    is_scouting = lesson // CELLS == SCOUT
    is_first, time = planes[:, 4, 0, 2] != 0, planes[:, 5, 0].long().sum(1)  # three moves are left; elevenths of the game
    is_scouting |= is_first & (time > 0) & (time < COLS - 1) & (chance[:, -1] < MORE)
    lesson = lesson.where(~is_scouting, SCOUT * CELLS + stalest(planes, time, chance[:, :CELLS]))
    taken = attacks(planes) * (mask[:, SPRAY * CELLS : (BOMB + 1) * CELLS] != 0)
    best, place = (taken + 0.5 * chance[:, :-1]).max(1)
    return lesson.where(best < LEAST, SPRAY * CELLS + place)


def attacks(planes: Any) -> Any:
    """Return what is known to be taken by each spray and each bomb [n, 2 × cells]."""
    known = planes[:, 1].float()
    edged = known.new_zeros((len(known), ROWS + 2, COLS + 2))
    edged[:, 1:-1, 1:-1] = known > 0
    hits = known * 0
    for dx, dy in zip(CROSS_X, CROSS_Y, strict=True):
        hits = hits + edged[:, 1 + dy : 1 + dy + ROWS, 1 + dx : 1 + dx + COLS]
    bombed = known.clamp(max=BOMB_DAMAGE)
    both = hits[:, None].repeat(1, 2, 1, 1)
    both[:, 1] = bombed
    return both.flatten(1)


def stalest(planes: Any, time: Any, chance: Any) -> Any:
    """Return the cell [n] around which least is known, the farther from home the better."""
    fresh, own = planes[:, 2].float(), planes[:, 0]
    never = (time * (100 // COLS) + 5)[:, None, None].float()  # about how many turns there were
    age = (HIGHEST_PLANE - fresh).where(fresh > 0, never).masked_fill(own > 0, 0.0)
    rows = age[:, :-2] + age[:, 1:-1] + age[:, 2:]
    window = rows[:, :, :-2] + rows[:, :, 1:-1] + rows[:, :, 2:]  # of the cells off the edge
    depth = window.new_ones(COLS - 2).cumsum(0) + COLS
    worth = age * 0 - 1
    worth[:, 1:-1, 1:-1] = window * depth
    return (worth.flatten(1) + 0.5 * chance).argmax(1)
