"""What ratings need to know of a game: who sat where, how it ended, and which games depend on each other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Any, NamedTuple

Kind = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]  # who plays on each side, and the place of each side


class Scored(NamedTuple):
    """One game that counts."""

    entrants: tuple[int, ...]  # by seat: the number of whoever sat there, from 0 on
    outcome: tuple[float, ...]  # by seat, -1 to 1
    points: tuple[float, ...]  # by seat, in the game's own unit
    pair: Hashable  # the set-up: games of one set-up depend on each other
    faults: tuple[int, ...] = ()  # by seat: how many
    number: int = 0  # by which the game is found again


@dataclass(frozen=True)
class Field:
    """Who takes part, how seats belong together, and all games in the order in which they were started."""

    names: tuple[str, ...]
    seats: tuple[str, ...]
    sides: tuple[int, ...]  # by seat: seats of one side win together
    games: Sequence[Scored] = field(repr=False)
    _kinds: dict[Any, Kind] = field(default_factory=dict, repr=False, compare=False)  # of games that ended alike

    @cached_property
    def pairs(self) -> list[list[Scored]]:
        """The games of each set-up, in start order."""
        found: dict[Hashable, list[Scored]] = {}
        for game in self.games:
            found.setdefault(game.pair, []).append(game)
        return list(found.values())

    @cached_property
    def turns(self) -> int:
        """How many games a round has."""
        return max(map(len, self.pairs), default=len(set(self.sides)))

    @cached_property
    def seated(self) -> list[list[tuple[Scored, int]]]:
        """The games of each entrant, with the seat that it had; one with several seats of a game is there as often."""
        found: list[list[tuple[Scored, int]]] = [[] for _ in self.names]
        for game in self.games:
            for seat, who in enumerate(game.entrants):
                found[who].append((game, seat))
        return found

    def line_up(self, entrants: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return who plays on each side."""
        seated = list(zip(self.sides, entrants, strict=True))
        return tuple(tuple(who for own, who in seated if own == side) for side in sorted(set(self.sides)))

    def kind(self, game: Scored) -> Kind:
        """Return who played on each side, and the place of each side: 0 for the best, equal ones for equal outcomes."""
        key = (game.entrants, game.outcome)
        if key not in self._kinds:
            sides: dict[int, list[float]] = {}
            for side, outcome in zip(self.sides, game.outcome, strict=True):
                sides.setdefault(side, []).append(outcome)
            outcomes = [round(fmean(some), 9) for _, some in sorted(sides.items())]
            better = sorted(set(outcomes), reverse=True)
            self._kinds[key] = self.line_up(game.entrants), tuple(better.index(outcome) for outcome in outcomes)
        return self._kinds[key]


def score_against(game: Scored, sides: Sequence[int], one: int, other: int) -> float | None:
    """Return what one scored against another in a game, 0 to 1, or None if they did not meet on different sides."""
    mine, theirs = _seats(game, one), _seats(game, other)
    if one == other or not any(sides[a] != sides[b] for a in mine for b in theirs):
        return None
    gap = _mean(game.outcome, mine) - _mean(game.outcome, theirs)
    return 0.5 + 0.5 * (gap > 1e-9) - 0.5 * (gap < -1e-9)


def margin(game: Scored, one: int, other: int) -> float:
    """Return how many points one had more than another."""
    return _mean(game.points, _seats(game, one)) - _mean(game.points, _seats(game, other))


def _seats(game: Scored, who: int) -> list[int]:
    return [seat for seat, entrant in enumerate(game.entrants) if entrant == who]


def _mean(values: Sequence[float], seats: Sequence[int]) -> float:
    return sum(values[seat] for seat in seats) / len(seats)
