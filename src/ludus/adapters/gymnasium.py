"""Gymnasium: one seat of a game against opponents. Importing this registers `ludus/NAME-v1` for every game.

An illegal action is replaced by any legal one and flagged in info (`illegal_action`, `replaced_by`); `action_masks()` is what
sb3-contrib asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import gymnasium as gym
import numpy as np

from ludus.agents import DEFAULT_BOT, Asker, Interrupts, make_agent
from ludus.core import BadValue, Fault, IllegalAction, LudusError, draw
from ludus.engine import Table, compiled_bots
from ludus.games import Game

from . import register
from .lens import Lens, first_seed, reset_options
from .rendering import RENDER_FPS, RENDER_MODES, Rendering

register()


class SeatEnv(gym.Env[Any, Any]):
    """One seat is the learner's; opponents are bots by name (they move inside compiled code), files, functions or agents.

    `opponents` is one for all other seats or a dictionary by seat; seats left out get a random bot. Rewards are what the seat
    got since its last decision. The first `reset` starts from the seed given here, later ones go on with its chance.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        seat: int | str = 0,
        opponents: Any = None,
        obs: str = "planes",
        seed: int | None = None,
        device: str = "cpu",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.table = table = Table(game, 0, device, **options)
        self.seat = table.spec.seat(seat)
        self._rendering = Rendering(table, render_mode)
        self.render_mode = render_mode
        self._lens = Lens(table.game, obs)
        self._device, self._next_seed = device, cast(int | None, first_seed(seed))
        bots, words = seat_opponents(table.game, self.seat, opponents)
        table.seat_bots(bots)
        self._interrupts = Interrupts()
        agents = {other: make_agent(table.game, word) for other, word in words.items()}
        self._askers = {other: Asker(table, other, agent, self._interrupts) for other, agent in agents.items()}
        self._is_over, self._gained = True, 0.0  # no game is running; what the seat got before its first decision
        self._tape: Any = None
        self.observation_space = self._lens.observation_space()
        self.action_space = self._lens.action_space()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin another game and let the others play up to the first decision of the seat."""
        seed, self._next_seed = self._next_seed if seed is None else seed, None
        super().reset(seed=seed)
        position = reset_options(options)
        self.table.begin(seed, position)
        self._begin()
        while position is None and self.table.over:  # a game that ends before the seat's first decision is none
            self.table.begin()
            self._begin()
        if self.table.over:
            raise LudusError("the game is over before the seat's first decision; give another position")
        self._is_over = False
        self._rendering.step()
        return self._lens.observation(self.table, self.seat), self._lens.info(self.table, self.seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play a decision, then let the others play up to the next one or the end."""
        if self._is_over:
            raise LudusError("step() is too early or too late: no game is running; begin one with reset()")
        played, illegal = self._legal(action)
        self.table.apply(self._lens.action(self.table, self.seat, played))
        reward = self._gained + self.table.rewards[self.seat] + self._others()
        self._gained, self._is_over = 0.0, self.table.over
        info = self._lens.info(self.table, self.seat)
        if illegal:
            info |= {"illegal_action": True, "replaced_by": played}
        cut = False
        if self._is_over:
            result = self.table.result()
            cut = self._lens.is_cut(result.status)
            info |= {"outcome": result.outcome[self.seat], "points": result.points[self.seat]}
            with self._interrupts:
                for asker in self._askers.values():
                    asker.end(result)
        self._rendering.step()
        return self._lens.observation(self.table, self.seat), reward, self._is_over and not cut, cut, info

    @property
    def dice(self) -> Any:
        """The chance of replacements: the table's, unless a Tape stands in for it."""
        return self.table.dice if self._tape is None else self._tape

    @dice.setter
    def dice(self, tape: Any) -> None:
        self._tape = tape

    def action_masks(self) -> Any:
        """Return which actions are legal now: truth values [actions]."""
        return self._lens.mask(self.table, self.seat).astype(bool)

    def render(self) -> Any:
        """Return the position as dots [y, x, 3] or as text; in mode "human" every step is shown in a window already."""
        return None if self.render_mode == "human" else self._rendering.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._rendering.close()

    def _begin(self) -> None:
        """Tell the others of the new game and let them play up to the seat's decision."""
        names = [self._askers[k].agent.name if k in self._askers else name for k, name in enumerate(self.table.spec.seats)]
        with self._interrupts:
            for asker in self._askers.values():
                asker.start(tuple(names))
        self._gained = self._others()

    def _others(self) -> float:
        """Let the others play until the seat is to move or the game is over; return what it got meanwhile."""
        table, gained = self.table, self.table.play_bots()[self.seat]
        if table.over or table.seat == self.seat:
            return gained
        with self._interrupts:
            while not table.over and table.seat != self.seat:
                asker = self._askers[table.seat]
                table.apply(asker.take().action)
                gained += table.rewards[self.seat]
                asker.after()
                gained += table.play_bots()[self.seat]
        return gained

    @property
    def faults(self) -> list[Fault]:
        """What the opponents did wrong in this game; another action stood in each time."""
        return [fault for asker in self._askers.values() for fault in asker.faults]

    def _legal(self, action: Any) -> tuple[int, bool]:
        """Return the action to be played and whether it stands in for an illegal one."""
        table, lens = self.table, self._lens
        try:
            table.check(lens.action(table, self.seat, action))
            return int(action), False
        except (BadValue, IllegalAction):
            legal = np.flatnonzero(lens.mask(table, self.seat))
            return int(legal[draw(self.dice, len(legal))]), True


def seat_opponents(game: Game, seat: int, opponents: Any) -> tuple[list[str | None], dict[int, Any]]:
    """Sort the opponents of a seat: the names of compiled bots by seat, None elsewhere; and all others by seat."""
    seats = range(len(game.spec.seats))
    if isinstance(opponents, Mapping):
        given = {game.spec.seat(name): word for name, word in opponents.items()}
        if seat in given:
            raise BadValue(f"{game.spec.seats[seat]} is the seat that is played from outside: it has no opponent in it")
    else:
        given = {} if opponents is None else dict.fromkeys(seats, opponents)
    words = {other: given.get(other, DEFAULT_BOT) for other in seats if other != seat}
    known = compiled_bots(game)
    bots = [words[other] if isinstance(words.get(other), str) and words[other] in known else None for other in seats]
    return bots, {other: word for other, word in words.items() if bots[other] is None}
