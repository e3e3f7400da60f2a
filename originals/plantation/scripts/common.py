"""What the scripts share: options of a game, and players from a bot's name, a Python file or a command."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import Any

from ludus.agents import Builtin, Line, agent_from_file
from ludus.core import LudusError, Start
from ludus.engine import Table
from ludus.games import load
from ludus.games.plantation.original import BotPlayer, Engine, HumanPlayer, Player, WirePlayer

ABOUT_PLAYERS = "a bot's name, a Python file with a class for the original, 'human', or '[name=NAME ]cmd:COMMAND'"


class CompiledBot(BotPlayer):
    """A built-in bot that runs compiled."""

    def __init__(self, bot: str, name: str | None = None) -> None:
        super().__init__(name or bot)
        self.bot = bot

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        """Forget the game before."""
        super().start_game(board_shape, sign)
        self._table, self._builtin = Table(self.game), Builtin(self.bot)
        self._builtin.start(Start(self.game, self.seat, self.game.spec.seats, random.getrandbits(63)))

    def _choose(self) -> int:
        self._table.load(self._s.array)
        return self._builtin.act(self._table.observe(self.seat), self._table.legal())


class FilePlayer(Player):
    """A player from a file, in surroundings of its own."""

    def __init__(self, path: Path) -> None:
        self._guest: Any = agent_from_file(load("plantation"), path)
        if not hasattr(getattr(self._guest, "agent", None), "player"):
            raise LudusError(f"{path.name} holds no class with get_move; this script runs players of the original's kind")
        super().__init__(self._guest.name)

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        """Hand the call on."""
        super().start_game(board_shape, sign)
        self._call("start_game", board_shape, sign=sign)

    def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> Any:
        """Hand the call on."""
        return self._call("get_move", board, turn, moves_remaining, time_remaining)

    def handle_move_result(self, move: Any, turn: int, pos: Any, result: str) -> None:
        """Hand the call on."""
        self._call("handle_move_result", move, turn, pos, result)

    def end_game(self, your_score: int, opponent_score: int) -> None:
        """Hand the call on."""
        self._call("end_game", your_score, opponent_score)

    def _call(self, name: str, *arguments: Any, **named: Any) -> Any:
        with self._guest.surroundings.entered():
            return getattr(self._guest.agent.player, name)(*arguments, **named)


class QuickEngine(Engine):
    """The engine with compiled rules."""

    def open_table(self) -> Any:
        """Return a table with a new game."""
        return Table(self.game, random.getrandbits(63))


def make_player(word: str) -> Any:
    """Return a player from what stands on the command line."""
    if word == "human":
        return HumanPlayer("human")
    if word.startswith(("run:", "cmd:", "name=")):
        line = Line(word.removeprefix("run:").strip())
        return WirePlayer(line.exchange, line.name)
    if word.endswith(".py"):
        return FilePlayer(Path(word))
    bots = load("plantation").bots
    if word not in bots:
        raise LudusError(f"there is no player {word!r}; there is: {', '.join(bots)}, or {ABOUT_PLAYERS}")
    return CompiledBot(word)


def parser(about: str | None, seconds: float, increment: float) -> argparse.ArgumentParser:
    """Return a parser with the options of a game."""
    options = argparse.ArgumentParser(description=about)
    options.add_argument("--rows", type=int, default=11)
    options.add_argument("--cols", type=int, default=11)
    options.add_argument("--tiles", type=int, default=3, help="starting tiles of each player")
    options.add_argument("--turns", type=int, default=100)
    options.add_argument("--seconds", type=float, default=seconds, help="on each clock at the start")
    options.add_argument("--increment", type=float, default=increment, help="seconds that each turn gives back")
    options.add_argument("--seed", type=int, help="for the same games again")
    return options


def make_engine(words: argparse.Namespace, output: str | None) -> Engine:
    """Return an engine with these options; the seed is that of all chance."""
    random.seed(words.seed)
    sizes = (words.rows, words.cols, words.tiles)
    return QuickEngine(*sizes, words.seconds, words.increment, words.turns, output=output)


def run(main: Any) -> None:
    """Run a script; wrong use is one line and status 2."""
    try:
        main()
    except LudusError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, EOFError):
        print("\nthe script stops here", file=sys.stderr)
        sys.exit(130)
