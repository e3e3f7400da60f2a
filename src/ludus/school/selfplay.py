"""Self-play: a plan of games becomes a folder of shards, here, in processes or on a cluster; killed at any time, it goes on.

A unit of work is one file. Its games follow from the plan and its number alone, so that a unit that was lost is played again
and gives the same file; which files are there is all that is remembered.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from ludus.agents import make_agent
from ludus.core import HIGHEST_SEED, BadValue, LudusError, one_line, whole_number
from ludus.games import Game, load
from ludus.scale import workers

from .data import GameRow, Shard, finish_folder, shard_name
from .files import clear_parts, write_text
from .play import Chance, play_games

PLAN = "plan.json"
MOST_TOGETHER = 256  # games in a file, by default


class Plan(msgspec.Struct, frozen=True):
    """What is to be played. Two runs of one plan give the same files."""

    game: str
    rules: int
    options: dict[str, int]
    agents: tuple[str, ...]  # a word a seat
    games: int
    seed: int = 0  # game number k has the seed + k
    shard_games: int = MOST_TOGETHER
    pool: tuple[str, ...] = ()  # the first agent sits on each seat in turn, the others are drawn from these
    chance: Chance = Chance()
    hashes: dict[str, str] = {}  # of the agents' files, by word

    def line_up(self, number: int) -> tuple[str, ...]:
        """Return who sits where in a game."""
        if not self.pool:
            return self.agents
        seats = len(self.agents)
        others = np.random.default_rng([self.seed, number]).integers(0, len(self.pool), seats)
        return tuple(self.agents[0] if seat == number % seats else self.pool[k] for seat, k in enumerate(others))

    @property
    def shards(self) -> int:
        """How many files there will be."""
        return -(-self.games // self.shard_games)


class Made(NamedTuple):
    """What a worker tells of a file that it has written."""

    number: int
    games: int
    rows: int
    plies: int
    outcomes: list[tuple[float, ...]]  # by game and seat
    seconds: float
    memory_mb: int  # of the worker, at its highest


def make_plan(
    game: Game, agents: list[str], games: int, seed: int = 0, pool: list[str] | None = None, shard_games: int = 0,
    chance: Chance | None = None,
) -> Plan:  # fmt: skip
    """Return a plan with everything settled; one agent that is named sits on every seat."""
    seats = len(game.spec.seats)
    words = agents * seats if len(agents) == 1 else agents
    if len(words) != seats:
        raise BadValue(f"self-play of {game.spec.title} takes one agent, or one a seat ({', '.join(game.spec.seats)})")
    whole_number(games, "games", 1, 10**9)
    whole_number(seed, "seed", 0, HIGHEST_SEED - games)
    hashes = {}
    for word in dict.fromkeys([*words, *(pool or [])]):
        agent = make_agent(game, word)
        hashes[word] = agent.hash
        agent.close()
    size = shard_games or min(MOST_TOGETHER, -(-games // 4))
    return Plan(
        game.name, game.spec.version, dict(game.options), tuple(words), games, seed, size, tuple(pool or ()),
        chance or Chance(), hashes,
    )  # fmt: skip


def play_plan(plan: Plan, folder: Path, jobs: int = 1, on: str = "here", tell: Callable[[str], None] = print) -> Iterator[Made]:
    """Play what of a plan is not there yet, and tell of each file; at the end manifest and card are written."""
    _agree(plan, folder)
    game = load(plan.game, **plan.options)
    missing = [k for k in range(plan.shards) if not (folder / shard_name(k, plan.shards)).is_file()]
    pool = workers(play_unit, (plan, str(folder)), on, min(jobs, max(1, len(missing))), tell)
    try:
        for _, made in pool.run(missing):
            yield made
    finally:
        pool.close()
    if not (folder / "manifest.json").is_file() or missing:
        clear_parts(folder)
        finish_folder(folder, game, {"by": "self-play", **msgspec.to_builtins(plan)})


def play_unit(shared: tuple[Plan, str], number: int) -> Made:
    """Play the games of one file and write it."""
    (plan, folder), begun = shared, time.perf_counter()
    game, shard = load(plan.game, **plan.options), None
    shard = Shard(game)
    first, last = number * plan.shard_games, min(plan.games, (number + 1) * plan.shard_games)
    by_line_up: dict[tuple[str, ...], list[int]] = {}
    for game_number in range(first, last):
        by_line_up.setdefault(plan.line_up(game_number), []).append(game_number)
    played: list[GameRow] = []
    for words, numbers in by_line_up.items():
        played += play_games(game, words, numbers, plan.seed, plan.chance, shard)
    played.sort(key=lambda row: row.number)
    shard.write(Path(folder, shard_name(number, plan.shards)), played)
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
    outcomes = [row.result.outcome for row in played]
    return Made(
        number, len(played), shard.rows, sum(row.plies for row in played), outcomes, time.perf_counter() - begun, highest
    )  # fmt: skip


def _agree(plan: Plan, folder: Path) -> None:
    """Write the plan into its folder; one that is there already must be the same."""
    file = folder / PLAN
    if not file.is_file():
        if any(folder.glob("*.parquet")):
            raise LudusError(f"{one_line(str(folder))} holds shards of something else; name a new folder")
        write_text(file, msgspec.json.format(msgspec.json.encode(plan).decode()) + "\n")
        return
    try:
        there = msgspec.json.decode(file.read_bytes(), type=Plan)
    except (OSError, msgspec.MsgspecError) as error:
        raise LudusError(f"{one_line(str(file))} cannot be read: {one_line(str(error))}") from None
    other = [name for name in plan.__struct_fields__ if getattr(plan, name) != getattr(there, name)]
    if other:
        was, now = (one_line(str(getattr(one, other[0])), 80) for one in (there, plan))
        raise LudusError(
            f"{one_line(str(folder))} holds the games of another plan: its {other[0]} is {was}, not {now}; name a new folder"
        )
