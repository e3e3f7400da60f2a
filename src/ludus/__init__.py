"""Ludus: one arena for turn-based grid strategy games played by programs and people.

`make` gives one game to play step by step, `Batch` many at once, `make_vec` many to learn in, `play` a whole game between
agents; `games.names()` lists what there is.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Agent", "Batch", "LudusError", "Reward", "Table", "__version__", "as_html", "games", "make", "make_vec", "play"]

if TYPE_CHECKING:
    from ludus import games
    from ludus.core import Agent, LudusError, Record
    from ludus.engine import Batch, Reward, Seat, Table


def make(game: str, seed: int = 0, device: str = "cpu", position: Any = None, **options: Any) -> Table:
    """Return one game, set up and ready to play."""
    from ludus.engine import Table

    return Table(game, seed, device, position, **options)


def make_vec(
    game: str,
    n: int,
    seat: Any = "all",
    bots: Any = "random",
    obs: str = "features",
    reward: Any = None,
    seed: int | list[int] = 0,
    device: str = "cpu",
    restart: bool = True,
    **options: Any,
) -> Seat:
    """Return `n` games to learn in: by default all seats of them, for self-play; `reset` and `step` tell who is to decide.

    What the arguments may be stands at `Batch.seat`; on the device "cuda" all arrays stay on the GPU.
    """
    from ludus.engine import Batch

    return Batch(game, n, seed, device, restart, **options).seat(seat, bots, obs, reward)


def play(
    game: str, agents: Any = (), seed: int = 0, clock: str = "inf", isolation: str = "in-process", **options: Any
) -> Record:
    """Play a whole game between agents, given as bot names, files, commands or objects: a list by seat, or a dictionary.

    Files run in our own process; with the isolation "process" or "contained" each has one of its own, which a clock can stop.
    """
    from ludus.agents import seat_agents
    from ludus.arena import Referee
    from ludus.core import time_control

    table = make(game, seed, **options)
    seated = seat_agents(table.game, agents, isolation)
    try:
        return Referee(table, seated, control=time_control(clock)).finish()
    finally:
        given = list(agents.values()) if hasattr(agents, "values") else list(agents)
        for agent in seated:
            if not any(agent is other for other in given):
                agent.close()


def as_html(thing: Table | Record) -> str:
    """Return a table as a picture, or a record as a game in motion, in HTML; notebooks show them so."""
    from ludus.viewers import thing_as_html

    return thing_as_html(thing)


def __getattr__(name: str) -> Any:
    """Load the rest when it is asked for: `import ludus` itself loads no Numba."""
    from importlib import import_module

    if name in ("Batch", "Reward", "Table"):
        return getattr(import_module("ludus.engine"), name)
    if name == "games":
        return import_module("ludus.games")
    if name in ("Agent", "LudusError"):
        return getattr(import_module("ludus.core"), name)
    raise AttributeError(f"module 'ludus' has no attribute {name!r}")


if "gymnasium" in sys.modules:  # whoever has it wants to gym.make our games; it would not find them by itself
    from ludus.adapters import register

    register()
