"""The original's bundled players as classes for its interface: the built-in bots, and a person at the terminal."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.core import LudusError, plain
from ludus.games import Game, load

from ..actions import NAMES, SHORT
from ..rules import PLAYER1, PLAYER2
from ..scene import draw_board
from .engine import Player

FINE_WEIGHTS = 1_000_000  # weights become whole numbers of this sum
EVEN = dict.fromkeys(("fertilise", "plant", "colonise", "spray", "bomb"), 0.2)  # D30
PAUSE_S = 0.15  # after an answer, so that a person can read it


class BotPlayer(Player):
    """A built-in bot behind the original's interface: it remembers answers as the rules do for a seat."""

    bot = ""  # its name among the game's bots
    _s: Any  # a row of State with what the player knows
    _view: Any

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        """Forget the game before; the bot's chance comes from the global `random`."""
        super().start_game(board_shape, sign)
        self.game: Game = load("plantation", rows=int(board_shape[0]), cols=int(board_shape[1]))
        self.seat = PLAYER1 if sign > 0 else PLAYER2
        rules, bots = self.game.rules, self.game.part("bots")
        self._s, self._view = plain(self.game.empty(1)), plain(np.zeros(1, rules.View))
        rules.forget_everything(self._s)
        rules.clear_last(self._s)
        self._s.pending = rules.NOWHERE
        self._scratch = plain(np.zeros(1, bots.Scratch))
        self._rng = np.array([random.getrandbits(64)], np.uint64)
        self._actions: list[int] = []

    def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> tuple[str, list[int]]:
        """Ask the bot, twice for a colonise."""
        s, rules = self._s, self.game.rules
        s.turn, s.seat, s.moves = turn, self.seat, moves_remaining
        # A player is not told how long games and turns are: it sees that they are longer when they are.
        s.opt_max_turns, s.opt_moves = max(s.opt_max_turns, turn), max(s.opt_moves, moves_remaining)
        self._see(np.asarray(board).ravel())
        self._actions = [self._choose()]
        if self._actions[0] // rules.CELLS == rules.COLONISE:
            s.pending = self._actions[0] % rules.CELLS
            self._actions.append(self._choose())
            s.pending = rules.NOWHERE
        kind = self._actions[0] // rules.CELLS
        places = [divmod(action % rules.CELLS, rules.COLS) for action in self._actions]
        return NAMES[kind], [number for place in places for number in place]

    def handle_move_result(self, move: Any, turn: int, pos: Any, result: str) -> None:
        """Remember the answer."""
        self.game.part("text").tell(self._s, self.seat, turn, self._actions, result)
        self.game.rules.learn(self._s)

    def _see(self, board: Any) -> None:
        """Take the own tiles in; where one has gone, nothing is."""
        s, rules = self._s, self.game.rules
        own = board * self.sign > 0
        for cell in np.flatnonzero((s.board * self.sign > 0) & ~own):
            rules.know(s, self.seat, int(cell), 0)
        s.board[:] = np.where(own, board, 0)
        rules.count_totals(s)

    def _choose(self) -> int:
        rules, bots = self.game.rules, self.game.part("bots")
        mask = np.zeros(-(-rules.ACTIONS // 8) * 8, np.int8)
        rules.legal(self._s, mask)
        rules.observe(self._s, self.seat, self._view)
        return int(self._ask(bots, mask))

    def _ask(self, bots: Any, mask: Any) -> int:
        bot = bots.BOTS[self.bot]
        if "scratch" in bot.__code__.co_varnames[: bot.__code__.co_argcount]:
            return int(bot(self._view, mask, self._rng, self._scratch))
        return int(bot(self._view, mask, self._rng))


class RandomPlayerDumb(BotPlayer):
    """Play anything but a scout anywhere; mostly errors."""

    bot = "random_player_dumb"


class RandomPlayer(BotPlayer):
    """Play commands that can work, by relative weights; a command without a weight is never played."""

    bot = "random_player"

    _parts = [FINE_WEIGHTS // len(EVEN)] * len(EVEN)  # of one that never calls this constructor

    def __init__(self, move_probabilities: Mapping[str, float] | None = None, name: str | None = None) -> None:
        super().__init__(name)
        weights = dict(EVEN if move_probabilities is None else move_probabilities)
        total = sum(weights.get(command, 0) for command in EVEN)
        if total <= 0 or min(weights.values()) < 0:
            raise LudusError(f"weights must not be negative, and one of {', '.join(EVEN)} must be above 0: {weights}")
        self.move_probabilities = weights
        self._parts = [round(weights.get(command, 0) / total * FINE_WEIGHTS) for command in EVEN]

    def _ask(self, bots: Any, mask: Any) -> int:
        return int(bots.play_weighted(self._view, mask, self._rng, *self._parts))


class ScryAndDie(BotPlayer):
    """Grow, scout, then attack where most is expected."""

    bot = "scry_and_die"


class Tracker(BotPlayer):
    """Attack what is known, keep own tiles apart and low."""

    bot = "tracker"


class HumanPlayer(Player):
    """A person who types commands: a name or its letter, a blank, coordinates with commas between."""

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        """Forget the board of the game before."""
        super().start_game(board_shape, sign)
        self._shape, self._shown = board_shape, np.zeros(board_shape, np.int16)

    def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> tuple[str, list[int]]:
        """Show the own board if it changed, then ask until the line is a command."""
        if not np.array_equal(board, self._shown):
            print(draw_board(board), end="")
            self._shown = np.array(board)
        elif turn > 1 and moves_remaining == 3:
            print("Your board has not changed")
        print(f"Turn {turn}, {moves_remaining} moves left, {time_remaining:.2f} s left")
        while True:
            command = read_command(input(f"{self.name}: "))
            if command is not None:
                return command

    def handle_move_result(self, move: Any, turn: int, pos: Any, result: str) -> None:
        """Show the answer; that of a scout as a grid, too."""
        print(result)
        if move == "scout" and result.startswith("OK "):
            values = iter(result[3:].split(","))
            for row in range(max(pos[0] - 1, 0), min(pos[0] + 2, self._shape[0])):
                columns = range(max(pos[1] - 1, 0), min(pos[1] + 2, self._shape[1]))
                print(f"{row:>4} " + " ".join(f"{next(values):>4}" for _ in columns))
        time.sleep(PAUSE_S)

    def end_game(self, your_score: int, opponent_score: int) -> None:
        """Show the scores."""
        print(f"Game over: you {your_score:+d}, your opponent {opponent_score:+d}")


def read_command(line: str) -> tuple[str, list[int]] | None:
    """Read what a person typed, or say what is wrong; text that is no command at all is passed over silently (D31)."""
    word, _, rest = line.strip().partition(" ")
    try:
        numbers = [int(number) for number in rest.split(",")]
    except ValueError:
        return None
    name = SHORT.get(word, word)
    if name not in NAMES:
        print(f"There is no command {word!r}: " + ", ".join(f"{short} {name}" for short, name in SHORT.items()))
        return None
    due = 4 if name == "colonise" else 2
    if len(numbers) != due:
        print(f"{name} takes {due} numbers with commas between, not {len(numbers)}")
        return None
    return name, numbers
