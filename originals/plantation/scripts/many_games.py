"""Many games of Plantation between two players, seats swapped after each, and a report."""

import time

from common import ABOUT_PLAYERS, make_engine, make_player, parser, run

from ludus.games.plantation.original.reports import apart, is_mark, series_report, series_seats


def main() -> None:
    """Play them; the bar grows as they end."""
    options = parser(__doc__, seconds=1.0, increment=0.1)
    options.add_argument("first", nargs="?", default="random_player", help=ABOUT_PLAYERS)
    options.add_argument("second", nargs="?", default="scry_and_die")
    options.add_argument("--games", type=int, default=100)
    words = options.parse_args()
    engine = make_engine(words, output=None)
    players = [make_player(words.first), make_player(words.second)]
    margins, notes, started = [], [], time.perf_counter()
    print("Running games: [", end="", flush=True)
    for number, (one, other) in enumerate(series_seats(words.games), 1):
        result = engine.run_game(players[one], players[other])
        margins.append(result if one == 0 else -result)
        if engine.reason != "turns":
            name = engine.names[engine.loser]
            notes.append(f"{name} is out of time" if engine.reason == "timeout" else f"{name} broke down")
        print("=" if is_mark(number, words.games) else "", end="", flush=True)
    names = apart([player.name for player in players])
    report = series_report(names, margins, time.perf_counter() - started, notes)
    print("]\n" + report.partition("\n")[2], end="")


if __name__ == "__main__":
    run(main)
