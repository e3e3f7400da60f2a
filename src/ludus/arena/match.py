"""A match: many games between the same agents, in pairs. Who won, by how much, and how sure that is."""

from __future__ import annotations

import hashlib
import math
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from ludus.agents import seat_agents
from ludus.core import HIGHEST_SEED, BadValue, Fault, Result, dealt_seed, whole_number
from ludus.engine import Batch, Table, compiled_bots
from ludus.games import Game

from .referee import Referee

SURE = 1.96  # standard deviations of a 95 % interval
AT_ONCE = 256  # games inside kernels between two looks at the progress bar


@dataclass(frozen=True)
class Played:
    """One game of a match: `order[seat]` is the number of the agent that sat there."""

    seed: int
    order: tuple[int, ...]
    names: tuple[str, ...]  # of the agents, by seat
    result: Result
    decisions: int
    faults: tuple[Fault, ...] = ()
    forfeit: int | None = None  # the seat that lost by a fault


class Planned(NamedTuple):
    """A game that is to be played."""

    seed: int
    order: tuple[int, ...]


@dataclass
class Match:
    """The games of a match, and what they say of each agent."""

    game: Game
    names: tuple[str, ...]
    games: list[Played] = field(default_factory=list)
    seconds: float = 0.0  # that all of them took
    secret: bytes = b""  # that the seeds were dealt from; b"" = they follow from an open seed

    @property
    def commitment(self) -> str:
        """The hash by which the secret can be committed before the first game."""
        return hashlib.blake2b(self.secret, digest_size=32).hexdigest() if self.secret else ""

    def outcomes(self, agent: int) -> list[float]:
        """Return what the agent got in each game, -1 to 1."""
        return [game.result.outcome[game.order.index(agent)] for game in self.games]

    def points(self, agent: int) -> list[float]:
        """Return the agent's points in each game."""
        return [game.result.points[game.order.index(agent)] for game in self.games]

    def summary(self, agent: int) -> dict[str, Any]:
        """Return wins, draws, losses, the score with its 95 % interval, points, and faults of an agent."""
        outcomes, points, n = self.outcomes(agent), self.points(agent), max(1, len(self.games))
        score = sum((outcome + 1) / 2 for outcome in outcomes) / n
        low, high = wilson(score, n)
        mean = sum(points) / n
        return {
            "agent": self.names[agent],
            "games": len(self.games),
            "wins": sum(outcome > 0 for outcome in outcomes),
            "draws": sum(outcome == 0 for outcome in outcomes),
            "losses": sum(outcome < 0 for outcome in outcomes),
            "score": score,
            "score_low": low,
            "score_high": high,
            "points_mean": mean,
            "points_deviation": math.sqrt(sum((x - mean) ** 2 for x in points) / n),
            "faults": sum(fault.seat == game.order.index(agent) for game in self.games for fault in game.faults),
            "forfeits": sum(game.forfeit == game.order.index(agent) for game in self.games),
        }


def play_match(
    game: Game,
    agents: list[Any],
    games: int,
    seed: int | None = None,
    swap: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    match: Match | None = None,
) -> Match:
    """Play games one after the other; with `swap` each set-up is played once for every order of the seats.

    Game by game the seeds follow from an open `seed`, or from a secret that is drawn now. With `swap` the number of games is
    rounded up to whole rounds. A `match` that is given has what was played even if somebody interrupts.
    """
    seats = len(game.spec.seats)
    if len(agents) != seats:
        raise BadValue(f"{game.spec.title} needs {seats} agents ({', '.join(game.spec.seats)}), not {len(agents)}")
    players = seat_agents(game, agents)
    match = match if match is not None else Match(game, ())
    match.names = tuple(player.name for player in players)
    match.secret = match.secret or (secrets.token_bytes(16) if seed is None else b"")
    planned, started = _planned(seats, games, seed, match.secret, swap), time.perf_counter()
    try:
        if all(agent in compiled_bots(game) for agent in agents):
            played = _in_kernels(game, agents, planned)
        else:
            played = (_refereed(game, players, plan) for plan in planned)
        for one in played:
            match.games.append(one)
            progress(len(match.games))
    finally:
        match.seconds = time.perf_counter() - started
    return match


def round_up(games: int, seats: int, swap: bool) -> int:
    """Return how many games are played: with `swap` whole rounds."""
    return -(-games // seats) * seats if swap else games


def _planned(seats: int, games: int, seed: int | None, secret: bytes, swap: bool) -> Iterator[Planned]:
    """Give seed and order of every game; those of one round have the same seed."""
    orders = [tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats if swap else 1)]
    first = 0 if seed is None else whole_number(seed, "seed", 0, HIGHEST_SEED - games)
    for number in range(round_up(games, seats, swap)):
        number_of_round = number // len(orders)
        own = dealt_seed(secret, number_of_round) if secret else first + number_of_round
        yield Planned(own, orders[number % len(orders)])


def _refereed(game: Game, players: list[Any], plan: Planned) -> Played:
    """Play one game between agents."""
    record = Referee(Table(game, plan.seed), [players[agent] for agent in plan.order]).finish()
    return Played(plan.seed, plan.order, record.agents, record.result, len(record.decisions), record.faults, record.forfeit)


def _in_kernels(game: Game, bots: list[str], planned: Iterator[Planned]) -> Iterator[Played]:
    """Play built-in bots inside kernels: the same games as a referee would let them play, thousands a second."""
    while some := list(islice(planned, AT_ONCE)):
        found: dict[int, Played] = {}
        for order in {plan.order for plan in some}:
            places = [place for place, plan in enumerate(some) if plan.order == order]
            batch = Batch(game, len(places), [some[place].seed for place in places])
            names = tuple(bots[agent] for agent in order)
            lengths = batch.finish(names)
            status, outcomes, points = batch.result()
            for i, place in enumerate(places):
                result = Result(int(status[i]), tuple(outcomes[i].tolist()), tuple(points[i].tolist()))
                found[place] = Played(some[place].seed, order, names, result, int(lengths[i]))
        yield from (found[place] for place in range(len(some)))


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share seen in n games."""
    middle = (share + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
    reach = SURE * math.sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n)) / (1 + SURE**2 / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)
