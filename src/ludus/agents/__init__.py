"""Players of every kind, how a word on the command line becomes one, and how all of them are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.core import Agent, BadValue
from ludus.games import Game

from .asker import Asker
from .builtin import Builtin, Prepared
from .containment import LEVELS, Limits, check_apart, why_not_contained
from .files import AgentFile, agent_from_file
from .function import Function
from .game_page import form_of
from .guard import Interrupts, Stop, last_line
from .hashes import bot_files
from .line import Line
from .parcels import Parcel, pack
from .remote import Command, Remote
from .words import is_word, make_agent, split_name

__all__ = [
    "DEFAULT_BOT", "LEVELS", "Agent", "AgentFile", "Asker", "Builtin", "Command", "Function", "Interrupts", "Limits", "Line",
    "Parcel", "Prepared", "Remote", "Stop", "agent_from_file", "bot_files", "form_of", "is_word", "last_line", "make_agent",
    "pack", "seat_agents", "split_name", "why_not_contained",
]  # fmt: skip

DEFAULT_BOT = "random"


def seat_agents(
    game: Game,
    agents: Mapping[str, Any] | list[Any] | tuple[Any, ...],
    isolation: str = "in-process",
    limits: Limits | None = None,
    is_debugged: bool = False,
    kept: Sequence[Path] = (),
) -> list[Agent]:
    """Return one agent a seat from a list by seat or a dictionary by name; empty seats get a random bot.

    What is `kept` of their games must lie where no contained one may read.
    """
    seats = game.spec.seats
    if not isinstance(agents, Mapping):
        if len(agents) > len(seats):
            raise BadValue(f"{game.spec.title} has {len(seats)} seats ({', '.join(seats)}), not {len(agents)}")
        agents = dict(zip(seats, agents, strict=False))
    words: list[Any] = [DEFAULT_BOT] * len(seats)
    for seat, word in agents.items():
        words[game.spec.seat(seat)] = word
    seated = [make_agent(game, word, isolation, limits, is_debugged) for word in words]
    apart = {tuple(one.command.words): one for one in seated if isinstance(one, Remote) and one.level == "contained"}
    check_apart([(one.name, one.command.folder) for one in apart.values()], kept)
    return seated
