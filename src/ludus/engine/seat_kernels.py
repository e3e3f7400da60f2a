"""Kernels for one seat that is played from outside while bots play the others: all that passes between its decisions.

Which seat it is stands in `Buffers.plan`, who plays the others in `Buffers.bots`. What it is shown and what it answers are in
its own ids.
"""

from __future__ import annotations

from collections.abc import Callable

from ludus.core import any_marked, draw, rule
from ludus.games import Game

from .kernels import AFTER_ACTION, BEGIN, NEW_GAME, SEAT, STEPS, Kernel, clear, rule_ids, showing
from .playing import playable


def seat_kernels(game: Game, choose: Callable[..., int]) -> dict[str, Kernel]:
    """Return `answer` (the bots play on) and `seat_step` (a decision of the seat, or a start, and all up to its next one)."""
    rule_id = rule_ids(game)
    new, legal, apply, observe, _, result = game.verbs[:6]
    accept, gain, pay, show = _accepting(game), _gaining(game), _paying(game), showing(game)
    paint, keep_end, is_playable, seats = _painting(game), _keeping(game), playable(game), len(game.spec.seats)

    def answer(i, b):
        s, steps = b.states[i], 0
        b.done[i] = result(s, b.outcomes[i], b.points[i])
        while b.done[i] == 0 and b.bots[s.seat] >= 0 and steps < b.plan[STEPS]:
            clear(b.mask_words[i])
            legal(s, b.masks[i])
            observe(s, s.seat, b.views[i])
            action = choose(b.bots[s.seat], b.views[i], b.masks[i], b.bot_dice[i, s.seat], b.scratch[i, s.seat])
            if not is_playable(action, b.masks[i]):
                b.bad[0] = i * seats + s.seat + 1
                return
            apply(s, action, b.rngs[i])
            gain(s, b.gains[i])
            steps += 1
            b.done[i] = result(s, b.outcomes[i], b.points[i])

    def seat_step(i, b):
        s, me, steps, rounds = b.states[i], b.plan[SEAT], 0, 0
        is_new, acts, counts = b.plan[BEGIN] == NEW_GAME, b.plan[BEGIN] == AFTER_ACTION, b.plan[BEGIN] == AFTER_ACTION
        b.done[i], action = 0, 0
        if acts:
            choice = accept(b.actions[i], me, b.masks[i], b.counts[i], b.dice[i])
            b.replaced[i] = choice if choice != b.actions[i] else -1
            action = rule_id(me, choice)
        while True:  # every verb stands here once, so that the compiler can put it in place
            if is_new:
                new(s, b.rngs[i])
                clear(b.scratch_words[i])
                clear(b.gains[i])
            elif acts:
                apply(s, action, b.rngs[i])
                gain(s, b.gains[i])
                steps += 1
            else:
                clear(b.scratch_words[i])
                clear(b.gains[i])
            status = result(s, b.outcomes[i], b.points[i])
            is_new, acts = status != 0, True
            rounds += 1
            if is_new and rounds < b.plan[STEPS]:  # one that ends before the seat's first decision is followed by another, too
                if b.done[i] == 0 and counts:
                    b.done[i] = status
                    pay(b.gains[i], b.rewards[i])
                    keep_end(b.outcomes[i], b.points[i], b.final_outcomes[i], b.final_points[i])
                    paint(s, me, b.final_views[i, me], b.final_plane_cells[i], b.final_planes[i])
                continue
            clear(b.mask_words[i])
            b.counts[i] = legal(s, b.masks[i])
            observe(s, s.seat, b.views[i])
            if b.bots[s.seat] < 0 or rounds >= b.plan[STEPS]:
                break
            action = choose(b.bots[s.seat], b.views[i], b.masks[i], b.bot_dice[i, s.seat], b.scratch[i, s.seat])
            if not is_playable(action, b.masks[i]):  # the caller says so; the game goes on
                b.bad[0] = i * seats + s.seat + 1
                action = any_marked(b.masks[i], b.dice[i])
        if b.done[i] == 0 and counts:
            pay(b.gains[i], b.rewards[i])
        b.tally[i, 0] += steps
        show(me, b.mask_words[i], b.masks[i], b.counts[i], b.own_masks[i])

    return {"answer": answer, "seat_step": seat_step}


def _accepting(game: Game) -> Callable[..., int]:
    actions, refuses, rule_id = game.spec.actions, game.spec.refuses, rule_ids(game)

    @rule
    def accept(action, me, mask, count, dice):
        """Return the action given, or any legal one in place of an illegal one; in own ids, the mask is in rule ids."""
        if 0 <= action < actions and (mask[rule_id(me, action)] != 0 or not refuses):
            return action
        left = draw(dice, count)
        for other in range(actions):
            if mask[rule_id(me, other)] != 0:
                if left == 0:
                    return other
                left -= 1
        return 0

    return accept


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
