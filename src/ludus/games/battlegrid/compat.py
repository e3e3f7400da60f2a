"""BattleGrid as the original program showed it: agents decide a direction and a shot from a tank and plain lists."""

from __future__ import annotations

import inspect
import secrets
from types import ModuleType
from typing import Any

import numpy as np

from ludus.core import BadValue, streams
from ludus.core.spec import check_options

from . import rules
from .rules import BLUE, DX, DY, QUIET_END, RED, RELOAD, SHOOT, SHRINKS, SIZE, sight

DIRECTION_NAMES = ("UP", "DOWN", "LEFT", "RIGHT")  # by number
DIRECTIONS = dict(zip(DIRECTION_NAMES, zip(DX, DY, strict=True), strict=True))
ANGLES = {"RIGHT": 0, "UP": 90, "LEFT": 180, "DOWN": 270}  # of the sprite, counter-clockwise
ITEM_TYPES = ("DOUBLE_SHOT", "DOUBLE_DAMAGE", "MINUS_ONE", "DOUBLE_COOLDOWN")  # by number
# Attributes of a tank and the fields of a view that hold them; directions are names.
NUMBERS = {"x": "x", "y": "y", "shoot_cooldown": "cooldown", "stay_counter": "stay", "score": "score"}
FLAGS = {f"{name}_active": name for name in ("double_shot", "double_damage", "double_cooldown")}
# The constants of the original's script, as its description names them.
CONSTANTS = {
    "GRID_SIZE": SIZE,
    "CELL_SIZE": 60,
    **{option.name.upper(): option.default for option in rules.SPEC.options if option.name != "view_metric"},
    "FPS": 200,
    "DIRECTIONS": DIRECTIONS,
    "ITEM_TYPES": list(ITEM_TYPES),
}
INTERFACES = ("a class with decide(tank, visible_enemy, visible_walls, enemy_area, safe_zone, item_hints)",)


class Tank:
    """A tank as the original had it. Agents are given a copy: reading tells the truth, writing changes nothing (D25)."""

    x: int
    y: int
    facing: str
    desired_direction: Any  # what was asked for last, as it was given, or the direction of an escape
    shoot_cooldown: int
    double_shot_active: bool
    double_damage_active: bool
    double_cooldown_active: bool
    stay_counter: int
    score: int

    def __init__(self, x: int = 0, y: int = 0, facing: str = "RIGHT") -> None:
        self.x, self.y, self.facing, self.desired_direction = x, y, facing, facing
        self.shoot_cooldown, self.stay_counter, self.score = 0, 0, 0
        self.double_shot_active = self.double_damage_active = self.double_cooldown_active = False

    @property
    def angle(self) -> int:
        """How far the sprite is turned, in degrees counter-clockwise."""
        return ANGLES.get(self.facing, 0)

    def rotate(self) -> bool:
        """Turn to the desired direction if it is one and a new one; say whether the tank turned."""
        if not _is_direction(self.desired_direction) or self.desired_direction == self.facing:
            return False
        self.facing = self.desired_direction
        return True

    def move(self, grid: Any) -> bool:
        """Drive one cell forward unless the edge or a wall ('W' in grid[y][x]) is there; say whether it did (D33)."""
        across, down = DIRECTIONS[self.facing]
        x, y = self.x + across, self.y + down
        if not (0 <= y < len(grid) and 0 <= x < len(grid[y])) or grid[y][x] == "W":
            return False
        self.x, self.y = x, y
        return True

    def shoot(self) -> bool:
        """Fire unless reloading; true for hit and miss (D18). Who was hit is the game's business, not the tank's."""
        if self.shoot_cooldown > 0:
            return False
        self.double_damage_active = False
        if self.double_shot_active:
            self.double_shot_active, self.shoot_cooldown = False, 0
        else:
            self.shoot_cooldown = 2 * RELOAD if self.double_cooldown_active else RELOAD
            self.double_cooldown_active = False
        return True


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


class OriginalAgent:
    """An agent written for the original, at a seat of this arena; every game gets a new instance, as there."""

    def __init__(self, cls: Any, name: str) -> None:
        self._class, self._given_name = cls, name
        self.agent, self._is_used = cls(name), False
        self.name = str(getattr(self.agent, "name", name))

    def start(self, start: Any) -> None:
        """Take the seat with an instance that remembers nothing."""
        if self._is_used:
            self.agent = self._class(self._given_name)
        self._is_used = True
        self._tank, self._tampered = Tank(), set[str]()
        self._asked: tuple[object, int] | None = None  # the last direction asked for, and the facing before it

    def act(self, view: Any, legal: list[int]) -> int:
        """Show the agent its tank and what it sees; read its answer."""
        facing = int(view.facing)
        truth = tank_values(view, self._wish(view))
        self._tank.__dict__.update(truth)
        answer = self.agent.decide(self._tank, *arguments(view).values())
        self._note_changes(truth)
        direction, flag = pair(answer)
        self._asked = (direction, facing)
        return action_of((direction, flag), facing)

    def end(self, result: Any) -> None:
        """Nothing to tell; the original had no such call."""

    def _wish(self, view: Any) -> object:
        if self._asked is None:
            return DIRECTION_NAMES[view.desired]
        return wish(*self._asked, int(view.desired))

    def _note_changes(self, truth: dict[str, Any]) -> None:
        """Say once per attribute, in the agent's own log, that writing to the tank has no effect."""
        for key, value in truth.items():
            if self._tank.__dict__.get(key) != value and key not in self._tampered:
                self._tampered.add(key)
                print(f"ludus: {self.name} changed tank.{key}; the tank is a copy, so nothing happened")


class BattleGrid:
    """One game between two agents; agent 1 is Blue, agent 2 Red. It runs without a window."""

    def __init__(self, agent1: Any, agent2: Any, seed: int | None = None, **options: int) -> None:
        self.agents = (agent1, agent2)
        self.s = np.zeros(1, rules.State).view(np.recarray)[0]
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
        return int(self.s.turn)

    @property
    def walls(self) -> set[tuple[int, int]]:
        """Every wall as (x, y)."""
        return {(x, y) for y in range(SIZE) for x in range(SIZE) if int(self.s.wall[y]) >> x & 1}

    @property
    def grid(self) -> list[list[str]]:
        """The board as grid[y][x]: 'W' for a wall, '.' elsewhere."""
        return [["W" if int(row) >> x & 1 else "." for x in range(SIZE)] for row in self.s.wall]

    @property
    def items(self) -> list[tuple[int, int, str]]:
        """The items on the board as (x, y, type)."""
        cells = self.s.item_cell[: self.s.item_count].tolist()
        return [(cell % SIZE, cell // SIZE, ITEM_TYPES[self.s.item_kind[k]]) for k, cell in enumerate(cells)]

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
        return {(x, y) for y in range(SIZE) for x in range(SIZE) if int(spare.wall[y]) >> x & 1}

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
        return shrink_schedule(int(self.s.opt_max_turns))

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
        seen = sight(int(s.opt_view_range), int(s.opt_view_metric), int(s.x[seat]), int(s.y[seat]), y)
        return bool(0 <= x < SIZE and 0 <= y < SIZE and seen >> x & 1)

    def _can_move(self, x: int, y: int) -> bool:
        """Say whether a cell is on the board and no wall."""
        return 0 <= x < SIZE and 0 <= y < SIZE and not int(self.s.wall[y]) >> x & 1

    def step_single_agent(self) -> None:
        """Play one turn of the tank whose turn it is: all of the turn, cooldown tick, zone, items and penalty included."""
        seat = int(self.s.seat)
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
        while self.s.turn < self.s.opt_max_turns:
            self.step_single_agent()
        names = [str(getattr(agent, "name", seat)) for seat, agent in enumerate(self.agents)]
        return score_line(names, self.s.score.tolist())

    def _view(self, seat: int) -> Any:
        view = np.zeros(1, rules.View).view(np.recarray)[0]
        rules.observe(self.s, seat, view)
        return view

    def _tank(self, view: Any, seat: int) -> Tank:
        tank = Tank()
        tank.__dict__.update(tank_values(view, self._wishes[seat]))
        return tank


def modules() -> dict[str, dict[str, Any]]:
    """Return the module that agent files of the original may import, with its contents."""
    return {"battlegrid": {**CONSTANTS, "Tank": Tank, "Agent": Agent, "BattleGrid": BattleGrid}}


def original_agent(module: ModuleType, name: str) -> OriginalAgent | None:
    """Return the agent that a file holds: its last class with `decide`."""
    classes = [
        cls
        for cls in vars(module).values()
        if inspect.isclass(cls) and callable(getattr(cls, "decide", None)) and cls.__module__ == module.__name__
    ]
    return OriginalAgent(classes[-1], name) if classes else None


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
    hints = zip(view.hint_x.tolist(), view.hint_y.tolist(), view.hint_kind.tolist(), strict=True)
    return {
        "visible_enemy": None if view.enemy_x < 0 else (int(view.enemy_x), int(view.enemy_y)),
        "visible_walls": walls_in_view(view),
        "enemy_area": tuple(view.enemy_area.tolist()),
        "safe_zone": tuple(view.zone.tolist()),
        "item_hints": [(x, y, x + 1, y + 1, ITEM_TYPES[kind]) for x, y, kind in list(hints)[: view.hint_count]],
    }


def walls_in_view(view: Any) -> list[tuple[int, int]]:
    """List the walls that the tank has in view now, by column, then row."""
    reach, metric, x, y = int(view.view_range), int(view.view_metric), int(view.x), int(view.y)
    rows = [walls & sight(reach, metric, x, y, row) for row, walls in enumerate(view.wall.tolist())]
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
    number = DIRECTION_NAMES.index(str(direction)) if _is_direction(direction) else facing
    return number + (SHOOT if flag else 0)


def wish(direction: object, facing: int, desired: int) -> object:
    """Return `desired_direction` after a turn: what was asked for as it was given, or the direction of an escape.

    An illegal wish is played as the facing; an escape from there leads elsewhere, as the way ahead was closed.
    """
    return direction if not _is_direction(direction) and desired == facing else DIRECTION_NAMES[desired]


def shrink_schedule(max_turns: int) -> list[int]:
    """List the turns after which the zone shrinks; short games name turns that never come (D29)."""
    gap = (max_turns - QUIET_END) // (2 * SHRINKS)
    return [2 * gap * k for k in range(1, SHRINKS + 1)]


def score_line(names: Any, scores: Any) -> str:
    """Return the line that ends a game on the console (D20)."""
    return " - ".join(f"{name}:{score:.0f}" for name, score in zip(names, scores, strict=True))


def _is_direction(direction: object) -> bool:
    return isinstance(direction, str) and direction in DIRECTION_NAMES
