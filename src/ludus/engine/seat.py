"""One seat of every game of a batch, played from outside while built-in bots play the others inside the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludus.core import BadValue, LudusError

from .kernels import AFTER_ACTION, AS_IT_STANDS, BEGIN, NEW_GAME, SEAT, STEPS
from .memory import ENCODE, LONGEST_GAME

if TYPE_CHECKING:
    from .batch import Batch


class Seen(NamedTuple):
    """What a learner gets: the batch's own arrays, overwritten by the next call."""

    planes: Any  # [n, channel, y, x] of the seat, in its own frame
    mask: Any  # [n, actions] what it may play, in its own ids
    reward: Any  # [n] what it got since its last decision
    done: Any  # [n] how the game before ended with this step: 0 not, 1 decided, 2 by a limit; another one has begun


class Seat:
    """A seat that is played from outside. An illegal action is replaced by any legal one: see `replaced`."""

    def __init__(self, batch: Batch, seat: int, bots: Any) -> None:
        self.batch, self.number = batch, seat
        seats = len(batch.game.spec.seats)
        chosen = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots] * seats
        if len(chosen) == seats:
            chosen[seat] = None
        if chosen.count(None) > 1:
            raise BadValue("every other seat needs a bot")
        batch._seat_bots(chosen)
        self._bots = chosen
        self._version = -1  # of the positions that the seat was shown last

    def reset(self, seed: int | Sequence[int] | None = None, positions: Any = None) -> Seen:
        """Begin new games, or go on from positions, and let the bots play up to the seat's first decision."""
        batch = self.batch
        if seed is not None:
            batch.seed(seed)
        if positions is not None:
            batch.load(positions)
            if not np.asarray(batch.host(batch.counts())).all():
                raise LudusError("a game is over before the seat's first decision; give another position")
        return self._go(NEW_GAME if positions is None else AS_IT_STANDS)

    def step(self, actions: Any) -> Seen:
        """Play a decision of the seat in every game, then the bots' up to its next one; new games follow finished ones."""
        if self._version != self.batch.version:
            raise LudusError("the positions are not those that the seat was shown last; begin with reset()")
        self.batch._copy_actions(actions)
        return self._go(AFTER_ACTION)

    def _go(self, begin: int) -> Seen:
        batch = self.batch
        batch._plan(SEAT, self.number)
        batch._plan(STEPS, LONGEST_GAME)
        batch._plan(BEGIN, begin)
        batch._run("clear_own_masks", "seat_step", *ENCODE)
        if batch.device != "cuda":
            batch.check_bots()
        self._version = batch.version
        buffers = batch._buffers
        return Seen(buffers.planes, buffers.own_masks, self._column("rewards"), buffers.done)

    def _column(self, field: str) -> Any:
        """Return the seat's column of an array [n, seat]."""
        return self.batch._backend.column(getattr(self.batch._buffers, field), self.number)

    @property
    def mask(self) -> Any:
        """What the seat may play [n, actions], in its own ids."""
        return self.batch._buffers.own_masks

    @property
    def replaced(self) -> Any:
        """What was played for an illegal action [n], in own ids; -1 where the seat's own was."""
        return self.batch._buffers.replaced

    @property
    def final_planes(self) -> Any:
        """The seat's planes [n, channel, y, x] at the end of each game's last finished one."""
        return self.batch._buffers.final_planes

    @property
    def final_outcomes(self) -> Any:
        """The seat's outcomes [n] of each game's last finished one."""
        return self._column("final_outcomes")

    @property
    def final_points(self) -> Any:
        """The seat's points [n] of each game's last finished one."""
        return self._column("final_points")

    @property
    def decisions(self) -> int:
        """How many decisions all seats have made since the first reset."""
        return int(self.batch._backend.total(self.batch._buffers.tally)[0])
