"""What is agreed before a tournament begins: game, bots, format, clock; written in a spec.toml, or on a command line."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ludus.agents import LEVELS
from ludus.core import HIGHEST_SEED, BadValue, UnknownName, one_line, time_control
from ludus.games import Game, load

from .referee import POLICIES

SIDES = ("one", "each")
LARGEST_SUITE = 16 << 20  # bytes


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The terms of a tournament; two runs with the same terms and bots give the same games."""

    game: str
    bots: tuple[str, ...]
    format: str = "round-robin"
    games: int = 2  # of each pairing; rounded up to whole set-ups
    rounds: int = 0  # of a Swiss tournament; 0 = as many as it needs
    options: dict[str, int] = {}
    clock: str = ""  # "" = the game's own
    sides: str = "one"  # "one" bot has all seats of a side, or "each" seat has its own
    seed: int | None = None  # open; None = dealt from a secret
    seeds: str = ""  # a file with a seed a line
    positions: str = ""  # a file with positions, apart by empty lines
    on_fault: str | None = None
    isolation: str = "process"
    records: str = "all"  # or "seeds": nothing but what gives the game again; or the share that is kept, as "0.01"
    name: str = ""

    def __post_init__(self) -> None:
        self._check_words()
        for value, what, low, high in ((self.games, "games", 1, 10**9), (self.rounds, "rounds", 0, 10**6)):
            if not low <= value <= high:
                raise BadValue(f"{what} must be from {low} to {high}, not {value}")
        if self.seed is not None and not 0 <= self.seed <= HIGHEST_SEED - 10**9:
            raise BadValue(f"a seed is a number from 0 to {HIGHEST_SEED - 10**9}, not {self.seed}")
        if self.seed is not None and self.seeds:
            raise BadValue("a seed and a file of seeds exclude each other")
        if self.clock:
            time_control(self.clock)
        self.share()

    def _check_words(self) -> None:
        from .schedule import FORMATS

        for what, word, known in (
            ("format", self.format, tuple(FORMATS)), ("way to fill sides", self.sides, SIDES),
            ("level of isolation", self.isolation, LEVELS),
        ):  # fmt: skip
            if word not in known:
                raise UnknownName(what, word, known)
        if self.on_fault is not None and self.on_fault not in POLICIES:
            raise UnknownName("policy for faults", self.on_fault, POLICIES)

    def share(self) -> float:
        """Return the share of games whose records are kept."""
        try:
            share = {"all": 1.0, "seeds": 0.0}.get(self.records)
            share = float(self.records) if share is None else share
            if not 0 <= share <= 1:
                raise ValueError
        except ValueError:
            raise BadValue(f'records are "all", "seeds", or a share from 0 to 1, not {self.records!r}') from None
        return share

    def load(self) -> Game:
        """Return the game with its options."""
        return load(self.game, **self.options)


def read_terms(path: Path) -> Terms:
    """Read a spec.toml; paths in it are seen from its own folder."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadValue(f"{path} cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadValue(f"{path} is no TOML: {one_line(str(error))}") from None
    found = make_terms(told, str(path))
    beside = {key: _beside(path, word) for key in ("seeds", "positions") if (word := getattr(found, key))}
    return msgspec.structs.replace(found, bots=tuple(_beside(path, word) for word in found.bots), **beside)


def make_terms(told: Mapping[str, Any], where: str = "the terms") -> Terms:
    """Return terms that are told as plain data; what a game's preset says stands where nothing else is told."""
    said = dict(told)
    if preset := said.pop("preset", None):
        said = {**_preset(said.get("game"), preset), **said}
    for key in ("records", "clock"):  # people write 0.01, and 5 for a bank
        if isinstance(said.get(key), int | float):
            said[key] = str(said[key])
    known = {field.name: field for field in msgspec.structs.fields(Terms)}
    for key in said:
        if key not in known:
            raise BadValue(f"{where}: {UnknownName('key', key, (*known, 'preset'))}")
    for key, field in known.items():
        if field.required and key not in said:
            raise BadValue(f"{where} must say which {key}")
    try:
        return msgspec.convert(said, Terms)
    except msgspec.ValidationError as error:
        what, _, key = one_line(str(error)).partition(" - at `$.")
        raise BadValue(f"{where}, {key.rstrip('`') or 'terms'}: {what[0].lower()}{what[1:]}".replace("`", "")) from None


def _preset(game: Any, name: str) -> dict[str, Any]:
    """Return the terms of a tournament that a game's folder knows by name."""
    if not isinstance(game, str):
        raise BadValue("a preset belongs to a game; say which")
    known: dict[str, dict[str, Any]] = load(game).says("original", "TOURNAMENTS") or {}
    if name not in known:
        raise UnknownName(f"preset of {game}", name, known)
    return known[name]


def read_suite(path: str, what: str) -> list[str]:
    """Read a file of seeds (one a line, # begins a remark) or of positions (apart by empty lines; there # may be a wall)."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(LARGEST_SUITE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise BadValue(f"the {what} {path} cannot be read: {one_line(str(error))}") from None
    if len(text) > LARGEST_SUITE:
        raise BadValue(f"the {what} {path} are more than {LARGEST_SUITE >> 20} MiB")
    lines = [line.rstrip() for line in text.splitlines()]
    if what == "seeds":
        found = [seed for line in lines if (seed := line.partition("#")[0].strip())]
        if bad := [line for line in found if not line.isdecimal() or int(line) > HIGHEST_SEED]:
            raise BadValue(f"{path}: a seed is a whole number from 0 to {HIGHEST_SEED}, not {one_line(bad[0], 40)!r}")
    else:
        found = [block.strip("\n") for block in "\n".join(lines).split("\n\n") if block.strip()]
    if not found:
        raise BadValue(f"{path} holds no {what}")
    return found


def _beside(spec: Path, word: str) -> str:
    """Return a path as it is seen from here, where a word is one that the spec's folder knows."""
    file, sign, chosen = word.partition(".py:")
    path = spec.parent / (f"{file}.py" if sign else word)
    is_path = not word.startswith(("cmd:", "name=")) and path.exists()
    return f"{path}{f':{chosen}' if sign else ''}" if is_path else word
