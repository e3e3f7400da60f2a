"""Good settings for learning: by the device, then what the game says (`LEARN` in its learning.py), then what is given.

What a game says for a GPU (`ON_GPU` there) may be another way to learn altogether: it is left out where seats or opponents are
given, since who names them wants to learn by play.
"""

from __future__ import annotations

from typing import Any

from ludus.games import Game

from .ppo import LearnArguments

MOST_GAMES = 65536  # at once on a GPU, which is slow with few
MEMORY = 2**30  # bytes of a GPU for what was shown and allowed between two updates
ON_GPU = {"steps": 16, "epochs": 2, "minibatches": 8}


def suited(game: Game, device: str, given: dict[str, Any]) -> LearnArguments:
    """Return the arguments with which a network learns a game well on a device; `given` ones come before all others."""
    chosen: dict[str, Any] = {"device": device}
    said = game.says("learning", "LEARN") or {}
    if device == "cuda":
        numbers = game.spec.actions + 4 * len(game.spec.features)  # bytes that a decision takes, more or less
        fitting = MEMORY // (ON_GPU["steps"] * numbers)
        chosen |= {"games": min(MOST_GAMES, 2 ** (fitting.bit_length() - 1)), **ON_GPU}
        if not {"seat", "bots", "teacher"} & set(given):
            said = {**said, **(game.says("learning", "ON_GPU") or {})}
    return LearnArguments(game.name, dict(game.options), **{**chosen, **said, **given})
