"""Seats of a batch that are played from outside while others play the rest: one seat, any, several or all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludus.core import BadValue, LudusError, known_word
from ludus.games import Game

from .asking import Others
from .kernels import (
    AFTER_ACTION,
    AS_IT_STANDS,
    BEGIN,
    GO_ON,
    GO_ON_NEW,
    NEW_GAME,
    RESTART,
    REWARD,
    SEAT,
    STEPS,
    TURNS_ABOUT,
    compiled_bots,
)
from .memory import ENCODE, LONGEST_GAME, games_in, seeds_in
from .opponents import Opponents
from .playing import one_bot
from .rewards import Reward
from .watching import Watching

if TYPE_CHECKING:
    from .batch import Batch

# What is painted, by what a learner wants to look at: now, and at the end of a game.
PLANES, FEATURES = (*ENCODE, "final_encode"), ("features", "final_features")
PAINTED = {"planes": PLANES, "features": FEATURES, "both": (*PLANES, *FEATURES), "none": ()}
NOW = {obs: tuple(kernel for kernel in kernels if "final" not in kernel) for obs, kernels in PAINTED.items()}
ANY, ALL = "any", "all"


class Seen(NamedTuple):
    """What a learner gets: the batch's own arrays, overwritten by the next call. What it did not ask for is None."""

    planes: Any  # [n, channel, y, x] of the seat that decides, in its own frame
    mask: Any  # [n, actions] what it may play, in its own ids; nothing where a game is over and stands still
    reward: Any  # [n] what it got since its last decision; where a game ended: the seat that decided last, up to the end
    done: Any  # [n] how the game before ended with this step: 0 not, 1 decided, 2 by a limit; another one has begun
    features: Any  # [n, number] the same view as a few numbers, named by `game.spec.features`
    seat: Any  # [n] which seat decides

    @property
    def obs(self) -> Any:
        """What the learner asked to look at: the planes, or the features."""
        return self.features if self.planes is None else self.planes


class Seat:
    """Seats that are played from outside. An illegal action is replaced by any legal one: see `replaced`.

    In a batch with `restart=False` a game that is over stands still, and what is played there is ignored, until a `reset`.
    """

    def __init__(self, batch: Batch, seat: Any, bots: Any, obs: str = "planes", reward: Any = None) -> None:
        known_word(obs, "kind of observation", PAINTED)
        if obs in ("features", "both"):
            batch.check_features()
        self.batch, self.obs, self.reward_of = batch, obs, Reward.of(batch.game, reward)
        self.seats, self.turns_about = seats_of(batch.game, seat)
        self.number = self.seats[0] if len(self.seats) == 1 and not self.turns_about else -1  # of one that is always the same
        every = len(batch.game.spec.seats)
        learner = () if self.turns_about else self.seats
        self._opponents = Opponents(batch.game, batch.n, batch.device, learner, bots if len(learner) < every else "random")
        self._others = Others(batch, self._opponents, obs)
        self._watching = Watching(batch, self.reward_of, self.seats) if self.reward_of.has_functions else None
        if self._watching and self.reward_of.sees == "features" and (obs not in ("features", "both") or len(learner) > 1):
            raise BadValue("a reward of features goes with obs='features' and one seat a game; take one of views")
        plan = {STEPS: LONGEST_GAME, REWARD: self.reward_of.number, TURNS_ABOUT: int(self.turns_about), SEAT: self.number}
        self._orders = (*plan.items(), (RESTART, int(batch.restart)))
        self._made = 0  # decisions of the learner
        self._version = -1  # of the positions that were shown last
        batch._need("bots", "bot_dice", "mine")
        batch._copy_in("mine", np.arange(batch.n) % every - 1 + every)
        self._sit_down()

    def play_against(self, bots: Any) -> None:
        """Take other opponents, each game from its next start on: past selves are functions that join the mix."""
        before = self._opponents.given
        try:
            self._opponents.change(bots)
            self._sit_down()
        except BaseException:  # whoever was there plays on
            self._opponents.change(before)
            self._sit_down()
            raise

    def reset(self, seed: int | Sequence[int] | None = None, positions: Any = None, which: Any = None) -> Seen:
        """Begin new games, or go on from positions, and let the others play up to the first decision of the learner.

        `which` [n] says in which games; the others stay as they are. Seeds and positions are then those of all games, too.
        """
        batch = self.batch
        chosen, seeds = games_in(which, batch.n), None if seed is None else seeds_in(seed, batch.n)
        if which is not None:
            self._check_version()
        rows = None if positions is None else batch.sound_rows(positions)
        if rows is not None and (batch.over(rows) & (chosen if len(rows) > 1 else chosen.any())).any():
            raise LudusError("a game is over before the seat's first decision; give another position")
        if rows is None and chosen.any():
            batch.check_setup()
        if seeds is not None:  # from here on nothing is refused any more
            batch.seed(seeds, chosen)
        if rows is not None:
            batch._place(rows, chosen)
        batch._need("chosen")
        batch._copy_in("chosen", chosen)
        if self._watching:
            self._watching.forget(chosen)
        return self._go(NEW_GAME if positions is None else AS_IT_STANDS)

    def step(self, actions: Any) -> Seen:
        """Play a decision in every game, then the others' up to the learner's next one; new games follow finished ones."""
        self._check_version()
        if 0 <= self._opponents.until <= self._made:
            self._sit_down()
        self.batch._copy_actions(actions)
        self._made += self.batch.n
        return self._go(AFTER_ACTION)

    def look(self) -> Seen:
        """Return once more what the learner was shown last."""
        self._check_version()
        self._paint(NOW[self.obs])  # how games ended was painted then, and whoever was handed it may have changed it
        return self._seen()

    def advice(self, bot: str) -> Any:
        """Return what a built-in bot would play [n] in the learner's place, in own ids; it keeps its memory of each game."""
        known_word(bot, "bot", compiled_bots(self.batch.game))
        self._check_version()
        batch = self.batch
        batch._plan((SEAT, -1))
        batch._run("observe", one_bot(bot), *(("to_own",) if batch.game.spec.own_ids else ()))
        return batch._buffers.actions

    def _check_version(self) -> None:
        if self._version != self.batch.version:
            raise LudusError("the positions are not those that the seat was shown last; begin with reset()")

    def _sit_down(self) -> None:
        """Tell the kernels who plays in the games that begin from now on."""
        batch = self.batch
        playing = np.asarray(batch.host(batch._buffers.bots)) if self._made or self._version >= 0 else np.zeros(0, np.int32)
        mix, fixed = self._opponents.line_up(self._made, playing)
        if fixed and self.turns_about:  # who sits there stays there, and the seat that was the learner's would stay empty
            raise BadValue("an array of opponents goes with a seat that is the same in every game; take a mix with seat='any'")
        batch._need("mix")
        batch._copy_in("mix", mix)
        batch._backend.seated = frozenset(self._opponents.names)
        if fixed:  # game by game: they sit down at once
            bots = np.array(batch.host(batch._buffers.bots))
            for seat, numbers in fixed.items():
                bots[:, seat] = numbers
            batch._copy_in("bots", bots)

    def _go(self, begin: int) -> Seen:
        batch = self.batch
        batch._plan((BEGIN, begin), *self._orders)
        kernels = ("clear_own_masks", "seat_step") if begin == AFTER_ACTION else ("seat_step",)
        if self._opponents.outside:
            batch._run(*kernels)
            self._others.play(GO_ON if begin == AFTER_ACTION else GO_ON_NEW)
            batch._plan((SEAT, self.number))
            self._paint(PAINTED[self.obs])
        else:
            batch._run(*kernels, *PAINTED[self.obs])
        if batch.device != "cuda":
            batch.check_bots()
        self._version = batch.version
        if self._watching:
            self._watching.pay(is_counted=begin == AFTER_ACTION)
        return self._seen()

    def _paint(self, kernels: tuple[str, ...]) -> None:
        if kernels:
            self.batch._plan((SEAT, self.number))
            self.batch._run(*kernels)

    def _seen(self) -> Seen:
        b = self.batch._buffers
        planes = b.planes if self.obs in ("planes", "both") else None
        features = b.features if self.obs in ("features", "both") else None
        return Seen(planes, b.own_masks, b.reward, b.done, features, b.decider)

    @property
    def mask(self) -> Any:
        """What the learner may play [n, actions], in its own ids."""
        return self.batch._buffers.own_masks

    @property
    def rewards(self) -> Any:
        """What was paid to each seat [n, seat]: to the one that decides now, and where a game ended to all of them."""
        return self.batch._buffers.rewards

    @property
    def replaced(self) -> Any:
        """What was played for an illegal action [n], in own ids; -1 where the learner's own was."""
        return self.batch._buffers.replaced

    @property
    def actor(self) -> Any:
        """The learner's seat [n] that decided last, before this step."""
        return self.batch._buffers.actor

    @property
    def final_planes(self) -> Any:
        """The planes [n, channel, y, x] of the seat that decided last at the end of each game's last finished one."""
        return self.batch._buffers.final_planes

    @property
    def final_features(self) -> Any:
        """The same end as features [n, number]."""
        return self.batch._buffers.final_features

    @property
    def final_views(self) -> Any:
        """The views [n, seat] of the learner's seats at the end of each game's last finished one."""
        return self.batch._buffers.final_views

    @property
    def final_outcomes(self) -> Any:
        """The outcomes [n] of each game's last finished one for the seat that decided last; `batch.final_outcomes` has all."""
        return self.batch._buffers.final_outcome

    @property
    def final_points(self) -> Any:
        """The points [n] of each game's last finished one for the seat that decided last; `batch.final_points` has all."""
        return self.batch._buffers.final_point

    @property
    def decisions(self) -> int:
        """How many decisions all seats have made since the first reset."""
        return int(self.batch._backend.total(self.batch._buffers.tally)[0])

    def copy(self) -> Seat:
        """Return an independent seat of an independent batch that goes on in the same way."""
        from copy import deepcopy

        return deepcopy(self)

    def __getstate__(self) -> Any:
        kept = {name: value for name, value in vars(self).items() if name not in ("_others",)}
        return kept, self._version == self.batch.version

    def __setstate__(self, kept: Any) -> None:
        values, is_current = kept
        vars(self).update(values)
        self._version = self.batch.version if is_current else -1
        self._others = Others(self.batch, self._opponents, self.obs)
        if self._watching:
            self._watching.batch = self.batch


def seats_of(game: Game, seat: Any) -> tuple[tuple[int, ...], bool]:
    """Return the learner's seats, and whether it has but one of them in each game, the next in the next."""
    every = tuple(range(len(game.spec.seats)))
    if isinstance(seat, str) and seat in (ANY, ALL) and seat not in game.spec.seats:
        return every, seat == ANY
    if isinstance(seat, Iterable) and not isinstance(seat, str) and getattr(seat, "ndim", 1) > 0:
        chosen = tuple(sorted({game.spec.seat(one) for one in seat}))
        if not chosen:
            raise BadValue("a learner has one seat at least")
        return chosen, False
    return (game.spec.seat(seat),), False
