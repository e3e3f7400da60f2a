"""A game with its options settled: its verbs, its rows, its words, each with the default for what the game leaves out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from ludus.core import BadValue, LudusError, Row, Scene, Spec, plain, read_scene, shown, whole_number

from . import derived, wording
from .featured import Features, features
from .picture import Picture, picture

VERBS = ("new", "legal", "apply", "observe", "encode", "result")


class Verbs(NamedTuple):
    """The rules of a game as the engine calls them, with the defaults put in."""

    new: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    observe: Callable[..., None]
    encode: Callable[..., None]
    result: Callable[..., int]
    sample: Callable[..., None] | None  # None: a game that hides something and does not say what may be there
    sound: Callable[..., bool]
    default: Callable[..., int] | None  # None: any legal action
    digest: Callable[..., int]


@dataclass(frozen=True)
class Game:
    """A game, its folder, and what its files say; what a file leaves out has a default."""

    name: str
    package: str  # of this copy, for imports
    folder: Path
    sizes: tuple[tuple[str, int], ...]  # the structural options
    options: Mapping[str, int] = field(compare=False)  # all options, structural ones too; they cannot be changed
    rules: ModuleType = field(compare=False)
    given: Mapping[str, int] = field(compare=False, default_factory=dict)  # the options that somebody asked for

    @property
    def spec(self) -> Spec:
        """The game's SPEC, with the names of its features."""
        spec = _specs.get(self.package)
        if spec is None:
            spec = _specs[self.package] = _named(self)
        return spec

    @property
    def state_type(self) -> np.dtype[np.void]:
        """The dtype of a position."""
        dtype: np.dtype[np.void] = self.rules.State
        return dtype

    @cached_property
    def view_type(self) -> np.dtype[np.void]:
        """The dtype of what a seat may know."""
        dtype: np.dtype[np.void] = getattr(self.rules, "View", None) or derived.open_view(self.state_type)
        return dtype

    @property
    def hidden(self) -> bool:
        """Whether views differ by more than who looks: a game that writes no `observe` hides nothing."""
        return hasattr(self.rules, "observe")

    @property
    def verbs(self) -> Verbs:
        """The rules as the engine calls them: the same functions for all options of one structural size."""
        return _verbs(self)

    @property
    def bots(self) -> dict[str, Callable[..., int]]:
        """The built-in bots by name, weak to strong; every game has `random`."""
        own: dict[str, Callable[..., int]] = self.part("bots").BOTS if self.has("bots") else {}
        return own if "random" in own else {"random": derived.random_bot, **own}

    @cached_property
    def own_ids(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """[seat, own id] = id in rules: the actions as each seat's planes show them."""
        return np.array(self.spec.own_ids or [range(self.spec.actions)] * len(self.spec.seats), np.int32)

    def part(self, file: str) -> ModuleType:
        """Import another file of the game's folder, for these structural sizes."""
        if not self.has(file):
            raise LudusError(f"{self.name} has no {file}.py in {self.folder}")
        return importlib.import_module(f"{self.package}.{file}")

    def has(self, file: str) -> bool:
        """Whether the game's folder has that file, or a folder of that name."""
        return (self.folder / f"{file}.py").is_file() or (self.folder / file / "__init__.py").is_file()

    def says(self, file: str, name: str) -> Any:
        """Return what a file of the game's folder holds under a name, or None if there is no such file or name."""
        key = self.package, file, name
        if key not in _said:
            _said[key] = getattr(self.part(file), name, None) if self.has(file) else None
        return _said[key]

    def empty(self, count: int = 1) -> Any:
        """Return rows [count] with the options written and nothing else, for uncompiled use."""
        rows = np.zeros(count, self.state_type)
        for name, value in self.options.items():
            if f"opt_{name}" in (self.state_type.names or ()):
                rows[f"opt_{name}"] = value
        return rows.view(np.recarray)

    @cached_property
    def empty_bytes(self) -> bytes:
        """The memory of one such row: a game begins by copying it."""
        return bytes(self.empty(1).tobytes())

    def action_name(self, action: int, s: Any = None) -> str:
        """Return an action as people write it; `s`, a position or a view, where the name depends on it."""
        own = self.says("actions", "action_name")
        return str(_with_position(own, action, s)) if own else str(action)

    def parse_action(self, text: str, s: Any = None) -> int:
        """Read an action as people write it."""
        _check_text(text, "an action")
        own = self.says("actions", "parse_action")
        return int(_with_position(own, text, s)) if own else wording.parse_number(text, self.spec.actions)

    def parse_turn(self, text: str, s: Any = None) -> list[int]:
        """Read what people type where one command may take several decisions."""
        _check_text(text, "a command")
        own = self.says("actions", "parse_actions")
        return [int(action) for action in own(text)] if own else [self.parse_action(text, s)]

    def why_not(self, s: Any, seat: int, action: int) -> str:
        """Return the reason for which a seat may not play this action in this position, or ""."""
        own = self.says("actions", "why_not")
        return str(own(plain(s), seat, action)) if own else wording.why_not(self, plain(s), seat, action)

    def text(self, s: Any) -> str:
        """Return a position as text that `parse` reads back."""
        own = self.says("text", "text")
        return str(own(plain(s))) if own else wording.text(plain(s))

    def parse(self, text: str) -> Row:
        """Read a position; what cannot be read is a BadRecord. Options that it does not name are the game's."""
        _check_text(text, "a position")
        own = self.says("text", "parse")
        if own is None:
            return wording.parse(self, text)
        return plain(own(text, self.options) if own.__code__.co_argcount > 1 else own(text))

    def public(self, view: Any) -> dict[str, Any]:
        """Return a view as plain data, for people and for other languages."""
        own = self.says("text", "public")
        shown: dict[str, Any] = own(plain(view)) if own else wording.public(self, plain(view))
        return shown

    @property
    def picture(self) -> Picture:
        """How the game looks: the rules that fill frames, and their words."""
        found = _pictures.get(self.package)
        if found is None:
            found = _pictures[self.package] = picture(self)
        return found

    @property
    def features(self) -> Features:
        """A view as a few numbers: the rule that fills them in, and their names."""
        found = _features.get(self.package)
        if found is None:
            found = _features[self.package] = features(self)
        return found

    def frame(self, s: Any, seat: int = -1) -> Row:
        """Return a position as a frame, uncompiled: all of it (-1), or what a seat sees, made from its view alone."""
        shown = plain(np.zeros(1, self.picture.frame))
        if seat < 0:
            self.picture.show_all(plain(s), shown)
        else:
            self.picture.show(self.look(s, seat), shown)
        return shown

    def view_of(self, shown: Mapping[str, Any]) -> Row:
        """Return the view that `public` told as this plain data; what no view of the game can be is a BadValue."""
        return wording.view_of(self, shown)

    def is_view(self, view: Row) -> bool:
        """Say whether some position of the game looks so to a seat."""
        return wording.is_view(self, view)

    def scene(self, s: Any, seat: int = -1) -> Scene:
        """Return a position as something to draw: all of it (-1), or what a seat sees, made from its view alone."""
        return self.read_frame(self.frame(s, seat))

    def read_frame(self, frame: Any) -> Scene:
        """Return a frame in the game's words."""
        return read_scene(self.spec.title, self.spec.seats, self.picture.board, self.picture.words, plain(frame))

    def look(self, s: Any, seat: int) -> Row:
        """Return what a seat may know of a position, as a row of its own."""
        view = plain(np.zeros(1, self.view_type))
        self.verbs.observe(plain(s), seat, view)
        return view

    def status(self, s: Any) -> str:
        """Return the one line that says whose move it is, or how the game ended: that of the scene."""
        return self.scene(s).status

    def is_out(self, s: Any, seat: int) -> bool:
        """Whether a seat is out for good, while others may play on; in a game that says nothing of it no seat is."""
        own = getattr(self.rules, "is_out", None)
        return own is not None and bool(own(plain(s), seat))

    def digest(self, row: Any) -> int:
        """Return the digest of a position: one number that every backend finds for it."""
        return int(derived.digest_rows(plain(row).array)[0])

    def why_unsound(self, row: Any) -> str:
        """Say what is wrong with a row that `sound` refuses."""
        s = plain(row)
        for option in self.spec.options:
            value = s[f"opt_{option.name}"]
            if not option.low <= value <= option.high:
                return f"option {option.name} must be from {option.low} to {option.high}, not {value}"
        if not 0 <= s.seat < len(self.spec.seats):
            return f"seat {s.seat} is none of the {len(self.spec.seats)} seats of {self.spec.title}"
        own = self.says("text", "why_unsound")
        return str(own(s)) if own else f"this cannot be a position of {self.spec.title}: its numbers do not fit each other"

    def __reduce__(self) -> Any:
        return _loaded, (self.name, dict(self.options), dict(self.given))

    def seat_of(self, seat: object) -> int:
        """Return a seat that is given as a number; anything else is a BadValue."""
        return whole_number(seat, "a seat", 0, len(self.spec.seats) - 1)


def _check_text(text: object, what: str) -> None:
    if not isinstance(text, str):
        raise BadValue(f"{what} is read from text, not from {shown(text)}")


def _with_position(function: Callable[..., Any], value: Any, s: Any) -> Any:
    """Call a function of actions.py, which may take the position as well."""
    return function(value, s) if function.__code__.co_argcount > 1 else function(value)


_said: dict[tuple[str, str, str], Any] = {}  # by package, file and name: looking for files takes long
_pictures: dict[str, Picture] = {}  # by package, too
_features: dict[str, Features] = {}
_specs: dict[str, Spec] = {}
_made: dict[str, Verbs] = {}  # by package: all options of one structural size share their verbs


def _named(game: Game) -> Spec:
    """Return what rules.py declares with the names of the features; whoever asks for features that cannot be is told why."""
    spec: Spec = game.rules.SPEC
    try:
        return replace(spec, features=game.features.names)
    except (LudusError, TypeError):  # the second: SPEC is no Spec, which the check tells
        return spec


def _verbs(game: Game) -> Verbs:
    verbs = _made.get(game.package)
    if verbs is None:
        verbs = _made[game.package] = _complete(game)
    return verbs


def _complete(game: Game) -> Verbs:
    """Put the defaults in for what a game's rules leave out."""
    rules, state = game.rules, game.state_type
    given: dict[str, Any] = {verb: getattr(rules, verb, None) for verb in VERBS}
    is_open = given["observe"] is None
    if is_open:
        given["observe"] = derived.open_observe(state)
    for verb, function in given.items():
        if not callable(function):
            raise LudusError(f"rules.py of {game.name} has no function {verb}")
    if not hasattr(rules, "clear_last"):
        clear = derived.clear_last(state)
        given["new"] = derived.clearing(rules.new, clear, has_action=False)
        given["apply"] = derived.clearing(rules.apply, clear, has_action=True)
    sample = getattr(rules, "sample", None) or (derived.open_sample(state) if is_open else None)
    bounds = derived.within_bounds(state, game.spec)
    sound = derived.both(bounds, rules.sound) if hasattr(rules, "sound") else bounds
    default = getattr(rules, "default", None)
    return Verbs(**given, sample=sample, sound=sound, default=default, digest=derived.digest_rule(state))


def _loaded(name: str, options: dict[str, int], given: dict[str, int]) -> Game:
    """Load a game again, in another process perhaps."""
    from . import load

    return replace(load(name, **options), given=MappingProxyType(given))
