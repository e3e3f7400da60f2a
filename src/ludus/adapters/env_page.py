"""The page of a game for learners, from its code: `python -m ludus.adapters.env_page GAME > docs/environments/GAME.md`."""

from __future__ import annotations

import sys
from itertools import groupby
from typing import Any

from gymnasium import spaces

from ludus.agents import form_of
from ludus.core import LudusError
from ludus.games import Game, load, options_of

from . import env_ids
from .lens import Lens
from .returns import returns_table

INTRODUCTION = """# {title}: the environment

Written by the program from the code of the game, and held to it by a test. What all environments share is on [the page on
environments](../environments.md), which libraries take them on [another](libraries.md); the rules are in `ludus rules {name}`,
what a bot sees in words on [the page for bot writers](../bots/{name}.md).

![{title} between built-in bots](../pictures/{name}.gif)

```python
import gymnasium as gym
import ludus.adapters.gymnasium  # tells Gymnasium of the games

env = gym.make("{id}", seat="{seat}", obs="features")
envs = gym.make_vec("{id}", num_envs=1024, seat="{seat}", obs="features")
```
"""


def env_page(name: str, returns: str = "") -> str:
    """Return the page of a game; the table of returns is measured if none is given."""
    game = load(name)
    ids = env_ids(name)
    start = INTRODUCTION.format(title=game.spec.title, name=name, id=ids[0], seat=game.spec.seats[0])
    parts = [start, _facts(game, ids), _actions(game), _planes(game), _features(game)]
    parts += [_rewards(game, returns or returns_table(game)), _options(game)]
    return "\n".join(parts)


def _facts(game: Game, ids: list[str]) -> str:
    """Return the table of ids, seats and spaces."""
    spec, planes = game.spec, Lens(game)
    rows = {
        "ids": ", ".join(f"`{word}`" for word in ids),
        "seats": _seats(game),
        "who is asked": "all seats commit before anything happens" if spec.simultaneous else "one seat after the other",
        "actions": f"`{planes.action_space()}`, of which `action_mask` [{spec.actions}] marks the sensible ones",
        '`obs="planes"`': f"`{_box(planes)}`",
    }
    try:
        rows['`obs="features"`'] = f"`{_box(Lens(game, 'features'))}`"
    except LudusError as error:
        rows['`obs="features"`'] = f"none: {error}"
    if game.says("original", "observation_space") is not None:
        rows['`obs="dict"`'] = "; ".join(f"`{key}`: `{space}`" for key, space in _dictionary(game).items())
    else:
        rows['`obs="dict"`'] = "none: the game had no environment of its own"
    if spec.simultaneous:
        most = game.says("actions", "MOST_DECISIONS") or 1
        shape = f"MultiDiscrete([{spec.actions}] * {most})" if most > 1 else f"Discrete({spec.actions})"
        rows["`parallel_env`"] = f"actions `{shape}`, masks {[most, spec.actions][most == 1 :]}"
    else:
        rows["`parallel_env`"] = "none: seats do not commit at the same time"
    if spec.own_ids:
        rows["frame"] = "boards, action ids and masks are turned so that every seat sees itself in the same place"
    rows["an end by a limit"] = "a truncation, as in the original environment" if planes.truncates else "a termination"
    rows["a failing action"] = "is refused: masked" if spec.refuses else "is taken, and has the effect that the rules give it"
    lines = ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in rows.items())]
    return "\n".join(lines) + "\n"


def _seats(game: Game) -> str:
    seats = ", ".join(f"`{seat}`" for seat in game.spec.seats)
    if not game.spec.sides:
        return seats
    sides: dict[int, list[str]] = {}
    for number, seat in enumerate(game.spec.seats):
        sides.setdefault(game.spec.side(number), []).append(seat)
    return f"{seats}; they win and lose together: {'; '.join(' and '.join(side) for side in sides.values())}"


def _box(lens: Lens) -> str:
    return _written(lens.observation_space())


def _dictionary(game: Game) -> dict[str, Any]:
    space: Any = Lens(game, "dict").observation_space()
    return {key: _written(part) for key, part in space.spaces.items()}


def _written(space: Any) -> str:
    """Return a space in one line, without all of its bounds."""
    if isinstance(space, spaces.Box):
        return f"Box({space.low.min():g}, {space.high.max():g}, {space.shape}, {space.dtype})"
    if isinstance(space, spaces.Sequence):
        return f"Sequence({_written(space.feature_space)})"
    return str(space) if " object at " not in repr(space) else type(space).__name__


def _actions(game: Game) -> str:
    """Return the meanings of actions: one line for each run of ids of the same form."""
    forms: dict[str, str] = game.says("actions", "FORMS")
    names = Lens(game).action_meanings(0)
    lines = [
        "## Actions\n",
        "`env.unwrapped.action_meanings` lists all of them by their number. Words in capitals stand for others.\n",
        "| ids | meaning | first | last | does |",
        "|---|---|---|---|---|",
    ]
    for form, run in groupby(enumerate(names), key=lambda item: form_of(forms, item[1])):
        first, *rest = [*run]
        last = rest[-1] if rest else first
        ids = f"{first[0]} to {last[0]}" if rest else str(first[0])
        lines.append(f"| {ids} | `{form}` | `{first[1]}` | `{last[1]}` | {forms[form]} |")
    return "\n".join(lines) + "\n"


def _planes(game: Game) -> str:
    shown = game.says("text", "PLANES") or ["" for _ in range(game.spec.planes[0])]
    lines = ["## Planes\n", "| number | shows |", "|---:|---|"]
    lines += [f"| {number} | {about} |" for number, about in enumerate(shown)]
    return "\n".join(lines) + "\n"


def _features(game: Game) -> str:
    """Return the table of features, equal beginnings in one line."""
    lines = ["## Features\n", "Numbers from -1 to 1, all from the looking seat's side.\n", "| number | name |", "|---:|---|"]
    lines += [f"| {number} | {name} |" for number, name in enumerate(game.spec.features)]
    return "\n".join(lines) + "\n"


def _rewards(game: Game, returns: str) -> str:
    spec = game.spec
    lines = [
        "## Rewards\n",
        f'The default is `reward="{spec.reward}"`. `"original"`: {" ".join(game.says("text", "REWARDS").split())}\n',
        returns,
    ]
    return "\n".join(lines)


def _options(game: Game) -> str:
    lines = [
        "## Options\n",
        "Further arguments of every environment.\n",
        "| name | default | from | to | |",
        "|---|---:|---:|---:|---|",
    ]
    lines += [f"| `{o.name}` | {o.default} | {o.low} | {o.high} | {o.about} |" for o in options_of(game)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(env_page(sys.argv[1]), end="")
