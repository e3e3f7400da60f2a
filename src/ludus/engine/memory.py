"""The memory of a batch: its buffers on one device, the chance of its games, and how kernels are run over them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ludus.core import (
    HIGHEST_SEED,
    BadValue,
    LudusError,
    Row,
    UnknownName,
    agent_seed,
    plain,
    streams,
    streams_of,
    whole_number,
)
from ludus.games import Game

from .buffers import NO_BUFFERS, SAME_MEMORY, Buffers, shapes
from .kernels import needs

DEVICES = ("pure", "cpu", "cuda", "wasm")
ENCODE = ("clear_planes", "encode")
LONGEST_GAME = 10_000_000  # decisions after which a kernel gives a game up, so that a broken game cannot hang it
_CHANGES_NOTHING = {
    "clear_own_masks", "legal", "own_legal", "rule_legal", "check_actions", "from_own", "to_own", "sound", "digest", "observe",
    *ENCODE, "result", "bot_choice", "forget_ended", "clear_frames", "show", "show_all", "show_view",
}  # fmt: skip


def backend(device: str, game: Game) -> Any:
    """Return the backend of a device for a game."""
    device = settled(device)
    module = __import__(f"ludus.engine.{device}", fromlist=["Backend"])
    return module.Backend(game)


def settled(device: str) -> str:
    """Return the device on which games really run: uncompiled where Numba's own setting forbids it to compile."""
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    if device == "cpu" and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        _say_once("NUMBA_DISABLE_JIT is set, so that games run uncompiled, on the device pure")
        return "pure"
    return device


def read_position(game: Game, position: Any) -> Row:
    """Return a position, a row or its text, as a plain row of the game; options that were asked for must be its own."""
    row = game.parse(position) if isinstance(position, str) else position
    kind = getattr(row, "dtype", None)
    if kind is not game.state_type and (kind is None or np.dtype(kind.descr) != np.dtype(game.state_type.descr)):
        raise BadValue(f"a position is a text or a row of {game.name}'s State, not {type(position).__name__}")
    row = plain(row)
    for name, value in game.given.items():
        came = row[f"opt_{name}"] if f"opt_{name}" in (row.dtype.names or ()) else value
        if came != value:
            raise BadValue(f"option {name} was set to {value}, but the position says {came}; leave one of them out")
    return row


def checked_views(game: Game, views: Any, n: int = 1) -> Any:
    """Return one view, or n of them, as an array, if positions can be made from them."""
    if game.verbs.sample is None:
        raise LudusError(f"{game.spec.title} has no rule `sample`, which makes positions from a view")
    views = views.array if isinstance(views, Row) else views
    if getattr(views, "dtype", None) is None or np.dtype(views.dtype.descr) != np.dtype(game.view_type.descr):
        raise BadValue(f"a view is a row of {game.name}'s View, not {type(views).__name__}; view_of makes one of plain data")
    if views.shape not in ((), (1,), (n,)):
        raise BadValue(f"one view, or one for each of the {n} games is needed, not {views.shape}")
    return np.atleast_1d(np.asarray(views, game.view_type))


@cache
def _say_once(line: str) -> None:
    print(f"ludus: {line}", file=sys.stderr, flush=True)


class Memory:
    """The buffers of `n` games of one game on one device, made when a kernel first needs them."""

    def __init__(self, game: Game, n: int, device: str) -> None:
        self.game, self.n, self.device = game, whole_number(n, "n", 1, 2**31 - 1), settled(device)
        self._backend = backend(device, game)
        self._shapes = shapes(game, self.n)
        self._buffers = NO_BUFFERS
        self._mask_is_current = self._has_positions = False
        self._ready: frozenset[str] = frozenset()  # kernels whose arrays are there
        self._planned: dict[int, int] = {}  # what stands in the plan
        self.version = 0  # grows with every change of the positions
        self._need("states", "rngs", "dice", "plan", "bad")
        self._backend.fill(game.empty(1), self._buffers.states)

    @property
    def states(self) -> Any:
        """The positions [n]; on cuda a device array. Whoever writes there calls `load` or is on their own."""
        return self._buffers.states

    def host(self, array: Any) -> Any:
        """Return an array of this batch in ordinary memory."""
        return self._backend.to_host(array)

    def seed(self, seed: int | Sequence[int]) -> None:
        """Give every game its own chance, fixed by the seed; the same on every device.

        With a seed a game, each is dealt as a table of that seed is.
        """
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.n:
                raise BadValue(f"one seed, or one for each of the {self.n} games is needed, not {len(seed)}")
            self._seeds: int | list[int] = [whole_number(number, "seed", 0, HIGHEST_SEED) for number in seed]
            words = np.array(self._seeds, np.uint64)
            rngs, dice = streams_of(words), streams_of(~words)
        else:
            self._seeds = number = whole_number(seed, "seed", 0, HIGHEST_SEED)
            rngs, dice = streams(number, self.n), streams(~number, self.n)
        self._copy_in("rngs", rngs)
        self._copy_in("dice", dice)
        if self._buffers.bot_dice is not None:
            self._seed_bots()

    def _seed_bots(self) -> None:
        """Give every bot its own chance; with a seed a game it is that of an agent of that seat."""
        seats = len(self.game.spec.seats)
        if isinstance(self._seeds, int):
            words = streams(self._seeds ^ HIGHEST_SEED, self.n * seats)
        else:
            own = [agent_seed(seed, seat) for seed in self._seeds for seat in range(seats)]
            words = streams_of(np.array(own, np.uint64))
        self._copy_in("bot_dice", words.reshape(self.n, seats, 1))

    def check_setup(self) -> None:
        """Raise if the game cannot be set up at random here: finished games could not be followed by new ones."""
        if self.game.spec.no_setup:
            raise LudusError(f"{self.game.spec.title} has no random set-up here: {self.game.spec.no_setup}")

    def check_positions(self) -> None:
        """Raise if the game cannot be set up at random here, and no positions were given."""
        if not self._has_positions:
            raise LudusError(f"{self.game.spec.title} has no random set-up here: {self.game.spec.no_setup}")

    def _change(self) -> None:
        """Note that the positions change: before they do, so that an interrupt leaves no stale mask."""
        self._mask_is_current = False
        self.version += 1

    def _run(self, *kernels: str) -> None:
        self.check_positions()
        if not self._ready.issuperset(kernels):
            for kernel in kernels:
                self._need(*needs(self._backend.kernel(kernel)))
            self._ready = self._ready.union(kernels)
        if not _CHANGES_NOTHING.issuperset(kernels):
            self._change()
        self._backend.run(kernels, self._buffers, self.n)

    def _plan(self, slot: int, value: int) -> None:
        if self.device != "cuda" or self._planned.get(slot) != value:  # a write to the device is slow
            self._buffers.plan[slot] = self._planned[slot] = value

    def _need(self, *names: str) -> Buffers:
        """Make the arrays that are still missing."""
        missing = [name for name in names if getattr(self._buffers, name) is None]
        for name in missing:
            owner = SAME_MEMORY.get(name, name)
            if getattr(self._buffers, owner) is None:
                dtype, shape = self._shapes[owner]
                self._buffers = self._buffers._replace(**{owner: self._backend.zeros(shape, dtype)})
                if owner == "bot_dice":
                    self._seed_bots()
            if owner != name:
                dtype, shape = self._shapes[name]
                self._buffers = self._buffers._replace(**{name: getattr(self._buffers, owner).view(dtype).reshape(shape)})
        return self._buffers

    def _copy_in(self, name: str, array: Any) -> None:
        self._backend.from_host(array, getattr(self._buffers, name))

    def _forget(self) -> None:
        """Empty the bots' memories: they belong to games that are no more."""
        for field in ("scratch", "gains"):
            if (array := getattr(self._buffers, field)) is not None:
                self._backend.zero(array)

    def _clear_tally(self) -> None:
        self._need("tally")
        self._backend.zero(self._buffers.tally)
