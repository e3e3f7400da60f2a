"""Agents written for the original program: what they are shown, how their answers are read, and a seat for them here."""

from __future__ import annotations

from typing import Any

from ludus.core import Agent as Player
from ludus.core import BadValue, Start

from ..rules import SHOOT, SIZE
from ..text import cells_in_view, hints_of
from .names import DIRECTION_NAMES, FLAGS, ITEM_TYPES, NUMBERS, is_direction
from .tank import Tank


class Agent:
    """The interface of an agent: a class whose constructor takes a name. To be extended, or just imitated."""

    def __init__(self, name: str) -> None:
        self.name = name

    def decide(
        self,
        tank: Tank,
        visible_enemy: tuple[int, int] | None,
        visible_walls: list[tuple[int, int]],
        enemy_area: tuple[int, int, int, int],
        safe_zone: tuple[int, int, int, int],
        item_hints: list[tuple[int, int, int, int, str]],
    ) -> tuple[str, bool]:
        """Return (direction, shoot): "UP", "DOWN", "LEFT" or "RIGHT", and whether to fire after turning or driving.

        A direction other than the tank's facing turns it on the spot; the same one drives it a cell forward.

        tank: the own tank; its cooldown is already ticked down for this turn, so 0 means that a shot will fire
        visible_enemy: (x, y) of the other tank if it is in view, else None
        visible_walls: (x, y) of every wall in view, by column, then row; keep them yourself, the next call forgets
        enemy_area: (x_min, x_max, y_min, y_max) around the other tank, in view or not; mind the order
        safe_zone: (x1, y1, x2, y2), both corners inside
        item_hints: (x1, y1, x2, y2, type) of a 2×2 box around every item on the board
        """
        raise NotImplementedError


class OriginalAgent(Player):
    """An agent written for the original, at a seat of this arena; every game gets a new instance, as there."""

    def __init__(self, cls: Any, name: str) -> None:
        self._class, self._given_name = cls, name
        self.agent, self._is_used = cls(name), False
        self.name = str(getattr(self.agent, "name", name))

    def start(self, start: Start) -> None:
        """Take the seat with an instance that remembers nothing."""
        if self._is_used:
            self.agent = self._class(self._given_name)
        self._is_used = True
        self._tank, self._tampered = Tank(), set[str]()
        self._last_view: tuple[object, int] | None = None  # the last direction asked for, and the facing before it

    def act(self, view: Any, legal: list[int]) -> int:
        """Show the agent its tank and what it sees; read its answer."""
        facing = int(view.facing)
        truth = tank_values(view, self._wish(view))
        self._tank.__dict__.update(truth)
        self._last_view = (None, facing)  # what stands in for an answer that never comes (D24)
        answer = self.agent.decide(self._tank, *arguments(view).values())
        self._note_changes(truth)
        direction, flag = pair(answer)
        self._last_view = (direction, facing)
        return action_of((direction, flag), facing)

    def _wish(self, view: Any) -> object:
        if self._last_view is None:
            return DIRECTION_NAMES[view.desired]
        return wish(*self._last_view, int(view.desired))

    def _note_changes(self, truth: dict[str, Any]) -> None:
        """Say once per attribute, in the agent's own log, that writing to the tank has no effect."""
        for key, value in truth.items():
            if self._tank.__dict__.get(key) != value and key not in self._tampered:
                self._tampered.add(key)
                print(f"ludus: {self.name} changed tank.{key}; the tank is a copy, so nothing happened")


def tank_values(view: Any, desired: object) -> dict[str, Any]:
    """Return the attributes of the own tank."""
    return {
        **{key: int(view[field]) for key, field in NUMBERS.items()},
        **{key: bool(view[field]) for key, field in FLAGS.items()},
        "facing": DIRECTION_NAMES[view.facing],
        "desired_direction": desired,
    }


def arguments(view: Any) -> dict[str, Any]:
    """Return what `decide` is given beside the tank, by the names of its parameters and in their order."""
    return {
        "visible_enemy": None if view.enemy_x < 0 else (int(view.enemy_x), int(view.enemy_y)),
        "visible_walls": walls_in_view(view),
        "enemy_area": tuple(view.enemy_area.tolist()),
        "safe_zone": tuple(view.zone.tolist()),
        "item_hints": [(x, y, x + 1, y + 1, ITEM_TYPES[kind]) for x, y, kind in hints_of(view)],
    }


def walls_in_view(view: Any) -> list[tuple[int, int]]:
    """List the walls that the tank has in view now, by column, then row."""
    rows = [wall & lit for wall, lit in zip(view.wall.tolist(), cells_in_view(view), strict=True)]
    return [(x, y) for x in range(SIZE) for y, bits in enumerate(rows) if bits >> x & 1]


def pair(answer: Any) -> tuple[object, bool]:
    """Read an answer of `decide`; what is no pair, or has a direction that cannot be looked up, is a fault (D24)."""
    try:
        direction, flag = answer
        hash(direction)
    except (TypeError, ValueError):
        raise BadValue(f"decide() must return (direction, shoot), not {answer!r:.80}") from None
    return direction, bool(flag)


def action_of(answer: tuple[object, object], facing: int) -> int:
    """Return an answer of `decide` as an action; a direction that is none of the four drives on (D23)."""
    direction, flag = answer
    number = DIRECTION_NAMES.index(str(direction)) if is_direction(direction) else facing
    return number + (SHOOT if flag else 0)


def wish(direction: object, facing: int, desired: int) -> object:
    """Return `desired_direction` after a turn: what was asked for as it was given, or the direction of an escape.

    An illegal wish is played as the facing; an escape from there leads elsewhere, as the way ahead was closed.
    """
    return direction if not is_direction(direction) and desired == facing else DIRECTION_NAMES[desired]
