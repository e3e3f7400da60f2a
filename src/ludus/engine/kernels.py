"""What happens to one game of a batch: each kernel is a plain function of the game's number and the buffers.

`pure` runs them in a Python loop, `cpu` compiles the loop, `cuda` gives each game a thread. They name no game: a game's
verbs come in through `kernels(game)`. Which arrays a kernel needs is read off the names that it uses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ludus.core import agent_word, first_word, rule
from ludus.games import Game

from .buffers import Buffers

Kernel = Callable[[int, Buffers], None]


# What the numbers of `Buffers.plan` mean.
SEAT = 0  # who looks (-1: the seat to move), or is played from outside
RESTART = 1  # 1 = a finished game is followed by a new one
STEPS = 2  # how many
BEGIN = 3  # of `seat_step`: AFTER_ACTION, NEW_GAME or AS_IT_STANDS; after others outside: GO_ON, or GO_ON_NEW at a start
REWARD = 4  # what is paid there
TURNS_ABOUT = 5  # 1 = the learner has the next seat in the next game
SPARSE = 8  # one action in so many, or fewer, are looked for faster than all are copied
STANDS = -1  # the action of a game that is over and stays so
AFTER_ACTION, NEW_GAME, AS_IT_STANDS, GO_ON, GO_ON_NEW = range(5)


# Rows that a kernel only reads or only writes; `cuda` saves the way to or from memory for them.
ONLY_READ = {
    "legal": {"states"}, "own_legal": {"states"}, "rule_legal": {"states"}, "observe": {"states"}, "encode": {"states"},
    "result": {"states"}, "digest": {"states"}, "show": {"states"}, "show_all": {"states"}, "features": {"states"},
    "sample": {"views"}, "bot_choice": {"states", "masks", "views"},
}  # fmt: skip
ONLY_WRITTEN = {
    "legal": {"masks"}, "own_legal": {"masks"}, "rule_legal": {"masks"}, "observe": {"views"},
    "features": {"features"}, "random_features": {"features"},
    "result": {"outcomes", "points"}, "step": {"rewards", "outcomes", "points"},
    "seat_step": {"outcomes", "points"},
    "random_game": {"outcomes", "points"}, "bot_game": {"outcomes", "points"},
}  # fmt: skip
# Rows that are only room to work in: what a kernel leaves there means nothing.
ONLY_ROOM = {
    "encode": {"views"}, "features": {"views"}, "show": {"views"}, "seat_step": {"views"},
    "renew": {"outcomes", "points"}, "random_steps": {"masks", "outcomes", "points"},
    "random_features": {"masks", "outcomes", "points", "views"},
    "random_game": {"masks"}, "bot_game": {"masks", "views", "scratch"},
}  # fmt: skip


def kernels(game: Game, seated: frozenset[str] | None = None) -> dict[str, Kernel]:
    """Return the kernels of a game by name; with those bots alone that are seated, if any are named."""
    from .feature_kernels import feature_kernels
    from .gumbel_kernels import gumbel_kernels
    from .playing import play_kernels
    from .playout_kernels import playout_kernels
    from .seat_kernels import seat_kernels
    from .showing import show_kernels

    bots = {number: name for number, name in enumerate(compiled_bots(game)) if seated is None or name in seated}
    played = {**play_kernels(game, bots), **seat_kernels(game, bots)}
    searching = {**playout_kernels(game), **gumbel_kernels(game)}
    return {**verb_kernels(game), **played, **show_kernels(game), **feature_kernels(game), **searching}


@cache
def needs(kernel: Kernel) -> list[str]:
    """List the buffers that a kernel names."""
    return [name for name in Buffers._fields if name in kernel.__code__.co_names]


def compiled_bots(game: Game) -> list[str]:
    """List the bots that play inside kernels: those that need no tables; their place is their number in `Buffers.bots`."""
    return [name for name, bot in game.bots.items() if "tables" not in parameters(bot)]


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's parameters."""
    return function.__code__.co_varnames[: function.__code__.co_argcount]


@rule
def clear(row):
    """Zero a row."""
    for k in range(row.shape[0]):
        row[k] = 0


@cache
def rule_ids(game: Game) -> Callable[[int, int], int]:
    """Return a rule that turns a seat's own id into the rules'; with a small table: CUDA has 64 KB for all of a kernel's."""
    ids = game.own_ids.astype(np.min_scalar_type(-game.spec.actions))

    @rule
    def look_up(seat, action):
        return int(ids[seat, action])

    @rule
    def rule_id(seat, action):
        return look_up(int(seat), int(action))  # of one type: each has a table of its own in a compiled kernel

    return rule_id


@cache
def own_ids(game: Game) -> Callable[[int, int], int]:
    """Return a rule that turns an id of the rules into a seat's own."""
    turned = np.argsort(game.own_ids, axis=1)
    if (turned == game.own_ids).all():  # a half turn leads back: one table does for both
        return rule_ids(game)
    ids = turned.astype(np.min_scalar_type(-game.spec.actions))

    @rule
    def look_up(seat, action):
        return int(ids[seat, action])

    @rule
    def own_id(seat, action):
        return look_up(int(seat), int(action))  # of one type: each has a table of its own in a compiled kernel

    return own_id


@cache
def showing(game: Game) -> Callable[..., None]:
    """Return a rule that marks in a mask of zeros, in the seat's own ids, what is marked in the rules'."""
    own_id, rule_id, actions = own_ids(game), rule_ids(game), game.spec.actions

    @rule
    def show(seat, words, mask, count, own_mask):
        left, action = count, 0
        if left * SPARSE > actions:
            for own in range(actions):
                own_mask[own] = mask[rule_id(seat, own)]
            return
        while left > 0 and action < mask.shape[0]:
            if words[action // 8] == 0:
                action += 8
            else:
                if mask[action] != 0:
                    own_mask[own_id(seat, action)] = 1
                    left -= 1
                action += 1

    return show


def verb_kernels(game: Game) -> dict[str, Kernel]:
    """The verbs over the buffers; `step` keeps the end of a game before the next one starts."""
    verbs, seats, unit, actions = game.verbs, len(game.spec.seats), game.spec.reward_unit, game.spec.actions
    new, legal, apply, observe, encode, result = verbs[:6]
    sound, digest, sample, refuses = verbs.sound, verbs.digest, verbs.sample, game.spec.refuses
    rule_id, own_id, show = rule_ids(game), own_ids(game), showing(game)

    def new_game(i, b):
        new(b.states[i], b.rngs[i])

    def seed_game(i, b):
        seed, room = b.seeds[i, 0], b.seeds[i, 1:]
        b.rngs[i, 0], b.dice[i, 0] = first_word(seed), first_word(~seed)
        for seat in range(seats):
            b.bot_dice[i, seat, 0] = first_word(agent_word(seed, seat, room))

    def clear_own_masks(i, b):
        clear(b.own_masks[i])

    def mark(i, b):
        clear(b.mask_words[i])
        b.counts[i] = legal(b.states[i], b.masks[i])

    def mark_own(i, b):
        clear(b.mask_words[i])
        b.counts[i] = legal(b.states[i], b.masks[i])
        show(b.states[i].seat, b.mask_words[i], b.masks[i], b.counts[i], b.own_masks[i])

    def mark_rules(i, b):
        clear(b.mask_words[i])
        b.counts[i] = legal(b.states[i], b.masks[i])
        for action in range(actions):
            b.own_masks[i, action] = b.masks[i, action]

    def list_ids(i, b):
        clear(b.mask_words[i])
        count = legal(b.states[i], b.masks[i])
        b.counts[i] = count
        found, word = 0, 0
        while found < count:
            if b.mask_words[i, word] != 0:
                for action in range(8 * word, min(8 * word + 8, actions)):  # written without asking: there is room for all
                    b.ids[i, found] = action
                    found += int(b.masks[i, action])
            word += 1

    def check_actions(i, b):
        action = b.actions[i]
        if b.counts[i] == 0:
            b.actions[i] = STANDS
        elif action < 0 or action >= actions or (refuses and b.masks[i, action] == 0):
            b.bad[0] = i + 1

    def from_own(i, b):
        action = b.actions[i]
        if 0 <= action < actions:
            b.actions[i] = rule_id(b.states[i].seat, action)

    def to_own(i, b):
        action = b.actions[i]
        if 0 <= action < actions:
            b.actions[i] = own_id(b.states[i].seat, action)

    def check_sound(i, b):
        b.status[i] = sound(b.states[i])
        if b.status[i] == 0:
            b.bad[0] = i + 1

    def digest_row(i, b):
        b.digests[i] = digest(b.states[i])

    def look(i, b):
        s = b.states[i]
        observe(s, b.plan[SEAT] if b.plan[SEAT] >= 0 else s.seat, b.views[i])

    def draw_position(i, b):
        sample(b.views[i], b.states[i], b.rngs[i])  # type: ignore[misc]  # the caller asks whether there is one

    def clear_planes(i, b):
        clear(b.plane_cells[i])

    def paint(i, b):
        s = b.states[i]
        observe(s, b.plan[SEAT] if b.plan[SEAT] >= 0 else s.seat, b.views[i])
        encode(b.views[i], b.planes[i])

    def score(i, b):
        b.status[i] = result(b.states[i], b.outcomes[i], b.points[i])

    def play_one(i, b):
        s = b.states[i]
        apply(s, b.actions[i], b.rngs[i])
        for seat in range(seats):
            b.rewards[i, seat] = s.last_reward[seat] * unit

    def step(i, b):
        s = b.states[i]
        stands = b.actions[i] == STANDS  # over before; only if positions were given can another one follow now
        if not stands:
            apply(s, b.actions[i], b.rngs[i])
        for seat in range(seats):
            b.rewards[i, seat] = 0 if stands else s.last_reward[seat] * unit
        if stands and b.plan[RESTART] == 0:
            b.done[i] = 0
            return
        b.done[i] = result(s, b.outcomes[i], b.points[i])
        if b.done[i] != 0:
            for seat in range(seats):
                observe(s, seat, b.final_views[i, seat])
                b.final_outcomes[i, seat] = b.outcomes[i, seat]
                b.final_points[i, seat] = b.points[i, seat]
            if b.plan[RESTART] == 1:
                new(s, b.rngs[i])

    def forget_ended(i, b):
        if b.done[i] != 0:
            clear(b.scratch_words[i])

    return {
        "new": new_game, "seed": seed_game,
        "clear_own_masks": clear_own_masks, "legal": mark, "own_legal": mark_own, "rule_legal": mark_rules,
        "legal_ids": list_ids, "check_actions": check_actions, "from_own": from_own, "to_own": to_own, "sound": check_sound,
        "digest": digest_row, "observe": look, "sample": draw_position, "clear_planes": clear_planes, "encode": paint,
        "result": score,
        "play_one": play_one, "step": step,
        "forget_ended": forget_ended,
    }  # fmt: skip
