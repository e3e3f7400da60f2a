"""What a seat is paid for its decisions: in one place, for tables, batches and every environment that stands on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.core import BadValue, UnknownName, known_word, shown
from ludus.games import Game

if TYPE_CHECKING:
    from .table import Table

KINDS = ("original", "outcome", "points")  # in the order of the kernels' numbers

SOURCES = ("views", "features")  # what functions are given

OfViews = Callable[[Any], Any]  # views [n] of one seat -> numbers [n]
OfTwo = Callable[[Any, Any], Any]  # views [n] at a seat's last decision, and now -> numbers [n]


@dataclass(frozen=True)
class Reward:
    """What is paid between two decisions of a seat, or from its last one to the end.

    `kind` is "original" (the rules' own `last_reward`), "outcome" (that of the game at its end, else nothing), "points" (the
    change of the lead in points over the best seat of another side), a function of two arrays of views, or None: what the game
    says itself (`Spec.reward`). A `potential` of a view adds discount × potential afterwards − potential before, with no
    potential at the end of a game: that teaches faster and leaves the best play as it is. Functions are given views, or with
    `sees="features"` the features [n, number] of the same views, which costs less.
    """

    kind: str | OfTwo | None = None
    potential: OfViews | None = None
    discount: float = 1.0
    sees: str = "views"

    @classmethod
    def of(cls, game: Game, reward: Reward | str | OfTwo | None) -> Reward:
        """Return a reward as somebody may give it, with its kind settled."""
        given = reward if isinstance(reward, Reward) else cls(reward)
        kind = game.spec.reward if given.kind is None else given.kind
        if not callable(kind) and not (isinstance(kind, str) and kind in KINDS):
            raise UnknownName("reward", kind, [*KINDS, "a function of two views"])
        if not isinstance(given.discount, int | float | np.floating) or not 0 <= given.discount <= 1:
            raise BadValue(f"a discount is a number from 0 to 1, not {shown(given.discount)}")
        if given.potential is not None and not callable(given.potential):
            raise BadValue(f"a potential is a function of views, not {shown(given.potential)}")
        known_word(given.sees, "source of rewards", SOURCES)
        return cls(kind, given.potential, given.discount, given.sees)

    @property
    def number(self) -> int:
        """What the kernels pay."""
        return 0 if callable(self.kind) else KINDS.index(str(self.kind))

    @property
    def has_functions(self) -> bool:
        """Whether kernels alone cannot tell what is paid."""
        return callable(self.kind) or self.potential is not None

    def paid(self, before: Any, after: Any, is_over: Any, kernels: Any) -> Any:
        """Return what is paid [n] for what was seen before and after [n]; `kernels` is what these have paid."""
        count = len(before)
        given = _numbers(self.kind(before, after), count) if callable(self.kind) else kernels
        paid = np.array(given, np.float32)
        if self.potential is not None:
            later = np.where(is_over, 0, _numbers(self.potential(after), count))
            paid += np.asarray(self.discount * later - _numbers(self.potential(before), count), np.float32)
        return paid

    def at(self, table: Table, seat: int) -> Paymaster:
        """Return what pays one seat of one table."""
        return Paymaster(self, table, seat)


def _numbers(given: Any, count: int) -> Any:
    """Return what a function of views gave as numbers of its own [count]."""
    try:
        numbers = np.array(given, np.float64)
    except Exception as error:  # whatever somebody's function returned
        raise BadValue(f"a reward of views gives one number for each of {count} games, not {shown(given)}") from error
    if numbers.shape != (count,):
        raise BadValue(f"a reward of views gives one number for each of {count} games, not {numbers.shape}")
    return numbers


class Paymaster:
    """Pays one seat of one table: `begin` at its first decision, `step` at each later one and at the end."""

    def __init__(self, reward: Reward, table: Table, seat: int) -> None:
        self.reward, self.table, self.seat = reward, table, seat
        self._lead, self._before = 0.0, np.zeros(0)

    def begin(self) -> None:
        """Note how things stand when a game begins: what is paid later is counted from here."""
        self._lead = lead(self.table, self.seat) if self.reward.kind == "points" else 0.0
        self.look()

    def step(self, gained: float) -> float:
        """Return what the seat gets for all since it was paid last; `gained` is the sum of the table's own rewards."""
        reward, table = self.reward, self.table
        paid = gained
        if reward.kind == "outcome":
            paid = table.result().outcome[self.seat] if table.over else 0.0
        elif reward.kind == "points":
            before, self._lead = self._lead, lead(table, self.seat)
            paid = self._lead - before
        if reward.has_functions:
            before_view = self._before
            after = self.look()
            paid = float(reward.paid(before_view, after, np.array([table.over]), np.array([paid]))[0])
        return paid

    def look(self) -> Any:
        """Keep what the seat sees now: rewards of views count from its first decision."""
        if self.reward.has_functions and self.reward.sees == "views":
            self._before = self.table.observe(self.seat).array.copy()
        elif self.reward.has_functions:
            self._before = self.table.features(self.seat)[None].copy()
        return self._before


def lead(table: Table, seat: int) -> float:
    """Return by how many points a seat leads the best seat of another side; its own points where there is none."""
    spec, points = table.spec, table.result().points
    others = [points[other] for other in range(len(spec.seats)) if spec.side(other) != spec.side(seat)]
    return points[seat] - max(others, default=0.0)
