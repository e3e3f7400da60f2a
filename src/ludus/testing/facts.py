"""What a game says of itself before it is played: SPEC, the fields of its rows, its bots."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ludus.core import LudusError, Option, Row, Spec
from ludus.games import Game

from .breach import at, fail
from .rows import LARGEST_TABLE
from .source import Source

# Names that a field would take from NumPy's records or from rows.
TAKEN = set(dir(np.recarray)) | set(dir(np.record)) | set(dir(Row))


def check_spec(game: Game) -> str:
    """SPEC fits itself."""
    spec = game.rules.SPEC
    if not isinstance(spec, Spec):
        fail(f"rules.py: SPEC is a {type(spec).__name__}, not a ludus.core.Spec")
    seats = spec.seats
    if not isinstance(seats, tuple) or not seats or not all(isinstance(s, str) and s for s in seats):
        fail(f"rules.py: SPEC.seats is a tuple of names such as ('x', 'o'), not {seats!r}")
    if len(set(seats)) < len(seats):
        fail(f"rules.py: SPEC.seats names a seat twice: {seats}")
    _whole(spec.actions, "actions")
    _whole(spec.version, "version")
    if not isinstance(spec.planes, tuple) or len(spec.planes) != 3:
        fail(f"rules.py: SPEC.planes is (channels, height, width), not {spec.planes!r}")
    for size in spec.planes:
        _whole(size, "planes")
    try:
        if np.dtype(spec.plane_type).kind not in "iuf":
            raise TypeError
    except TypeError:
        fail(f"rules.py: SPEC.plane_type is the name of a type of numbers such as 'f4' or 'u1', not {spec.plane_type!r}")
    if not spec.plane_low < spec.plane_high:
        fail(f"rules.py: SPEC.plane_low ({spec.plane_low}) must be below SPEC.plane_high ({spec.plane_high})")
    if spec.sides and (len(spec.sides) != len(seats) or not all(isinstance(side, int) for side in spec.sides)):
        fail(f"rules.py: SPEC.sides names a side for each of the {len(seats)} seats, not {spec.sides!r}")
    if not spec.reward_unit > 0:
        fail(f"rules.py: SPEC.reward_unit must be above 0, not {spec.reward_unit!r}")
    _check_own_ids(game)
    _check_options(spec)
    return f"{len(seats)} seats, {spec.actions} actions"


def _whole(value: object, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        fail(f"rules.py: SPEC.{name} must be a whole number above 0, not {value!r}")


def _check_own_ids(game: Game) -> None:
    spec = game.spec
    if not spec.own_ids:
        if hasattr(game.rules, "twin"):
            fail("rules.py has twin but SPEC has no own_ids")
        return
    if not hasattr(game.rules, "twin") and len(spec.seats) == 2:
        fail("rules.py has no twin(s, t), which goes with SPEC.own_ids")
    if len(spec.own_ids) != len(spec.seats):
        fail(f"rules.py: SPEC.own_ids has {len(spec.own_ids)} lists, not one for each of the {len(spec.seats)} seats")
    for seat, ids in enumerate(spec.own_ids):
        if sorted(ids) != list(range(spec.actions)):
            fail(f"rules.py: SPEC.own_ids of seat {spec.seats[seat]} is not every id from 0 to {spec.actions - 1} once")


def _check_options(spec: Spec) -> None:
    names = []
    for option in spec.options:
        if not isinstance(option, Option):
            fail(f"rules.py: SPEC.options holds {option!r}, which is no Option")
        if not option.low <= option.default <= option.high:
            fail(f"rules.py: option {option.name}: the default {option.default} is not from {option.low} to {option.high}")
        names.append(option.name)
    if len(set(names)) < len(names):
        fail(f"rules.py: SPEC.options names an option twice: {names}")


def check_rows(game: Game) -> str:
    """rows hold the fields that the engine needs, of types that it can compile."""
    spec, state = game.spec, game.rules.State
    if not isinstance(state, np.dtype) or not state.names:
        fail("rules.py: State must be a NumPy dtype with fields: np.dtype([...], align=True)")
    for name in ("seat", "turn", *(f"opt_{option.name}" for option in spec.options)):
        if name not in state.names:
            fail(f"rules.py: State has no field {name}" + (", which SPEC.options names" if name.startswith("opt_") else ""))
        if state[name].shape:
            fail(f"rules.py: State.{name} must be a single number, not an array of the shape {state[name].shape}")
    if "last_reward" not in state.names or state["last_reward"].shape != (len(spec.seats),):
        fail(f"rules.py: State needs the field last_reward with one number for each of the {len(spec.seats)} seats")
    known = {f"opt_{option.name}": option for option in spec.options}
    for name in state.names:
        if name.startswith("opt_") and name not in known:
            fail(f"rules.py: State has the field {name}, but SPEC.options has no Option {name[4:]!r}")
    for name, option in known.items():
        limits = np.iinfo(state[name]) if state[name].kind in "iu" else None
        if limits and not limits.min <= option.low <= option.high <= limits.max:
            fail(f"rules.py: State.{name} of the type {state[name].str[1:]} cannot hold {option.low} to {option.high}")
    view = getattr(game.rules, "View", None)
    if view is not None and (not isinstance(view, np.dtype) or not view.names):
        fail("rules.py: View must be a NumPy dtype with fields: np.dtype([...], align=True)")
    for title, dtype in (("State", state), *([("View", view)] if view is not None else [])):
        check_row_type(title, dtype)
    return f"row of {state.itemsize} bytes, view of {game.view_type.itemsize}"


def check_row_type(title: str, dtype: np.dtype[Any]) -> None:
    """Hold a dtype to what kernels can read."""
    for name in dtype.names or ():
        kind = dtype[name].base
        if name in TAKEN or name.startswith("_"):
            fail(f"rules.py: {title}.{name}: NumPy's records have that name for themselves; call the field otherwise")
        if kind.kind not in "iu" or not kind.isnative:
            fail(f"rules.py: {title}.{name} has the type {kind.name}; rows hold whole numbers (i1, i2, i4, i8, u1 …) only")
    if not dtype.isalignedstruct:
        fail(f"rules.py: {title} is not aligned: np.dtype([...], align=True)")


def check_bot_table(game: Game) -> str:
    """BOTS names rules that take what the engine gives them."""
    if not game.has("bots"):
        return "there is no bots.py: random only"
    bots = getattr(game.part("bots"), "BOTS", None)
    if not isinstance(bots, dict) or not bots:
        fail("bots.py has no BOTS, a dictionary of names and rules, weak to strong")
    for name, bot in bots.items():
        if not isinstance(name, str) or not name.isidentifier() or not inspect.isfunction(bot):
            fail(f"bots.py: BOTS[{name!r}] must be a name and a function marked @rule")
        given = bot.__code__.co_varnames[: bot.__code__.co_argcount]
        if len(given) not in (3, 4) or (len(given) == 4 and given[3] not in ("scratch", "tables")):
            fail(f"{at(bot)}: the bot {name} takes (view, mask, rng), (…, scratch) or (…, tables), not ({', '.join(given)})")
    scratch = game.says("bots", "Scratch")
    if any("scratch" in bot.__code__.co_varnames[:4] for bot in bots.values()) and scratch is None:
        fail("bots.py has no Scratch, but a bot takes scratch")
    if scratch is not None and (not isinstance(scratch, np.dtype) or scratch.itemsize % 8):
        fail("bots.py: Scratch must be a NumPy dtype of a multiple of 8 bytes")
    return ", ".join(bots)


def check_features(game: Game) -> str:
    """features are named one by one."""
    if game.spec.own_ids and not game.has("features"):
        return "none: a game that turns its board has them only if it writes them"
    try:
        names = game.features.names
    except LudusError as error:
        fail(str(error))
    for name in names:
        if not name or names.count(name) > 1:
            fail(f"features.py: FEATURES names each number once; {name!r} stands there {names.count(name)} times")
    return f"{len(names)} numbers" + ("" if game.has("features") else ", the fields of the view")


def check_marks(game: Game, sources: dict[str, Source]) -> None:
    """Refuse bots that are not marked, and tables that are too large for a kernel."""
    marked = {name for source in sources.values() for name in source.marked}
    for name, bot in (game.part("bots").BOTS if game.has("bots") else {}).items():
        if bot.__name__ not in marked and bot.__module__.startswith(f"{game.package}."):
            fail(f"{at(bot)}: the bot {name} is not marked @rule")
    for file in sources:
        for name, value in vars(game.part(file)).items():
            if isinstance(value, np.ndarray) and value.nbytes > LARGEST_TABLE and _is_used(name, sources):
                fail(f"{file}.py: the table {name} has {value.nbytes} bytes; arrays of a module stay under {LARGEST_TABLE}")


def _is_used(name: str, sources: dict[str, Source]) -> bool:
    import ast

    return any(
        isinstance(node, ast.Name) and node.id == name
        for source in sources.values()
        for rule in source.marked
        for node in ast.walk(source.functions[rule])
    )
