"""Stable-baselines3's VecEnv over a batch: one seat of many games, as its learners and sb3-contrib's MaskablePPO take it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from ludus.core import BadValue
from ludus.games import Game

from .arrays import nth
from .vector import SAME_STEP, SeatVectorEnv


class SeatVecEnv(VecEnv):
    """What `gym.make_vec` plays, with the calls of stable-baselines3; settings are those of `SeatVectorEnv`."""

    def __init__(self, game: Game | str, num_envs: int = 1, **settings: Any) -> None:
        self.envs = envs = SeatVectorEnv(game, num_envs, **settings)
        if envs.batch.device == "cuda":
            raise BadValue("stable-baselines3 takes NumPy arrays from its environments; take device='cpu'")
        if envs.autoreset_mode is not SAME_STEP:
            raise BadValue("stable-baselines3 wants the next game in the same step; leave autoreset_mode out")
        self._actions: Any = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        """Begin new games with the seeds and options given before."""
        seeds = None if None in self._seeds else [seed for seed in self._seeds if seed is not None]
        given = [options for options in self._options if options]
        if given and given != [given[0]] * self.num_envs:
            raise BadValue("options of a reset are the same for all games of a batch")
        observation, _ = self.envs.reset(seed=seeds, options=given[0] if given else None)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observation

    def step_async(self, actions: Any) -> None:
        """Take the actions; they are played by `step_wait`."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Play the actions; infos of finished games have what they showed last and how they ended."""
        observation, rewards, terminated, truncated, told = self.envs.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = terminated | truncated
        for i in np.flatnonzero(done).tolist():
            final = told["final_info"]
            infos[i] = {"terminal_observation": told["final_obs"][i], "TimeLimit.truncated": bool(truncated[i])}
            infos[i] |= {key: final[key][i] for key in ("outcome", "points")}
        for flags in (told, told.get("final_info", {})):
            if "illegal_action" in flags:
                for i in np.flatnonzero(flags["illegal_action"]).tolist():
                    infos[i] |= {"illegal_action": True, "replaced_by": int(flags["replaced_by"][i])}
        return observation, rewards, done, infos

    def close(self) -> None:
        """Let go of everything."""
        self.envs.close()

    def action_masks(self) -> Any:
        """Return which actions are legal now: truth values [num_envs, actions]."""
        return self.envs.action_masks()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the games; all of them share it."""
        return [getattr(self.envs, attr_name)] * len(self._listed(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all games at once."""
        if len(self._listed(indices)) != self.num_envs:
            raise BadValue("an attribute is that of all games of a batch: leave indices out")
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of the vector environment and give each game its part."""
        told = getattr(self.envs, method_name)(*method_args, **method_kwargs)
        return [nth(told, i) if told is not None else None for i in self._listed(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Say that no game has a wrapper of its own."""
        return [False] * len(self._listed(indices))

    def get_images(self) -> Sequence[Any]:
        """Return a picture of each game."""
        return self.envs.render()

    def _listed(self, indices: Iterable[int] | int | None) -> list[int]:
        return [int(i) for i in self._get_indices(indices)]
