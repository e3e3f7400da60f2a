"""What a module in WebAssembly does not say of itself: the layout of its rows and buffers, and the words of its game.

The page in a browser knows nothing else of a game; docs/web.md tells what each key means.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ludus.core import FACINGS, ROLES, SEAT_ROLE, LudusError
from ludus.games import Game, options_of

from .buffers import SAME_MEMORY, frame_of, layout, shapes
from .kernels import BEGIN, RESTART, SEAT, STEPS, compiled_bots, kernels, needs
from .memory import LONGEST_GAME
from .wasm_build import exported

FORMAT = 1


def about(game: Game, sources: str) -> dict[str, Any]:
    """Return all that a reader of a game's module must know, as plain data; the module itself adds its hash."""
    spec = game.spec
    told = {
        "format": FORMAT, "game": game.name, "title": spec.title, "rules": spec.version, "sources": sources,
        "module": f"{game.name}.wasm", "sizes": dict(game.sizes), "options": _options(game),
        "seats": spec.seats, "sides": [spec.side(seat) for seat in range(len(spec.seats))],
        "simultaneous": spec.simultaneous, "hidden": game.hidden, "refuses": spec.refuses, "no_setup": spec.no_setup,
        **_actions(game),
        "bots": compiled_bots(game), **_picture(game),
        "planes": {"shape": spec.planes, "type": spec.plane_type, "low": spec.plane_low, "high": spec.plane_high},
        "own_ids": spec.own_ids, "reward_unit": spec.reward_unit, **_memory(game),
        "plan": {"seat": SEAT, "restart": RESTART, "steps": STEPS, "begin": BEGIN}, "longest_game": LONGEST_GAME,
    }  # fmt: skip
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(told, enc_hook=_number))
    return plain


def _number(value: Any) -> Any:
    """Return a number of NumPy's, which a board may be made of, as one of Python's."""
    return value.item()


def _options(game: Game) -> list[dict[str, Any]]:
    shaping = dict(game.sizes)
    return [
        {
            "name": option.name, "default": option.default, "low": option.low, "high": option.high, "about": option.about,
            "structural": option.name in shaping,
        }
        for option in options_of(game)
    ]  # fmt: skip


def _actions(game: Game) -> dict[str, Any]:
    """Return the names of all actions; where they depend on the position, those that can be told without one."""
    own = game.says("actions", "action_name")
    told = []
    for action in range(game.spec.actions):
        try:
            told.append(game.action_name(action))
        except Exception:  # a name that needs a position fails in ways of its own
            told.append(str(action))
    return {
        "actions": game.spec.actions, "names": told, "names_vary": own is not None and own.__code__.co_argcount > 1,
        "help": game.says("actions", "HELP") or "", "forms": game.says("actions", "FORMS") or {},
    }  # fmt: skip


def _picture(game: Game) -> dict[str, Any]:
    try:
        board, words = _whole(game.picture.board), _whole(game.picture.words)
    except LudusError:  # a game whose picture cannot be read is played all the same
        board, words = None, None
    return {"board": board, "words": words, "roles": ROLES, "seat_role": SEAT_ROLE, "facings": FACINGS}


def _whole(thing: Any) -> Any:
    """Return a struct as plain data with all of its fields: readers elsewhere know no defaults."""
    if isinstance(thing, msgspec.Struct):
        return {name: _whole(getattr(thing, name)) for name in thing.__struct_fields__}
    if isinstance(thing, dict):
        return {key: _whole(value) for key, value in thing.items()}
    return [_whole(one) for one in thing] if isinstance(thing, tuple | list) else thing


def _memory(game: Game) -> dict[str, Any]:
    """Return the layouts of rows and buffers, and which buffers a kernel needs."""
    scratch = game.says("bots", "Scratch") or np.dtype("i8")
    rows = {"State": game.state_type, "View": game.view_type, "Frame": frame_of(game), "Scratch": scratch}
    rows = {name: dtype for name, dtype in rows.items() if dtype.names}  # bots without a Scratch have a number, which is no row
    of_type = {id(dtype): name for name, dtype in rows.items()}
    once, buffers = shapes(game, 1), []
    for name, (dtype, shape, is_each) in layout(game).items():
        told: dict[str, Any] = {
            "name": name, "type": of_type.get(id(dtype), dtype.str[1:]), "shape": shape if is_each else once[name][1],
            "stride": dtype.itemsize * int(np.prod(shape)), "each": is_each,
        }  # fmt: skip
        buffers.append(told | ({"same": SAME_MEMORY[name]} if name in SAME_MEMORY else {}))
    known = kernels(game)
    return {
        "rows": {name: _layout(dtype) for name, dtype in rows.items()}, "buffers": buffers,
        "kernels": {name: needs(known[name]) for name in exported(game, known)},
    }  # fmt: skip


def _layout(dtype: np.dtype[Any]) -> dict[str, Any]:
    fields = {}
    for name, found in (dtype.fields or {}).items():
        kind, offset = found[0], found[1]
        fields[name] = {"type": kind.base.str[1:], "shape": kind.shape, "offset": offset}
    return {"size": dtype.itemsize, "fields": fields}
