"""Two agents against each other in many games at once: every set-up from every side, scores by round."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from ludus.arena import Match, Played
from ludus.games import Game

from .play import Chance, play_games

CALM = Chance(temperature=0.0)


def sides_of(game: Game) -> list[int]:
    """Return the sides of a game, each once."""
    return list(dict.fromkeys(game.spec.side(seat) for seat in range(len(game.spec.seats))))


def play_rounds(game: Game, one: str, other: str, first: int, count: int, seed: int, chance: Chance = CALM) -> list[Played]:
    """Play rounds first to first + count − 1: in each the first agent has one side after the other, at the same set-up."""
    orders = [tuple(int(game.spec.side(k) != side) for k in range(len(game.spec.seats))) for side in sides_of(game)]
    names, found = (one, other), []
    for order in orders:
        words = [names[agent] for agent in order]
        for row in play_games(game, words, range(first, first + count), seed, chance):
            found.append(Played(row.seed, order, tuple(words), row.result, row.plies))
    return sorted(found, key=lambda played: (played.seed, orders.index(played.order)))


def round_scores(game: Game, played: list[Played]) -> list[float]:
    """Return the first agent's mean score, 0 to 1, in each round that all its games are there of."""
    rounds: dict[int, list[float]] = {}
    for one in played:
        rounds.setdefault(one.seed, []).append((one.result.outcome[one.order.index(0)] + 1) / 2)
    return [fmean(scores) for scores in rounds.values() if len(scores) == len(sides_of(game))]


def evaluate(
    game: Game, one: str, other: str, rounds: int, seed: int = 0, at_once: int = 64, chance: Chance = CALM
) -> Iterator[Match]:
    """Give the match as it grows: so many rounds between two agents."""
    match = Match(game, (one, other))
    for first in range(0, rounds, at_once):
        match.games += play_rounds(game, one, other, first, min(at_once, rounds - first), seed, chance)
        yield match
