"""What is paid to all seats of one table, where all of them are played from outside."""

from __future__ import annotations

from typing import Any

from ludus.engine import Reward, Table


class Paying:
    """Pays every seat: with the rules' own rewards at once, with others when the seat is to decide again, and at the end."""

    def __init__(self, table: Table, reward: Any) -> None:
        settled = Reward.of(table.game, reward)
        self.is_original = settled.kind == "original" and not settled.has_functions
        self._is_at_end = settled.kind == "outcome" and not settled.has_functions
        self._table, seats = table, range(len(table.spec.seats))
        self._masters = [] if self.is_original else [settled.at(table, seat) for seat in seats]
        self._gained, self._nothing = [0.0 for _ in seats], [0.0 for _ in seats]

    def begin(self) -> None:
        """Count from here: a game begins."""
        for seat, master in enumerate(self._masters):
            master.begin()
            self._gained[seat] = 0.0

    def after(self, rewards: list[float]) -> list[float]:
        """Return what each seat is paid after an action, which gave these rewards of the rules."""
        if self.is_original:
            return rewards
        if self._is_at_end and not self._table.over:
            return self._nothing
        for seat, reward in enumerate(rewards):
            self._gained[seat] += reward
        due = range(len(rewards)) if self._table.over else (self._table.seat,)
        paid = [0.0 for _ in rewards]
        for seat in due:
            paid[seat], self._gained[seat] = self._masters[seat].step(self._gained[seat]), 0.0
        return paid

    def all(self, rewards: list[float]) -> list[float]:
        """Return what each seat is paid after a turn of all of them."""
        return rewards if self.is_original else [master.step(r) for master, r in zip(self._masters, rewards, strict=True)]
