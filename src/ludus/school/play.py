"""Many games at once between bots, networks and searches, written down decision by decision.

Who can decide for many games in one call does so; anybody else (a file, a program in another language) is asked game by game
by a referee. Seeds and settings alone fix the games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from ludus.agents import make_agent
from ludus.arena import Referee, rerun
from ludus.core import RUNNING, BadValue, Record, Result, draw
from ludus.engine import Batch, Table
from ludus.games import Game

from .data import GameRow
from .players import Asked, Player, by_chance, open_player


@dataclass(frozen=True)
class Chance:
    """What makes games differ that would else be alike."""

    temperature: float = 1.0  # of networks and of visits; 0 = always the best, and searches without noise
    temperature_plies: int = 30  # after which the best is played
    opening: int = 0  # up to so many decisions of every game are random, and are not kept
    random_share: float = 0.0  # of decisions that are replaced by random ones, which are not kept either

    def __post_init__(self) -> None:
        if self.temperature < 0 or self.opening < 0 or not 0 <= self.random_share <= 1:
            raise BadValue("temperature and opening are 0 or more, and the share of random decisions is from 0 to 1")


class Kept(Protocol):
    """Where decisions go: a Shard, or something that makes another format of them."""

    paints: dict[str, str]  # what shows a position: by name, the method of a batch or table
    keeps_all: bool  # random decisions, too

    def add(self, games: Any, plies: Any, seats: Any, shown: dict[str, Any], masks: Any, actions: Any, policy: Any) -> None:
        """Take decisions, in own ids; a policy of zeros is none."""
        ...


class Ended(NamedTuple):
    """One game that was played."""

    result: Result
    plies: int
    start: str = ""  # its position, where it was not dealt


def play_games(
    game: Game, words: Sequence[str], numbers: Sequence[int], seed: int, chance: Chance, shard: Kept | None = None,
    device: str = "cpu",
) -> list[GameRow]:  # fmt: skip
    """Play games between agents, a word a seat: number k has the seed + k. Their decisions go into a shard.

    Networks are asked on the device; games are played on the CPU.
    """
    own = seed + (numbers[0] << 24)  # of players, whose chance is another in every unit of work
    by_word = {
        word: open_player(game, word, own + k, chance.temperature > 0, device) for k, word in enumerate(dict.fromkeys(words))
    }
    if any(player is None for player in by_word.values()):
        ended = _refereed(game, words, numbers, seed, chance, shard)
    else:
        table = _Together(game, [by_word[word] for word in words], numbers, seed, chance, shard)
        while table.is_running.any():
            table.step()
        ended = table.ended
    return [
        GameRow(number, seed + number, one.start, tuple(words), one.plies, one.result)
        for number, one in zip(numbers, ended, strict=True)
        if one.result.status != RUNNING  # a referee stopped it through no fault of the agents: it does not count
    ]


class _Together:
    """Games that are being played at once. One that has ended is followed by another, which nobody looks at."""

    def __init__(
        self, game: Game, line_up: Sequence[Any], numbers: Sequence[int], seed: int, chance: Chance, shard: Kept | None
    ) -> None:
        self._n, self._chance, self._shard, self._numbers = len(numbers), chance, shard, np.array(numbers)
        self._rng = rng = np.random.default_rng([seed, *numbers[:1]])
        self._batch = Batch(game, self._n, [seed + number for number in numbers])
        self._bots = [one if isinstance(one, str) else None for one in line_up]
        self._players: list[tuple[Player, Any]] = []  # with the seats of each, as truth values
        for one in {id(one): one for one in line_up if not isinstance(one, str)}.values():
            self._players.append((one, np.array([other is one for other in line_up])))
        self._openings = rng.integers(0, chance.opening + 1, self._n)
        self._ply = 0
        self.is_running = np.ones(self._n, bool)
        self.ended = [Ended(Result(RUNNING, (), ()), 0)] * self._n

    def step(self) -> None:
        """Decide once in every game."""
        batch, chance = self._batch, self._chance
        masks, seats = np.array(batch.legal()), np.array(batch.states["seat"])
        draws = self._rng.random((3, self._n))
        is_free = self.is_running & (self._ply >= self._openings) & (draws[0] >= chance.random_share)
        actions, policy = by_chance(masks, draws[1]), np.zeros(masks.shape, np.float32)
        heat = chance.temperature if self._ply < chance.temperature_plies else 0.0
        is_bot = np.array([bot is not None for bot in self._bots])[seats] & is_free
        if is_bot.any():
            actions[is_bot] = np.asarray(batch.choose(self._bots))[is_bot]
        for player, own in self._players:
            where = np.flatnonzero(own[seats] & is_free)
            if len(where):
                chosen, likely = player.choose(Asked(batch, where, masks[where], heat, draws[2][where]))
                actions[where] = chosen
                if likely is not None:
                    policy[where] = likely
        if self._shard is not None:
            kept = np.flatnonzero(self.is_running if self._shard.keeps_all else is_free)
            self._keep(self._shard, kept, seats, masks, actions, policy)
        batch.step(actions)
        self._end()

    def _keep(self, shard: Kept, where: Any, seats: Any, masks: Any, actions: Any, policy: Any) -> None:
        shown = {name: np.asarray(getattr(self._batch, paint)())[where] for name, paint in shard.paints.items()}
        plies = np.full(len(where), self._ply)
        shard.add(self._numbers[where], plies, seats[where], shown, masks[where], actions[where], policy[where])

    def _end(self) -> None:
        """Note which games have ended."""
        batch, self._ply = self._batch, self._ply + 1
        for k in np.flatnonzero(self.is_running & (np.asarray(batch.done) != 0)):
            outcome, points = tuple(batch.final_outcomes[k].tolist()), tuple(batch.final_points[k].tolist())
            self.ended[k] = Ended(Result(int(batch.done[k]), outcome, points), self._ply)
            self.is_running[k] = False


def _refereed(
    game: Game, words: Sequence[str], numbers: Sequence[int], seed: int, chance: Chance, shard: Kept | None
) -> list[Ended]:
    """Let referees play games one after the other, between agents of any kind."""
    if chance.random_share:
        raise BadValue("random decisions in mid-game need players that decide for many games at once; use an opening")
    agents, ended = [make_agent(game, word) for word in words], []
    try:
        for number in numbers:
            record = Referee(_opened(game, seed + number, chance.opening), agents).finish()
            if shard is not None and record.result.status != RUNNING:
                add_record(shard, record, number)
            ended.append(Ended(record.result, len(record.decisions), record.position))
    finally:
        for agent in agents:
            agent.close()
    return ended


def _opened(game: Game, seed: int, opening: int) -> Table:
    """Return a table at the start of a game, or after a few random decisions, if the game is not over by then."""
    table = Table(game, seed)
    count = draw(table.dice, opening + 1)
    for _ in range(count):
        legal = table.legal()
        table.apply(legal[draw(table.dice, len(legal))])
        if table.over:
            return Table(game, seed)
    return Table(game, seed, position=table.s.copy()) if count else table


def add_record(shard: Kept, record: Record, number: int) -> GameRow:
    """Put the decisions of a record into a shard, and return its game; what stood in for a faulty answer is not kept."""
    rows: list[tuple[int, int, dict[str, Any], Any, int]] = []
    seen: Any = None
    ply = -1
    for table, decision in rerun(record):
        if decision is not None and decision.fault is None and seen is not None:
            own = int(np.flatnonzero(table.game.own_ids[decision.seat] == decision.action)[0])
            rows.append((ply, *seen, own))
        ply += 1
        if not table.over:
            shown = {name: np.array(getattr(table, paint)()) for name, paint in shard.paints.items()}
            seen = table.seat, shown, table.own_mask()
    if rows:
        plies, seats, shows, masks, actions = zip(*rows, strict=True)
        shown = {name: np.stack([one[name] for one in shows]) for name in shard.paints}
        shard.add([number] * len(rows), plies, seats, shown, np.stack(masks), actions, None)
    return GameRow(number, record.seed, record.position, record.agents, len(record.decisions), record.result)
