"""Many rows at once, uncompiled, on the CPU or on CUDA; names no game."""

from typing import Any

from .batch import Batch
from .bot_call import BotCall
from .kernels import compiled_bots
from .memory import DEVICES, LONGEST_GAME
from .opponents import ODDS
from .playing import one_bot
from .rewards import KINDS as REWARDS
from .rewards import Paymaster, Reward
from .seat import Seat, Seen, seats_of
from .sources import cache_root
from .table import Table
from .tools import Tools

__all__ = [
    "DEVICES", "LONGEST_GAME", "ODDS", "REWARDS", "Batch", "BotCall", "Paymaster", "Reward", "Seat", "Seen", "Table", "Tools",
    "cache_root", "compiled_bots", "cuda_problem", "one_bot", "seats_of", "threads",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what needs Numba when it is asked for."""
    if name == "threads":
        from .cpu import threads

        return threads
    if name == "cuda_problem":
        from .cuda import why_not

        return why_not
    raise AttributeError(f"module 'ludus.engine' has no attribute {name!r}")
