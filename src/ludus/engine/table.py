"""Table: one game, one decision at a time, for people, agents and environments.

It is a batch of one whose kernels are called directly: about half a microsecond a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ludus.core.errors import BadValue, IllegalAction, whole_number
from ludus.core import LIMIT, Result
from ludus.core.rng import Rng
from ludus.games import Game

from .batch import ENCODE, LONGEST_GAME, Batch
from .kernels import STEPS, needs

class Table:
    """One game at a time. `s` is its row, `view` the row that `observe` fills; both are overwritten as play goes on."""

    def __init__(self, game: Game | str, seed: int = 0, device: str = "cpu", position: Any = None, **options: Any) -> None:
        if device not in ("pure", "cpu"):
            raise BadValue(f"one game at a time runs on pure or cpu, not on {device!r}; use Batch for many")
        self.batch = batch = Batch(game, 1, seed, device, restart=False, **options)
        self.game, self.spec = batch.game, batch.game.spec
        self._legal, self._observe, self._step, self._result = self._bound("legal_ids", "observe", "step", "result")
        desk = batch.desk
        self._encode: tuple[Callable[[], None], ...] = ()  # compiled when planes are first asked for
        self.s, self.view, self.rng = desk.states.view(np.recarray)[0], desk.views.view(np.recarray)[0], desk.rngs[0]
        self.mask = desk.masks[0, : self.spec.actions]
        # Memoryviews read and write single numbers several times faster than arrays do.
        self._ids, self._count = memoryview(desk.ids[0]), memoryview(desk.counts)
        self._marks, self._action = memoryview(desk.masks[0]), memoryview(desk.actions)
        self._plan, self._done, self._rewards = (
            memoryview(desk.plan),
            memoryview(desk.done),
            memoryview(desk.rewards[0]),
        )
        self._seat = memoryview(desk.states["seat"])
        self._is_marked = False
        if position is not None:
            self.load(position)
        batch.check_positions()

    def new(self, seed: int | None = None) -> None:
        """Start another game, with new chance if a seed is given."""
        self.batch.new(seed)
        self._is_marked = False

    def load(self, position: Any) -> None:
        """Take a position: a row of State, or its text."""
        self.batch.load(self.game.parse(position).array if isinstance(position, str) else position)
        self._is_marked = False

    @property
    def seat(self) -> int:
        """The seat to move."""
        return self._seat[0]

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to move, in ascending order; none after the end."""
        if not self._is_marked:
            self._legal()
            self._is_marked = True
        return self._ids[: self._count[0]].tolist()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        if not self._is_marked:
            self._legal()
            self._is_marked = True
        return self._count[0] == 0

    def observe(self, seat: int = -1) -> Any:
        """Return what a seat, by default the one to move, may know."""
        self._plan[0] = seat
        self._observe()
        return self.view

    def encode(self, seat: int = -1) -> Any:
        """Return that as planes [channel, y, x]."""
        if not self._encode:
            self._encode = self._bound(*ENCODE)
            self.planes = self.batch.desk.planes[0]
        self._plan[0] = seat
        for call in self._encode:
            call()
        return self.planes

    def _bound(self, *kernels: str) -> tuple[Callable[[], None], ...]:
        """Return calls of kernels on this game, their arrays made."""
        batch = self.batch
        for name in kernels:
            batch._need(*needs(batch._backend.kernel(name)))
        return tuple(batch._backend.bound(name, batch.desk) for name in kernels)

    def apply(self, action: int, chance: Rng = None) -> None:
        """Play an action of the seat to move; `chance` (a Tape) stands in for the game's own."""
        if not self._is_marked:
            self._legal()
            self._is_marked = True
        try:
            if self._marks[action] == 0 or action < 0 or action is True or action is False:
                self.check(action)
        except (TypeError, IndexError):
            self.check(action)
        if chance is not None:
            self.game.rules.apply(self.s, action, chance)
            self.batch.desk.rewards[0] = self.s.last_reward * self.spec.reward_unit
        else:
            self._action[0] = action
            self._step()
        self._is_marked = False

    def why_not(self, seat: int, action: object) -> str:
        """Return the reason for which an action of a seat is refused, or ""."""
        try:
            number = whole_number(action, "an action", 0, self.spec.actions - 1)
        except BadValue:
            number = -1
        reason: str = self.game.why_not(self.s, seat, number)
        return reason

    def check(self, action: object) -> None:
        """Raise if the seat to move may not play this action."""
        number = whole_number(action, f"an action of {self.spec.title}", 0, self.spec.actions - 1)
        if self.over:
            raise IllegalAction("the game is over; start another one with new()", "game_over")
        if self.spec.refuses and not self._marks[number]:
            reason = self.why_not(self.seat, number)
            name = self.game.action_name(number, self.s)
            legal = ", ".join(self.game.action_name(k, self.s) for k in self.legal())
            raise IllegalAction(f"{name} is refused ({reason}); legal are: {legal}", reason)

    def set_bots(self, bots: Iterable[str | None]) -> None:
        """Seat built-in bots by name for `play_bots`; None is a seat that they leave alone. Their memories are empty."""
        batch = self.batch
        batch.set_bots(bots)
        batch._need("scratch_words")
        (self._answer,) = self._bound("answer")
        self.forget()

    def forget(self) -> None:
        """Empty the bots' memories, as at the start of a game."""
        self.batch.desk.scratch_words[:] = 0

    def play_bots(self) -> list[float]:
        """Let the bots play until a seat without one is to move or the game is over; return what each seat got meanwhile."""
        gains = self.batch.desk.gains[0]
        gains[:] = 0
        self._plan[STEPS] = LONGEST_GAME
        self._answer()
        self._is_marked = False
        return (gains * self.spec.reward_unit).tolist()  # type: ignore[no-any-return]

    @property
    def rewards(self) -> list[float]:
        """What the last action gave each seat."""
        rewards: list[Any] = self._rewards.tolist()
        return rewards

    def result(self) -> Result:
        """Return how the game stands."""
        self._result()
        desk = self.batch.desk
        return Result(int(desk.status[0]), tuple(desk.outcomes[0].tolist()), tuple(desk.points[0].tolist()))
