"""The original's base class of players and its engine: one game between two players, a log, hooks for subclasses.

Time is counted inside `get_move` alone, and judged when the player's turn is over (D13). A player that raises forfeits
like one that is late (D28).
"""

from __future__ import annotations

import random
import string
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import BadValue, Clock, plain, streams
from ludus.games import Game, load

from ..rules import PLAYER1, PLAYER2, RUNNING, SEATS, SIGN

FORFEIT = 100  # the result when a player is late or breaks down (D12)
TURNS, TIMEOUT, CRASH = "turns", "timeout", "crash"


class Player:
    """The base class of agents: override `get_move`, and the rest at will. One instance plays many games."""

    name, sign = "", 0  # what one has that never calls this constructor

    def __init__(self, name: str | None = None) -> None:
        self.name = f"Player {random.choice(string.ascii_lowercase)}" if name is None else name
        self.sign = 0

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        """Get ready; `sign` is +1 for player 1, -1 for player 2."""
        self.sign = sign

    def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> Any:
        """Return a command and its coordinates, such as ("plant", [3, 4])."""
        raise NotImplementedError(f"{type(self).__name__} has no get_move")

    def handle_move_result(self, move: Any, turn: int, pos: Any, result: str) -> None:
        """Learn the answer to the own command."""

    def end_game(self, your_score: int, opponent_score: int) -> None:
        """Learn both scores; they keep their signs."""


class PlainTable:
    """A row that plays by the rules, uncompiled."""

    def __init__(self, game: Game) -> None:
        self.game, self.s = game, plain(game.empty(1))
        game.verbs.new(self.s, streams(random.getrandbits(63), 1)[0])

    def apply(self, action: int) -> None:
        """Play one decision."""
        self.game.verbs.apply(self.s, action, None)


class Engine:
    """Run games between two players. After a game `reason`, `winner` and `scores` tell how it ended."""

    output: str | None = "stdout"  # where the log goes: printed, None for silence, or a file that each game overwrites

    def __init__(
        self,
        num_rows: int = 11,
        num_cols: int = 11,
        starting_tiles: int = 3,
        starting_seconds: float = 1.0,
        time_increment: float = 0.1,
        max_turns: int = 100,
        **others: Any,
    ) -> None:
        self.output = others.pop("output", self.output)
        sizes = {"rows": num_rows, "cols": num_cols, "starting_tiles": starting_tiles, "max_turns": max_turns}
        self.game = load("plantation", **sizes, **others)
        if starting_seconds < 0 or time_increment < 0:
            raise BadValue(f"a clock cannot have {starting_seconds} seconds and {time_increment} more a turn")
        self.starting_seconds, self.time_increment = starting_seconds, time_increment
        # Those of the copy with this size of board.
        self._actions, self._scene, self._original = (self.game.part(file) for file in ("actions", "scene", "original"))
        self.names: tuple[str, str] = ("", "")
        self.winner: int | None = None

    def at_start_of_game_action(self) -> None:
        """Do something when a game begins; for subclasses."""

    def after_move_action(self, move: Any, pos: Any, sign: int, moves_remaining: int, result: str) -> None:
        """Do something after each command; `moves_remaining` is what there was before it."""

    def at_end_of_turn_action(self, sign: int) -> None:
        """Do something when a player's turn is over."""

    def at_end_of_game_action(self) -> None:
        """Do something when a game is over."""

    def open_table(self) -> Any:
        """Return a table with a new game: `s` is its row, `apply` plays a decision."""
        return PlainTable(self.game)

    def now(self) -> float:
        """Return the time in seconds, of which differences are taken."""
        return time.perf_counter()

    @property
    def board(self) -> np.ndarray[Any, np.dtype[np.int16]]:
        """The whole board [row, column], signed; a copy."""
        return np.array(self.table.s.board, np.int16).reshape(self.game.rules.SHAPE)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.reason is not None

    def run_game(self, player_handler_p: Any, player_handler_m: Any) -> int:
        """Play one game; the first player has the positive tiles. Return player 1's sum less player 2's, or ±100."""
        self.players = (player_handler_p, player_handler_m)
        one, other = (str(getattr(player, "name", "") or f"player {seat + 1}") for seat, player in enumerate(self.players))
        self.names = (one, other)
        with self._log_file() as self._log:
            self.start()
            while not self.over:
                self.step()
            return self.finish()

    def start(self) -> None:
        """Set a game up and tell the players, the second one first."""
        self.table = self.open_table()
        self.clocks = [Clock(self.starting_seconds, self.time_increment) for _ in range(SEATS)]
        self.turn_seconds, self.turn, self.loser = 0.0, int(self.table.s.turn), -1
        self.reason: str | None = None
        for seat in (PLAYER2, PLAYER1):
            self._call(seat, "start_game", self.game.rules.SHAPE, sign=SIGN[seat])
        self.at_start_of_game_action()

    def step(self) -> None:
        """Ask for one command, carry it out, tell the answer; judge the clock when the turn is over."""
        s = self.table.s
        seat, self.turn, moves = int(s.seat), int(s.turn), int(s.moves)
        if moves == s.opt_moves:
            self._write_turn(seat)
        shown = self._original.restricted(self.board, SIGN[seat])
        started = self.now()
        reply = self._call(seat, "get_move", shown, self.turn, moves, self.clocks[seat].seconds)
        self.turn_seconds += self.now() - started
        if self.over:
            return
        for action in self._original.actions_of(reply):
            self.table.apply(action)
        command, coordinates = self._original.said(reply)
        answer = self._actions.answer(s, seat)
        self._write_command(seat, command, coordinates, answer)
        self._call(seat, "handle_move_result", command, self.turn, coordinates, answer)
        self.after_move_action(command, coordinates, SIGN[seat], moves, answer)
        if s.seat != seat or s.end != RUNNING:
            self._end_turn(seat)

    def finish(self) -> int:
        """Settle the result and tell both players, the second one first."""
        positive, negative = int(self.table.s.total[PLAYER1]), -int(self.table.s.total[PLAYER2])
        self.scores = [positive, negative]
        result, told = positive + negative, [positive, negative]
        if self.reason != TURNS:
            winner = 1 - self.loser
            result = FORFEIT * SIGN[winner]
            told[self.loser], told[winner] = 0, result
        self.winner = None if result == 0 else 1 if result > 0 else 2
        for seat in (PLAYER2, PLAYER1):
            self._call(seat, "end_game", told[seat], told[1 - seat])
        self._write_end(result)
        self.at_end_of_game_action()
        return result

    def _end_turn(self, seat: int) -> None:
        """Stop the clock, and the game if the player is late or all turns are played."""
        self.clocks[seat] = self.clocks[seat].after(self.turn_seconds)
        self.turn_seconds = 0.0
        self.at_end_of_turn_action(SIGN[seat])
        if self.over:
            return
        if self.clocks[seat].expired:
            self.reason, self.loser = TIMEOUT, seat
        elif self.table.s.end != RUNNING:
            self.reason = TURNS

    def _call(self, seat: int, name: str, *arguments: Any, **named: Any) -> Any:
        """Call a player; one that raises forfeits the game, if it still runs."""
        try:
            return getattr(self.players[seat], name)(*arguments, **named)
        except (Exception, SystemExit) as error:
            self._write(f"{self.names[seat]} breaks down in {name}: {type(error).__name__}: {error}\n")
            if not self.over:
                self.reason, self.loser = CRASH, seat

    def _log_file(self) -> AbstractContextManager[Any]:
        if self.output is None:
            return nullcontext(None)
        return nullcontext(sys.stdout) if self.output == "stdout" else Path(self.output).open("w", encoding="utf-8")

    def _write(self, text: str) -> None:
        if self._log is not None:
            self._log.write(text)

    def _write_turn(self, seat: int) -> None:
        """Write the state before a player's turn, and the number of the round before the first one's."""
        if self._log is None:
            return
        if seat == PLAYER1:
            self._write(f"\n========== Turn {self.turn} ==========\n")
        positive, negative = int(self.table.s.total[PLAYER1]), -int(self.table.s.total[PLAYER2])
        self._write(f"\nScores: {positive:+d} {negative:+d}, sum {positive + negative:+d}\n")
        self._write(self._scene.draw_board(self.board))
        clock = self.clocks[seat].seconds
        self._write(f"{self.names[seat]} ({'+' if SIGN[seat] > 0 else '-'}), {clock:.2f} s left\n")

    def _write_command(self, seat: int, command: Any, coordinates: Any, answer: str) -> None:
        """Write a command and its answer on one line, the reason of an error on a line before."""
        if self._log is None:
            return
        if answer == "error":
            self._write(f"Error: {self._actions.REASONS[self.table.s.told_reason[seat]]}\n")
        places = list(coordinates) if isinstance(coordinates, list | tuple | np.ndarray) else coordinates
        shown = f"{command} ({', '.join(map(str, places)) if isinstance(places, list) else places})"
        self._write(f"{shown:<20}| {answer}\n")

    def _write_end(self, result: int) -> None:
        """Write how the game ended."""
        self._write("\nGame over\n")
        for seat, name in enumerate(self.names):
            self._write(f"{name} ({'+' if SIGN[seat] > 0 else '-'}): {self.scores[seat]:+d}\n")
        if self.reason == TIMEOUT:
            self._write(f"{self.names[self.loser]} ran out of time\n")
        if self.winner is None:
            self._write("It is a draw\n")
        else:
            self._write(f"{self.names[self.winner - 1]} wins by {abs(result)}\n")
