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
    rules, turned = game.verbs, turned_ids(game)
    new, legal, apply, observe, result = rules.new, rules.legal, rules.apply, rules.observe, rules.result
    take, gain, pay, show = _taking(game), _gaining(game), _paying(game), _showing(game)
    paint, keep_end = _painting(game), _keeping(game)

    def answer(i, d):
        s, steps = d.states[i], 0
        d.done[i] = result(s, d.outcomes[i], d.points[i])
        while d.done[i] == 0 and d.bots[s.seat] >= 0 and steps < d.plan[STEPS]:
            clear(d.mask_words[i])
            legal(s, d.masks[i])
            observe(s, s.seat, d.views[i])
            apply(s, choose(d.bots[s.seat], d.views[i], d.masks[i], d.dice[i], d.scratch[i, s.seat]), d.rngs[i])
            gain(s, d.gains[i])
            steps += 1
            d.done[i] = result(s, d.outcomes[i], d.points[i])

    def face(i, d):
        s, me, steps, rounds, is_new = d.states[i], d.plan[SEAT], 0, 0, d.plan[ENTER] == 1
        d.done[i], action = 0, 0
        if not is_new:
            choice = take(d.actions[i], d.turned_masks[i], d.counts[i], d.dice[i])
            d.replaced[i] = choice if choice != d.actions[i] else -1
            action = turned[me, choice]
        while True:  # every verb stands here once, so that the compiler can put it in place
            if is_new:
                new(s, d.rngs[i])
                clear(d.scratch_words[i])
                clear(d.gains[i])
            else:
                apply(s, action, d.rngs[i])
                gain(s, d.gains[i])
                steps += 1
            status = result(s, d.outcomes[i], d.points[i])
            is_new = status != 0
            rounds += 1
            if is_new and rounds < d.plan[STEPS]:  # one that ends before the seat's first decision is followed by another, too
                if d.done[i] == 0 and d.plan[ENTER] == 0:
                    d.done[i] = status
                    pay(d.gains[i], d.rewards[i])
                    keep_end(d.outcomes[i], d.points[i], d.final_outcomes[i], d.final_points[i])
                    paint(s, me, d.final_views[i, me], d.final_plane_cells[i], d.final_planes[i])
                continue
            clear(d.mask_words[i])
            d.counts[i] = legal(s, d.masks[i])
            observe(s, s.seat, d.views[i])
            if d.bots[s.seat] < 0 or rounds >= d.plan[STEPS]:
                break
            action = choose(d.bots[s.seat], d.views[i], d.masks[i], d.dice[i], d.scratch[i, s.seat])
        if d.done[i] == 0 and d.plan[ENTER] == 0:
            pay(d.gains[i], d.rewards[i])
        d.tally[i, 0] += steps
        show(me, d.masks[i], d.turned_masks[i])

    return {"answer": answer, "face": face}


def turned_ids(game: Game) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return [seat, id in planes] = id in rules."""
    return game.own_ids


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


def _paying(game: Game) -> Callable[..., None]:
    seats, unit = len(game.spec.seats), game.spec.reward_unit

    @rule
    def pay(gains, rewards):
        """Turn what was gained into rewards, and begin again at nothing."""
        for seat in range(seats):
            rewards[seat] = gains[seat] * unit
            gains[seat] = 0

    return pay


def _showing(game: Game) -> Callable[..., None]:
    actions, turned = game.spec.actions, turned_ids(game)

    @rule
    def show(me, mask, turned_mask):
        """Give the mask in the ids of the seat's planes."""
        for action in range(actions):
            turned_mask[action] = mask[turned[me, action]]

    return show


def _keeping(game: Game) -> Callable[..., None]:
    seats = len(game.spec.seats)

    @rule
    def keep_end(outcomes, points, final_outcomes, final_points):
        """Keep how a game ended."""
        for seat in range(seats):
            final_outcomes[seat], final_points[seat] = outcomes[seat], points[seat]

    return keep_end


def _painting(game: Game) -> Callable[..., None]:
    observe, encode = game.verbs.observe, game.verbs.encode

    @rule
    def paint(s, me, view, cells, planes):
        """Fill a view and its planes."""
        observe(s, me, view)
        clear(cells)
        encode(view, planes)

    return paint
