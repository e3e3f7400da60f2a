"""Gymnasium's vector environment over a batch: one seat of many games against built-in bots, all inside compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ludus.core import BadValue, LudusError, UnknownName
from ludus.engine import Batch
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
        **options: Any,
    ) -> None:
        if device == "cuda":
            raise BadValue("gymnasium's vector environments hold NumPy arrays; on cuda take ludus.Batch itself: Batch.seat")
        self.batch = Batch(game, num_envs, 0, device, restart=True, **options)
        self.num_envs, self._copy = num_envs, copy
        seat = self.batch.game.spec.seat(seat)
        bots, others = seat_opponents(self.batch.game, seat, opponents)
        if others:
            named = ", ".join(f"{self.batch.game.spec.seats[k]}: {word!r}" for k, word in others.items())
            raise BadValue(f"{named}: only compiled bots play inside a batch; take gym.make_vec(…, vectorization_mode='sync')")
        self.seat = self.batch.seat(seat, bots)
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
        for name in options or {}:
            raise UnknownName("option of reset", name, [])
        if seed is None:
            seed = self._next_seed
        self._next_seed = None
        seeds = None
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int | np.integer) else [*seed]
            super().reset(seed=int(seeds[0]))
        seen = self.seat.reset(seeds)
        self._is_running = True
        return self._shown(seen.planes), {"action_mask": self._shown(seen.mask)}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play a decision in every game, and everything up to the next one."""
        if not self._is_running:
            raise LudusError("step() is too early: begin with reset()")
        seen = self.seat.step(actions)
        infos, replaced = {"action_mask": self._shown(seen.mask)}, self.seat.replaced
        is_over, cut = seen.done != 0, np.zeros(self.num_envs, bool)
        illegal = replaced >= 0 if replaced.max() >= 0 else None
        if illegal is not None:
            infos |= self._flags(illegal & ~is_over)
        ended = is_over.nonzero()[0]
        if len(ended):
            infos |= self._finals(is_over, ended, illegal)
            cut[ended] = [self._lens.is_cut(status) for status in seen.done[ended]]
        return self._shown(seen.planes), seen.reward.copy(), is_over & ~cut, cut, infos

    def action_masks(self) -> Any:
        """Return which actions are legal now: truth values [num_envs, actions]."""
        return self.seat.mask.view(bool)

    def _flags(self, illegal: Any) -> dict[str, Any]:
        """Tell of actions that were replaced."""
        if not illegal.any():
            return {}
        replaced = np.where(illegal, self.seat.replaced, 0)
        return {"illegal_action": illegal, "_illegal_action": illegal, "replaced_by": replaced, "_replaced_by": illegal}

    def _finals(self, is_over: Any, ended: Any, illegal: Any) -> dict[str, Any]:
        """Return what the finished games showed and told last, as Gymnasium packs it."""
        seat, planes = self.seat, np.empty(self.num_envs, object)  # None everywhere
        for i, last in zip(ended.tolist(), seat.final_planes[ended], strict=True):  # indexing by a list copies
            planes[i] = last
        told = {} if illegal is None else self._flags(illegal & is_over)
        for key, array in (("outcome", seat.final_outcomes), ("points", seat.final_points)):
            told[key], told[f"_{key}"] = np.zeros(self.num_envs, array.dtype), is_over
            told[key][ended] = array[ended]
        return {"final_obs": planes, "_final_obs": is_over, "final_info": told, "_final_info": is_over}

    def _shown(self, array: Any) -> Any:
        return array.copy() if self._copy else array
