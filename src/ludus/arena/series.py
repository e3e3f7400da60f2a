"""How the games of a match are planned and played: inside kernels, by referees, here or in worker processes."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ludus.agents import Agent, Builtin, Limits, seat_agents
from ludus.core import HIGHEST_SEED, BadValue, Fault, Record, Result, TimeControl, dealt_seed, time_control, whole_number
from ludus.engine import Batch, Table
from ludus.games import Game
from ludus.scale import workers

from .match import Match, Played
from .prints import PrintFiles
from .referee import Referee

AT_ONCE = 256  # games inside kernels between two looks at the progress bar


class Planned(NamedTuple):
    """A game that is to be played."""

    number: int  # from 1 on
    seed: int
    order: tuple[int, ...]


@dataclass(frozen=True)
class Conditions:
    """Under what agents play: the clock, what follows a fault, what keeps them apart."""

    control: TimeControl | None = None
    on_fault: str | None = None
    isolation: str = "in-process"
    limits: Limits | None = None
    has_own_clock: bool = False  # whether the clock is the game's own
    log: Path | None = None  # the folder that keeps what agents print
    save: Path | None = None  # the file or folder that keeps records

    @property
    def kept(self) -> list[Path]:
        """What is kept of the games, where no contained agent may read it."""
        return [place for place in (self.log, self.save) if place is not None]

    def of(self, game: Game) -> Conditions:
        """Return the conditions with the clock settled."""
        return replace(self, control=time_control(game.spec.contest.clock), has_own_clock=False) if self.has_own_clock else self


def play_match(
    game: Game,
    agents: list[Any],
    games: int,
    seed: int | None = None,
    swap: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    match: Match | None = None,
    conditions: Conditions | None = None,
    jobs: int = 1,
    keep: Callable[[Record], None] | None = None,
) -> Match:
    """Play games one after the other; with `swap` each set-up is played once for every order of the seats.

    Game by game the seeds follow from an open `seed`, or from a secret that is drawn now. With `swap` the number of games is
    rounded up to whole rounds. A `match` that is given may bring the secret, and has what was played even if somebody
    interrupts. With several jobs as many worker processes play, each with bots of its own; the games are the same. `keep`
    gets the record of each game in turn; then referees play the games of built-in bots, too.
    """
    seats, conditions = len(game.spec.seats), (conditions or Conditions()).of(game)
    if len(agents) != seats:
        raise BadValue(f"{game.spec.title} needs {seats} agents ({', '.join(game.spec.seats)}), not {len(agents)}")
    players = seat_agents(game, agents, conditions.isolation, conditions.limits, kept=conditions.kept)
    match = match if match is not None else Match(game, ())
    match.secret = match.secret or (secrets.token_bytes(16) if seed is None else b"")
    match.names, match.levels = told_apart([player.name for player in players], agents), tuple(p.level for p in players)
    match.clock = str(conditions.control or "inf")
    planned, started = _planned(seats, games, seed, match.secret, swap), time.perf_counter()
    try:
        played: Iterator[tuple[Played, Record | None]]
        named = zip(players, agents, strict=True)
        builtins = [player for player, agent in named if isinstance(player, Builtin) and player is not agent]
        if keep is None and len(builtins) == len(players):
            played = ((one, None) for one in _in_kernels(game, builtins, planned))
        elif jobs > 1:
            check_jobs(game, players, agents, jobs)
            played = _in_workers(game, agents, conditions, planned, jobs, keep is not None)
        else:
            played = (_refereed(game, players, conditions, plan) for plan in planned)
        progress(0)  # nothing is played yet, and the secret is drawn: now it can be committed
        for one, record in played:
            if keep is not None and record is not None:
                keep(record)
            match.games.append(one)
            progress(len(match.games))
    finally:
        match.seconds = time.perf_counter() - started
        for player, agent in zip(players, agents, strict=True):
            if player is not agent:
                player.close()
    return match


def round_up(games: int, seats: int, swap: bool) -> int:
    """Return how many games are played: with `swap` whole rounds."""
    return -(-games // seats) * seats if swap else games


def check_jobs(game: Game, players: list[Agent], agents: list[Any], jobs: int) -> None:
    """Refuse to let more bots think at once than there are cores: under a clock they would take time from each other."""
    if not all(isinstance(agent, str) for agent in agents):
        raise BadValue("several jobs need agents that are named by words: functions and objects stay in one process")
    check_cores(jobs, max(1, sum(player.is_elsewhere for player in players)) if game.spec.simultaneous else 1)


def check_cores(jobs: int, thinking: int) -> None:
    """Refuse more jobs than there are cores, where so many bots think at once in each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs * thinking > cores:
        most = max(1, cores // thinking)
        raise BadValue(
            f"{jobs} jobs with {thinking} {'bots that think' if thinking > 1 else 'bot that thinks'} at once need "
            f"{jobs * thinking} cores, and there are {cores}; use --jobs {most} at most"
        )


def told_apart(names: list[str], words: list[Any]) -> tuple[str, ...]:
    """Return names with the words they came from, where two that came from different ones are called alike."""
    found = []
    for name, word in zip(names, words, strict=True):
        alike = {str(other) for other_name, other in zip(names, words, strict=True) if other_name == name}
        found.append(f"{name} ({word})" if len(alike) > 1 and isinstance(word, str) else name)
    return tuple(found)


def _planned(seats: int, games: int, seed: int | None, secret: bytes, swap: bool) -> Iterator[Planned]:
    """Give seed and order of every game; those of one round have the same seed."""
    orders = [tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats if swap else 1)]
    first = 0 if seed is None else whole_number(seed, "seed", 0, HIGHEST_SEED - games)
    for number in range(round_up(games, seats, swap)):
        number_of_round = number // len(orders)
        own = dealt_seed(secret, number_of_round) if secret else first + number_of_round
        yield Planned(number + 1, own, orders[number % len(orders)])


def _refereed(game: Game, players: list[Agent], conditions: Conditions, plan: Planned) -> tuple[Played, Record]:
    """Play one game between agents."""
    seated = [players[agent] for agent in plan.order]
    names = [player.name for player in seated]
    files = PrintFiles(conditions.log, plan.number, game.spec.seats, names) if conditions.log else None
    referee = Referee(Table(game, plan.seed), seated, conditions.on_fault, conditions.control, files.hear if files else None)
    record = referee.finish()
    if files:
        files.judge(record.faults)
    times = [referee.times(seat) for seat in range(len(seated))]
    answers = tuple((len(some), sum(some), max(some, default=0.0)) for some in times)
    played = Played(
        plan.seed, plan.order, record.agents, record.result, len(record.decisions), _brief(record.faults), record.forfeit,
        answers, referee.overheads,
    )  # fmt: skip
    return played, record


def _brief(faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """Return faults as a match keeps them, which may have millions: without what was written to stderr; records have all."""
    return tuple(msgspec.structs.replace(fault, stderr=()) if fault.stderr else fault for fault in faults)


_seated: list[Agent] = []  # of a worker process


def _play_there(shared: tuple[Game, list[str], Conditions, bool], plan: Planned) -> tuple[Played, Record | None]:
    """Play one game in a worker process, which keeps its bots."""
    game, agents, conditions, keeps = shared
    if not _seated:
        _seated.extend(seat_agents(game, agents, conditions.isolation, conditions.limits))
    played, record = _refereed(game, _seated, conditions, plan)
    return played, record if keeps else None


def _in_workers(
    game: Game, agents: list[str], conditions: Conditions, planned: Iterator[Planned], jobs: int, keeps: bool
) -> Iterator[tuple[Played, Record | None]]:
    """Play in worker processes; the games come in the order in which they are planned."""
    team = workers(_play_there, (game, agents, conditions, keeps), "here", jobs)
    early: dict[int, tuple[Played, Record | None]] = {}
    due = 1
    try:
        for plan, played in team.run(planned):
            early[plan.number] = played
            while due in early:
                yield early.pop(due)
                due += 1
    finally:
        team.close()


def _in_kernels(game: Game, bots: list[Builtin], planned: Iterator[Planned]) -> Iterator[Played]:
    """Play built-in bots inside kernels: the same games as a referee would let them play, thousands a second."""
    while some := list(islice(planned, AT_ONCE)):
        found: dict[int, Played] = {}
        for order in {plan.order for plan in some}:
            places = [place for place, plan in enumerate(some) if plan.order == order]
            batch = Batch(game, len(places), [some[place].seed for place in places])
            names = tuple(bots[agent].name for agent in order)
            lengths = batch.finish(tuple(bots[agent].bot for agent in order))
            status, outcomes, points = batch.result()
            for i, place in enumerate(places):
                result = Result(int(status[i]), tuple(outcomes[i].tolist()), tuple(points[i].tolist()))
                found[place] = Played(some[place].seed, order, names, result, int(lengths[i]))
        yield from (found[place] for place in range(len(some)))
