"""A game of Plantation against a bot; the log goes to a file, so that the board stays hidden."""

from common import ABOUT_PLAYERS, make_engine, make_player, parser, run

from ludus.games.plantation.original import HumanPlayer


def main() -> None:
    """Play it."""
    options = parser(__doc__, seconds=1000, increment=1000)
    options.add_argument("opponent", nargs="?", default="scry_and_die", help=ABOUT_PLAYERS)
    options.add_argument("--log", default="output.txt")
    words = options.parse_args()
    make_engine(words, output=words.log).run_game(HumanPlayer("you"), make_player(words.opponent))


if __name__ == "__main__":
    run(main)
