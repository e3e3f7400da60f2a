"""Kernels that fill frames: positions as something to draw.

Their code is kept apart from that of the rules, so that whoever works on a picture does not wait for the rest.
"""

from __future__ import annotations

from ludus.core import LudusError
from ludus.games import Game

from .kernels import SEAT, Kernel, clear

SHOW = ("clear_frames", "show_all"), ("clear_frames", "show")  # for spectators, for a seat
NAMES = {"show_view", *(name for names in SHOW for name in names)}


def part_of(kernel: str) -> str:
    """Return the part of a game that a kernel belongs to."""
    return "scene" if kernel in NAMES else "rules"


def show_kernels(game: Game) -> dict[str, Kernel]:
    """Return the kernels that fill frames; none if there is no picture: whoever asks for frames is told why."""
    try:
        picture = game.picture
    except LudusError:
        return {}
    observe, show_view, show_state = game.verbs.observe, picture.show, picture.show_all

    def clear_frames(i, b):
        clear(b.frame_words[i])

    def show_all(i, b):
        show_state(b.states[i], b.frames[i])

    def show(i, b):
        observe(b.states[i], b.plan[SEAT], b.views[i])
        show_view(b.views[i], b.frames[i])

    def show_seen(i, b):
        show_view(b.views[i], b.frames[i])

    return {"clear_frames": clear_frames, "show_all": show_all, "show": show, "show_view": show_seen}
