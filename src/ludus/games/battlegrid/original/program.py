"""The original's game class: one game between two of its agents, without a window."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from ludus.core import check_options, plain, streams

from .. import rules
from ..reading import items_of
from ..rules import BLUE, RED, SIZE, sight
from ..text import score_line, shrink_schedule
from .agents import action_of, arguments, pair, tank_values, wish
from .names import ITEM_TYPES
from .tank import Tank


class BattleGrid:
    """One game between two agents; agent 1 is Blue, agent 2 Red. It runs without a window."""

    def __init__(self, agent1: Any, agent2: Any, seed: int | None = None, **options: int) -> None:
        self.agents = (agent1, agent2)
        self.s: Any = plain(np.zeros(1, rules.State))
        for name, value in check_options(rules.SPEC.options, options).items():
            self.s[f"opt_{name}"] = value
        self._rng = streams(secrets.randbelow(2**31) if seed is None else seed, 1)[0]
        self._wishes: list[object] = ["RIGHT", "RIGHT"]
        rules.new(self.s, self._rng)
        self.shrink_schedule = self.generate_shrink_schedule()
        self.faults: list[str] = []

    @property
    def turn(self) -> int:
        """Turns played."""
        return self.s.turn  # type: ignore[no-any-return]

    @property
    def is_over(self) -> bool:
        """Whether the last turn has been played."""
        return self.turn >= self.s.opt_max_turns  # type: ignore[no-any-return]

    @property
    def walls(self) -> set[tuple[int, int]]:
        """Every wall as (x, y)."""
        return _walls(self.s)

    @property
    def grid(self) -> list[list[str]]:
        """The board as grid[y][x]: 'W' for a wall, '.' elsewhere."""
        return [["W" if row >> x & 1 else "." for x in range(SIZE)] for row in self.s.wall.tolist()]

    @property
    def items(self) -> list[tuple[int, int, str]]:
        """The items on the board as (x, y, type)."""
        return [(x, y, ITEM_TYPES[kind]) for x, y, kind in items_of(self.s)]

    @property
    def safe_zone(self) -> tuple[int, ...]:
        """(x1, y1, x2, y2), both corners inside."""
        return tuple(self.s.zone.tolist())

    @property
    def tanks(self) -> list[Tank]:
        """Copies of both tanks, Blue's first."""
        return [self._tank(self._view(seat), seat) for seat in (BLUE, RED)]

    def generate_walls(self) -> set[tuple[int, int]]:
        """Draw another board's walls: 15 % of the cells, then one column cleared."""
        spare = self.s.copy()
        rules.place_walls(spare, self._rng)
        return _walls(spare)

    def random_spawn(self, top: bool) -> tuple[int, int]:
        """Draw a free cell in the top or the bottom third."""
        spare = self.s.copy()
        seat = BLUE if top else RED
        rules.spawn(spare, seat, self._rng)
        return int(spare.x[seat]), int(spare.y[seat])

    def generate_initial_safe_zone(self) -> tuple[int, int, int, int]:
        """Return the whole board as a zone."""
        return 0, 0, SIZE - 1, SIZE - 1

    def generate_shrink_schedule(self) -> list[int]:
        """List the turns after which the zone shrinks."""
        return shrink_schedule(self.s.opt_max_turns)

    def generate_items(self) -> list[tuple[int, int, str]]:
        """Replace the items by five new ones, and list them."""
        rules.place_items(self.s, self._rng)
        return self.items

    def update_safe_zone(self, turn: int) -> None:
        """Shrink the zone if the schedule names this turn."""
        if turn > 0 and turn in self.shrink_schedule:
            rules.shrink_zone(self.s, self._rng)

    def is_visible(self, seat: int, x: int, y: int) -> bool:
        """Say whether a tank has a cell in view."""
        s = self.s
        seen = sight(s.opt_view_range, s.opt_view_metric, int(s.x[seat]), int(s.y[seat]), y)
        return bool(0 <= x < SIZE and 0 <= y < SIZE and seen >> x & 1)

    def _can_move(self, x: int, y: int) -> bool:
        """Say whether a cell is on the board and no wall."""
        return 0 <= x < SIZE and 0 <= y < SIZE and not int(self.s.wall[y]) >> x & 1

    def step_single_agent(self) -> None:
        """Play one turn of the tank whose turn it is, cooldown tick, zone, items and penalty included; after the last, none."""
        if self.is_over:
            return
        seat = self.s.seat
        direction, shoots = self._take_action(seat)
        facing = int(self.s.facing[seat])
        rules.apply(self.s, action_of((direction, shoots), facing), self._rng)
        self._wishes[seat] = wish(direction, facing, int(self.s.desired[seat]))

    def _take_action(self, seat: int) -> tuple[object, bool]:
        """Show an agent what it may see and return its decision; a failing agent drives on (D24)."""
        view, name = self._view(seat), getattr(self.agents[seat], "name", "agent")
        try:
            return pair(self.agents[seat].decide(self._tank(view, seat), *arguments(view).values()))
        except Exception as error:
            self.faults.append(f"turn {self.turn + 1}, {name}: {type(error).__name__}: {error}")
            return None, False

    def run(self) -> str:
        """Play to the end and return the score line."""
        while not self.is_over:
            self.step_single_agent()
        names = [str(getattr(agent, "name", seat)) for seat, agent in enumerate(self.agents)]
        return score_line(names, self.s.score.tolist())

    def _view(self, seat: int) -> Any:
        view = plain(np.zeros(1, rules.View))
        rules.observe(self.s, seat, view)
        return view

    def _tank(self, view: Any, seat: int) -> Tank:
        tank = Tank()
        tank.__dict__.update(tank_values(view, self._wishes[seat]))
        return tank


def _walls(s: Any) -> set[tuple[int, int]]:
    return {(x, y) for y, row in enumerate(s.wall.tolist()) for x in range(SIZE) if row >> x & 1}
