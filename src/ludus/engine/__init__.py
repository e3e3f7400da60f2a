"""Many rows at once, uncompiled, on the CPU, on CUDA or in WebAssembly; names no game."""

from typing import Any

from .batch import Batch
from .bot_call import BotCall
from .driver import on_stream
from .kernels import compiled_bots
from .memory import DEVICES, LONGEST_GAME
from .opponents import NAMED, odds_of
from .playing import one_bot
from .rewards import KINDS as REWARDS
from .rewards import Paymaster, Reward
from .seat import Seat, Seen, seats_of
from .sources import cache_root, sources
from .table import Table
from .tools import Tools
from .trees import Found, Trees
from .wasm_build import check_linker
from .wasm_files import Module, built_module, kept_module, module_of, source_hash, web_folder

__all__ = [
    "DEVICES", "LONGEST_GAME", "NAMED", "REWARDS", "Batch", "BotCall", "Found", "Module", "Paymaster", "Reward", "Seat",
    "Seen", "Table", "Tools", "Trees", "built_module", "cache_root", "check_linker", "compile_kernels", "compiled_bots",
    "cuda_problem", "kept_module", "kernels_to_compile", "module_of", "odds_of", "on_stream", "one_bot", "seats_of",
    "source_hash", "sources", "threads", "web_folder",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what needs Numba when it is asked for."""
    if name == "threads":
        from .cpu import threads

        return threads
    if name in ("compile_kernels", "kernels_to_compile"):
        from . import ahead

        return getattr(ahead, name)
    if name == "cuda_problem":
        from .cuda import why_not

        return why_not
    raise AttributeError(f"module 'ludus.engine' has no attribute {name!r}")
