"""Kernels that fill features: views as a few numbers, for learners that look at no planes.

Their code is kept apart from that of the rules: whoever plays without features does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable

from ludus.core import LudusError, draw, rule
from ludus.games import Game

from .kernels import SEAT, STEPS, Kernel, clear
from .playing import nth


def feature_kernels(game: Game) -> dict[str, Kernel]:
    """Return the kernels that fill features; none if there are none: whoever asks for them is told why."""
    try:
        fill, write = game.features.fill, writer(game)
    except LudusError:
        return {}
    new, legal, apply, _, _, result = game.verbs[:6]

    def features(i, b):
        s = b.states[i]
        clear(b.features[i])
        write(s, b.plan[SEAT] if b.plan[SEAT] >= 0 else s.seat, b.views[i], b.features[i])

    def final_features(i, b):
        if b.done[i] != 0:
            clear(b.final_features[i])
            fill(b.final_views[i, b.actor[i]], b.final_features[i])

    def random_features(i, b):
        s, mask, words = b.states[i], b.masks[i], b.mask_words[i]
        for _ in range(b.plan[STEPS]):
            clear(words)
            count = legal(s, mask)
            apply(s, nth(words, mask, draw(b.dice[i], count)), b.rngs[i])
            if result(s, b.outcomes[i], b.points[i]) != 0:
                b.tally[i, 1] += 1
                new(s, b.rngs[i])
            clear(b.features[i])
            write(s, s.seat, b.views[i], b.features[i])
        b.tally[i, 0] += b.plan[STEPS]

    return {"features": features, "final_features": final_features, "random_features": random_features}


def writer(game: Game) -> Callable[..., None]:
    """Return a rule that writes a seat's numbers: straight from the position where the game can, else by way of its view."""
    _, fill, glance = game.features
    observe = game.verbs.observe

    @rule
    def by_view(s, seat, view, out):
        observe(s, seat, view)
        fill(view, out)

    @rule
    def at_a_glance(s, seat, view, out):
        glance(s, seat, out)  # type: ignore[misc]  # not taken without one

    return by_view if glance is None else at_a_glance
