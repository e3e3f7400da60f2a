"""What happens to one game of a batch: each kernel is a plain function of the game's number and the desk.

`pure` runs them in a Python loop, `cpu` compiles the loop, `cuda` gives each game a thread. They name no game: a game's
verbs come in through `kernels(game)`. Which arrays a kernel needs is read off the names that it uses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ludus.core import draw, rule
from ludus.games import Game

from .desk import Desk

Kernel = Callable[[int, Desk], None]


# What the numbers of `Desk.plan` mean.
SEAT = 0  # who looks (-1: the seat to move), or is played from outside
RESTART = 1  # 1 = a finished game is followed by a new one
STEPS = 2  # how many
ENTER = 3  # 1 = begin with a new game


# Rows that a kernel only reads or only writes; `cuda` saves the way to or from memory for them.
ONLY_READ = {
    "legal": {"states"}, "observe": {"states"}, "encode": {"states"}, "result": {"states"},
}  # fmt: skip
ONLY_WRITTEN = {
    "legal": {"masks"}, "observe": {"views"}, "result": {"outcomes", "points"},
    "step": {"rewards", "outcomes", "points"},
    "random_game": {"outcomes", "points"}, "bot_game": {"outcomes", "points"},
}  # fmt: skip
# Rows that are only room to work in: what a kernel leaves there means nothing.
ONLY_ROOM = {
    "encode": {"views"},
    "random_steps": {"masks", "outcomes", "points"}, "random_game": {"masks"}, "bot_game": {"masks", "views", "scratch"},
}  # fmt: skip


def kernels(game: Game, seated: frozenset[str] | None = None) -> dict[str, Kernel]:
    """Return the kernels of a game by name; with those bots alone that are seated, if any are named."""
    from .seat import seat_kernels

    bots = dict(enumerate(compiled_bots(game)))
    choose = _chooser(game, {number: name for number, name in bots.items() if seated is None or name in seated})
    return {**_verb_kernels(game), **_play_kernels(game, choose), **seat_kernels(game, choose)}


@cache
def needs(kernel: Kernel) -> list[str]:
    """List the fields of the desk that a kernel names."""
    return [name for name in Desk._fields if name in kernel.__code__.co_names]


@rule
def nth(words, mask, index):
    """Return the id of the index-th marked action, skipping zeros eight at a time."""
    for w in range(words.shape[0]):
        if words[w] != 0:
            for action in range(8 * w, 8 * w + 8):
                if mask[action] != 0:
                    if index == 0:
                        return action
                    index -= 1
    return -1


@rule
def clear(row):
    """Zero a row."""
    for k in range(row.shape[0]):
        row[k] = 0


def _verb_kernels(game: Game) -> dict[str, Kernel]:
    """The verbs over the arrays of the desk; `step` keeps the end of a game before the next one starts."""
    rules, seats, unit = game.verbs, len(game.spec.seats), game.spec.reward_unit
    new, legal, apply, observe = rules.new, rules.legal, rules.apply, rules.observe
    encode, result, actions = rules.encode, rules.result, game.spec.actions

    def new_game(i, d):
        new(d.states[i], d.rngs[i])

    def mark(i, d):
        clear(d.mask_words[i])
        d.counts[i] = legal(d.states[i], d.masks[i])

    def list_ids(i, d):
        clear(d.mask_words[i])
        d.counts[i] = legal(d.states[i], d.masks[i])
        left, action = d.counts[i], 0
        while left > 0:
            if d.mask_words[i, action // 8] == 0:
                action += 8
            else:
                if d.masks[i, action] != 0:
                    d.ids[i, d.counts[i] - left] = action
                    left -= 1
                action += 1

    def check_legal(i, d):
        action = d.actions[i]
        if action < 0 or action >= actions or d.masks[i, action] == 0:
            d.bad[0] = i + 1

    def check_range(i, d):
        if d.actions[i] < 0 or d.actions[i] >= actions or d.counts[i] == 0:
            d.bad[0] = i + 1

    def look(i, d):
        s = d.states[i]
        observe(s, d.plan[SEAT] if d.plan[SEAT] >= 0 else s.seat, d.views[i])

    def clear_planes(i, d):
        clear(d.plane_cells[i])

    def paint(i, d):
        s = d.states[i]
        observe(s, d.plan[SEAT] if d.plan[SEAT] >= 0 else s.seat, d.views[i])
        encode(d.views[i], d.planes[i])

    def score(i, d):
        d.status[i] = result(d.states[i], d.outcomes[i], d.points[i])

    def step(i, d):
        s = d.states[i]
        apply(s, d.actions[i], d.rngs[i])
        for seat in range(seats):
            d.rewards[i, seat] = s.last_reward[seat] * unit
        d.done[i] = result(s, d.outcomes[i], d.points[i])
        if d.done[i] != 0:
            for seat in range(seats):
                observe(s, seat, d.final_views[i, seat])
                d.final_outcomes[i, seat] = d.outcomes[i, seat]
                d.final_points[i, seat] = d.points[i, seat]
            if d.plan[RESTART] == 1:
                new(s, d.rngs[i])

    return {
        "new": new_game, "legal": mark, "legal_ids": list_ids, "check_legal": check_legal, "check_range": check_range,
        "observe": look, "clear_planes": clear_planes, "encode": paint, "result": score, "step": step,
    }  # fmt: skip


def _play_kernels(game: Game, choose: Callable[..., int]) -> dict[str, Kernel]:
    """Play without Python between the steps: at random, for benchmarks and playouts, and bots against bots."""
    rules = game.verbs
    new, legal, apply, observe = rules.new, rules.legal, rules.apply, rules.observe
    encode, result = rules.encode, rules.result

    def random_steps(i, d):
        s, mask, words = d.states[i], d.masks[i], d.mask_words[i]
        for _ in range(d.plan[STEPS]):
            clear(words)
            count = legal(s, mask)
            apply(s, nth(words, mask, draw(d.dice[i], count)), d.rngs[i])
            if result(s, d.outcomes[i], d.points[i]) != 0:
                d.tally[i, 1] += 1
                new(s, d.rngs[i])
        d.tally[i, 0] += d.plan[STEPS]

    def random_encoded(i, d):
        s, mask, words = d.states[i], d.masks[i], d.mask_words[i]
        for _ in range(d.plan[STEPS]):
            clear(words)
            count = legal(s, mask)
            apply(s, nth(words, mask, draw(d.dice[i], count)), d.rngs[i])
            if result(s, d.outcomes[i], d.points[i]) != 0:
                d.tally[i, 1] += 1
                new(s, d.rngs[i])
            observe(s, s.seat, d.views[i])
            clear(d.plane_cells[i])
            encode(d.views[i], d.planes[i])
        d.tally[i, 0] += d.plan[STEPS]

    def random_game(i, d):
        s, mask, words = d.states[i], d.masks[i], d.mask_words[i]
        d.status[i] = result(s, d.outcomes[i], d.points[i])
        while d.status[i] == 0 and d.tally[i, 0] < d.plan[STEPS]:
            clear(words)
            count = legal(s, mask)
            apply(s, nth(words, mask, draw(d.dice[i], count)), d.rngs[i])
            d.tally[i, 0] += 1
            d.status[i] = result(s, d.outcomes[i], d.points[i])

    def bot_game(i, d):
        s, mask, words, view = d.states[i], d.masks[i], d.mask_words[i], d.views[i]
        clear(d.scratch_words[i])
        d.status[i] = result(s, d.outcomes[i], d.points[i])
        while d.status[i] == 0 and d.tally[i, 0] < d.plan[STEPS]:
            clear(words)
            legal(s, mask)
            observe(s, s.seat, view)
            apply(s, choose(d.bots[s.seat], view, mask, d.dice[i], d.scratch[i, s.seat]), d.rngs[i])
            d.tally[i, 0] += 1
            d.status[i] = result(s, d.outcomes[i], d.points[i])

    def bot_choice(i, d):
        seat = d.states[i].seat
        d.actions[i] = choose(d.bots[seat], d.views[i], d.masks[i], d.dice[i], d.scratch[i, seat])

    return {
        "random_steps": random_steps, "random_encoded": random_encoded, "random_game": random_game,
        "bot_game": bot_game, "bot_choice": bot_choice,
        **{one_bot(name): _one_choice(game, name) for name in compiled_bots(game)},
    }  # fmt: skip


def one_bot(name: str) -> str:
    """Name the kernel that asks one bot, whatever `Desk.bots` says, so that no other is compiled."""
    return f"bot_choice_{name}"


def _one_choice(game: Game, name: str) -> Kernel:
    ask = _chooser(game, {0: name})

    def choice(i, d):
        d.actions[i] = ask(0, d.views[i], d.masks[i], d.dice[i], d.scratch[i, d.states[i].seat])

    return choice


def compiled_bots(game: Game) -> list[str]:
    """List the bots that play inside kernels: those that need no tables; their place is their number in `Desk.bots`."""
    return [name for name, bot in game.bots.items() if "tables" not in _parameters(bot)]


def _chooser(game: Game, names: dict[int, str]) -> Callable[..., int]:
    """Return one function that asks the bot of a given number; its text is made here because kernels know no lists."""
    lines = ["def choose(which, view, mask, rng, scratch):"]
    for number, name in names.items():
        room = ", scratch" if "scratch" in _parameters(game.bots[name]) else ""
        lines += [f"    if which == {number}:", f"        return bot_{number}(view, mask, rng{room})"]
    scope: dict[str, Any] = {f"bot_{number}": game.bots[name] for number, name in names.items()}
    exec("\n".join([*lines, "    return -1"]), scope)
    choose: Callable[..., int] = scope["choose"]
    return rule(choose)


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]
