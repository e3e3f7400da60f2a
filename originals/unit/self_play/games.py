"""Whole games of Unit, played many at once, as the shards of the original want them."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from ludus.engine import Table
from ludus.games import Game, load
from ludus.games.unit.original import PlayedGame, game_row
from ludus.school import Chance, play_games

WITHOUT_MODEL = "greedy"  # who plays against itself where no network is given
SIMULATIONS = 8  # of the search over a network, a decision


class Settings(NamedTuple):
    """What all games of a run share."""

    layout: int
    seed: int
    is_random_start: bool = False
    model: str = ""  # a checkpoint
    exploration: float = 0.1
    temperature: float = 1.0
    search_depth: int = 4  # recorded only, as in the original
    version: str = ""
    move_mode: str = "compressed"
    is_trimmed: bool = False
    device: str = "cpu"  # on which the network is asked


class Moves:
    """Everything that is decided, random moves too, by game."""

    keeps_all = True

    def __init__(self) -> None:
        self.paints: dict[str, str] = {}  # nothing is painted: states are told by the rules
        self.games: dict[int, list[tuple[int, int, dict[int, float] | None]]] = {}  # seat, own id, policy

    def add(self, games: Any, plies: Any, seats: Any, shown: Any, masks: Any, actions: Any, policy: Any) -> None:
        """Take one decision of each game."""
        for k, number in enumerate(games):
            likely = {int(a): float(policy[k, a]) for a in np.flatnonzero(policy[k])} or None
            self.games.setdefault(int(number), []).append((int(seats[k]), int(actions[k]), likely))


def play_unit(settings: Settings, numbers: list[int]) -> list[dict[str, Any]]:
    """Play the games with these numbers at once and return their rows."""
    options = {"layout": settings.layout, "random_start": int(settings.is_random_start)}
    game, moves, begun = load("unit", **options), Moves(), time.time()
    word = f"net+search:{settings.model}:{SIMULATIONS}" if settings.model else WITHOUT_MODEL
    chance = Chance(settings.temperature, random_share=settings.exploration)
    play_games(game, [word, word], numbers, settings.seed, chance, moves, settings.device)
    ended = time.time()
    return [_row(game, settings, number, moves.games[number], begun, ended) for number in numbers]


def _row(game: Game, settings: Settings, number: int, decided: list[Any], begun: float, ended: float) -> dict[str, Any]:
    """Return one game as a row of a shard; what was decided in own ids is told in the rules'."""
    seed = settings.seed + number
    start = Table(game, seed, "pure").s.copy()
    about = {
        "seed": seed, "starting_player": int(start.seat), "exploration_rate": settings.exploration,
        "search_depth": settings.search_depth, "temperature": settings.temperature, "game_version": settings.version,
        "max_actions": int(start.opt_max_actions), "model": settings.model or None,
    }  # fmt: skip
    actions = [int(game.own_ids[seat, own]) for seat, own, _ in decided]
    policies = [
        None if likely is None else {int(game.own_ids[seat, own]): p for own, p in likely.items()}
        for seat, _, likely in decided
    ]
    start_ms, end_ms = int(begun * 1000), int(ended * 1000)
    played = PlayedGame(start, actions, None, f"selfplay_{seed}_{end_ms}", about, policies, "self", start_ms, end_ms)
    return game_row(played, settings.move_mode, settings.is_trimmed)
