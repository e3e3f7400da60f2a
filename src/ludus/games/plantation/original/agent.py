"""Agents written for the original program, at a seat of this arena, and the modules that their files import.

Row first, then column. Player 1 counts positive, player 2 negative.
"""

from __future__ import annotations

import inspect
import time
from contextlib import suppress
from types import ModuleType
from typing import Any

from ludus.core import Agent, BadValue, Clock

from ..actions import answer
from ..rules import PLAYER1, SIGN
from ..scene import draw_board
from .engine import Engine, Player
from .players import EVEN, HumanPlayer, RandomPlayer, RandomPlayerDumb, ScryAndDie, Tracker
from .translate import actions_of, hide, restricted, said

STARTING_SECONDS, TIME_INCREMENT = 1.0, 0.1  # D27
INTERFACES = ("a class that extends plantation.player.Player and has get_move",)


def modules() -> dict[str, dict[str, Any]]:
    """Return the modules that agent files of the original import, with their contents."""
    players: dict[str, dict[str, Any]] = {
        "random_player": {"RandomPlayer": RandomPlayer},
        "random_player_dumb": {"RandomPlayerDumb": RandomPlayerDumb},
        "scry_and_die": {"ScryAndDie": ScryAndDie},
        "tracker": {"Tracker": Tracker},
        "human": {"HumanPlayer": HumanPlayer},
    }
    return {
        "plantation": {},
        "plantation.player": {"Player": Player},
        "plantation.engine": {"Engine": Engine},
        "plantation.include": {"get_player_restricted_board": restricted, "display_board_text": draw_board},
        "plantation.ai_players": {},
        **{f"plantation.ai_players.{name}": contents for name, contents in players.items()},
    }


class OriginalAgent(Agent):
    """A player written for the original, at a seat of this arena."""

    def __init__(self, player: Any, name: str) -> None:
        self.player, self.name = player, str(getattr(player, "name", None) or name)
        self._command: tuple[Any, Any] = (None, None)
        self._unheard = 0  # decisions of the last command that are not played yet
        self._failure: BaseException | None = None  # what the player raised where nothing could be forfeited

    def start(self, start: Any) -> None:
        """Begin a game; its clock is a clock of its own, which counts the time inside `get_move`."""
        self.sign = SIGN[start.seat]
        self.clock, self._turn, self._used = Clock(STARTING_SECONDS, TIME_INCREMENT), 1, 0.0
        self._failure = None
        self._tell(self.player.start_game, start.game.rules.SHAPE, sign=self.sign)

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Ask for a command; whatever the reply is, it becomes the decisions that it stands for."""
        self._raise_failure()
        if view.turn != self._turn:
            self.clock, self._turn, self._used = self.clock.after(self._used), int(view.turn), 0.0
        started = time.perf_counter()
        seconds = self.clock.seconds if self.left is None else self.left  # the referee's clock, if there is one
        reply = self.player.get_move(hide(view), int(view.turn), int(view.moves), seconds)
        self._used += time.perf_counter() - started
        self._command, actions = said(reply), actions_of(reply)
        self._unheard = len(actions)
        return actions

    def after(self, view: Any) -> None:
        """Hand the answer on, once all of the command is played."""
        self._unheard -= 1
        if self._unheard == 0:
            move, pos = self._command
            self._tell(self.player.handle_move_result, move, int(view.told_turn), pos, answer(view))

    def end(self, result: Any) -> None:
        """Tell both scores with their signs; who forfeited has nothing (D12)."""
        own = 0 if self.sign == SIGN[PLAYER1] else 1
        scores = [max(int(points), 0) * sign for points, sign in zip(result.points, SIGN, strict=True)]
        self._tell(self.player.end_game, scores[own], scores[1 - own])
        self._raise_failure()

    def _tell(self, call: Any, *arguments: Any, **named: Any) -> None:
        """Call the player; what it raises comes up when it is asked next, and forfeits the game (D28)."""
        try:
            call(*arguments, **named)
        except (Exception, SystemExit) as error:
            self._failure = self._failure or error

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure


def original_agent(module: ModuleType, name: str) -> OriginalAgent | None:
    """Return the agent that a file holds: its last class with `get_move`, else the last one that it imports."""
    offered = {cls for contents in modules().values() for cls in contents.values() if inspect.isclass(cls)}
    classes = [cls for cls in vars(module).values() if inspect.isclass(cls) and hasattr(cls, "get_move")]
    own = [cls for cls in classes if cls.__module__ == module.__name__]
    found = own or [cls for cls in classes if cls not in offered] or [cls for cls in classes if cls is not Player]
    return OriginalAgent(make_player(found[-1], name), name) if found else None


def make_player(cls: Any, name: str) -> Any:
    """Make a player, with a name if it has none of its own."""
    given = {}
    for parameter in inspect.signature(cls).parameters.values():
        is_collecting = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if parameter.default is parameter.empty and not is_collecting:
            given[parameter.name] = _argument(cls, parameter.name, name)
        elif parameter.name == "name" and parameter.default is None:
            given["name"] = name
    player = cls(**given)
    if not getattr(player, "name", None):
        with suppress(AttributeError):  # it may forbid that
            player.name = name
    return player


def _argument(cls: Any, wanted: str, name: str) -> Any:
    """Return what is given for an argument without a default: the name, or the weights of a random player."""
    if "name" in wanted:
        return name
    if wanted in ("move_probabilities", "weights"):
        return dict(EVEN)
    raise BadValue(f"{cls.__name__} cannot be made: its argument {wanted!r} has no default")
