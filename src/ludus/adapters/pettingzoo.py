"""PettingZoo's AEC environment of every game: one agent after the other; `parallel_env` is in parallel.py.

An illegal action changes nothing: the same agent stays selected, all rewards are 0, its info says `illegal_action`. An agent
whose seat is out (`is_out` of the rules) is terminated and selected at once, to be taken off, and the others play on. The
order of calls is checked here, so no wrapper is needed; infos and observations are built when they are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium import spaces
from pettingzoo import AECEnv

from ludus.core import BadValue, IllegalAction, LudusError
from ludus.engine import Table
from ludus.games import Game

from .arguments import AEC, game_of
from .lens import ByAgent, Lens, first_seed, reset_options
from .paying import Paying
from .rendering import RENDER_FPS, RENDER_MODES, Rendering

if TYPE_CHECKING:
    from .parallel import SimultaneousEnv


def env(game: Game | str, **settings: Any) -> Env:
    """Return the AEC environment of a game; settings are those of `Env`."""
    return Env(game, **settings)


raw_env = env  # there is no wrapper


def parallel_env(game: Game | str, **settings: Any) -> SimultaneousEnv:
    """Return the parallel environment of a simultaneous game; settings are those of `SimultaneousEnv`."""
    from .parallel import SimultaneousEnv

    return SimultaneousEnv(game, **settings)


class Env(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """One agent after the other, a decision a step.

    The first `reset` starts from the seed given here, later ones go on with its chance, `reset(seed=…)` starts anew;
    `reset(options={"position": …})` takes a position as a row or as text. Options are the game's.
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
        **options: object,
    ) -> None:
        self.table = Table(game_of(AEC, game, options), 0, device)
        self._rendering, self.render_mode = Rendering(self.table, render_mode), render_mode
        self._lens = Lens(self.table.game, obs, dtype)
        self._next_seed: int | None = first_seed(seed)
        self.possible_agents = list(self.table.spec.seats)
        self.agents: list[str] = []
        self.metadata = {
            "name": self._lens.name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": RENDER_FPS,
        }
        self._may_leave = hasattr(self.table.game.rules, "is_out")  # before the end
        self._seats = ByAgent({agent: seat for seat, agent in enumerate(self.possible_agents)})
        self.observation_spaces = ByAgent({agent: self._lens.observation_space() for agent in self.possible_agents})
        self.action_spaces = ByAgent({agent: self._lens.action_space() for agent in self.possible_agents})
        paying = Paying(self.table, reward)
        self._paying = None if paying.is_original else paying
        self.state_space = self._lens.state_space()
        self._told: dict[str, dict[str, Any]] = {}  # infos that were read since the last step
        self._illegal = ""  # the agent whose last action was refused

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game."""
        self.table.begin(self._next_seed if seed is None else seed, reset_options(options).get("position"))
        self._next_seed = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._told, self._illegal = {}, ""
        if self._paying:
            self._paying.begin()
        self.agent_selection = self.agents[self.table.seat]

    def step(self, action: Any) -> None:
        """Play a decision of the selected agent; None takes an agent off whose game is over."""
        agent = self._selected("step")
        if self.terminations[agent] or self.truncations[agent]:
            self._take_off(agent, action)
            return
        table, rewards, sums = self.table, self.rewards, self._cumulative_rewards
        self._told, self._illegal = {}, ""
        sums[agent] = 0.0
        try:
            table.apply(self._lens.action(table, self._seats[agent], action))
        except (IllegalAction, BadValue):
            self._illegal = agent
            self._clear_rewards()
            return
        given, seats = table.rewards, self._seats
        if self._paying:
            given = self._paying.after(given)
        for name in self.agents:
            rewards[name] = reward = given[seats[name]]
            sums[name] += reward
        self.agent_selection = self.possible_agents[table.seat]
        if table.over:
            self._end()
        elif self._may_leave:
            self._leave()

    def observe(self, agent: str) -> Any:
        """Return what an agent, whoever's turn it is, sees now."""
        self._selected("observe")
        return self._lens.observation(self.table, self._seats[agent])

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last action, termination, truncation and info of the selected agent."""
        agent = self._selected("last")
        seen = self._lens.observation(self.table, self._seats[agent]) if observe else None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self._info(agent)

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """What is told to each agent beside its observation, built now."""
        return {agent: self._info(agent) for agent in self.agents}

    def state(self) -> Any:
        """Return what all seats see together [seat, …], for a critic that may know it."""
        self._selected("state")
        return self._lens.state([self.table] * len(self.possible_agents))

    def action_meanings(self, agent: str) -> list[str]:
        """List what each action means for an agent."""
        return self._lens.action_meanings(self._seats[agent])

    def render(self) -> Any:
        """Return the position as dots [y, x, 3] or as text, or show it in a window."""
        return self._rendering.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._rendering.close()

    def _selected(self, call: str) -> str:
        """Return the agent whose turn it is; this is the check of the order of calls."""
        if not self.agents:
            raise LudusError(f"{call}() is too early or too late: no game is running; begin one with reset()")
        agent: str = self.agent_selection
        return agent

    def _info(self, agent: str) -> dict[str, Any]:
        told = self._told.get(agent)
        if told is None:
            told = self._told[agent] = self._lens.info(self.table, self._seats[agent])
            if agent == self._illegal:
                told["illegal_action"] = True
        return told

    def _end(self) -> None:
        """All agents end at once."""
        cut = self._lens.is_cut(self.table.result().status)
        self.terminations = dict.fromkeys(self.agents, not cut)
        self.truncations = dict.fromkeys(self.agents, cut)
        if self.agent_selection not in self.agents:
            self.agent_selection = self.agents[0]

    def _leave(self) -> None:
        """Terminate the agents whose seats are out; the first of them is selected before whoever is to move."""
        for agent in reversed(self.agents):
            if self.table.game.is_out(self.table.s, self._seats[agent]):
                self.terminations[agent], self.agent_selection = True, agent

    def _take_off(self, agent: str, action: object) -> None:
        """Remove an agent whose game is over, and select the next one of these, or whoever is to move."""
        if action is not None:
            raise BadValue(f"the game is over for {agent}, so that its only action is None, not {action!r}")
        for by_agent in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations):
            del by_agent[agent]
        self.agents.remove(agent)
        self._told, self._illegal = {}, ""
        self._clear_rewards()
        ended = [agent for agent in self.agents if self.terminations[agent] or self.truncations[agent]]
        if self.agents:
            self.agent_selection = ended[0] if ended else self.possible_agents[self.table.seat]
