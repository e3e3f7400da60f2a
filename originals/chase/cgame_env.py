"""The original program's PettingZoo environment: ludus's, with the original's arguments, observations and layouts."""

from __future__ import annotations

import random
from typing import Any

from ludus.adapters.pettingzoo import Env


class ChaseGameEnv(Env):
    """Chase, one agent after the other; a seed gives the layout that it gave in the original."""

    def __init__(
        self,
        render_mode: str | None = None,
        max_turns: int = 300,
        seed: int | None = None,
        board_size: int = 15,
        num_obstacles: int = 5,
    ) -> None:
        settings = {"max_turns": max_turns, "size": board_size, "obstacles": num_obstacles}
        super().__init__("chase", "dict", seed, render_mode=render_mode, **settings)
        self._chance = random.Random(self._next_seed)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game; without a seed the first one has the environment's, later ones go on with its chance."""
        if seed is not None:
            self._chance = random.Random(seed)
        elif self._next_seed is not None:
            seed = self._next_seed
        start, chosen = self.table.game.part("original").original_start, self.table.game.options
        layout = start(self._chance.getrandbits(31) if seed is None else seed, chosen["max_turns"], chosen["obstacles"])
        super().reset(seed, {"position": layout, **(options or {})})

    def render(self) -> Any:
        """Print board and status in mode "human", as the original did."""
        if self.render_mode != "human":
            return super().render()
        scene = self.table.game.part("scene")
        print(f"{scene.board(self.table.s)}{scene.status(self.table.s)}")
        return None


env = raw_env = ChaseGameEnv
