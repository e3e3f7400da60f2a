"""Players of every kind, how a word on the command line becomes one, and how all of them are asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludus.core import Agent, BadValue, UnknownName, shown
from ludus.engine import compiled_bots
from ludus.games import Game

from .asker import Asker
from .builtin import Builtin, Prepared
from .files import AgentFile, agent_from_file
from .function import Function
from .guard import Interrupts, Stop, last_line

__all__ = [
    "DEFAULT_BOT", "Agent", "AgentFile", "Asker", "Builtin", "Function", "Interrupts", "Prepared", "Stop",
    "agent_from_file", "last_line", "make_agent",
    "seat_agents",
]  # fmt: skip

DEFAULT_BOT = "random"


def make_agent(game: Game, word: Any) -> Agent:
    """Return an agent: a bot's name, a Python file, a function, or an agent as it is."""
    if isinstance(word, Agent):
        return word
    if hasattr(word, "act") and hasattr(word, "start"):
        raise BadValue(f"{shown(word)} is no agent: derive its class from ludus.core.Agent")
    if callable(word):
        return Function(word, getattr(word, "__name__", "function"))
    if not isinstance(word, str | Path):
        raise BadValue(f"an agent is a bot's name, a Python file or a function, not {shown(word)}")
    if str(word) in game.bots:
        return Builtin(str(word)) if str(word) in compiled_bots(game) else Prepared(str(word))
    if str(word).endswith(".py"):
        return agent_from_file(game, Path(word))
    if str(word) == "human":
        raise BadValue("a person can only sit down in `ludus play`")
    raise UnknownName("bot", word, [*game.bots, "human (in `ludus play`)", "FILE.py"])


def seat_agents(game: Game, agents: Mapping[str, Any] | list[Any] | tuple[Any, ...]) -> list[Agent]:
    """Return one agent a seat from a list by seat or a dictionary by name; empty seats get a random bot."""
    seats = game.spec.seats
    if not isinstance(agents, Mapping):
        if len(agents) > len(seats):
            raise BadValue(f"{game.spec.title} has {len(seats)} seats ({', '.join(seats)}), not {len(agents)}")
        agents = dict(zip(seats, agents, strict=False))
    words: list[Any] = [DEFAULT_BOT] * len(seats)
    for seat, word in agents.items():
        words[game.spec.seat(seat)] = word
    return [make_agent(game, word) for word in words]
