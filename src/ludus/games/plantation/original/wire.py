"""Players in other languages as the original had them: one JSON object a line, strictly in turn, over pipes.

This is the original's own protocol, for bots that were written for it. `ask` sends a line and returns its answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from .agent import OriginalAgent
from .engine import Player


class WirePlayer(Player):
    """A player at the other end of a line; what it answers to all but `get_move` is ignored."""

    def __init__(self, ask: Callable[[str], str], name: str | None = None, is_greeted: bool = False) -> None:
        super().__init__(name)
        self._ask = ask
        if not is_greeted:
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


def greeting(name: str, hello: bytes) -> bytes:
    """Return the first line to a bot of which nobody knows what it speaks: hello in both protocols, without keys in common."""
    return json.dumps({"function": "init", "name": name, **json.loads(hello)}).encode() + b"\n"


def line_agent(ask: Callable[[str], str], name: str) -> OriginalAgent:
    """Return the agent at the other end of a line, which has answered the greeting."""
    return OriginalAgent(WirePlayer(ask, name, is_greeted=True), name)
