"""What tests of other libraries share: a small game, and environments that count what was played in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from ludus.adapters import env_ids, register
from ludus.adapters import pettingzoo as zoo
from ludus.games import load, names

register()
# The game with the fewest actions that refuses illegal ones: libraries learn something there in seconds.
EASY = min((name for name in names() if load(name).spec.refuses), key=lambda name: load(name).spec.actions)
TOGETHER = next(name for name in names() if load(name).spec.simultaneous)
EASY_ID = env_ids(EASY)[0]
SEAT = load(EASY).spec.seats[-1]
PAGE = Path(__file__).parents[2] / "docs" / "environments" / "libraries.md"


class Counted(gym.Wrapper[Any, Any, Any, Any]):
    """Count steps, and those in which an illegal action was replaced."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        self.steps = self.illegal = 0

    def step(self, action: Any) -> Any:
        told = super().step(action)
        self.steps += 1
        self.illegal += bool(told[4].get("illegal_action"))
        return told


class CountedMany(gym.vector.VectorWrapper):
    """The same for many games."""

    def __init__(self, env: gym.vector.VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self.steps = self.illegal = 0
        self.autoreset_mode = env.autoreset_mode  # wrappers of vectors hide attributes

    def step(self, actions: Any) -> Any:
        told = super().step(actions)
        self.steps += self.num_envs
        for info in (told[4], told[4].get("final_info", {})):
            self.illegal += int(np.sum(info.get("illegal_action", 0)))
        return told


class CountedAec(zoo.Env):
    """The same for agents that move one after the other."""

    steps = illegal = 0  # since the last environment was made: libraries hide theirs

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        CountedAec.steps = CountedAec.illegal = 0

    def step(self, action: Any) -> None:
        super().step(action)
        if action is not None:
            CountedAec.steps += 1
            CountedAec.illegal += bool(self._illegal)


def make(obs: str = "masked features", **settings: Any) -> Counted:
    """Return one seat of the small game, counted."""
    return Counted(gym.make(EASY_ID, seat=SEAT, obs=obs, disable_env_checker=True, **settings))


def snippet(library: str, *shorter: tuple[str, str]) -> str:
    """Return the Python that the page on libraries shows for one of them, with numbers that take less time."""
    found = re.search(rf"^{library}:\n\n```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    assert found, library
    text = found[1]
    for before, after in shorter:
        assert before in text
        text = text.replace(before, after)
    return text
