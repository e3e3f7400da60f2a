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
        if isinstance(answer, list | tuple):
            return [self._read(part, view) for part in answer]
        return [self._read(answer, view)]

    def _read(self, answer: object, view: Any) -> int:
        """Return a decision as the rules number it."""
        if isinstance(answer, str):
            return int(self._game.parse_action(answer, view))
        try:
            return whole_number(answer, "an action", 0, self._game.spec.actions - 1)
        except BadValue:
            last = self._game.spec.actions - 1
            raise BadValue(
                f"act() must return the name of an action, or a number from 0 to {last}, not {shown(answer)}"
            ) from None
