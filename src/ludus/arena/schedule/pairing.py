"""What formats are made of: pairings, the field, the orders of the seats, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ludus.core import Spec


class Pairing(NamedTuple):
    """A set-up between some entrants, to be played once for every order of the seats."""

    round: int  # from 1 on
    entrants: tuple[int, ...]  # one a place
    setup: int  # its number, from 0 on: seed and position follow from it

    @property
    def label(self) -> str:
        """What tells it from every other one of the tournament."""
        return f"{self.round}/{'-'.join(map(str, self.entrants))}/{self.setup}"


class Scored(Protocol):
    """A game that was played, as far as formats look at it."""

    @property
    def entrants(self) -> tuple[int, ...]: ...
    @property
    def outcome(self) -> tuple[float, ...]: ...
    @property
    def points(self) -> tuple[float, ...]: ...


@dataclass(frozen=True)
class Field:
    """Who takes part, and how many play in a game; `played` gives the games of a round as the ledger has them."""

    entrants: tuple[int, ...]  # in order of entry, which is that of the seeding
    places: int  # entrants in a game
    setups: int  # for each pairing
    rounds: int
    played: Callable[[int], Iterable[Scored]]


Format = Callable[[Field], Iterator[list[Pairing]]]


def places_of(spec: Spec, sides: str) -> tuple[int, ...]:
    """Return by seat the place whose entrant sits there: with "one" entrant a side, seats of a side have the same."""
    if sides == "each":
        return tuple(range(len(spec.seats)))
    known = sorted({spec.side(seat) for seat in range(len(spec.seats))})
    return tuple(known.index(spec.side(seat)) for seat in range(len(spec.seats)))


def orders(entrants: Sequence[int], setup: int) -> list[tuple[int, ...]]:
    """Return who has which place in each game of a set-up: everybody has every place once.

    With three places or more, neighbours stay neighbours as the places rotate; every other set-up goes round the other way.
    """
    ring = list(entrants) if setup % 2 == 0 else [entrants[0], *reversed(entrants[1:])]
    return [tuple(ring[(place + turn) % len(ring)] for place in range(len(ring))) for turn in range(len(ring))]


def scores(games: Iterable[Scored]) -> dict[int, tuple[float, float]]:
    """Return by entrant the sum of its scores, 0 to 1 a game, and of its points."""
    found: dict[int, tuple[float, float]] = {}
    for game in games:
        for entrant in set(game.entrants):
            seats = [seat for seat, other in enumerate(game.entrants) if other == entrant]
            score, points = found.get(entrant, (0.0, 0.0))
            score += sum((game.outcome[seat] + 1) / 2 for seat in seats) / len(seats)
            points += sum(game.points[seat] for seat in seats) / len(seats)
            found[entrant] = (score, points)
    return found
