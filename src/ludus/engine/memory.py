"""The memory of a batch: its buffers on one device, the chance of its games, and how kernels are run over them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ludus.core import (
    HIGHEST_SEED,
    BadValue,
    LudusError,
    Row,
    agent_seed,
    known_word,
    plain,
    shown,
    streams,
    streams_of,
    whole_number,
)
from ludus.games import Game

from .buffers import NO_BUFFERS, SAME_MEMORY, Buffers, shapes
from .kernels import needs
from .playing import one_bot

DEVICES = ("pure", "cpu", "cuda", "wasm")
ENCODE = ("clear_planes", "encode")
LONGEST_GAME = 10_000_000  # decisions after which a kernel gives a game up, so that a broken game cannot hang it
_CHANGES_NOTHING = {
    "clear_own_masks", "legal", "own_legal", "rule_legal", "check_actions", "from_own", "to_own", "sound", "digest", "observe",
    *ENCODE, "result", "bot_choice", "forget_ended", "clear_frames", "show", "show_all", "show_view",
    "features", "final_features", "final_encode",
}  # fmt: skip


@cache
def _changes(kernels: tuple[str, ...]) -> bool:
    """Say whether one of these kernels changes positions."""
    return not all(kernel in _CHANGES_NOTHING or kernel.startswith(one_bot("")) for kernel in kernels)


def backend(device: str, game: Game) -> Any:
    """Return the backend of a device for a game."""
    device = settled(device)
    module = __import__(f"ludus.engine.{device}", fromlist=["Backend"])
    return module.Backend(game)


def settled(device: str) -> str:
    """Return the device on which games really run: uncompiled where Numba's own setting forbids it to compile."""
    device = known_word(device, "device", DEVICES)
    if device == "cpu" and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        _say_once("NUMBA_DISABLE_JIT is set, so that games run uncompiled, on the device pure")
        return "pure"
    return device


def checked_views(game: Game, views: Any, n: int = 1, check: bool = True) -> Any:
    """Return one view, or n of them, as an array, if positions can be made from them.

    `sample` is let loose on views alone that some position has; those that Ludus has just made need no check.
    """
    if game.verbs.sample is None:
        raise LudusError(f"{game.spec.title} has no rule `sample`, which makes positions from a view")
    views = views.array if isinstance(views, Row) else views
    if not is_row_of(views, game.view_type):
        raise BadValue(f"a view is a row of {game.name}'s View, not {type(views).__name__}; view_of makes one of plain data")
    if views.shape not in ((), (1,), (n,)):
        raise BadValue(f"one view, or one for each of the {n} games is needed, not {views.shape}")
    views = np.atleast_1d(np.asarray(views, game.view_type))
    for k in range(len(views) if check else 0):
        if not _is_view(game, views[k].tobytes()):
            where = "" if len(views) == 1 else f"view {k}: "
            raise BadValue(f"{where}no position of {game.spec.title} looks so to a seat")
    return views


@lru_cache(maxsize=256)  # whoever searches samples the same view again and again
def _is_view(game: Game, cells: bytes) -> bool:
    return game.is_view(plain(np.frombuffer(bytearray(cells), game.view_type)))


def read_position(game: Game, position: Any) -> Row:
    """Return a position, a text or a row, as a row of the game; one with other options than were asked for is refused."""
    row = game.parse(position) if isinstance(position, str) else position
    if not is_row_of(row, game.state_type):
        raise BadValue(f"a position is a text or a row of {game.name}'s State, not {type(position).__name__}")
    if not isinstance(row, Row) and np.size(row) != 1:
        raise BadValue(f"a position is one row of {game.name}'s State, not an array of the shape {np.shape(row)}")
    row = plain(row)
    for name, value in game.given.items():
        came = row[f"opt_{name}"] if f"opt_{name}" in (row.dtype.names or ()) else value
        if came != value:
            raise BadValue(f"option {name} was set to {value}, but the position says {came}; leave one of them out")
    return row


def is_row_of(rows: Any, dtype: np.dtype[Any]) -> bool:
    """Say whether somebody's rows are of a type; most often it is the very one, and comparing fields takes long."""
    if not isinstance(rows, Row | np.ndarray | np.void):
        return False
    if rows.dtype is dtype or rows.dtype == dtype:
        return True
    try:
        return np.dtype(rows.dtype.descr) == np.dtype(dtype.descr)
    except ValueError:  # fields that overlap have no description
        return False


def seeds_in(seed: int | Sequence[int], n: int) -> Any:
    """Return one seed, or an array of n."""
    if not isinstance(seed, Sequence | np.ndarray) or (isinstance(seed, np.ndarray) and seed.ndim == 0):
        return whole_number(seed, "seed", 0, HIGHEST_SEED)
    if len(seed) != n:
        raise BadValue(f"one seed, or one for each of the {n} games is needed, not {len(seed)}")
    words = array_of(seed)
    if words.shape == (n,) and words.dtype.kind in "iu" and int(words.min()) >= 0 and int(words.max()) <= HIGHEST_SEED:
        return words.astype(np.uint64)
    # One by one, which says what is wrong; NumPy makes floats of whole numbers of which some have 64 bits.
    return np.array([whole_number(number, "seed", 0, HIGHEST_SEED) for number in seed], np.uint64)


def array_of(values: Any) -> Any:
    """Return what somebody gave as an array; what none can be made of as an empty one, whose shape is refused."""
    try:
        return np.asarray(values)
    except Exception:  # lists of unequal lengths, numbers beyond 64 bits, somebody's own arrays
        return np.empty(0, object)


def games_in(which: Any, n: int) -> Any:
    """Return which of n games are meant, as truth values [n]; None are all of them."""
    if which is None:
        return np.ones(n, bool)
    chosen = array_of(which)
    if chosen.shape != (n,) or chosen.dtype.kind not in "bi":
        raise BadValue(f"one truth value for each of the {n} games is needed, not {shown(which)}")
    return chosen != 0


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
        self._ready: set[tuple[str, ...]] = set()  # kernels whose arrays are there, as they were asked for
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

    def seed(self, seed: int | Sequence[int], which: Any = None) -> None:
        """Give every game its own chance, fixed by the seed; the same on every device.

        With a seed a game, each is dealt as a table of that seed is. `which` [n] says for which games; the others go on.
        """
        seeds, chosen = seeds_in(seed, self.n), games_in(which, self.n)
        self._seeds: Any = seeds
        if isinstance(self._seeds, int):
            rngs, dice = streams(self._seeds, self.n), streams(~self._seeds, self.n)
        else:
            rngs, dice = streams_of(self._seeds), streams_of(~self._seeds)
        self._set_chance("rngs", rngs, chosen)
        self._set_chance("dice", dice, chosen)
        if self._buffers.bot_dice is not None:
            self._seed_bots(chosen)

    def _seed_bots(self, which: Any = None) -> None:
        """Give every bot its own chance; with a seed a game it is that of an agent of that seat."""
        seats = len(self.game.spec.seats)
        if isinstance(self._seeds, int):
            words = streams(self._seeds ^ HIGHEST_SEED, self.n * seats)
        else:
            own = [agent_seed(seed, seat) for seed in self._seeds.tolist() for seat in range(seats)]
            words = streams_of(np.array(own, np.uint64))
        self._set_chance("bot_dice", words.reshape(self.n, seats, 1), which)

    def _set_chance(self, name: str, words: Any, which: Any) -> None:
        if which is not None and not which.all():
            kept = np.array(self.host(getattr(self._buffers, name)))
            kept[which] = words[which]
            words = kept
        self._copy_in(name, words)

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
        if kernels not in self._ready:
            for kernel in kernels:
                self._need(*needs(self._backend.kernel(kernel)))
            self._ready.add(kernels)
        if _changes(kernels):
            self._change()
        self._backend.run(kernels, self._buffers, self.n)

    def _plan(self, *orders: tuple[int, int]) -> None:
        """Write numbers into their slots of the plan, where others stand: a write is slow, above all to a device."""
        planned = self._planned
        for slot, value in orders:
            if planned.get(slot) != value:
                self._buffers.plan[slot] = planned[slot] = value

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
