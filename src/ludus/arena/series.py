"""Many games between the same agents: who won, by how much, and how sure that is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ludus.agents import seat_agents
from ludus.core.errors import BadValue
from ludus.engine import Batch, Result, Table
from ludus.engine.kernels import compiled_bots
from ludus.games import Game

from .match import Match, Played

SURE = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True)
class Seated:
    """One game of a series: `order[seat]` is the number of the agent that sat there."""

    seed: int
    order: tuple[int, ...]
    played: Played


@dataclass
class Series:
    """The games of a series, and what they say of each agent."""

    game: Game
    names: tuple[str, ...]
    games: list[Seated] = field(default_factory=list)
    seconds: float = 0.0  # that all of them took

    def outcomes(self, agent: int) -> list[float]:
        """Return what the agent got in each game, -1 to 1."""
        return [game.played.result.outcome[game.order.index(agent)] for game in self.games]

    def points(self, agent: int) -> list[float]:
        """Return the agent's points in each game."""
        return [game.played.result.points[game.order.index(agent)] for game in self.games]

    def summary(self, agent: int) -> dict[str, Any]:
        """Return wins, draws, losses, the score with its 95 % interval, points, and faults of an agent."""
        outcomes, points, n = self.outcomes(agent), self.points(agent), len(self.games)
        score = sum((outcome + 1) / 2 for outcome in outcomes) / n
        low, high = wilson(score, n)
        mean = sum(points) / n
        return {
            "agent": self.names[agent],
            "games": n,
            "wins": sum(outcome > 0 for outcome in outcomes),
            "draws": sum(outcome == 0 for outcome in outcomes),
            "losses": sum(outcome < 0 for outcome in outcomes),
            "score": score,
            "score_low": low,
            "score_high": high,
            "points_mean": mean,
            "points_deviation": math.sqrt(sum((x - mean) ** 2 for x in points) / n),
            "faults": sum(fault.seat == game.order.index(agent) for game in self.games for fault in game.played.faults),
            "forfeits": sum(game.played.forfeit == game.order.index(agent) for game in self.games),
        }


def play_series(
    game: Game,
    agents: list[Any],
    games: int,
    seed: int = 0,
    swap: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Series:
    """Play games one after the other; with `swap` each set-up is played once for every order of the seats."""
    seats = len(game.spec.seats)
    if len(agents) != seats:
        raise BadValue(f"{game.spec.title} needs {seats} agents ({', '.join(game.spec.seats)}), not {len(agents)}")
    orders = [tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats if swap else 1)]
    started = time.perf_counter()
    if all(agent in compiled_bots(game) for agent in agents):
        series = _compiled_series(game, agents, games, seed, orders, progress)
        series.seconds = time.perf_counter() - started
        return series
    players = seat_agents(game, agents)
    series = Series(game, tuple(player.name for player in players))
    for number in range(games):
        order, own_seed = orders[number % len(orders)], seed + number // len(orders)
        match = Match(Table(game, own_seed), [players[agent] for agent in order], own_seed)
        series.games.append(Seated(own_seed, order, match.finish()))
        progress(number + 1)
    series.seconds = time.perf_counter() - started
    return series


def _compiled_series(
    game: Game, bots: list[str], games: int, seed: int, orders: list[tuple[int, ...]], progress: Callable[[int], None]
) -> Series:
    """Play built-in bots inside kernels: the same set-ups for every order, thousands of games a second."""
    series = Series(game, tuple(bots))
    each = -(-games // len(orders))
    for order in orders:
        batch = Batch(game, each, seed)
        names = tuple(bots[agent] for agent in order)
        lengths = batch.finish(names)
        status, outcomes, points = batch.result()
        for i in range(min(each, games - len(series.games))):
            result = Result(int(status[i]), tuple(outcomes[i].tolist()), tuple(points[i].tolist()))
            series.games.append(Seated(seed, order, Played(names, result, int(lengths[i]))))
        progress(len(series.games))
    return series


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share seen in n games."""
    middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
    reach = SURE * math.sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n)) / (1 + SURE**2 / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)
