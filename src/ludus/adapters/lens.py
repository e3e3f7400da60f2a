"""How environments show a game: planes, features, or the dictionary of its own environment; and masks and actions to match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from ludus.core import HIGHEST_SEED, LIMIT, BadValue, UnknownName, known_word, shown, whole_number
from ludus.engine import Table
from ludus.games import Game

KINDS = ("planes", "features", "dict")
MASKED = "masked"  # before a kind, or alone: the mask stands in the observation as well, as in PettingZoo's classic games
OBSERVATIONS = (*KINDS, MASKED, *(f"{MASKED} {kind}" for kind in KINDS))
RESET_OPTIONS = ("position",)
Of = TypeVar("Of")
CHECKED = "options"  # a key that PettingZoo's own checker hands to every reset


class ByAgent(dict[str, Of]):
    """Something for each agent; one that there is not is told with those that there are."""

    def __missing__(self, agent: object) -> Of:
        raise UnknownName("agent", agent, self)


class Lens:
    """What a seat of one game is shown. With planes and features, masks and actions are in own ids, else in the rules'."""

    def __init__(self, game: Game, obs: str = "planes", dtype: Any = None) -> None:
        obs = known_word(obs, "kind of observation", OBSERVATIONS)
        self.game, self.spec, self._given = game, game.spec, (obs, dtype)
        self.is_masked = obs.startswith(MASKED)
        self.kind = obs.split()[-1] if obs != MASKED else KINDS[0]
        self._original: Any = game.part("original") if game.has("original") else None
        if self.kind == "dict" and not hasattr(self._original, "observation_space"):
            raise BadValue(f"{game.spec.title} had no environment of its own, so there is no dictionary; take obs='planes'")
        self.is_own = self.kind != "dict"
        self._space = self._inner_space(dtype)
        self.dtype = self._space.dtype if self.is_own else None
        self._is_plain = self.kind == "planes" and not self.is_masked and self.dtype == np.dtype(game.spec.plane_type)
        self.truncates = bool(getattr(self._original, "LIMIT_TRUNCATES", False))
        self._no_action = np.zeros(game.spec.actions, np.int8)

    def __reduce__(self) -> Any:
        return Lens, (self.game, *self._given)  # a game's files are no luggage: whoever unpacks it has them

    @property
    def name(self) -> str:
        """The environment's name in its metadata: the original's, where there was one."""
        return str(getattr(self._original, "ENV_NAME", f"{self.game.name}_v{self.spec.version}"))

    def is_cut(self, status: int) -> bool:
        """Whether an end is a truncation: by a limit, where the game's own environment says so."""
        return status == LIMIT and self.truncates

    def observation_space(self, mask_shape: tuple[int, ...] = ()) -> spaces.Space[Any]:
        """Return the space of `observation`, a new one at each call; masks are [actions] unless a shape is given."""
        inner = self._inner_space(self.dtype)
        if not self.is_masked:
            return inner
        return spaces.Dict({"observation": inner, "action_mask": spaces.Box(0, 1, mask_shape or (self.spec.actions,), np.int8)})

    def _inner_space(self, dtype: Any) -> spaces.Space[Any]:
        spec = self.spec
        if self.kind == "dict":
            if dtype is not None:
                raise BadValue("a dictionary has the types of the game's own environment: dtype goes with planes and features")
            space: spaces.Space[Any] = self._original.observation_space()
            return space
        if self.kind == "features":
            kind = number_type(dtype, np.float32)
            return spaces.Box(-1, 1, (len(self.game.features.names),), kind)
        return spaces.Box(spec.plane_low, spec.plane_high, spec.planes, number_type(dtype, spec.plane_type))

    def action_space(self) -> spaces.Discrete:
        """Return the space of one decision, a new one at each call."""
        return spaces.Discrete(self.spec.actions)

    def observation(self, table: Table, seat: int, mask: Any = None) -> Any:
        """Return what a seat sees; it is the caller's to keep."""
        if self._is_plain:  # most often, and asked for at every step
            return table.encode(seat).copy()
        seen = self.seen(table, seat)
        if not self.is_masked:
            return seen
        return {"observation": seen, "action_mask": self.mask(table, seat) if mask is None else mask}

    def seen(self, table: Table, seat: int) -> Any:
        if self.kind == "dict":
            return self._original.observation(table.observe(seat))
        return (table.encode(seat) if self.kind == "planes" else table.features(seat)).astype(self.dtype)

    def state_space(self) -> spaces.Space[Any]:
        """Return the space of `state`, a new one at each call."""
        return batch_space(self._inner_space(self.dtype), len(self.spec.seats))

    def state(self, tables: list[Table]) -> Any:
        """Return what all seats see together [seat, …], each at its own table: for critics that may know it."""
        return self.joined([self.seen(table, seat) for seat, table in enumerate(tables)])

    def joined(self, seen: list[Any]) -> Any:
        """Return several observations as one, as Gymnasium joins them."""
        inner = self._inner_space(self.dtype)
        together: Any = create_empty_array(inner, len(seen))
        return concatenate(inner, seen, together)

    def dictionary(self, view: Any) -> Any:
        """Return a view as the game's own environment showed it."""
        return self._original.observation(view)

    def mask(self, table: Table, seat: int) -> Any:
        """Return the legal actions of a seat as ones: none unless it is to move, nor after the end; the caller's to keep."""
        if seat != table.seat:
            return self._no_action.copy()
        return table.own_mask() if self.is_own else table.mask

    def info(self, table: Table, seat: int) -> dict[str, Any]:
        """Return what is told beside the observation: always the mask."""
        told: dict[str, Any] = {}
        if self.kind == "dict" and hasattr(self._original, "info"):
            told = self._original.info(table.s, seat)
        told["action_mask"] = self.mask(table, seat)
        return told

    def action(self, table: Table, seat: int, action: Any) -> Any:
        """Return an action of a seat as the rules number it; what is none comes back as it is, to be refused."""
        return table.rule_id(seat, action) if self.is_own else action

    def action_meanings(self, seat: int) -> list[str]:
        """List what each action id means for a seat, as people write actions."""
        ids = self.game.own_ids[seat].tolist() if self.is_own else range(self.spec.actions)
        return [self.game.action_name(action) for action in ids]


def number_type(dtype: Any, own: Any) -> Any:
    """Return the type of an observation's numbers: the game's own, or float32 if that is asked for."""
    own = np.dtype(own)
    try:
        asked = own if dtype is None else np.dtype(dtype)
    except Exception:  # NumPy has many words for what is no type
        asked = None
    if asked not in (own, np.float32):
        known = " or ".join(dict.fromkeys(("'f4'", f"{own.str[1:]!r}")))
        raise BadValue(f"dtype is {known}, not {shown(dtype)}: what a game paints, or the same numbers as float32")
    return asked.type


def first_seed(seed: int | None) -> int:
    """Return the seed of the first game: the one given, or any."""
    return int(np.random.default_rng().integers(HIGHEST_SEED)) if seed is None else checked_seed(seed)


def checked_seed(seed: Any) -> int:
    """Return a seed as a whole number; Gymnasium, which is told it as well, takes fewer kinds of them."""
    return whole_number(seed, "seed", 0, HIGHEST_SEED)


def reset_options(options: dict[str, Any] | None, known: tuple[str, ...] = RESET_OPTIONS) -> dict[str, Any]:
    """Return the options of a reset; unknown keys are an error."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise BadValue(f"options of reset are a dictionary of {', '.join(known)}, not {shown(options)}")
    for name in options:
        if not isinstance(name, str) or name not in (*known, CHECKED):
            raise UnknownName("option of reset", name, known)
    return dict(options)
