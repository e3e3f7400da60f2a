"""Kinds of bots that other rooms and packages bring: `mcts:1000`, `champion`; who knows how opens them when somebody asks.

This room may not import those above it, so that it knows their names alone: docs/decisions/0022-kinds-of-bots.md.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from ludus.core import Agent, LudusError
from ludus.games import Game

# By what stands before the first colon: the package whose `open_bot(game, kind, rest)` returns an agent.
OWN = {"champion": "ludus.school", "mcts": "ludus.school", "net": "ludus.school", "net+search": "ludus.school"}
ALONE = ("champion",)  # words that need no colon
HELP = ("champion", "mcts:SIMULATIONS", "mcts:200ms", "net:FILE", "net+search:FILE:SIMULATIONS")


def open_kind(game: Game, word: str) -> Agent | None:
    """Return the agent of a word like `mcts:1000`, or None if what stands before the colon is no kind of bot."""
    kind, colon, rest = word.partition(":")
    if kind not in _kinds() or not (colon or kind in ALONE):
        return None
    agent = import_module(_kinds()[kind]).open_bot(game, kind, rest)
    if not isinstance(agent, Agent):
        raise LudusError(f"{_kinds()[kind]} has opened {word!r} as something that is no agent")
    agent.name = word
    return agent


@cache
def _kinds() -> dict[str, str]:
    """Map each kind to its package: our own, then what other packages offer."""
    return {entry.name: entry.value for entry in entry_points(group="ludus.bots")} | OWN
