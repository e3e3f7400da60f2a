"""PettingZoo's parallel environment: all agents at once, a turn a step, where seats commit without seeing each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ludus.core import BadValue, IllegalAction, LudusError
from ludus.engine import Table
from ludus.games import Game

from .lens import Lens, first_seed, reset_options
from .rendering import RENDER_FPS, RENDER_MODES, Rendering


class SimultaneousEnv(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """Every agent sees what it will see when it is asked, before the others have committed.

    An agent's action is the list of its decisions of this turn, in the order in which the game asks for them (one order for
    each unit, for instance); where it has but one, the number will do. Its info has the mask of the first of them
    (`action_mask`) and of all of them (`action_masks`, [decision, action], each as it is if the game's default is taken
    before). A decision that is refused is replaced by the default and `illegal_action` set; where one is missing, the default
    is taken; those too many are left. An agent whose seat is out (`is_out` of the rules) is terminated in that step and
    leaves; the others play on.
    """

    def __init__(
        self,
        game: Game | str,
        obs: str = "planes",
        seed: int | None = None,
        device: str = "cpu",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.table = table = Table(game, 0, device, **options)
        if not table.spec.simultaneous:
            raise BadValue(f"in {table.spec.title} one seat moves after the other; take pettingzoo.env")
        self._rendering, self.render_mode = Rendering(self.table, render_mode), render_mode
        self._lens = lens = Lens(table.game, obs)
        self._next_seed: int | None = first_seed(seed)
        self.metadata = {
            "name": lens.name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": RENDER_FPS,
        }
        self.possible_agents = list(table.spec.seats)
        self.agents: list[str] = []
        self.observation_spaces = {agent: lens.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Sequence(lens.action_space()) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's turns: lists of decisions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin another game."""
        seed, self._next_seed = self._next_seed if seed is None else seed, None
        self.table.begin(seed, reset_options(options))
        self.agents = list(self.possible_agents)
        return self._shown()

    def step(
        self, actions: dict[str, Iterable[int]]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play a turn of all agents."""
        if not self.agents:
            raise LudusError("step() is too early or too late: no game is running; begin one with reset()")
        table, got = self.table, dict.fromkeys(self.agents, 0.0)
        decisions = [self._decisions(agent, actions.get(agent, ())) for agent in self.possible_agents]
        turn, illegal = table.turn, set()
        while not table.over and table.turn == turn:
            seat = table.seat
            if not self._decide(seat, decisions[seat]):
                illegal.add(self.possible_agents[seat])
            for agent, reward in zip(self.possible_agents, table.rewards, strict=True):
                if agent in got:
                    got[agent] += reward
        seen, infos = self._shown()
        for agent in illegal:
            infos[agent]["illegal_action"] = True
        cut = table.over and self._lens.is_cut(table.result().status)
        ended = {agent: (table.over and not cut) or self._is_out(agent) for agent in self.agents}
        was_cut = {agent: cut and not ended[agent] for agent in self.agents}
        self.agents = [agent for agent in self.agents if not ended[agent] and not was_cut[agent]]
        return seen, got, ended, was_cut, infos

    def render(self) -> Any:
        """Return the position as dots [y, x, 3] or as text, or show it in a window."""
        return self._rendering.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._rendering.close()

    def _decide(self, seat: int, decisions: Iterator[Any]) -> bool:
        """Play the next decision of a seat, or the default; return whether it was one that may be played."""
        table = self.table
        for given in decisions:
            try:
                table.apply(self._lens.action(table, seat, given))
                return True
            except (IllegalAction, BadValue):
                table.apply(table.default())
                return False
        table.apply(table.default())
        return True

    def _shown(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Return what every agent sees and may do as if it were asked first."""
        seen, infos = {}, {}
        for agent in self.agents:
            seat = self.possible_agents.index(agent)
            asked = self.table.copy() if self._is_out(agent) else self.table.peek(seat)
            seen[agent] = self._lens.observation(asked, seat)
            infos[agent] = self._lens.info(asked, seat)
            infos[agent]["action_masks"] = self._masks(asked, seat)
        return seen, infos

    def _is_out(self, agent: str) -> bool:
        return self.table.game.is_out(self.table.s, self.possible_agents.index(agent))

    def _masks(self, asked: Table, seat: int) -> Any:
        """Return the masks [decision, action] of a seat's turn; the table given is played on."""
        masks, turn = [], asked.turn
        while not asked.over and asked.seat == seat and asked.turn == turn:
            masks.append(self._lens.mask(asked, seat))
            asked.apply(asked.default())
        return np.array(masks, np.int8).reshape(len(masks), self.table.spec.actions)

    def _decisions(self, agent: str, action: Any) -> Iterator[Any]:
        if isinstance(action, int | np.integer) or (isinstance(action, np.ndarray) and action.ndim == 0):
            return iter((action,))
        try:
            return iter(action)
        except TypeError:
            raise BadValue(f"an action of {agent} is the list of its decisions of a turn, not {action!r}") from None
