"""The page of a game for bot writers, written from its code: `python -m ludus.agents.game_page GAME > docs/bots/GAME.md`."""

from __future__ import annotations

import json
import re
import sys
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from ludus.engine import Batch
from ludus.games import Game, load, options_of

SEED, DECISIONS, MORE, EVERY = 3, 60, 3000, 10  # the game that the examples come from: its first view, its last, and how many
LONGEST = 60  # characters of an example
WORDS = {str: "text", int: "whole number", float: "number", bool: "true or false", NoneType: "null"}
INTRODUCTION = """# {title}: what a bot sees and may do

Written by the program from the code of the game, and held to it by a test. How bots are written, run and tried is on [the page
for bot writers](../bots.md); the rules are in `ludus rules {name}`.

Seats: {seats}. {asked}

Built-in bots, weak to strong:

{bots}
"""
TOLD = """In all games x runs to the right and y down, both from 0; an area is `[x_min, y_min, x_max, y_max]`, both corners
inside.
"""


def game_page(name: str) -> str:
    """Return the page of a game."""
    game = load(name)
    views, legal = examples(game)
    parts = [_introduction(game), "## The view\n", TOLD, *_tables({"": game.says("text", "Shown")}, views)]
    parts += [_actions(game), "## Rewards\n", f"{' '.join(game.says('text', 'REWARDS').split())}\n", _options(game)]
    parts += ["## An example\n", "A view in the middle of a game between built-in bots, and the names of the legal actions:\n"]
    parts += [f"```json\n{json.dumps(views[0])}\n```\n", f"```json\n{json.dumps(legal)}\n```"]
    return "\n".join(parts) + "\n"


def examples(game: Game) -> tuple[list[dict[str, Any]], list[str]]:
    """Return views as plain data, from a game between bots of middling strength, and what was legal in the first of them."""
    bots = list(game.bots)
    batch = Batch(game, 1, SEED, "pure", restart=False, frame="rules")
    views: list[dict[str, Any]] = []
    for decision in range(MORE):
        if batch.counts()[0] == 0:
            break
        if decision >= DECISIONS and decision % EVERY == 0:
            views.append(game.public(batch.observe()[:1]))
        if decision == DECISIONS:
            legal = [game.action_name(action, batch.observe()[:1]) for action in batch.legal()[0].nonzero()[0].tolist()]
        batch.step(batch.choose([bots[len(bots) // 2]] * len(game.spec.seats)))
    return views, legal


def form_of(forms: dict[str, str], name: str) -> str:
    """Return the form that the name of an action has; words in capitals stand for anything, `…` for more of the same."""
    (found,) = [form for form in forms if re.fullmatch(_pattern(form), name)]
    return found


def keys_of(kind: Any) -> dict[str, tuple[Any, str]]:
    """Return the type and the meaning of each key of a declared dictionary."""
    hints = get_type_hints(kind, include_extras=True)
    return {key: (get_args(hint)[0], get_args(hint)[1].description) for key, hint in hints.items()}


def _pattern(form: str) -> str:
    words = re.sub("[A-Z]+", r"[\\w-]+", re.escape(form))
    return words.replace("…", r"( \d+)*")


def _introduction(game: Game) -> str:
    spec = game.spec
    asked = "They are asked in turn."
    if spec.simultaneous:
        asked = "All of them commit before anything happens: none sees what the others do in this turn."
    if spec.sides:
        sides = [[seat for k, seat in enumerate(spec.seats) if spec.side(k) == side] for side in sorted(set(spec.sides))]
        asked += f" They win and lose together: {'; '.join(' and '.join(side) for side in sides)}."
    bots = "\n".join(f"- `{name}`: {_first_line(bot)}" for name, bot in game.bots.items())
    seats = ", ".join(f"`{seat}`" for seat in spec.seats)
    return INTRODUCTION.format(title=spec.title, name=game.name, seats=seats, asked=asked, bots=bots)


def _first_line(function: Any) -> str:
    return str(function.__doc__ or "").strip().split("\n")[0]


def _tables(kinds: dict[str, Any], views: list[Any]) -> list[str]:
    """Return the table of a dictionary's keys, then those of the dictionaries inside it, each kind once."""
    parts = []
    for title, kind in kinds.items():
        lines, inner = [f"### {title}: {_first_line(kind)}\n"] if title else [], dict[Any, list[str]]()
        lines += ["| key | type | meaning | example |", "|---|---|---|---|"]
        for key, (type_, meaning) in keys_of(kind).items():
            found = [view[key] for view in views]
            shown = next((value for value in found if value not in (None, [], {})), found[0] if found else None)
            lines.append(f"| `{key}` | {in_words(type_)} | {meaning} | {_example(shown) if found else ''} |")
            for part in _dictionaries(type_):
                inner.setdefault(part, []).append(key)
        parts.append("\n".join(lines) + "\n")
        for part, keys in inner.items():
            values = [value for view in views for value in _listed(view[keys[0]])]
            parts += _tables({", ".join(f"`{key}`" for key in keys): part}, values)
    return parts


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _dictionaries(type_: Any) -> list[Any]:
    """List the declared dictionaries that a type is made of."""
    if is_typeddict(type_):
        return [type_]
    return [kind for part in get_args(type_) for kind in _dictionaries(part)]


def in_words(type_: Any) -> str:
    """Return a type in words, as JSON has it."""
    origin, parts = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return in_words(parts[0])
    if is_typeddict(type_):
        return "an object, below"
    if origin in (Union, UnionType):
        return " or ".join(in_words(part) for part in parts)
    if origin is Literal:
        return ", ".join(f"`{json.dumps(value)}`" for value in parts)
    if origin is tuple:
        return f"[{', '.join(in_words(part) for part in parts)}]"
    if origin is list:
        return f"list of {in_words(parts[0])}"
    if origin is dict:
        return f"object: text → {in_words(parts[1])}"
    return WORDS[type_]


def _example(value: Any) -> str:
    written = json.dumps(value)
    return f"`{written if len(written) <= LONGEST else written[: LONGEST - 1] + '…'}`".replace("|", "\\|")


def _actions(game: Game) -> str:
    """Return the forms of actions, how many there are of each, and one of them."""
    forms: dict[str, str] = game.says("actions", "FORMS")
    names: dict[str, list[str]] = {form: [] for form in forms}
    for action in range(game.spec.actions):
        name = game.action_name(action)
        names[form_of(forms, name)].append(name)
    lines = [
        "## Actions\n",
        "An action is sent by its name, as `legal` has it, or by its number. Words in capitals stand for others.\n",
    ]
    lines += ["| name | how many | example | does |", "|---|---:|---|---|"]
    lines += [f"| `{form}` | {len(found)} | `{found[len(found) // 2]}` | {forms[form]} |" for form, found in names.items()]
    return "\n".join(lines) + "\n"


def _options(game: Game) -> str:
    lines = ["## Options\n", "Set with `--option NAME=NUMBER`; every view tells them all.\n"]
    lines += ["| name | default | from | to | |", "|---|---:|---:|---:|---|"]
    lines += [f"| `{o.name}` | {o.default} | {o.low} | {o.high} | {o.about} |" for o in options_of(game)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(game_page(sys.argv[1]), end="")
