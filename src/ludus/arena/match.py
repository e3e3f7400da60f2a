"""A match: many games between the same agents, in pairs. Who won, by how much, and how sure that is."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from itertools import groupby
from statistics import fmean
from typing import Any

from ludus.core import RUNNING, Fault, Result
from ludus.games import Game

from .rating import SURE_ENOUGH, about, in_percent, interval, surety

NOT_SWAPPED = "nobody changed seats, so it may be the seats' doing: --swap tells who is better"


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
    answers: tuple[tuple[int, float, float], ...] = field(default=(), compare=False)  # by seat: count, seconds, the longest
    overheads: Any = field(default=(), compare=False)  # seconds of each decision beside the agents' own

    @property
    def is_void(self) -> bool:
        """Whether it does not count: it was stopped through no fault of the agents."""
        return self.result.status == RUNNING


@dataclass
class Match:
    """The games of a match, and what they say of each agent."""

    game: Game
    names: tuple[str, ...]
    games: list[Played] = field(default_factory=list)
    seconds: float = 0.0  # that all of them took
    secret: bytes = b""  # that the seeds were dealt from; b"" = they follow from an open seed
    levels: tuple[str, ...] = ()  # what keeps each agent apart from the rest
    clock: str = "inf"

    @property
    def commitment(self) -> str:
        """The hash by which the secret is committed before the first game."""
        return commitment_of(self.secret) if self.secret else ""

    @property
    def counted(self) -> list[Played]:
        """The games that count."""
        return [game for game in self.games if not game.is_void]

    def outcomes(self, agent: int) -> list[float]:
        """Return what the agent got in each game, -1 to 1."""
        return [game.result.outcome[game.order.index(agent)] for game in self.counted]

    def points(self, agent: int) -> list[float]:
        """Return the agent's points in each game."""
        return [game.result.points[game.order.index(agent)] for game in self.counted]

    def rounds(self, agent: int) -> list[float]:
        """Return the agent's mean score, 0 to 1, in each round: the games of one set-up, which depend on each other."""
        rounds = groupby(zip(self.counted, self.outcomes(agent), strict=True), key=lambda pair: pair[0].seed)
        return [fmean((outcome + 1) / 2 for _, outcome in games) for _, games in rounds]

    def summary(self, agent: int) -> dict[str, Any]:
        """Return wins, draws, losses, the score with its 95 % interval over rounds, points and faults of an agent."""
        outcomes, points, n = self.outcomes(agent), self.points(agent), max(1, len(self.counted))
        score = sum((outcome + 1) / 2 for outcome in outcomes) / n
        low, high = interval(self.rounds(agent))
        mean = sum(points) / n
        return {
            "agent": self.names[agent],
            "games": len(self.counted),
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

    def pace(self, agent: int) -> dict[str, float]:
        """Return how many answers an agent gave, and what they took in ms: on average, and at worst."""
        mine = [game.answers[game.order.index(agent)] for game in self.games if game.answers]
        count = sum(answers for answers, _, _ in mine)
        mean = 1000 * sum(seconds for _, seconds, _ in mine) / count if count else 0.0
        return {"answers": count, "mean_ms": mean, "worst_ms": 1000 * max((longest for _, _, longest in mine), default=0.0)}

    def by_seat(self, agent: int) -> dict[str, dict[str, float]]:
        """Return games and score of an agent in each seat that it had."""
        found: dict[str, dict[str, float]] = {}
        for seat, name in enumerate(self.game.spec.seats):
            scores = [(game.result.outcome[seat] + 1) / 2 for game in self.counted if game.order[seat] == agent]
            if scores:
                found[name] = {"games": len(scores), "score": fmean(scores)}
        return found

    def overhead_ms(self) -> tuple[float, float]:
        """Return what the referee itself took for a decision: the median, and what 99 of 100 stay below."""
        times = sorted(seconds for game in self.games for seconds in game.overheads)
        if not times:
            return 0.0, 0.0
        return 1000 * times[len(times) // 2], 1000 * times[min(len(times) - 1, len(times) * 99 // 100)]

    def verdict(self) -> str:
        """Say in words what the match has decided: the best bot against the next one that did otherwise."""
        scores = {name: self._rounds_of(name) for name in self.names}
        order = sorted(scores, key=lambda name: -fmean(scores[name] or [0.5]))
        if len(order) == 1:
            return "nothing to decide: one bot has all seats"
        for other in order[1:]:
            gaps = [a - b for a, b in zip(scores[order[0]], scores[other], strict=True)]
            if sum(gaps) > 1e-9:
                return self._in_words(order[0], gaps)
        return "not decided: no difference was seen"

    def _rounds_of(self, name: str) -> list[float]:
        """Return the mean score a round of all agents that are one bot."""
        rounds = [self.rounds(agent) for agent, other in enumerate(self.names) if other == name]
        return [fmean(scores) for scores in zip(*rounds, strict=True)]

    def _in_words(self, best: str, gaps: list[float]) -> str:
        """Judge the lead of a bot over another in each round; where nobody changed seats it may be the seats' doing."""
        share, more = surety(gaps)
        seats = [seat for agent, name in enumerate(self.names) if name == best for seat in self.by_seat(agent)]
        is_swapped = len({game.order for game in self.counted}) > 1
        who, hint = (best, "") if is_swapped else (f"{best} as {' and '.join(seats)}", "; " + NOT_SWAPPED)
        if share >= SURE_ENOUGH:
            percent = in_percent(share)
            return f"{best} is better, {percent}" if is_swapped else f"{who} scores more, {percent}{hint}"
        games = about(more * len(self.counted) / len(gaps))
        return f"not decided: {who} leads, {100 * share:.0f} %; about {games} more games would tell{hint}"


def commitment_of(secret: bytes) -> str:
    """Return the hash that fixes a secret and tells nothing of it."""
    return hashlib.blake2b(secret, digest_size=32).hexdigest()
