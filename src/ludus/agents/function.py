"""A plain function `act(view, legal)` as an agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.core import Agent, BadValue, Start, shown, whole_number


class Function(Agent):
    """A function that is given a small dictionary and the names of the legal actions.

    It answers with the name or the number of an action, or with a list of them: the decisions of a whole turn.
    """

    def __init__(self, function: Callable[[dict[str, Any], list[str]], object], name: str) -> None:
        self.name, self._function = name, function

    def start(self, start: Start) -> None:
        """Take the seat."""
        self._game = start.game

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Ask the function."""
        game = self._game
        names = [game.action_name(action, view) for action in legal]
        answer = self._function(game.public(view), names)
        parts = answer if isinstance(answer, list | tuple) else [answer]
        return [read_action(game, part, view) for part in parts]


def read_action(game: Any, answer: object, view: Any) -> int:
    """Return a decision, named or numbered, as the rules number it."""
    if isinstance(answer, str):
        return int(game.parse_action(answer, view))
    last = game.spec.actions - 1
    try:
        return whole_number(answer, "an action", 0, last)
    except BadValue:
        raise BadValue(f"act() must return the name of an action, or a number from 0 to {last}, not {shown(answer)}") from None
