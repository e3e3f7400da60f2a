"""PettingZoo's parallel environment: all agents at once, a turn a step, where seats commit without seeing each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from ludus.core import BadValue, IllegalAction, LudusError, whole_number
from ludus.engine import Table
from ludus.games import Game

from .arguments import PARALLEL, game_of
from .lens import ByAgent, Lens, first_seed, reset_options
from .paying import Paying
from .rendering import RENDER_FPS, RENDER_MODES, Rendering

MOST_DECISIONS = 4096  # in an action


class Decisions(spaces.MultiDiscrete):
    """Several decisions at once; `sample` also takes masks as one array [decision, action], as infos have them."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Draw a decision for each row, among those that are marked in it."""
        return super().sample(tuple(mask) if isinstance(mask, np.ndarray) else mask, probability)


class SimultaneousEnv(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """Every agent sees what it will see when it is asked, before the others have committed.

    An agent's action holds its decisions of this turn in the order in which the game asks for them (one for each unit, for
    instance): MultiDiscrete, with masks [decision, action] in infos ("action_mask") and in masked observations, each as it
    is if the game's default is taken before; a row that nobody will be asked for has the default alone, and "decisions" in
    infos says how many count. Where a game asks once a turn it is Discrete, with a mask [action]. Shorter lists do as well:
    where a decision is missing the default is taken. One that is refused is replaced by the default and `illegal_action` set.
    An agent whose seat is out (`is_out` of the rules) is terminated in that step and leaves; the others play on.
    """

    def __init__(
        self,
        game: Game | str,
        obs: str = "planes",
        seed: int | None = None,
        device: str = "cpu",
        render_mode: str | None = None,
        dtype: Any = None,
        reward: Any = None,
        decisions: int | None = None,
        **options: object,
    ) -> None:
        self.table = table = Table(game_of(PARALLEL, game, options), 0, device)
        if not table.spec.simultaneous:
            raise BadValue(f"in {table.spec.title} one seat moves after the other; take pettingzoo.env")
        self._rendering, self.render_mode = Rendering(self.table, render_mode), render_mode
        self._lens = lens = Lens(table.game, obs, dtype)
        self._next_seed: int | None = first_seed(seed)
        self.metadata = {
            "name": lens.name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": RENDER_FPS,
        }
        most = table.game.says("actions", "MOST_DECISIONS") or 1
        self.decisions = most if decisions is None else whole_number(decisions, "decisions", 1, MOST_DECISIONS)
        self._steering = list(table.game.says("actions", "STEERING") or ())
        self.possible_agents = list(table.spec.seats)
        self.agents: list[str] = []
        self._mask_shape = (self.decisions, table.spec.actions)[self.decisions == 1 :]
        self.observation_spaces = ByAgent({agent: lens.observation_space(self._mask_shape) for agent in self.possible_agents})
        self.action_spaces = ByAgent({agent: self._turn_space() for agent in self.possible_agents})
        self.state_space = lens.state_space()
        self._paying = Paying(table, reward)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's turns: as many decisions as it can be asked for."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin another game."""
        self.table.begin(self._next_seed if seed is None else seed, reset_options(options).get("position"))
        self._next_seed = None
        self.agents = list(self.possible_agents)
        self._paying.begin()
        return self._shown()

    def step(
        self, actions: dict[str, Iterable[int]]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play a turn of all agents."""
        if not self.agents:
            raise LudusError("step() is too early or too late: no game is running; begin one with reset()")
        table, got = self.table, np.zeros(len(self.possible_agents))
        decisions = [self._decisions(agent, actions.get(agent, ())) for agent in self.possible_agents]
        turn, illegal = table.turn, set()
        while not table.over and table.turn == turn:
            seat = table.seat
            if not self._decide(seat, decisions[seat]):
                illegal.add(self.possible_agents[seat])
            got += table.rewards
        paid = dict(zip(self.possible_agents, self._paying.all(got.tolist()), strict=True))
        rewards = {agent: paid[agent] for agent in self.agents}
        seen, infos = self._shown()
        for agent in illegal:
            infos[agent]["illegal_action"] = True
        cut = table.over and self._lens.is_cut(table.result().status)
        ended = {agent: (table.over and not cut) or self._is_out(agent) for agent in self.agents}
        was_cut = {agent: cut and not ended[agent] for agent in self.agents}
        self.agents = [agent for agent in self.agents if not ended[agent] and not was_cut[agent]]
        return seen, rewards, ended, was_cut, infos

    def state(self) -> Any:
        """Return what all seats see together [seat, …], for a critic that may know it."""
        return self._lens.state([self._asked(agent) for agent in self.possible_agents])

    def action_meanings(self, agent: str) -> list[str]:
        """List what each number of a decision means for an agent."""
        return self._lens.action_meanings(self.possible_agents.index(agent))

    def render(self) -> Any:
        """Return the position as dots [y, x, 3] or as text, or show it in a window."""
        return self._rendering.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._rendering.close()

    def _turn_space(self) -> spaces.Space[Any]:
        actions = self.table.spec.actions
        return spaces.Discrete(actions) if self.decisions == 1 else Decisions([actions] * self.decisions)

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
            seat, asked = self.possible_agents.index(agent), self._asked(agent)
            infos[agent] = self._lens.info(asked, seat)
            masks, count = self._masks(asked.copy(), seat)
            infos[agent] |= {"action_mask": masks, "decisions": count}
            seen[agent] = self._lens.observation(asked, seat, masks.copy())
        return seen, infos

    def _asked(self, agent: str) -> Table:
        """Return a table at which the seat of an agent is asked, or the end, or the position if it is out."""
        return self.table if self._is_out(agent) else self.table.peek(self.possible_agents.index(agent))

    def _is_out(self, agent: str) -> bool:
        return self.table.game.is_out(self.table.s, self.possible_agents.index(agent))

    def _masks(self, asked: Table, seat: int) -> tuple[Any, int]:
        """Return the masks [decision, action] of a seat's turn and how many of its decisions count; the table is played on."""
        masks, turn, count = np.zeros((self.decisions, self.table.spec.actions), np.int8), asked.turn, 0
        rest: int | list[int] = []  # after the end, and for a seat that is out, nothing is marked
        while count < self.decisions and not asked.over and asked.seat == seat and asked.turn == turn:
            masks[count] = self._lens.mask(asked, seat)
            self._unsteer(masks[count], seat)
            rest = self._own(seat, asked.default())
            asked.apply(asked.default())
            count += 1
        masks[count:, rest] = 1
        return masks.reshape(self._mask_shape), count

    def _unsteer(self, mask: Any, seat: int) -> None:
        """Take away what decides who is asked next, where something else is left: each row is one unit's."""
        if self._steering and self.decisions > 1:
            kept = mask.copy()
            mask[[self._own(seat, action) for action in self._steering]] = 0
            if not mask.any():
                mask[:] = kept

    def _own(self, seat: int, action: int) -> int:
        """Return an action of the rules as the seat numbers it."""
        return int(np.argmax(self.table.game.own_ids[seat] == action)) if self._lens.is_own else action

    def _decisions(self, agent: str, action: Any) -> Iterator[Any]:
        if isinstance(action, int | np.integer) or (isinstance(action, np.ndarray) and action.ndim == 0):
            return iter((action,))
        try:
            return iter(action)
        except TypeError:
            raise BadValue(f"an action of {agent} is the list of its decisions of a turn, not {action!r}") from None
