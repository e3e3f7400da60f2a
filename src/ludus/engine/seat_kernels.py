"""Kernels for seats that are played from outside while bots play the others: all that passes between two decisions.

Who plays a seat stands in `Buffers.bots`, game by game: a bot by its number, a learner (LEARNER), or somebody else outside
(below that), for whom the kernel stops as well. `Buffers.mix` says who sits down at the start of a game. What seats are shown
and what they answer are in their own ids.
"""

from __future__ import annotations

from collections.abc import Callable

from ludus.core import any_marked, draw, rule
from ludus.games import Game

from .kernels import (
    AFTER_ACTION,
    BEGIN,
    GO_ON,
    NEW_GAME,
    RESTART,
    REWARD,
    STEPS,
    TURNS_ABOUT,
    Kernel,
    clear,
    rule_ids,
    showing,
)
from .playing import mover, playable

LEARNER = -1  # in `Buffers.bots`: the seat is played from outside
STAYS = -(2**31)  # in `Buffers.mix`: who played the seat in this game plays it in the next one, too
ORIGINAL, OUTCOME, POINTS = range(3)  # what is paid: see rewards.py


def seat_kernels(game: Game, bots: dict[int, str]) -> dict[str, Kernel]:
    """Return `answer` (the bots play on), `seat_step` (all up to the next decision from outside) and `final_encode`."""
    rule_id, encode, move = rule_ids(game), game.verbs.encode, mover(game, bots)
    new, legal, apply, observe, _, result = game.verbs[:6]
    accept, gain, show, deal = _accepting(game), _gaining(game), showing(game), _dealing(game)
    keep_end, pay, set_margins = _keeping(game), _paying(game), _margins(game)
    is_playable, seats = playable(game), len(game.spec.seats)

    def answer(i, b):
        s, steps = b.states[i], 0
        b.done[i] = result(s, b.outcomes[i], b.points[i])
        while b.done[i] == 0 and b.bots[i, s.seat] >= 0 and steps < b.plan[STEPS]:
            clear(b.mask_words[i])
            legal(s, b.masks[i])
            action = move(b.bots[i, s.seat], s, b.views[i], b.masks[i], b.bot_dice[i, s.seat], b.scratch[i, s.seat])
            if not is_playable(action, b.masks[i]):
                b.bad[0] = i * seats + s.seat + 1
                return
            apply(s, action, b.rngs[i])
            gain(s, b.gains[i])
            steps += 1
            b.done[i] = result(s, b.outcomes[i], b.points[i])

    def seat_step(i, b):
        s, begin, kind, steps, rounds = b.states[i], b.plan[BEGIN], b.plan[REWARD], 0, 0
        goes_on = begin >= GO_ON  # after a decision of somebody else outside
        is_new, acts = begin == NEW_GAME, begin == AFTER_ACTION or goes_on
        is_fresh, is_counted, action = not acts, begin in (AFTER_ACTION, GO_ON), 0
        if (goes_on and b.waiting[i] == 0) or (is_fresh and b.chosen[i] == 0):
            return
        if not goes_on:
            b.done[i], b.reward[i], b.replaced[i] = 0, 0, -1
        if begin == AFTER_ACTION and b.counts[i] == 0:  # the game is over and stands still
            return
        if acts:
            choice = accept(b.actions[i], s.seat, b.masks[i], b.counts[i], b.dice[i])
            action = rule_id(s.seat, choice)
            if not goes_on:
                b.actor[i] = s.seat
                b.replaced[i] = choice if choice != b.actions[i] else -1
        if begin != AFTER_ACTION:  # else all masks were cleared at once
            clear(b.own_masks[i])
        while True:  # every verb stands here once, so that the compiler can put it in place
            if is_new:
                new(s, b.rngs[i])
            elif acts:
                apply(s, action, b.rngs[i])
                gain(s, b.gains[i])
                steps += 1
            if is_new or not acts:
                clear(b.scratch_words[i])
                clear(b.gains[i])
                b.mine[i] = deal(b.mix, b.bots[i], b.mine[i], b.plan[TURNS_ABOUT], b.dice[i])
                b.tally[i, 1] += 1
            status = result(s, b.outcomes[i], b.points[i])
            if is_fresh and kind == POINTS:
                set_margins(b.points[i], b.margins[i])
            is_new, acts = status != 0, True
            is_fresh = is_new
            rounds += 1
            if is_new:  # one that ends before the learner's first decision is followed by another, too
                if b.done[i] == 0 and is_counted:
                    b.done[i] = status
                    for seat in range(seats):
                        b.rewards[i, seat] = pay(kind, seat, True, b.gains[i], b.outcomes[i], b.points[i], b.margins[i])
                        if b.bots[i, seat] == LEARNER:
                            observe(s, seat, b.final_views[i, seat])
                    b.reward[i] = b.rewards[i, b.actor[i]]
                    b.final_outcome[i], b.final_point[i] = b.outcomes[i, b.actor[i]], b.points[i, b.actor[i]]
                    keep_end(b.outcomes[i], b.points[i], b.final_outcomes[i], b.final_points[i])
                if b.plan[RESTART] == 0 or rounds >= b.plan[STEPS]:
                    break
                continue
            clear(b.mask_words[i])
            b.counts[i] = legal(s, b.masks[i])
            if b.bots[i, s.seat] < 0 or rounds >= b.plan[STEPS]:
                break
            action = move(b.bots[i, s.seat], s, b.views[i], b.masks[i], b.bot_dice[i, s.seat], b.scratch[i, s.seat])
            if not is_playable(action, b.masks[i]):  # the caller says so; the game goes on
                b.bad[0] = i * seats + s.seat + 1
                action = any_marked(b.masks[i], b.dice[i])
        b.tally[i, 0] += steps
        b.decider[i] = s.seat
        b.waiting[i] = 0
        if is_new:  # it stands still from now on
            clear(b.mask_words[i])
            b.counts[i] = 0
            return
        if b.bots[i, s.seat] < LEARNER:
            b.waiting[i] = LEARNER - b.bots[i, s.seat]
        elif b.done[i] == 0 and is_counted:
            for seat in range(seats):
                b.rewards[i, seat] = 0
            b.reward[i] = pay(kind, s.seat, False, b.gains[i], b.outcomes[i], b.points[i], b.margins[i])
            b.rewards[i, s.seat] = b.reward[i]
        show(s.seat, b.mask_words[i], b.masks[i], b.counts[i], b.own_masks[i])

    def final_encode(i, b):
        if b.done[i] != 0:
            clear(b.final_plane_cells[i])
            encode(b.final_views[i, b.actor[i]], b.final_planes[i])

    return {"answer": answer, "seat_step": seat_step, "final_encode": final_encode}


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


def _dealing(game: Game) -> Callable[..., int]:
    seats = len(game.spec.seats)

    @rule
    def deal(mix, bots, mine, turns_about, dice):
        """Say who plays in the game that begins; return the learner's seat where it is another one in each game."""
        mine = (mine + turns_about) % seats
        for seat in range(seats):
            bots[seat] = chosen(mix[seat], bots[seat], dice)
        if turns_about != 0:
            bots[mine] = LEARNER
        return mine

    return deal


@rule
def chosen(mix, now, dice):
    """Draw one of a mix [choice, (who, odds of all up to here)]; `now` stays where the mix says so."""
    which, odds = 0, mix[mix.shape[0] - 1, 1]
    if mix[0, 1] < odds:
        number = draw(dice, odds)
        while mix[which, 1] <= number:
            which += 1
    return now if mix[which, 0] == STAYS else mix[which, 0]


def _gaining(game: Game) -> Callable[..., None]:
    seats = len(game.spec.seats)

    @rule
    def gain(s, gains):
        """Add what the last action gave each seat."""
        for seat in range(seats):
            gains[seat] += s.last_reward[seat]

    return gain


def _paying(game: Game) -> Callable[..., float]:
    unit, margin_of = game.spec.reward_unit, _margin_of(game)

    @rule
    def pay(kind, seat, is_over, gains, outcomes, points, margins):
        """Return what a seat gets for all since it was paid last."""
        if kind == OUTCOME:
            return float(outcomes[seat]) if is_over else 0.0
        if kind == POINTS:
            before, margins[seat] = margins[seat], margin_of(points, seat)
            return float(margins[seat] - before)
        gained, gains[seat] = gains[seat], 0
        return float(gained * unit)

    return pay


def _margins(game: Game) -> Callable[..., None]:
    seats, margin_of = len(game.spec.seats), _margin_of(game)

    @rule
    def set_margins(points, margins):
        """Note how the points stand when a game begins."""
        for seat in range(seats):
            margins[seat] = margin_of(points, seat)

    return set_margins


def _margin_of(game: Game) -> Callable[..., float]:
    """Return a rule that says by how much a seat leads the best seat of another side; its own points where there is none."""
    spec = game.spec
    sides = tuple(spec.side(seat) for seat in range(len(spec.seats)))
    seats = len(sides)

    @rule
    def margin_of(points, seat):
        best, is_alone = 0.0, True
        for other in range(seats):
            if sides[other] != sides[seat] and (is_alone or points[other] > best):
                best, is_alone = points[other], False
        return points[seat] - best

    return margin_of


def _keeping(game: Game) -> Callable[..., None]:
    seats = len(game.spec.seats)

    @rule
    def keep_end(outcomes, points, final_outcomes, final_points):
        """Keep how a game ended."""
        for seat in range(seats):
            final_outcomes[seat], final_points[seat] = outcomes[seat], points[seat]

    return keep_end
