"""The original program's board: positions are (row, column), agents are called by name. The rules are ludus's."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from ludus.engine import Table
from ludus.games import load

Position: Any = load("chase").part("original").Position


class BoardState:
    """One game. `positions` by agent and `obstacles` may be given; what is missing is drawn as the original drew it."""

    def __init__(
        self,
        board_size: int = 15,
        num_obstacles: int = 5,
        max_turns: int = 300,
        seed: int | None = None,
        positions: dict[str, Iterable[int]] | None = None,
        obstacles: Iterable[Iterable[int]] | None = None,
    ) -> None:
        self.board_size, self.num_obstacles, self.max_turns = board_size, num_obstacles, max_turns
        self._given = positions, obstacles
        self._chance = random.Random(seed)
        self._next_seed = self._chance.getrandbits(31) if seed is None else seed
        self.game = load("chase", size=board_size, max_turns=max_turns)
        self.reset()

    def reset(self, seed: int | None = None) -> dict[str, Any]:
        """Begin another game, going on with the chance if no seed is given; return the observation."""
        if seed is not None:
            self._chance, self._next_seed = random.Random(seed), seed
        self.table = Table(self.game, device="pure", position=self._start(self._next_seed))
        self._next_seed = self._chance.getrandbits(31)
        return self.get_observation()

    def _start(self, seed: int) -> Any:
        original, (positions, obstacles) = self.game.part("original"), self._given
        if positions is None and obstacles is None:
            return original.original_start(seed, self.max_turns, self.num_obstacles)
        return original.custom_start(seed, self.max_turns, self.num_obstacles, positions, obstacles)

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents in the order of play."""
        return self.table.spec.seats

    @property
    def current_agent(self) -> str:
        """Who moves."""
        return self.agents[self.table.seat]

    @property
    def turn(self) -> int:
        """Completed turns."""
        return int(self.table.s.turn)

    @property
    def obstacles(self) -> set[Position]:
        """The cells that are walled off."""
        board = self.get_observation()["board"]
        return {Position(int(x), int(y)) for x, y in zip(*(board == 1).nonzero(), strict=True)}

    def position(self, agent: str) -> Position:
        """Return where an agent stands."""
        seat = self.table.spec.seat(agent)
        return Position(int(self.table.s.y[seat]), int(self.table.s.x[seat]))

    def get_legal_moves(self, agent: str) -> list[int]:
        """List an agent's own legal moves; none after the end."""
        moves: list[int] = self.game.part("actions").legal_moves(self.table.s, self.table.spec.seat(agent))
        return moves

    def move_agent(self, agent: str, action: int) -> bool:
        """Move an agent; return whether the move was accepted. A refused one changes nothing."""
        if self.table.why_not(self.table.spec.seat(agent), action):
            return False
        self.table.apply(action)
        return True

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table.over

    @property
    def winner(self) -> str | None:
        """The winning side, "runner" or "chasers", or None."""
        side: str | None = self.game.part("original").winner(self.table.s)
        return side

    @property
    def win_condition(self) -> str | None:
        """How it was won, as infos say it."""
        how: str | None = self.game.part("original").win_condition(self.table.s)
        return how

    def get_observation(self) -> dict[str, Any]:
        """Return the code grid and the three positions."""
        seen: dict[str, Any] = self.game.part("original").observation(self.table.observe())
        return seen
