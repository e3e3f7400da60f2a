"""How environments show a game: planes, or the dictionary of the game's own environment; and masks and actions to match."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ludus.core import HIGHEST_SEED, LIMIT, BadValue, UnknownName
from ludus.engine import Table
from ludus.games import Game

OBSERVATIONS = ("planes", "dict")
RESET_OPTIONS = ("position",)
CHECKED = "options"  # a key that PettingZoo's own checker hands to every reset


class Lens:
    """What a seat of one game is shown. With planes, masks and actions are in the seat's own ids, else in the rules'."""

    def __init__(self, game: Game, obs: str) -> None:
        if obs not in OBSERVATIONS:
            raise UnknownName("kind of observation", obs, OBSERVATIONS)
        self.game, self.spec, self.obs = game, game.spec, obs
        self._original: Any = game.part("original") if game.has("original") else None
        if obs == "dict" and not hasattr(self._original, "observation_space"):
            raise BadValue(f"{game.spec.title} had no environment of its own, so there is no dictionary; take obs='planes'")
        self._no_action = np.zeros(game.spec.actions, np.int8)

    @property
    def name(self) -> str:
        """The environment's name in its metadata: the original's, where there was one."""
        return str(getattr(self._original, "ENV_NAME", f"{self.game.name}_v{self.spec.version}"))

    def is_cut(self, status: int) -> bool:
        """Whether an end is a truncation: by a limit, where the game's own environment says so."""
        return status == LIMIT and bool(getattr(self._original, "LIMIT_TRUNCATES", False))

    def observation_space(self) -> spaces.Space[Any]:
        """Return the space of `observation`, a new one at each call."""
        if self.obs == "dict":
            space: spaces.Space[Any] = self._original.observation_space()
            return space
        spec = self.spec
        return spaces.Box(spec.plane_low, spec.plane_high, spec.planes, np.dtype(spec.plane_type).type)

    def action_space(self) -> spaces.Discrete:
        """Return the space of one decision, a new one at each call."""
        return spaces.Discrete(self.spec.actions)

    def observation(self, table: Table, seat: int) -> Any:
        """Return what a seat sees; it is the caller's to keep."""
        if self.obs == "dict":
            return self._original.observation(table.observe(seat))
        return table.encode(seat).copy()

    def mask(self, table: Table, seat: int) -> Any:
        """Return the legal actions of a seat as ones: none unless it is to move; the caller's to keep."""
        if seat != table.seat or table.over:
            return self._no_action.copy()
        return table.own_mask() if self.obs == "planes" else table.mask

    def info(self, table: Table, seat: int) -> dict[str, Any]:
        """Return what is told beside the observation: always the mask."""
        told: dict[str, Any] = {}
        if self.obs == "dict" and hasattr(self._original, "info"):
            told = self._original.info(table.s, seat)
        told["action_mask"] = self.mask(table, seat)
        return told

    def action(self, table: Table, seat: int, action: Any) -> Any:
        """Return an action of a seat as the rules number it; what is none comes back as it is, to be refused."""
        return table.rule_id(seat, action) if self.obs == "planes" else action


def first_seed(seed: int | None) -> int:
    """Return the seed of the first game: the one given, or any."""
    return int(np.random.default_rng().integers(HIGHEST_SEED)) if seed is None else seed


def reset_options(options: dict[str, Any] | None) -> Any:
    """Return the position that `reset(options=…)` gives, or None; other keys are an error."""
    for name in options or {}:
        if name not in (*RESET_OPTIONS, CHECKED):
            raise UnknownName("option of reset", name, RESET_OPTIONS)
    return (options or {}).get("position")
