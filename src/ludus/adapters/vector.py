"""Gymnasium's vector environment over a batch: one seat of many games against built-in bots, all inside compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ludus.core import LIMIT, BadValue, LudusError, UnknownName, shown
from ludus.engine import Batch, seats_of
from ludus.games import Game

from .arguments import VECTOR, game_of
from .arrays import arrays_of, dictionaries
from .lens import Lens, checked_seed, first_seed, reset_options
from .opponents import batch_opponents
from .rendering import RENDER_FPS, BatchRendering

SAME_STEP, NEXT_STEP, DISABLED = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED
RESET_OPTIONS = ("position", "reset_mask")
PAINTED = {"planes": "planes", "features": "features", "dict": "none"}
FINALS = {"outcome": "final_outcomes", "points": "final_points"}


class WrongMask(BadValue, TypeError, ValueError):
    """A mask of games that none can be: Gymnasium's own environments raise one kind or the other."""


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games at once, each as a SeatEnv plays it: game i of seed s as that of seed s + i.

    Masks are in `action_masks()`, in infos["action_mask"] and in masked observations. What a step returns is the caller's to
    keep; with `copy=False` it is the batch's own, overwritten by the next step. On "cuda" all of it are torch's tensors.
    `reset(options=…)` takes "position" (a text or a row for all, or rows [n]) and "reset_mask" [n]: those games alone begin
    anew.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seat: Any = 0,
        opponents: Any = None,
        seed: int | None = None,
        device: str = "cpu",
        copy: bool = True,
        render_mode: str | None = None,
        obs: str = "planes",
        dtype: Any = None,
        reward: Any = None,
        autoreset_mode: AutoresetMode | str = SAME_STEP,
        **options: Any,
    ) -> None:
        self.autoreset_mode = mode_of(autoreset_mode)
        is_same = self.autoreset_mode is SAME_STEP  # else a finished game stands still until it is reset
        self.batch = Batch(game_of(VECTOR, game, options), num_envs, 0, device, restart=is_same)
        self.num_envs, self.copy = self.batch.n, copy
        self._lens = lens = Lens(self.batch.game, obs, dtype)
        self._arrays = arrays_of(self.batch, lens)
        self._rendering, self.render_mode = BatchRendering(self.batch, render_mode), render_mode
        modes = list(BatchRendering.MODES)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": modes, "render_fps": RENDER_FPS}
        seats, turns_about = seats_of(self.batch.game, seat)
        others = batch_opponents(self.batch.game, () if turns_about else seats, opponents, lens)
        self.seat = self.batch.seat(seat, others or "random", PAINTED[lens.kind], reward)
        self._next_seed = cast(int | None, first_seed(seed))
        self.single_observation_space, self.single_action_space = lens.observation_space(), lens.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_running = False
        # Games that have ended and stand still; whether there are any.
        self._ended, self._has_ended = self._arrays.flags(self.num_envs), False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new games, all or those of the mask; with one seed, game i gets the seed plus i."""
        given = reset_options(options, RESET_OPTIONS)
        which, positions = self._which(given.get("reset_mask")), given.get("position")
        if isinstance(positions, str):
            positions = self.batch.game.parse(positions)
        seed = self._next_seed if seed is None and which is None else seed
        seeds = None if seed is None else self._seeds(seed)
        seen = self.seat.reset(seeds, positions, None if which is None else self._arrays.host(which))
        self._next_seed, self._is_running = None, True
        if seeds is not None:
            super().reset(seed=int(next(filter(None, seeds), 0)))
        self._ended = self._arrays.flags(self.num_envs) if which is None else self._ended & ~which
        self._has_ended = bool(self._ended.any())
        return self._shown(seen)

    def _seeds(self, seed: Any) -> list[int]:
        """Return the seed of each game: those given, or one after the other from the one given."""
        if isinstance(seed, Sequence) or getattr(seed, "ndim", 0) == 1:
            return [checked_seed(one) for one in seed]
        first = checked_seed(seed)
        return [first + i for i in range(self.num_envs)]

    def _which(self, mask: Any) -> Any:
        """Return which games a reset is for; None are all of them. Errors are those of Gymnasium's own environments."""
        if mask is None:
            return None
        if not self._is_running:
            raise LudusError("some games cannot be reset before all of them have begun: call reset() without a mask first")
        mask = self._arrays.given(mask)
        if tuple(getattr(mask, "shape", ())) != (self.num_envs,) or "bool" not in str(getattr(mask, "dtype", "")):
            raise WrongMask(f"a reset_mask has {self.num_envs} truth values, not {shown(mask, 60)}")
        if not mask.any():
            raise WrongMask("a reset_mask must name one game at least")
        return mask

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play a decision in every game, and everything up to the next one."""
        if not self._is_running:
            raise LudusError("step() is too early: begin with reset()")
        if self._has_ended and self.autoreset_mode is DISABLED:
            over = ", ".join(str(int(i)) for i in self._arrays.rows(self._ended)[:10])
            raise LudusError(f"these games are over: {over}; begin others with reset(options={{'reset_mask': …}})")
        seen, arrays = self.seat.step(actions), self._arrays
        rewards, done = arrays.kept(arrays.given(seen.reward)), arrays.given(seen.done)
        is_over = done != 0
        ended, cut = arrays.rows(is_over), done == LIMIT if self._lens.truncates else arrays.flags(self.num_envs)
        if self._has_ended:  # they were shown at their ends: now they begin anew
            rewards[self._ended] = 0
            seen = self.seat.reset(which=arrays.host(self._ended))
        observations, infos = self._shown(seen)
        has_replaced = arrays.highest(self.seat.replaced) >= 0
        if has_replaced:
            self._flag(infos, ~is_over if self.autoreset_mode is SAME_STEP else arrays.flags(self.num_envs, True))
        if len(ended):
            self._end(infos, is_over, ended, has_replaced)
        if self.autoreset_mode is not SAME_STEP:
            self._ended, self._has_ended = is_over, len(ended) > 0
        return observations, rewards, is_over & ~cut if self._lens.truncates else arrays.kept(is_over), cut, infos

    def action_masks(self) -> Any:
        """Return which actions are legal now: truth values [num_envs, actions]."""
        if not self._is_running:
            raise LudusError("action_masks() is too early: begin with reset()")
        return self._kept(self._arrays.truths(self._arrays.given(self.seat.mask)))

    @property
    def action_meanings(self) -> list[str]:
        """What each action means."""
        return self._lens.action_meanings(self.seat.seats[0])

    def render(self) -> tuple[Any, ...]:
        """Return all positions, each as dots [y, x, 3] or as text."""
        return self._rendering.render()

    def _shown(self, seen: Any) -> tuple[Any, dict[str, Any]]:
        """Return what the seats see, and the masks as infos have them."""
        lens, arrays = self._lens, self._arrays
        mask = self._kept(arrays.given(seen.mask))
        if lens.kind == "dict":
            shown = dictionaries(lens, self.batch.observe(self.seat.number))  # -1: of whoever decides
        else:
            own = arrays.given(getattr(seen, lens.kind))
            shown = arrays.cast(own, lens.dtype)
            shown = self._kept(own) if shown is own else shown
        return self._with_mask(shown, mask), {"action_mask": mask, "_action_mask": arrays.flags(self.num_envs, True)}

    def _last(self, ended: Any) -> Any:
        """Return what finished games showed last."""
        seat, lens, arrays = self.seat, self._lens, self._arrays
        if lens.kind == "dict":
            shown = dictionaries(lens, seat.final_views[ended, seat.actor[ended]])
        else:
            shown = arrays.cast(arrays.given(getattr(seat, f"final_{lens.kind}"))[ended], lens.dtype)
        mask = arrays.zeros((len(ended), lens.spec.actions), arrays.given(seat.mask)) if lens.is_masked else None
        return self._with_mask(shown, mask)

    def _with_mask(self, shown: Any, mask: Any) -> Any:
        return {"observation": shown, "action_mask": mask} if self._lens.is_masked else shown

    def _flag(self, infos: dict[str, Any], which: Any) -> None:
        """Tell of actions that were replaced in these games."""
        replaced = self._arrays.given(self.seat.replaced)
        illegal = (replaced >= 0) & which
        if illegal.any():
            infos |= {
                "illegal_action": illegal,
                "_illegal_action": illegal,
                "replaced_by": replaced * illegal,
                "_replaced_by": illegal,
            }

    def _end(self, infos: dict[str, Any], is_over: Any, ended: Any, has_replaced: bool) -> None:
        """Tell how games ended; where others have followed in the same step, as Gymnasium does beside what these show."""
        arrays, told = self._arrays, {}
        for key in ("outcome", "points"):
            array = arrays.given(getattr(self.seat, FINALS[key]))
            told[key], told[f"_{key}"] = array * is_over, is_over
        if self.autoreset_mode is not SAME_STEP:
            infos |= told
            return
        if has_replaced:
            self._flag(told, is_over)
        mask = infos["action_mask"]
        told |= {"action_mask": arrays.zeros(tuple(mask.shape), mask), "_action_mask": is_over}
        final = arrays.scattered(self._last(ended), ended, self.num_envs)
        infos |= {"final_obs": final, "_final_obs": is_over, "final_info": told, "_final_info": is_over}

    def _kept(self, array: Any) -> Any:
        return self._arrays.kept(array) if self.copy else array


def mode_of(word: Any) -> AutoresetMode:
    """Return the autoreset mode that a word, in either spelling, or one of Gymnasium's own means."""
    known = {name: mode for mode in AutoresetMode for name in (mode, mode.name, mode.value)}
    if not isinstance(word, str | AutoresetMode) or word not in known:
        raise UnknownName("autoreset mode", getattr(word, "name", word), [mode.name for mode in AutoresetMode])
    return known[word]
