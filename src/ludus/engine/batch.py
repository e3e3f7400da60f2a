"""Batch: many games at once. Arrays in, arrays out, nothing allocated per step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ludus.core.errors import BadValue, IllegalAction, LudusError, UnknownName, whole_number
from ludus.core.rng import HIGHEST_SEED, streams
from ludus.games import Game, load

from .desk import SAME_MEMORY, Desk, shapes
from .kernels import ENTER, RESTART, SEAT, STEPS, compiled_bots, needs

DEVICES = ("pure", "cpu", "cuda")
ENCODE = ("clear_planes", "encode")
_CHANGES_NOTHING = {"legal", "check_legal", "check_range", "observe", *ENCODE, "result", "bot_choice"}
LONGEST_GAME = 10_000_000  # decisions after which a kernel gives a game up, so that a broken game cannot hang it


def backend(device: str, game: Game) -> Any:
    """Return the backend of a device for a game."""
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    module = __import__(f"ludus.engine.{device}", fromlist=["Backend"])
    return module.Backend(game)


class Batch:
    """Own `n` games, their chance and their results, on one device.

    Every array that a method returns is the batch's own and is overwritten by the next call: copy what you keep.
    A game that `step` ends is followed by a new one at once (`restart=True`); its last views, outcomes and points stay in
    `final_views`, `final_outcomes` and `final_points`, and `done` says which games ended, and how.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        seed: int = 0,
        device: str = "cpu",
        restart: bool = True,
        **options: Any,
    ) -> None:
        self.game = game if isinstance(game, Game) else load(game, **options)
        if options and isinstance(game, Game):
            raise BadValue("options go with the game's name; a loaded game has its own")
        self.n = whole_number(n, "n", 1, 2**31 - 1)
        self.device, self.restart = device, restart
        self._backend = backend(device, self.game)
        self._shapes = shapes(self.game, self.n)
        self.desk = Desk(*[None] * len(Desk._fields))
        self._mask_is_current = self._has_positions = False
        self._ready: frozenset[str] = frozenset()  # kernels whose arrays are there
        self._planned: dict[int, int] = {}  # what stands in the plan
        self._need("states", "rngs", "dice", "plan", "bad")
        self._copy_in("states", self.game.empty(self.n))
        self.seed(seed)
        if not self.game.spec.no_setup:
            self.new()

    def seed(self, seed: int | Sequence[int]) -> None:
        """Give every game its own chance, fixed by the seed; the same on every device.

        With a seed a game, each has the chance of the first game of a batch with that seed.
        """
        if isinstance(seed, Sequence):
            if len(seed) != self.n:
                raise BadValue(f"one seed, or one for each of the {self.n} games is needed, not {len(seed)}")
            seeds = [whole_number(number, "seed", 0, HIGHEST_SEED) for number in seed]
            self._copy_in("rngs", np.concatenate([streams(number, 1) for number in seeds]))
            self._copy_in("dice", np.concatenate([streams(~number, 1) for number in seeds]))
        else:
            seed = whole_number(seed, "seed", 0, HIGHEST_SEED)
            self._copy_in("rngs", streams(seed, self.n))
            self._copy_in("dice", streams(~seed, self.n))

    def new(self, seed: int | Sequence[int] | None = None) -> None:
        """Start every game anew, with new chance if a seed is given."""
        if seed is not None:
            self.seed(seed)
        self._has_positions = not self.game.spec.no_setup
        self._run("new")

    def load(self, rows: Any) -> None:
        """Take positions: an array [n] of State, or one row for all."""
        if getattr(rows, "dtype", None) is None or np.dtype(rows.dtype.descr) != np.dtype(self.game.state_type.descr):
            raise BadValue(f"positions must be rows of {self.game.name}'s State, not {type(rows).__name__}")
        self._copy_in("states", np.broadcast_to(np.asarray(rows, self.game.state_type), self.n))
        self._has_positions, self._mask_is_current = True, False

    @property
    def states(self) -> Any:
        """The positions [n]; on cuda a device array."""
        return self.desk.states

    def legal(self) -> Any:
        """Return the masks [n, actions] of the seats to move; all zero where a game is over."""
        self._mark()
        return self.desk.masks[:, : self.game.spec.actions]

    def counts(self) -> Any:
        """Return how many actions are legal in each game [n]."""
        self._mark()
        return self.desk.counts

    def step(self, actions: Any, check: bool = True) -> None:
        """Play one action in every game; nothing is played if any of them is refused."""
        self._take(actions, check)
        self._plan(RESTART, int(self.restart))
        self._run("step")

    def observe(self, seat: int = -1) -> Any:
        """Return the views [n] of one seat, or of the seats to move."""
        self._plan(SEAT, whole_number(seat, "seat", -1, len(self.game.spec.seats) - 1))
        self._run("observe")
        return self.desk.views

    def encode(self, seat: int = -1) -> Any:
        """Return the planes [n, channel, y, x] of one seat, or of the seats to move; views may be overwritten on the way."""
        self._plan(SEAT, whole_number(seat, "seat", -1, len(self.game.spec.seats) - 1))
        self._run(*ENCODE)
        return self.desk.planes

    def result(self) -> tuple[Any, Any, Any]:
        """Return status [n], outcomes [n, seat] and points [n, seat] as they stand."""
        self._run("result")
        return self.desk.status, self.desk.outcomes, self.desk.points

    @property
    def rewards(self) -> Any:
        """What the last step gave each seat [n, seat]."""
        return self._need("rewards").rewards

    @property
    def done(self) -> Any:
        """How the last step ended each game [n]: 0 not, 1 decided, 2 by a limit."""
        return self._need("done").done

    @property
    def final_views(self) -> Any:
        """The views [n, seat] at the end of each game's last finished one."""
        return self._need("final_views").final_views

    @property
    def final_outcomes(self) -> Any:
        """The outcomes [n, seat] of each game's last finished one."""
        return self._need("final_outcomes").final_outcomes

    @property
    def final_points(self) -> Any:
        """The points [n, seat] of each game's last finished one."""
        return self._need("final_points").final_points

    def copy(self) -> Batch:
        """Return an independent batch with the same positions and chance."""
        other = Batch.__new__(Batch)
        other.__dict__.update(self.__dict__)
        other._backend, other._planned = backend(self.device, self.game), {}
        other._backend.seated = self._backend.seated
        other.desk, other._ready = Desk(*[None] * len(Desk._fields)), frozenset()
        for name, array in zip(Desk._fields, self.desk, strict=True):
            if array is not None and name not in SAME_MEMORY:
                other._need(name)
                other._copy_in(name, self._backend.to_host(array))
        return other

    def play_random(self, steps: int, encode: bool = False) -> tuple[int, int]:
        """Play `steps` random legal actions in every game, new games following; return steps and games played."""
        self._plan(STEPS, whole_number(steps, "steps", 1, 2**40))
        self._clear_tally()
        if encode and self.device == "cuda":  # step by step: planes leave a kernel when it ends
            self._plan(STEPS, 1)
            self._plan(SEAT, -1)
            for _ in range(steps):
                self._run("random_steps", *ENCODE)
        else:
            self._run("random_encoded" if encode else "random_steps")
        played, games = self._backend.to_host(self.desk.tally).sum(axis=0)
        return int(played), int(games)

    def finish_random(self) -> Any:
        """Play every game to its end at random; return how many actions each took [n]. `result` tells the rest."""
        return self._finish("random_game")

    def finish(self, bots: Iterable[str]) -> Any:
        """Let the built-in bots, one name a seat, play every game to its end; return how many actions each took [n]."""
        chosen = list(bots)
        if None in chosen:
            raise BadValue("every seat needs a bot if the games are to be played to their ends")
        self.set_bots(chosen)
        return self._finish("bot_game")

    def set_bots(self, bots: Iterable[str | None]) -> None:
        """Seat built-in bots by name, for `finish`, `choose`, `enter` and `face`; None is a seat played from outside."""
        known, chosen = compiled_bots(self.game), list(bots)
        if len(chosen) != len(self.game.spec.seats):
            raise BadValue(f"one bot a seat is needed ({', '.join(self.game.spec.seats)}), not {len(chosen)}")
        for name in chosen:
            if name is not None and name not in known:
                raise UnknownName("bot", name, known)
        self._backend.seated = frozenset(name for name in chosen if name)
        self._need("bots")
        self._copy_in("bots", np.array([-1 if name is None else known.index(name) for name in chosen], np.int32))

    def enter(self, seat: int) -> None:
        """Start new games and let the seated bots play up to the first decision of `seat`, which has none.

        Its masks, views and planes are in `turned_masks`, `views` and `planes` of the desk.
        """
        if self.game.spec.no_setup:
            raise LudusError(f"{self.game.spec.title} has no random set-up here: {self.game.spec.no_setup}")
        self._face(seat, enter=1)

    def face(self, actions: Any, seat: int) -> None:
        """Play a decision of `seat` in every game, then the bots' up to its next one; new games follow finished ones.

        Rewards are what the seats got meanwhile. An illegal action is replaced by any legal one: see `replaced` of the desk.
        """
        self._take(actions, check=False)
        self._face(seat, enter=0)

    def _face(self, seat: int, enter: int) -> None:
        self._check_bots()
        self._plan(SEAT, whole_number(seat, "seat", 0, len(self.game.spec.seats) - 1))
        self._plan(STEPS, LONGEST_GAME)
        self._plan(ENTER, enter)
        self._run("face", *ENCODE)
        self._mask_is_current = True

    def choose(self) -> Any:
        """Return the actions [n] that the seated bots would play for the seats to move."""
        self._check_bots()
        self._mark()
        self.observe()
        self._run("bot_choice")
        return self.desk.actions

    def _check_bots(self) -> None:
        if self.desk.bots is None:
            raise LudusError("no bots are seated; call set_bots first, with None for a seat that is played from outside")

    def _finish(self, kernel: str) -> Any:
        self._plan(STEPS, LONGEST_GAME)
        self._clear_tally()
        self._run(kernel)
        return self._backend.to_host(self.desk.tally)[:, 0]

    def _mark(self) -> None:
        if not self._mask_is_current:
            self._run("legal")
            self._mask_is_current = True

    def _take(self, actions: Any, check: bool) -> None:
        """Copy the actions in, and refuse them all if one is wrong."""
        self._need("actions")
        if actions is not self.desk.actions:
            array = actions if hasattr(actions, "dtype") else np.asarray(actions)
            if tuple(array.shape) != (self.n,) or not _is_whole(array):
                raise BadValue(
                    f"actions must be {self.n} whole numbers, not an array of shape {tuple(array.shape)} and type {array.dtype}"
                )
            self._copy_in("actions", array)
        if check:
            self._mark()
            self._backend.zero(self.desk.bad)
            self._run("check_legal" if self.game.spec.refuses else "check_range")
            if self._backend.to_host(self.desk.bad)[0]:
                raise self._refusal()

    def _refusal(self) -> LudusError:
        """Say which row was refused first, and why."""
        actions, masks = (np.asarray(self._backend.to_host(a)) for a in (self.desk.actions, self.desk.masks))
        allowed = self.game.spec.actions
        for i, action in enumerate(actions):
            if not 0 <= action < allowed:
                return IllegalAction(f"row {i}: action {action} is not in 0 to {allowed - 1}", "bad_action")
            if not masks[i].any():
                return IllegalAction(f"row {i}: the game is over; start new games with new()", "game_over")
            if self.game.spec.refuses and not masks[i, action]:
                row = np.asarray(self._backend.to_host(self.desk.states))[i : i + 1].view(np.recarray)[0]
                reason = self.game.why_not(row, int(row.seat), int(action))
                legal = ", ".join(str(k) for k in np.flatnonzero(masks[i]))
                return IllegalAction(f"row {i}: action {action} is refused ({reason}); legal are {legal}", reason)
        raise AssertionError("a kernel refused an action that is legal")

    def _clear_tally(self) -> None:
        self._need("tally")
        self._backend.zero(self.desk.tally)

    def _plan(self, slot: int, value: int) -> None:
        if self.device != "cuda" or self._planned.get(slot) != value:  # a write to the device is slow
            self.desk.plan[slot] = self._planned[slot] = value

    def check_positions(self) -> None:
        """Raise if the game cannot be set up at random here, and no positions were given."""
        if not self._has_positions:
            raise LudusError(f"{self.game.spec.title} has no random set-up here: {self.game.spec.no_setup}")

    def _run(self, *kernels: str) -> None:
        self.check_positions()
        if not self._ready.issuperset(kernels):
            for kernel in kernels:
                self._need(*needs(self._backend.kernel(kernel)))
            self._ready = self._ready.union(kernels)
        self._backend.run(kernels, self.desk, self.n)
        if not _CHANGES_NOTHING.issuperset(kernels):
            self._mask_is_current = False

    def _need(self, *names: str) -> Desk:
        """Make the arrays that are still missing."""
        missing = [name for name in names if getattr(self.desk, name) is None]
        for name in missing:
            owner = SAME_MEMORY.get(name, name)
            if getattr(self.desk, owner) is None:
                dtype, shape = self._shapes[owner]
                self.desk = self.desk._replace(**{owner: self._backend.zeros(shape, dtype)})
            if owner != name:
                dtype, shape = self._shapes[name]
                self.desk = self.desk._replace(**{name: getattr(self.desk, owner).view(dtype).reshape(shape)})
        return self.desk

    def _copy_in(self, name: str, array: Any) -> None:
        self._backend.from_host(array, getattr(self.desk, name))


def _is_whole(array: Any) -> bool:
    """Whether the array, NumPy's or a device's, holds whole numbers."""
    kind = getattr(array.dtype, "kind", None)
    return kind in "iu" if kind else "int" in str(array.dtype)
