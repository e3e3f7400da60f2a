"""Ratings that move with every game (openskill's Plackett-Luce model): for live tables, and for curves over a tournament."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from ludus.core import MissingExtra

from .scored import Field, Scored
from .strength import ELO

MOST_GAMES = 20_000  # that a curve is drawn from; of more every second, third … round


class Level(NamedTuple):
    """A rating of the moment, in points of Elo around those of a newcomer."""

    rating: float
    error: float  # half of its 95 % interval, as the model believes


class Online:
    """The ratings of a field as its games come in."""

    def __init__(self, field: Field) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise MissingExtra("openskill", "contest") from None
        self.field, self._model = field, PlackettLuce()
        self._levels: list[Any] = [self._model.rating(name=name) for name in field.names]
        self._unit = ELO / (
            math.sqrt(2) * self._model.beta
        )  # points of Elo a unit of its scale, between two that are well known

    def add(self, game: Scored) -> None:
        """Take in a game; one in which a bot plays against itself tells nothing."""
        line_up, ranking = self.field.kind(game)
        sides = [sorted(set(side)) for side in line_up]
        if len({who for side in sides for who in side}) < sum(map(len, sides)):
            return
        rated = self._model.rate([[self._levels[who] for who in side] for side in sides], ranks=list(ranking))
        for side, levels in zip(sides, rated, strict=True):
            for who, level in zip(side, levels, strict=True):
                self._levels[who] = level

    def levels(self) -> list[Level]:
        """Return the ratings of the moment."""
        return [Level(self._unit * (level.mu - self._model.mu), 1.96 * self._unit * level.sigma) for level in self._levels]


def curves(field: Field, points: int = 60) -> list[tuple[int, list[Level]]]:
    """Return the ratings after so many games, at about so many moments of a tournament, beginning with none."""
    pairs = field.pairs
    step = max(1, math.ceil(len(field.games) / MOST_GAMES))
    online = Online(field)
    found, done = [(0, online.levels())], 0
    moments = _moments(len(pairs), points)
    for number, games in enumerate(pairs, 1):
        done += len(games)
        if number % step == 0:
            for game in games:
                online.add(game)
        if number in moments:
            found.append((done, online.levels()))
    return found


def _moments(pairs: int, points: int) -> set[int]:
    wanted: Iterable[int] = (round(k * pairs / points) for k in range(1, points + 1))
    return {max(1, moment) for moment in wanted} if pairs else set()
