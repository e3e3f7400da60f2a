"""An agent whose author looks on from a debugger."""

from __future__ import annotations

from bdb import BdbQuit
from collections.abc import Callable
from typing import Any

from ludus.core import Agent, Result, Start

from .guard import Stop, complaint_of


class Debugged(Agent):
    """An agent in our own process that has the terminal: no clock runs, and whoever quits the debugger ends the game."""

    is_person, is_timed = True, False

    def __init__(self, agent: Agent) -> None:
        self.agent, self.name = agent, agent.name

    def start(self, start: Start) -> None:
        """Take the seat."""
        _call(self.agent.start, start)

    def act(self, view: Any, legal: list[int]) -> Any:
        """Ask the agent."""
        return _call(self.agent.act, view, legal)

    def after(self, view: Any) -> None:
        """Tell the agent."""
        _call(self.agent.after, view)

    def end(self, result: Result) -> None:
        """Tell the agent how the game ended."""
        _call(self.agent.end, result)


def _call(call: Callable[..., Any], *arguments: Any) -> Any:
    """Call the agent; what it raises is a fault as ever."""
    try:
        return call(*arguments)
    except BdbQuit:
        raise Stop from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise complaint_of(error) from None
