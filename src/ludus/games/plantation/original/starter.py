"""A starter for Plantation of the original's kind: a Player with `get_move`. Row first, then column."""
# mypy: ignore-errors

import random

from plantation.player import Player


class Starter(Player):
    """Grow: plant beside a tile of one's own, else fertilise it."""

    def get_move(self, board, turn, moves_remaining, time_remaining):
        """Return a command and its coordinates; `board` shows the own tiles, with their sign."""
        rows, columns = len(board), len(board[0])
        own = [(r, c) for r in range(rows) for c in range(columns) if board[r][c] * self.sign > 0]
        if not own:
            return "scout", [rows // 2, columns // 2]
        row, column = random.choice(own)
        beside = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        free = [(r, c) for r, c in beside if 0 <= r < rows and 0 <= c < columns and board[r][c] == 0]
        return ("plant", list(random.choice(free))) if free else ("fertilise", [row, column])
