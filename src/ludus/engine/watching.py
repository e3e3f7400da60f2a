"""Rewards that depend on what is seen: what each seat of the learner saw at its last decision is kept beside the batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .kernels import SEAT
from .rewards import Reward

if TYPE_CHECKING:
    from .batch import Batch


class Watching:
    """The views at the last decisions of a learner's seats, in ordinary memory, and what is paid by them."""

    def __init__(self, batch: Batch, reward: Reward, seats: tuple[int, ...]) -> None:
        self.batch, self.reward, self.seats = batch, reward, seats
        self._of_views = reward.sees == "views"
        shape = (batch.n, len(batch.game.spec.seats))
        numbers = (*shape, len(batch.game.spec.features))
        self._before: Any = np.zeros(shape, batch.game.view_type) if self._of_views else np.zeros(numbers, np.float32)
        self._has_decided = np.zeros(shape, bool)

    def __getstate__(self) -> Any:
        return {name: value for name, value in vars(self).items() if name != "batch"}

    def forget(self, games: Any) -> None:
        """Forget what was seen in games [n] that begin anew."""
        self._has_decided[games] = False

    def pay(self, is_counted: bool) -> None:
        """Write what the learner's seats are paid, and keep what the one that decides now sees."""
        batch = self.batch
        if self._of_views:
            batch._plan((SEAT, -1))
            batch._run("observe")
        b = batch._buffers
        seen = b.views if self._of_views else b.features
        done, seats, views = (np.array(batch.host(array)) for array in (b.done, b.decider, seen))
        games = np.arange(batch.n)
        if is_counted:
            rewards = np.array(batch.host(b.rewards))
            actors = np.array(batch.host(b.actor))
            self._end(rewards, done != 0)
            self._between(rewards, views, seats, done == 0)
            reward = np.where(done != 0, rewards[games, actors], rewards[games, seats])
            batch._copy_in("rewards", rewards)
            batch._copy_in("reward", reward)
            self._has_decided[done != 0] = False
        self._before[games, seats] = views
        self._has_decided[games, seats] = True

    def _end(self, rewards: Any, is_over: Any) -> None:
        """Pay every seat of the learner that has decided in a game that ended."""
        b = self.batch._buffers
        for seat in self.seats:
            games = np.flatnonzero(is_over & self._has_decided[:, seat])
            if len(games):
                final = np.asarray(self.batch.host(b.final_views if self._of_views else b.final_features))
                after = final[games, seat] if self._of_views else final[games]
                over = np.ones(len(games), bool)
                rewards[games, seat] = self.reward.paid(self._before[games, seat], after, over, rewards[games, seat])

    def _between(self, rewards: Any, views: Any, seats: Any, goes_on: Any) -> None:
        """Pay the seat that decides now for what came of its last decision."""
        games = np.flatnonzero(goes_on & self._has_decided[np.arange(len(seats)), seats])
        if len(games):
            before = self._before[games, seats[games]]
            running = np.zeros(len(games), bool)
            rewards[games, seats[games]] = self.reward.paid(before, views[games], running, rewards[games, seats[games]])
