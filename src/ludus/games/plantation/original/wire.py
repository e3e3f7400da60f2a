"""Players in other languages as the original had them: one JSON object a line, strictly in turn, over pipes.

This is the original's own protocol, for bots that were written for it. `ask` sends a line and returns its answer.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, cast

import numpy as np

from .engine import Player


class WirePlayer(Player):
    """A player at the other end of a line; what it answers to all but `get_move` is ignored."""

    def __init__(self, ask: Callable[[str], str], name: str | None = None) -> None:
        super().__init__(name)
        self._ask = ask
        self._call("init", name=self.name)

    def start_game(self, board_shape: tuple[int, int], sign: int) -> None:
        """Tell the sign, and the size that the original left out (D23)."""
        super().start_game(board_shape, sign)
        self._call("start_game", sign=sign, board_size=list(board_shape))

    def get_move(self, board: Any, turn: int, moves_remaining: int, time_remaining: float) -> Any:
        """Ask for a command."""
        return self._call(
            "get_move",
            board=np.asarray(board).tolist(),
            turn=turn,
            moves_remaining=moves_remaining,
            time_remaining=time_remaining,
        )

    def handle_move_result(self, move: Any, turn: int, pos: Any, result: str) -> None:
        """Tell the answer."""
        self._call("handle_move_result", move=move, turn=turn, pos=pos, result=result)

    def end_game(self, your_score: int, opponent_score: int) -> None:
        """Tell both scores."""
        self._call("end_game", your_score=your_score, opponent_score=opponent_score)

    def _call(self, function: str, **values: Any) -> Any:
        return json.loads(self._ask(json.dumps({"function": function, **values}) + "\n"))


class ProcessPlayer(WirePlayer):
    """A player in a process of its own, which lives for many games; end it with `close`."""

    def __init__(self, command: Sequence[str], name: str | None = None) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        super().__init__(self._exchange, name)

    def _exchange(self, line: str) -> str:
        sender, receiver = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
        sender.write(line)
        sender.flush()
        answer = receiver.readline()
        if not answer.endswith("\n"):
            raise EOFError(f"{self.name} has ended, or sent no whole line")
        return answer

    def close(self) -> None:
        """End the process."""
        process = getattr(self, "_process", None)
        if process is None:
            return
        if process.poll() is None:
            process.terminate()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(BrokenPipeError):  # what was not sent yet has nobody to read it
                pipe.close()

    def __del__(self) -> None:
        self.close()
