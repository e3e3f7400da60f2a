"""The school: search, networks, training data, trainers. What is heavy is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bots import NetworkBot, SearchBot, open_bot
    from .gumbel import GumbelSearch, Network
    from .search import Custom, PlayoutSearch, customs

__all__ = ["Custom", "GumbelSearch", "Network", "NetworkBot", "PlayoutSearch", "SearchBot", "customs", "open_bot"]

_HOMES = {
    "Custom": "search", "PlayoutSearch": "search", "customs": "search",
    "GumbelSearch": "gumbel", "Network": "gumbel",
    "NetworkBot": "bots", "SearchBot": "bots", "open_bot": "bots",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load the file that has a name when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ludus.school' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
