"""A tournament of Plantation: every pair of players meets, in both seats."""

import time

from common import ABOUT_PLAYERS, make_engine, make_player, parser, run

from ludus.core import LudusError
from ludus.games.plantation.original.reports import is_mark, standings, tournament_pairs, tournament_report

PLAYERS = ["random_player_dumb", "random", "random_player", "scry_and_die", "tracker"]


def main() -> None:
    """Play it; the bar grows as games end."""
    options = parser(__doc__, seconds=2000, increment=2000)
    options.add_argument("players", nargs="*", default=PLAYERS, help=ABOUT_PLAYERS)
    options.add_argument("--games", type=int, default=20, help="for each pair; an even number")
    words = options.parse_args()
    if words.games < 2 or words.games % 2 or len(words.players) < 2:
        raise LudusError("a tournament needs two players or more, and an even number of games for each pair")
    engine = make_engine(words, output=None)
    players = [make_player(word) for word in words.players]
    names = [player.name for player in players]
    pairs = list(tournament_pairs(len(players), words.games))
    results, started = [], time.perf_counter()
    announced = tournament_report(names, words.games, [0] * len(pairs), 0.0).partition("\n")[0]
    print(f"{announced}\nRunning games: [", end="", flush=True)
    for number, (one, other) in enumerate(pairs, 1):
        results.append(engine.run_game(players[one], players[other]))
        print("=" if is_mark(number, len(pairs)) else "", end="", flush=True)
    report = tournament_report(names, words.games, results, time.perf_counter() - started)
    print("]\n" + report.split("\n", 2)[2])
    print(standings(names, words.games, results), end="")


if __name__ == "__main__":
    run(main)
