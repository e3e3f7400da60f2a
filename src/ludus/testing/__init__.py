"""Checks for authors of games and bots: `check_game("name")` holds a game to the contract, on every backend present.

It goes from the source to machine code: what is read fails before anything runs, what runs uncompiled fails with the line of
the author's file, and only then is anything compiled. The first breach is a CheckFailed, one sentence long.
"""

from .breach import CheckFailed
from .compare import same
from .contract import check_bot, check_game
from .devices import compare_devices, compare_seat, positions

__all__ = ["CheckFailed", "check_bot", "check_game", "compare_devices", "compare_seat", "positions", "same"]
