"""Gymnasium's vector environment over a batch: one seat of many games against built-in bots, all inside compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ludus.core.errors import BadValue, LudusError
from ludus.engine import Batch
from ludus.engine.table import LIMIT
from ludus.games import Game

from .gymnasium import seat_opponents
from .lens import Lens, first_seed


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games at once; a finished one is followed by the next in the same step (AutoresetMode.SAME_STEP).

    Observations and masks are the batch's own arrays, overwritten by the next step: copy what you keep, or say `copy=True`.
    Masks are in `action_masks()` and in infos["action_mask"]. Game i of seed s plays as a SeatEnv of seed s + i does.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seat: int | str = 0,
        opponents: Any = None,
        seed: int | None = None,
        device: str = "cpu",
        copy: bool = False,
        render_mode: None = None,
        **options: object,
    ) -> None:
        if device == "cuda":
            raise BadValue("gymnasium's vector environments hold NumPy arrays; on cuda use ludus.Batch itself: enter and face")
        self.batch = Batch(game, num_envs, 0, device, restart=True, **options)
        self.num_envs, self.seat, self._copy = num_envs, self.batch.game.spec.seat(seat), copy
        bots, others = seat_opponents(self.batch.game, self.seat, opponents)
        if others:
            named = ", ".join(f"{self.batch.game.spec.seats[k]}: {word!r}" for k, word in others.items())
            raise BadValue(f"{named}: only compiled bots play inside a batch; take gym.make_vec(…, vectorization_mode='sync')")
        self.batch.set_bots(bots)
        self._next_seed = cast(int | None, first_seed(seed))
        self._lens = lens = Lens(self.batch.game, "planes")
        self.single_observation_space, self.single_action_space = lens.observation_space(), lens.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_running = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new games; with one seed, game i gets the seed plus i."""
        if seed is None:
            seed = self._next_seed
        self._next_seed = None
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int | np.integer) else [*seed]
            super().reset(seed=int(seeds[0]))
            self.batch.seed(seeds)
        self.batch.enter(self.seat)
        self._is_running = True
        return self._shown(self.batch.desk.planes), {"action_mask": self._shown(self.batch.desk.turned_masks)}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play a decision in every game, and everything up to the next one."""
        if not self._is_running:
            raise LudusError("step() is too early: begin with reset()")
        self.batch.face(actions, self.seat)
        desk, infos = self.batch.desk, {"action_mask": self._shown(self.batch.desk.turned_masks)}
        is_over, cut = desk.done != 0, np.zeros(self.num_envs, bool)
        illegal = desk.replaced >= 0 if desk.replaced.max() >= 0 else None
        if illegal is not None:
            infos |= self._flags(illegal & ~is_over)
        ended = is_over.nonzero()[0]
        if len(ended):
            infos |= self._finals(is_over, ended, illegal)
            if self._lens.limit_truncates:
                cut = desk.done == LIMIT
        return self._shown(desk.planes), desk.rewards[:, self.seat].copy(), is_over & ~cut, cut, infos

    def action_masks(self) -> Any:
        """Return which actions are legal now: truth values [num_envs, actions]."""
        return self.batch.desk.turned_masks.view(bool)

    def _flags(self, illegal: Any) -> dict[str, Any]:
        """Tell of actions that were replaced."""
        if not illegal.any():
            return {}
        replaced = np.where(illegal, self.batch.desk.replaced, 0)
        return {"illegal_action": illegal, "_illegal_action": illegal, "replaced_by": replaced, "_replaced_by": illegal}

    def _finals(self, is_over: Any, ended: Any, illegal: Any) -> dict[str, Any]:
        """Return what the finished games showed and told last, as Gymnasium packs it."""
        desk, planes = self.batch.desk, np.empty(self.num_envs, object)  # None everywhere
        for i, last in zip(ended.tolist(), desk.final_planes[ended], strict=True):  # indexing by a list copies
            planes[i] = last
        told = {} if illegal is None else self._flags(illegal & is_over)
        for key, array in (("outcome", desk.final_outcomes), ("points", desk.final_points)):
            told[key], told[f"_{key}"] = np.zeros(self.num_envs, array.dtype), is_over
            told[key][ended] = array[ended, self.seat]
        return {"final_obs": planes, "_final_obs": is_over, "final_info": told, "_final_info": is_over}

    def _shown(self, array: Any) -> Any:
        return array.copy() if self._copy else array
