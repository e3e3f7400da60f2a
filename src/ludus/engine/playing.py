"""Kernels that play without Python between the steps: at random, for benchmarks and playouts, and bots against bots."""

from __future__ import annotations

import dis
from collections.abc import Callable
from typing import Any

from ludus.core import draw, rule
from ludus.games import Game

from .kernels import STEPS, Kernel, clear, compiled_bots, parameters

EACH_BYTE = 0x0101010101010101  # times a word: its bytes are added up in the highest one
BLOCK = 8  # words whose marks are counted together


@rule
def marks_in(word):
    """Count the marks of eight actions, or of several eights added up: one byte each, together below 256."""
    return (int(word) * EACH_BYTE >> 56) & 255


@rule
def nth(words, mask, index):
    """Return the id of the index-th marked action; marks are counted in many actions at once."""
    w = 0
    while w + BLOCK <= words.shape[0]:
        word = words[w]
        for k in range(1, BLOCK):
            word += words[w + k]
        if index < marks_in(word):
            break
        index -= marks_in(word)
        w += BLOCK
    while w + 1 < words.shape[0] and index >= marks_in(words[w]):  # what was not before must be in the last
        index -= marks_in(words[w])
        w += 1
    for action in range(8 * w, mask.shape[0]):
        if mask[action] != 0:
            if index == 0:
                return action
            index -= 1
    return -1


def play_kernels(game: Game, bots: dict[int, str]) -> dict[str, Kernel]:
    """Return the kernels of random play and of play between bots, which have numbers."""
    return {**_random_kernels(game), **_bot_kernels(game, bots)}


def _random_kernels(game: Game) -> dict[str, Kernel]:
    new, legal, apply, observe, encode, result = game.verbs[:6]

    def renew(i, b):
        if result(b.states[i], b.outcomes[i], b.points[i]) != 0:
            new(b.states[i], b.rngs[i])

    def random_steps(i, b):  # of games that `renew` has seen: that one is over is asked once, not at every step
        s, mask, words = b.states[i], b.masks[i], b.mask_words[i]
        for _ in range(b.plan[STEPS]):
            clear(words)
            count = legal(s, mask)
            apply(s, nth(words, mask, draw(b.dice[i], count)), b.rngs[i])
            if result(s, b.outcomes[i], b.points[i]) != 0:
                b.tally[i, 1] += 1
                new(s, b.rngs[i])
        b.tally[i, 0] += b.plan[STEPS]

    def random_encoded(i, b):
        s, mask, words = b.states[i], b.masks[i], b.mask_words[i]
        for _ in range(b.plan[STEPS]):
            clear(words)
            count = legal(s, mask)
            apply(s, nth(words, mask, draw(b.dice[i], count)), b.rngs[i])
            if result(s, b.outcomes[i], b.points[i]) != 0:
                b.tally[i, 1] += 1
                new(s, b.rngs[i])
            observe(s, s.seat, b.views[i])
            clear(b.plane_cells[i])
            encode(b.views[i], b.planes[i])
        b.tally[i, 0] += b.plan[STEPS]

    def random_game(i, b):
        s, mask, words = b.states[i], b.masks[i], b.mask_words[i]
        b.status[i] = result(s, b.outcomes[i], b.points[i])
        while b.status[i] == 0 and b.tally[i, 0] < b.plan[STEPS]:
            clear(words)
            count = legal(s, mask)
            apply(s, nth(words, mask, draw(b.dice[i], count)), b.rngs[i])
            b.tally[i, 0] += 1
            b.status[i] = result(s, b.outcomes[i], b.points[i])

    return {"renew": renew, "random_steps": random_steps, "random_encoded": random_encoded, "random_game": random_game}


def _bot_kernels(game: Game, bots: dict[int, str]) -> dict[str, Kernel]:
    _, legal, apply, _, _, result = game.verbs[:6]
    choose, move = chooser(game, bots), mover(game, bots)
    is_playable, seats = playable(game), len(game.spec.seats)

    def bot_game(i, b):
        s, mask, words, view = b.states[i], b.masks[i], b.mask_words[i], b.views[i]
        clear(b.scratch_words[i])
        b.status[i] = result(s, b.outcomes[i], b.points[i])
        while b.status[i] == 0 and b.tally[i, 0] < b.plan[STEPS]:
            clear(words)
            legal(s, mask)
            action = move(b.bots[i, s.seat], s, view, mask, b.bot_dice[i, s.seat], b.scratch[i, s.seat])
            if not is_playable(action, mask):
                b.bad[0] = i * seats + s.seat + 1  # the caller says so; the game stands still
                return
            apply(s, action, b.rngs[i])
            b.tally[i, 0] += 1
            b.status[i] = result(s, b.outcomes[i], b.points[i])

    def bot_choice(i, b):
        seat = b.states[i].seat
        b.actions[i] = choose(b.bots[i, seat], b.views[i], b.masks[i], b.bot_dice[i, seat], b.scratch[i, seat])

    return {
        "bot_game": bot_game, "bot_choice": bot_choice,
        **{one_bot(name): _one_choice(game, name) for name in compiled_bots(game)},
    }  # fmt: skip


def playable(game: Game) -> Callable[..., bool]:
    """Return a rule that says whether what a bot answered may be played."""
    actions, refuses = game.spec.actions, game.spec.refuses

    @rule
    def is_playable(action, mask):
        return 0 <= action < actions and (mask[action] != 0 or not refuses)

    return is_playable


def one_bot(name: str) -> str:
    """Name the kernel that asks one bot, whatever `Buffers.bots` says, so that no other is compiled."""
    return f"bot_choice_{name}"


def _one_choice(game: Game, name: str) -> Kernel:
    ask = chooser(game, {0: name})

    def choice(i, b):
        seat = b.states[i].seat
        b.actions[i] = ask(0, b.views[i], b.masks[i], b.bot_dice[i, seat], b.scratch[i, seat])

    return choice


def chooser(game: Game, names: dict[int, str]) -> Callable[..., int]:
    """Return one function that asks the bot of a given number; its text is made here because kernels know no lists."""
    return _rule_of("which, view, mask, rng, scratch", [_asked(game, number, name) for number, name in names.items()])


def mover(game: Game, names: dict[int, str]) -> Callable[..., int]:
    """Return one function that shows a position to the bot of a given number and asks it; blind ones need not be shown it."""
    blind: list[tuple[str, dict[str, Any]]] = []
    seeing: list[tuple[str, dict[str, Any]]] = []
    for number, name in names.items():
        (seeing if is_looking(game.bots[name]) else blind).append(_asked(game, number, name))
    show = ("observe(s, s.seat, view)", {"observe": game.verbs.observe})
    return _rule_of("which, s, view, mask, rng, scratch", [*blind, show, *seeing])


def is_looking(bot: Callable[..., int]) -> bool:
    """Say whether a bot reads its view at all; one that plays at random does not."""
    view = parameters(bot)[0]
    return any(one.opname.startswith("LOAD") and view in str(one.argval) for one in dis.get_instructions(bot))


def _asked(game: Game, number: int, name: str) -> tuple[str, dict[str, Any]]:
    room = ", scratch" if "scratch" in parameters(game.bots[name]) else ""
    return f"if which == {number}: return bot_{number}(view, mask, rng{room})", {f"bot_{number}": game.bots[name]}


def _rule_of(names: str, lines: list[tuple[str, dict[str, Any]]]) -> Callable[..., int]:
    scope: dict[str, Any] = {name: function for _, used in lines for name, function in used.items()}
    text = "".join(f"    {line}\n" for line, _ in lines)
    exec(f"def choose({names}):\n{text}    return -1\n", scope)
    choose: Callable[..., int] = scope["choose"]
    return rule(choose)
