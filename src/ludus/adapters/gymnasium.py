"""Gymnasium: one seat of a game against opponents. Importing this registers `ludus/TITLE-v1` for every game.

An illegal action is replaced by any legal one and flagged in info (`illegal_action`, `replaced_by`); `action_masks()` is what
sb3-contrib asks for.
"""

from __future__ import annotations

from typing import Any, cast

import gymnasium as gym
import numpy as np

from ludus.agents import Asker, Interrupts, make_agent
from ludus.core import BadValue, Fault, IllegalAction, LudusError, draw
from ludus.engine import Reward, Table, compiled_bots, seats_of
from ludus.games import Game

from . import register
from .arguments import SINGLE, game_of
from .lens import Lens, checked_seed, first_seed, reset_options
from .opponents import Dealer, asked, is_policy
from .rendering import RENDER_FPS, RENDER_MODES, Rendering

register()


class SeatEnv(gym.Env[Any, Any]):
    """One seat is the learner's; opponents are bots by name (they move inside compiled code), files, functions or agents.

    Rewards are what the seat got since its last decision. With `seat="any"` it is another seat in every game; with a list
    of seats the learner decides for all of them, and is shown, and paid, whichever is to decide. The first `reset` starts
    from the seed given here, later ones go on with its chance.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        seat: Any = 0,
        opponents: Any = None,
        obs: str = "planes",
        seed: int | None = None,
        device: str = "cpu",
        render_mode: str | None = None,
        dtype: Any = None,
        reward: Any = None,
        **options: object,
    ) -> None:
        self.table = table = Table(game_of(SINGLE, game, options), 0, device)
        self._rendering = Rendering(table, render_mode)
        self.render_mode = render_mode
        self._lens = Lens(table.game, obs, dtype)
        self._next_seed = cast(int | None, first_seed(seed))
        self.seats, self._turns_about = seats_of(table.game, seat)
        self._dealer = Dealer(table.game, () if self._turns_about else self.seats, opponents, self._lens)
        self._paid = {own: Reward.of(table.game, reward).at(table, own) for own in self.seats}
        self._mine, self.seat = -1, self.seats[0]  # the seat of this game, where it is another one in each; who is to decide
        self._interrupts = Interrupts()
        self._known: list[tuple[int, Any, Asker]] = []  # agents that have played, with their seats and what they were given as
        self._players: dict[int, Any] = {}  # who plays the other seats in this game: askers and policies
        self._is_over, self._made = True, 0  # whether no game is running; decisions of the learner
        self._gained: dict[int, float] = {}  # by seat of the learner: what it got since it was paid last
        self._tape: Any = None
        self.observation_space = self._lens.observation_space()
        self.action_space = self._lens.action_space()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin another game and let the others play up to the first decision of the seat."""
        seed = self._next_seed if seed is None else checked_seed(seed)
        position = reset_options(options).get("position")
        self.table.begin(seed, position)
        super().reset(seed=seed)
        self._next_seed, self._is_over = None, True
        self._begin()
        while position is None and self.table.over:  # a game that ends before the seat's first decision is none
            self.table.begin()
            self._begin()
        if self.table.over:
            raise LudusError("the game is over before the seat's first decision; give another position")
        self._is_over, self.seat = False, self.table.seat
        self._paid[self.seat].look()
        self._rendering.step()
        return self._lens.observation(self.table, self.seat), self._lens.info(self.table, self.seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play a decision, then let the others play up to the next one or the end."""
        if self._is_over:
            raise LudusError("step() is too early or too late: no game is running; begin one with reset()")
        table = self.table
        played, illegal = self._legal(action)
        self._made += 1
        self._apply(self._lens.action(table, self.seat, played))
        self._others()
        self._is_over = table.over
        self.seat = self.seat if self._is_over else table.seat
        reward = self._paid[self.seat].step(self._gained[self.seat])
        self._gained[self.seat] = 0.0
        info = self._lens.info(table, self.seat)
        if illegal:
            info |= {"illegal_action": True, "replaced_by": played}
        cut = self._is_over and self._end(info)
        self._rendering.step()
        return self._lens.observation(table, self.seat), reward, self._is_over and not cut, cut, info

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

    @property
    def action_meanings(self) -> list[str]:
        """What each action means."""
        return self._lens.action_meanings(self.seat)

    def render(self) -> Any:
        """Return the position as dots [y, x, 3] or as text; in mode "human" every step is shown in a window already."""
        return None if self.render_mode == "human" else self._rendering.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._rendering.close()

    @property
    def faults(self) -> list[Fault]:
        """What the opponents did wrong in this game; another action stood in each time."""
        return [fault for player in self._players.values() if isinstance(player, Asker) for fault in player.faults]

    def _begin(self) -> None:
        """Deal the other seats, tell who plays there, and let them play up to the learner's first decision."""
        table, spec = self.table, self.table.spec
        if self._turns_about:
            self._mine = (self._mine + 1) % len(spec.seats)
            self.seats = (self._mine,)
        dealt = {k: word for k, word in self._dealer.deal(self._made, table.dice).items() if k not in self.seats}
        known = compiled_bots(table.game)
        bots = [dealt[k] if isinstance(dealt.get(k), str) and dealt[k] in known else None for k in range(len(spec.seats))]
        if bots != table.bots:
            table.seat_bots(bots)
        self._players = {k: word if is_policy(word) else self._asker(k, word) for k, word in dealt.items() if bots[k] is None}
        askers = {k: player for k, player in self._players.items() if isinstance(player, Asker)}
        names = tuple(askers[k].agent.name if k in askers else name for k, name in enumerate(spec.seats))
        with self._interrupts:
            for asker in askers.values():
                asker.start(names)
        self._gained = dict.fromkeys(self.seats, 0.0)
        for seat in self.seats:
            self._paid[seat].begin()
        self._others()

    def _asker(self, seat: int, word: Any) -> Asker:
        for place, known, asker in self._known:
            if place == seat and known is word:
                return asker
        asker = Asker(self.table, seat, make_agent(self.table.game, word), self._interrupts)
        self._known.append((seat, word, asker))
        return asker

    def _apply(self, action: Any) -> None:
        """Play an action and note what the learner's seats got."""
        self.table.apply(action)
        rewards = self.table.rewards
        for seat in self.seats:
            self._gained[seat] += rewards[seat]

    def _others(self) -> None:
        """Let the others play until the learner is to decide or the game is over."""
        table = self.table
        self._bots()
        if table.over or table.seat in self.seats:
            return
        with self._interrupts:
            while not table.over and table.seat not in self.seats:
                seat = table.seat
                player = self._players[seat]
                if isinstance(player, Asker):
                    self._apply(player.take().action)
                    player.after()
                else:
                    self._apply(self._policy(player, seat))
                self._bots()

    def _bots(self) -> None:
        gained = self.table.play_bots()
        for seat in self.seats:
            self._gained[seat] += gained[seat]

    def _policy(self, policy: Any, seat: int) -> int:
        """Ask a function over batches; an illegal answer is replaced by any legal action."""
        table, lens = self.table, self._lens
        own = asked(policy, lens.seen(table, seat), lens.mask(table, seat), seat)
        return int(lens.action(table, seat, self._legal_of(seat, own)[0]))

    def _end(self, info: dict[str, Any]) -> bool:
        """Tell how the game ended; return whether that is a truncation."""
        result = self.table.result()
        info |= {"outcome": result.outcome[self.seat], "points": result.points[self.seat]}
        with self._interrupts:
            for player in self._players.values():
                if isinstance(player, Asker):
                    player.end(result)
        return self._lens.is_cut(result.status)

    def _legal(self, action: Any) -> tuple[int, bool]:
        return self._legal_of(self.seat, action)

    def _legal_of(self, seat: int, action: Any) -> tuple[int, bool]:
        """Return the action to be played and whether it stands in for an illegal one."""
        table, lens = self.table, self._lens
        try:
            table.check(lens.action(table, seat, action))
            return int(action), False
        except (BadValue, IllegalAction):
            legal = np.flatnonzero(lens.mask(table, seat))
            return int(legal[draw(self.dice, len(legal))]), True
