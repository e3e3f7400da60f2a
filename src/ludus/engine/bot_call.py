"""One built-in bot, asked by itself: its chance, its memory, and a view and a mask that it is given."""

from __future__ import annotations

from ludus.core import Row, streams
from ludus.games import Game

from .block import Block
from .playing import one_bot


class BotCall:
    """A bot of a seat that chooses among marked actions; it runs compiled, on its own copy of the view."""

    def __init__(self, game: Game, bot: str, seat: int, seed: int, device: str) -> None:
        self._block = block = Block(game, device)  # which keeps the memory
        block.row("states").seat = seat
        block.array("bot_dice")[0, seat] = streams(seed, 1)[0]
        first, size, _, _ = block.plan.places["views"]
        self._view = block.bytes[first : first + size]
        self._mask, self._action = block.array("masks")[0], block.numbers("actions", "i")
        self._choose = block.bound(one_bot(bot))

    def __call__(self, view: Row, legal: list[int]) -> int:
        """Return what the bot answers."""
        self._view[:] = view.bytes
        self._mask[:] = 0
        self._mask[legal] = 1
        self._choose()
        return self._action[0]
