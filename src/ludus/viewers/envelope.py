"""What a web page is handed beside itself: the games that it can play, and what it shows at once (docs/web.md)."""

from __future__ import annotations

import base64
import gzip
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from ludus.arena import Original, open_original, read_record, record_as_json, rerun
from ludus.core import VERDICTS, BadRecord, LudusError, Record, Scene, one_line, open_bounded
from ludus.engine import Module, Table, kept_module, module_of
from ludus.games import Game, load, names
from ludus.school import champion_file

FORMAT = 1
CHAMPION = "champion"  # how a game's own network is called, where it has one


@dataclass
class Shelf:
    """The modules that a page has: one a game, and one more for each other size that was asked for."""

    modules: list[Module] = field(default_factory=list)
    networks: dict[str, dict[str, Path]] = field(default_factory=dict)  # by game: files in ONNX that may sit down, by name

    def place(self, module: Module) -> int:
        """Return the number of a module, which is added if it is new."""
        for number, known in enumerate(self.modules):
            if (known.game, known.about["sources"]) == (module.game, module.about["sources"]):
                return number
        self.modules.append(module)
        return len(self.modules) - 1

    def stem(self, number: int) -> str:
        """Return what the files of a module are called: the game's name, with a number where there are several."""
        name = self.modules[number].game
        return name if all(other.game != name for other in self.modules[:number]) else f"{name}-{number}"

    def files(self) -> dict[str, bytes]:
        """Return the files of all modules by their relative addresses."""
        found = {}
        for number, module in enumerate(self.modules):
            found[f"games/{self.stem(number)}.wasm"] = module.code
            found[f"games/{self.stem(number)}.json"] = msgspec.json.encode(module.about)
        return found

    def network_files(self) -> dict[str, Path]:
        """Return the files of all networks by their relative addresses."""
        return {
            f"games/{game}-{name}.onnx": file for game, known in self.networks.items() for name, file in known.items()
        }  # fmt: skip

    def _nets(self, game: str) -> list[dict[str, str]]:
        return [{"name": name, "file": f"games/{game}-{name}.onnx"} for name in self.networks.get(game, {})]

    def listed(self) -> list[dict[str, Any]]:
        """Return what the page is told of each module that it fetches when it needs it."""
        return [
            {
                "game": module.game, "title": module.about["title"], "sizes": module.about["sizes"],
                "about": f"games/{self.stem(number)}.json", "module": f"games/{self.stem(number)}.wasm",
                "nets": self._nets(module.game),
            }
            for number, module in enumerate(self.modules)
        ]  # fmt: skip

    def embedded(self) -> list[dict[str, Any]]:
        """Return all modules as they stand inside a page."""
        return [
            {
                "game": module.game, "title": module.about["title"], "sizes": module.about["sizes"],
                "about": module.about, "module": packed(module.code),
            }
            for module in self.modules
        ]  # fmt: skip


def packed(data: bytes) -> str:
    """Return bytes gzipped, in base64; the same for the same bytes."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def whole_shelf(builds: bool = False) -> Shelf:
    """Return the modules of all games that are installed; where none lies ready it is built, or the game is left out."""
    shelf = Shelf()
    for name in names():
        game = load(name)
        module = module_of(game) if builds else kept_module(game)
        if module is not None:
            shelf.place(module)
            with suppress(LudusError):
                shelf.networks[name] = {CHAMPION: champion_file(game)}
    return shelf


def envelope(
    games: list[dict[str, Any]],
    opened: dict[str, Any] | None,
    is_served: bool,
    is_live: bool = False,
    chunks: dict[str, str] | None = None,
    run: str = "",
) -> bytes:
    """Return what a page reads first, as JSON; `chunks` is code that it would else fetch, `run` a training run's name."""
    told = {
        "format": FORMAT, "server": is_served, "games": games, "open": opened, "live": is_live, "chunks": chunks or {},
        "verdicts": VERDICTS, "run": run,
    }  # fmt: skip
    return msgspec.json.encode(told)


def open_for_page(path: Path, name: str, shelf: Shelf) -> dict[str, Any]:
    """Open whatever can be watched, for a page, which reruns and checks records itself; what is wrong is a sentence."""
    try:
        with open_bounded(path) as stream:
            is_list = stream.read(64).lstrip().startswith(b"[")
        if is_list:
            return {"file": name, "original": _original(open_original(path))}
        return {"file": name, **_record(read_record(path), shelf)}
    except LudusError as error:
        said = str(error).replace(one_line(str(path)), name)
        return {"file": name, "error": said if name in said else f"{name}: {said}"}


def _record(record: Record, shelf: Shelf) -> dict[str, Any]:
    """Return a record, the module that plays it, and what the page cannot find out: a start that was given as text."""
    game = _game(record)
    start = None
    if record.position:
        start = base64.b64encode(Table(game, record.seed, "pure", record.position).s.bytes).decode()
    module = module_of(game)
    told = _names(record) if module.about["names_vary"] else None
    return {"game": shelf.place(module), "record": msgspec.Raw(record_as_json(record)), "start": start, "names": told}


def _game(record: Record) -> Game:
    """Return the game of a record; by other rules it could not even be set up, and the page says so."""
    game = load(record.game)
    return load(record.game, **record.options) if record.rules == game.spec.version else game


def _names(record: Record) -> list[str]:
    """Return the names of a record's decisions, each as it was called where it was taken, as far as the record is sound."""
    told: list[str] = []
    try:
        for table, _ in rerun(record, "pure"):
            if len(told) < len(record.decisions):
                told.append(table.game.action_name(record.decisions[len(told)][1], table.s))
    except BadRecord:  # the page will say so
        pass
    return told


def _original(opened: Original) -> dict[str, Any]:
    """Return the scenes of a replay file of an original program; what is the same in all of them is said once."""
    first = msgspec.to_builtins(opened.scenes[0])
    same = ("title", "seats", "board", "legend")
    return {
        **{key: first.get(key) for key in same}, "game": opened.game.name, "names": opened.names,
        "scenes": [_without(scene, same) for scene in opened.scenes],
    }  # fmt: skip


def _without(scene: Scene, keys: tuple[str, ...]) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(scene)
    return {key: value for key, value in told.items() if key not in keys}
