"""The original's environment class (A1 to A6): whole turns as dictionaries of orders, over this game's rules.

It runs the rules as Python does; `originals/` gives it a compiled table instead. Both play the same game.
"""

from __future__ import annotations

import random
import re
from typing import Any, ClassVar

from ludus.core import BadValue, Tape, plain
from ludus.games import load

from ..tables import SEATS
from .dialect import NUMBERS, BadOrder, whole, whole_numbers, without_unit
from .observation import UNIT_COLUMNS, check_columns, energy_goal, territory_goal


class PlainTable:
    """One game, uncompiled: the part of a table that the environment needs."""

    def __init__(self, game: Any, position: Any) -> None:
        self.game, self.s = game, position

    def apply(self, action: int) -> None:
        """Play a decision."""
        self.game.verbs.apply(self.s, action, None)

    def observe(self, seat: int) -> Any:
        """Return what a seat may know."""
        return self.game.look(self.s, seat)


class QuantumHarvestEnv:
    """The environment as the original's users know it."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["human"], "render_fps": 4}

    def __init__(
        self,
        map_size: int = 12,
        max_turns: int = 1000,
        energy_victory_threshold: float = 100000.0,
        territory_victory_threshold: float = 0.7,
        territory_victory_turns: int = 10,
        render_mode: str | None = None,
        seed: int | None = None,
        log_game: bool = False,
        log_file: str | None = None,
        player1_username: str | None = None,
        player2_username: str | None = None,
        unit_columns: int = UNIT_COLUMNS,
    ) -> None:
        if render_mode not in (None, "human"):
            raise BadValue(f"render_mode must be None or 'human', not {render_mode!r}")
        self.game = load(
            "quantum_harvest",
            size=map_size,
            max_turns=max_turns,
            energy_goal=energy_goal(energy_victory_threshold),
            territory_goal=territory_goal(territory_victory_threshold, map_size),
            territory_turns=territory_victory_turns,
        )
        self._original = self.game.part("original")  # of this size: orders name tiles of its map
        self.config = {
            "map_size": map_size, "max_turns": max_turns, "energy_victory_threshold": energy_victory_threshold,
            "territory_victory_threshold": territory_victory_threshold,
            "territory_victory_turns": territory_victory_turns, "max_units": "unlimited", "seed": seed,
            "player1_username": player1_username or "Player1", "player2_username": player2_username or "Player2",
        }  # fmt: skip
        self.map_size, self.max_turns, self.render_mode = map_size, max_turns, render_mode
        self.unit_columns = check_columns(unit_columns)
        self.bad_orders: list[BadOrder] = []  # of the last turn
        self._held: list[tuple[Any, Any]] = []  # orders of steps that do not end their turn
        self._table: Any = None
        self._seed, self._log_file = seed, log_file
        self.log = self._original.Log(self.config) if log_game else None

    @staticmethod
    def open_table(game: Any, position: Any) -> Any:
        """Return a table with a position; subclasses may give a faster one."""
        return PlainTable(game, position)

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a game; a seed gives the map that the original made from it."""
        if seed is None:
            seed, self._seed = self._seed, None  # the constructor's seed counts for the first game
        self.config["seed"] = seed
        position = plain(self.game.empty())
        self.game.verbs.new(position, Tape(original_draws(random.Random(seed), self.map_size)))
        self._table = self.open_table(self.game, position)
        self.bad_orders, self._held = [], []
        observation, info = self._look()
        if self.log is not None:
            self.log.begin(self.config, observation, info)
        return observation, info

    @property
    def state(self) -> Any:
        """The position, a row of State."""
        if self._table is None:
            raise BadValue("no game has begun: call reset() first")
        return self._table.s

    def step(self, actions: object, increment_turn: bool = True) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play a turn: {"p0_3": [0, 2, 1, 0], …}; all of player 0's orders run before player 1's (D30).

        With increment_turn=False orders are only taken down; they run with those of the step that ends the turn (D1).
        """
        s = self.state
        if s.end != 0:
            raise BadValue("the game is over: call reset()")
        self._held += self._read(actions)
        if not increment_turn:
            observation, info = self._look()
            return observation, 0.0, False, False, {**info, "rewards": [0.0, 0.0], "bad_orders": []}
        entries, self.bad_orders = self._sort(self._held)
        for seat in range(SEATS):
            count = int(s.units[seat])
            ids, types = s.unit_id[seat, :count].tolist(), s.unit_type[seat, :count].tolist()
            turn = self._original.plan(ids, types, int(s.next_id[seat]), entries[seat])
            self.bad_orders += [BadOrder(f"p{seat}_{bad.unit}", bad.reason) for bad in turn.bad]
            for decision in turn.decisions:
                self._table.apply(decision)
        return self._after()

    def get_player_observation(self, player_id: int) -> dict[str, Any]:
        """Return what one player sees."""
        player = whole(player_id)
        if player not in range(SEATS):
            raise BadValue(f"players are 0 and 1, not {player_id!r:.40}")
        view = self._table.observe(player) if self._table else self.state
        observation: dict[str, Any] = self._original.observation(view, self.unit_columns)
        return observation

    def render(self) -> bool:
        """Show the board in the terminal; True, as there is no window that could have been closed."""
        if self.render_mode == "human":
            picture = self.game.part("scene")
            print(f"{picture.board(self.state)}{picture.status(self.state)}")
        return True

    def close(self) -> None:
        """Save the log, if one was asked for."""
        if self.log is not None:
            self.log.save(self._log_file)

    def get_log_file_path(self) -> str | None:
        """Return where the log was or will be saved."""
        return None if self.log is None else str(self.log.path(self._log_file))

    @property
    def action_space(self) -> Any:
        """Four numbers for a unit, wide enough for the target of a teleport (A6, D34)."""
        from gymnasium.spaces import MultiDiscrete

        wide = max(3, self.map_size)
        return MultiDiscrete([17, wide, wide, 5])

    @property
    def observation_space(self) -> Any:
        """The space of a player's observation."""
        return self._original.observation_space(self.unit_columns)

    def _look(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the observation of everything, and the info."""
        return self._original.env_observation(self.state, self.unit_columns), self._original.info(self.state)

    def _after(self) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Tell what the turn came to, and write it into the log."""
        s, (observation, info) = self.state, self._look()
        info["bad_orders"] = [(bad.unit, bad.reason) for bad in self.bad_orders]
        terminated, truncated = bool(1 <= s.end <= 3), bool(s.turn >= s.opt_max_turns)
        reward = float(sum(info["rewards"]))
        if self.log is not None:
            self.log.add(observation, info, dict(self._held), reward, terminated, truncated)
        self._held = []
        return observation, reward, terminated, truncated, info

    def _read(self, actions: object) -> list[tuple[Any, Any]]:
        """List a step's orders by their keys; one order alone is five numbers, its unit's id first."""
        if isinstance(actions, dict):
            return list(actions.items())
        alone = whole_numbers(actions, 1 + NUMBERS)
        return [(f"{type(actions).__name__} in place of a dictionary", None)] if alone is None else [(alone[0], alone[1:])]

    def _sort(self, given: list[tuple[Any, Any]]) -> tuple[list[list[tuple[int, Any]]], list[BadOrder]]:
        """Sort orders by player; what names no unit is a bad order."""
        entries: list[list[tuple[int, Any]]] = [[], []]
        bad: list[BadOrder] = []
        for key, action in given:
            player, unit = self._unit(key)
            if player is None or unit is None:
                bad.append(BadOrder(f"{key!r:.40}", "names no unit"))
            else:
                entries[player].append((unit, without_unit(unit, action)))
        return entries, bad

    def _unit(self, key: object) -> tuple[int | None, int | None]:
        """Read "p1_3", or a bare id: the oldest unit that has it (A3)."""
        named = re.fullmatch(r"(?:p([01])_)?([0-9]{1,10})", key) if isinstance(key, str) else None
        if named and named[1]:
            return int(named[1]), int(named[2])
        number = int(named[2]) if named else whole(key)
        for unit, seat, *_ in self._original.all_units(self.state):
            if unit == number:
                return seat, number
        return None, None


def original_draws(chance: random.Random, size: int) -> list[int]:
    """Return the numbers that `new` needs for the map which the original draws from this chance (section 4)."""
    rules = load("quantum_harvest", size=size).rules
    bounds = [(max(1, size // low), max(max(1, size // low), size // high)) for _, low, high in rules.PAIRS]
    pairs = [chance.randint(low, high) for low, high in bounds]
    numbers = [count - low for count, (low, _) in zip(pairs, bounds, strict=True)]
    free = [(x, y) for x in range(size // 2) for y in range(size // 2)][1:]
    for which, count in enumerate(pairs):
        for _ in range(count):
            cell = chance.choice(free)
            numbers.append(free.index(cell))
            free.remove(cell)
            if which == 0:
                numbers.append(chance.randint(1000, 2000) - 1000)
    return numbers
