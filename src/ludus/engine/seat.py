"""Kernels for one seat that is played from outside while bots play the others: all that passes between its decisions.

Which seat it is stands in `Desk.plan`, who plays the others in `Desk.bots`. What it is shown and what it answers are in the
ids that go with its planes (Spec.turned).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.core import draw, rule
from ludus.games import Game

from .kernels import ENTER, SEAT, STEPS, Kernel, clear


def seat_kernels(game: Game, choose: Callable[..., int]) -> dict[str, Kernel]:
    """Return `answer` (the bots play on) and `face` (a decision of the seat, or a new game, and all up to its next one)."""
    seats, unit, turned = len(game.spec.seats), game.spec.reward_unit, turned_ids(game)
    new, legal, apply, result = game.rules.new, game.rules.legal, game.rules.apply, game.rules.result
    take, gain, move, show, paint = _taking(game), _gaining(game), _moving(game, choose), _showing(game), _painting(game)

    def answer(i, d):
        s, steps = d.states[i], 0
        d.done[i] = result(s, d.outcomes[i], d.points[i])
        while d.done[i] == 0 and d.bots[s.seat] >= 0 and steps < d.plan[STEPS]:
            move(s, d.bots, d.masks[i], d.mask_words[i], d.views[i], d.dice[i], d.scratch[i], d.rngs[i])
            gain(s, d.gains[i])
            steps += 1
            d.done[i] = result(s, d.outcomes[i], d.points[i])

    def face(i, d):
        s, me, status, steps = d.states[i], d.plan[SEAT], 1, 0
        d.done[i] = 0
        while status != 0:  # a game that ends before the seat's first decision is followed by another one
            if steps == 0 and d.plan[ENTER] == 0:
                action = take(d.actions[i], d.turned_masks[i], d.counts[i], d.dice[i])
                d.replaced[i] = action if action != d.actions[i] else -1
                apply(s, turned[me, action], d.rngs[i])
                gain(s, d.gains[i])
                steps = 1
            else:
                new(s, d.rngs[i])
                clear(d.scratch_words[i])
                clear(d.gains[i])
            status = result(s, d.outcomes[i], d.points[i])
            while status == 0 and d.bots[s.seat] >= 0 and steps < d.plan[STEPS]:
                move(s, d.bots, d.masks[i], d.mask_words[i], d.views[i], d.dice[i], d.scratch[i], d.rngs[i])
                gain(s, d.gains[i])
                steps += 1
                status = result(s, d.outcomes[i], d.points[i])
            if d.done[i] == 0 and d.plan[ENTER] == 0:
                d.done[i] = status
                for seat in range(seats):
                    d.rewards[i, seat] = d.gains[i, seat] * unit
                    if status != 0:
                        d.final_outcomes[i, seat], d.final_points[i, seat] = d.outcomes[i, seat], d.points[i, seat]
                clear(d.gains[i])
                if status != 0:
                    paint(s, me, d.final_views[i, me], d.final_plane_cells[i], d.final_planes[i])
        d.tally[i, 0] += steps
        clear(d.mask_words[i])
        d.counts[i] = legal(s, d.masks[i])
        show(me, d.masks[i], d.turned_masks[i])
        paint(s, me, d.views[i], d.plane_cells[i], d.planes[i])

    return {"answer": answer, "face": face}


def turned_ids(game: Game) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return [seat, id in planes] = id in rules."""
    return np.array(game.spec.turned or [range(game.spec.actions)] * len(game.spec.seats), np.int32)


def _taking(game: Game) -> Callable[..., int]:
    actions, refuses = game.spec.actions, game.spec.refuses

    @rule
    def take(action, mask, count, dice):
        """Return the action given, or any legal one in place of an illegal one."""
        if 0 <= action < actions and (mask[action] != 0 or not refuses):
            return action
        left = draw(dice, count)
        for other in range(actions):
            if mask[other] != 0:
                if left == 0:
                    return other
                left -= 1
        return 0

    return take


def _gaining(game: Game) -> Callable[..., None]:
    seats = len(game.spec.seats)

    @rule
    def gain(s, gains):
        """Add what the last action gave each seat."""
        for seat in range(seats):
            gains[seat] += s.last_reward[seat]

    return gain


def _moving(game: Game, choose: Callable[..., int]) -> Callable[..., None]:
    legal, apply, observe = game.rules.legal, game.rules.apply, game.rules.observe

    @rule
    def move(s, bots, mask, words, view, dice, scratch, rng):
        """Let the bot of the seat to move play one action."""
        clear(words)
        legal(s, mask)
        observe(s, s.seat, view)
        apply(s, choose(bots[s.seat], view, mask, dice, scratch[s.seat]), rng)

    return move


def _showing(game: Game) -> Callable[..., None]:
    actions, turned = game.spec.actions, turned_ids(game)

    @rule
    def show(me, mask, turned_mask):
        """Give the mask in the ids of the planes."""
        for action in range(actions):
            turned_mask[action] = mask[turned[me, action]]

    return show


def _painting(game: Game) -> Callable[..., None]:
    observe, encode = game.rules.observe, game.rules.encode

    @rule
    def paint(s, me, view, cells, planes):
        """Fill a view and its planes."""
        observe(s, me, view)
        clear(cells)
        encode(view, planes)

    return paint
