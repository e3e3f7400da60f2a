"""The reports that the original's scripts printed: a series of games, and a tournament of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

MARKS = 20  # of a progress bar, at most about
# Terms of the original's own tournament, with the bots that come with the game: see `ludus tournament run … --preset original`.
TOURNAMENTS = {
    "original": {
        "name": "Plantation's own tournament",
        "bots": ("random_player_dumb", "random", "random_player", "scry_and_die", "tracker"),
        "format": "round-robin",
        "games": 20,
        "clock": "2000+2000",
    }
}


def series_text(match: Any) -> str:
    """Return the report of a series of this arena: margins signed for the first agent, forfeits named."""
    results, notes = [], []
    for game in match.games:
        first, second = (int(game.result.points[game.order.index(agent)]) for agent in (0, 1))
        forfeit = game.forfeit
        if forfeit is not None:
            notes.append(f"{game.names[forfeit]} forfeits: {game.faults[-1].text}")
            first, second = (0, 100) if game.order[forfeit] == 0 else (100, 0)
        results.append(first - second)
    return series_report(apart(match.names), results, match.seconds, notes)


def series_report(names: Sequence[str], margins: Sequence[int], seconds: float, notes: Iterable[str] = ()) -> str:
    """Return what the script of many games printed; margins are positive where the first agent won, notes are lines."""
    wins = [[m for m in margins if m > 0], [-m for m in margins if m < 0]]
    lines = [bar(len(margins)), *notes, ""]
    if len(wins[0]) == len(wins[1]):
        lines.append("It is a draw")
    else:
        lines.append(f"{names[len(wins[1]) > len(wins[0])]} is the winner!!")
    lines += [f"{name} wins: {len(won)}" for name, won in zip(names, wins, strict=True)]
    lines += [f"Draws: {sum(m == 0 for m in margins)}", "", "Detailed results:"]
    lines += [f"{names[0]} wins: ", f"{wins[0]}", "", f"{names[1]} wins: ", f"{wins[1]}"]
    mean, sigma = mean_and_sigma([m for m in margins if m])  # drawn games are left out (D18)
    lines.append(
        f"Average score, if we count scores for {names[1]} as negative: {mean:.2f}, (sigma: {sigma:.2f})\n"
        f"Seconds: {round(seconds, 2)}"
    )
    return "\n".join(lines) + "\n"


def tournament_report(names: Sequence[str], per_pair: int, results: Sequence[int], seconds: float) -> str:
    """Return what the tournament script printed: wins and their share of all games, as they came in order of pairs."""
    pairs = list(tournament_pairs(len(names), per_pair))
    wins = [0] * len(names)
    for (one, other), result in zip(pairs, results, strict=True):
        if result:
            wins[one if result > 0 else other] += 1
    each = per_pair * (len(names) - 1)
    lines = [
        f"Running {len(pairs)} games, being {per_pair} for each pair, "
        f"between {len(names)} players, {each} games for each player",
        bar(len(pairs)),
        "",
        *(f"{name} wins: {won} ({share(won, len(pairs))} %)" for name, won in zip(apart(names), wins, strict=True)),
        "",
        f"Seconds: {round(seconds, 2)}",
    ]
    return "\n".join(lines) + "\n"


def tournament_text(names: Sequence[str], per_pair: int, games: Iterable[tuple[int, int, int, int]], seconds: float) -> str:
    """Return both reports of a tournament of this arena; a game is its round, who was player 1 and 2, and the margin."""
    margins = {(number, one, other): margin for number, one, other, margin in games}
    order = [
        (number, one, other) for number in range(per_pair // 2) for one, other in permutations(range(len(names)), 2)
    ]  # as `tournament_pairs` has them
    results = [margins[game] for game in order]
    return tournament_report(names, per_pair, results, seconds) + "\n" + standings(names, per_pair, results)


def standings(names: Sequence[str], per_pair: int, results: Sequence[int]) -> str:
    """Return wins, draws, losses and the share of its own games that each agent won (D19)."""
    counts = [[0, 0, 0] for _ in names]
    for (one, other), result in zip(tournament_pairs(len(names), per_pair), results, strict=True):
        counts[one][1 - (result > 0) + (result < 0)] += 1
        counts[other][1 - (result < 0) + (result > 0)] += 1
    width = max(map(len, apart(names)))
    lines = [f"{'':{width}}  wins draws losses  of own games"]
    for name, (won, drawn, lost) in zip(apart(names), counts, strict=True):
        part = 100 * won / max(won + drawn + lost, 1)
        lines.append(f"{name:{width}}  {won:4} {drawn:5} {lost:6}  {part:.1f} %")
    return "\n".join(lines) + "\n"


def tournament_pairs(players: int, per_pair: int) -> Iterator[tuple[int, int]]:
    """Give the pairs of a tournament in its order: each round has every ordered pair, the first is player 1."""
    for _ in range(per_pair // 2):
        yield from permutations(range(players), 2)


def series_seats(games: int) -> Iterator[tuple[int, int]]:
    """Give who is player 1 and player 2 in each game of a series: seats are swapped after each."""
    for number in range(games):
        yield (0, 1) if number % 2 == 0 else (1, 0)


def bar(games: int) -> str:
    """Return the progress bar of so many games, as it stands at the end."""
    return f"Running games: [{'=' * sum(is_mark(number, games) for number in range(1, games + 1))}]"


def is_mark(number: int, games: int) -> bool:
    """Say whether the bar grows after this game, counted from 1."""
    return number % max(games // MARKS, 1) == 0


def share(won: int, games: int) -> float:
    """Return a percentage rounded to a whole one, halves to the even."""
    return float(round(100 * won / games)) if games else 0.0


def mean_and_sigma(values: Sequence[int]) -> tuple[float, float]:
    """Return the mean and the population standard deviation; 0 of nothing."""
    if not values:
        return 0.0, 0.0
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def apart(names: Sequence[str]) -> list[str]:
    """Return names that can be told apart: a second one of the same name gets a number (D25)."""
    return [f"{name} ({names[:k].count(name) + 1})" if name in names[:k] else name for k, name in enumerate(names)]
