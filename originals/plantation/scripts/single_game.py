"""One game of Plantation with its whole log on the terminal."""

from common import ABOUT_PLAYERS, make_engine, make_player, parser, run


def main() -> None:
    """Play it."""
    options = parser(__doc__, seconds=1000, increment=1000)
    options.add_argument("first", nargs="?", default="scry_and_die", help=ABOUT_PLAYERS)
    options.add_argument("second", nargs="?", default="tracker")
    words = options.parse_args()
    make_engine(words, output="stdout").run_game(make_player(words.first), make_player(words.second))


if __name__ == "__main__":
    run(main)
