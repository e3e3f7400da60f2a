"""Agents from Python files: with `act(view, legal)`, or written for the original program of a game.

A file is run as it is: with helper modules beside it, module-level code, prints and the global `random`. What it imports is
its own: two files may each have a `utils.py`, and the modules of the original programs are offered to that file alone.
"""

from __future__ import annotations

import importlib.util
import io
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import ludus
from ludus.core.errors import LudusError
from ludus.engine import Result
from ludus.games import Game

from .agent import Agent, Answer, Function, Start

_LUDUS = Path(ludus.__file__).parent
LOG_LINES = 1000  # of an agent's prints that are kept


class AgentFile(LudusError):
    """A file that cannot be used as an agent."""


class Surroundings:
    """What one file sees of the world: its folder, its modules, its chance, its own standard output."""

    def __init__(self, folder: Path, modules: dict[str, ModuleType]) -> None:
        self.folder, self.modules = str(folder), modules
        self.chance: Any = random.Random(0).getstate()
        self.printed = io.StringIO()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Put the file's world in place for one call, and the rest of the program's back after it."""
        before, chance = dict(sys.modules), random.getstate()
        sys.modules.update(self.modules)
        sys.path.insert(0, self.folder)
        random.setstate(self.chance)
        try:
            with redirect_stdout(self.printed):
                yield
        finally:
            self.chance = random.getstate()
            random.setstate(chance)
            if self.folder in sys.path:
                sys.path.remove(self.folder)
            self._take_modules(before)

    def _take_modules(self, before: dict[str, ModuleType]) -> None:
        """Keep the modules that came from the file's folder for it alone."""
        for name, module in list(sys.modules.items()):
            if name in self.modules or (before.get(name) is not module and self._is_mine(module)):
                self.modules[name] = module
                if name in before:
                    sys.modules[name] = before[name]
                else:
                    del sys.modules[name]

    def _is_mine(self, module: ModuleType) -> bool:
        """Whether a module lies beside the file, or below, and is no installed library that happens to lie there, too."""
        file = Path(getattr(module, "__file__", None) or "/")
        is_library = any(file.is_relative_to(home) for home in (sys.prefix, sys.base_prefix, _LUDUS))
        return file.is_relative_to(self.folder) and not is_library and "site-packages" not in file.parts


class Guest:
    """An agent from a file: each call happens in the file's own surroundings."""

    def __init__(self, agent: Agent, surroundings: Surroundings) -> None:
        self.agent, self.name, self.surroundings = agent, agent.name, surroundings
        if hasattr(agent, "told"):
            self.told = self._told
        # What was wrong in an answer that can be played all the same; whoever reads it clears it.
        self.problems: list[str] = getattr(agent, "problems", [])

    def start(self, start: Start) -> None:
        """Take the seat."""
        self.surroundings.chance = random.Random(start.seed).getstate()
        with self.surroundings.entered():
            self.agent.start(start)

    def act(self, view: Any, legal: list[int]) -> Answer:
        """Ask the agent."""
        with self.surroundings.entered():
            return self.agent.act(view, legal)

    def end(self, result: Result) -> None:
        """Tell the agent how the game ended."""
        with self.surroundings.entered():
            self.agent.end(result)

    def _told(self, view: Any) -> None:
        with self.surroundings.entered():
            self.agent.told(view)  # type: ignore[attr-defined]

    @property
    def log(self) -> list[str]:
        """What the file has printed: its last lines."""
        return self.surroundings.printed.getvalue().splitlines()[-LOG_LINES:]


def agent_from_file(game: Game, path: Path) -> Agent:
    """Run a file and return the agent that it holds."""
    if not path.is_file():
        raise AgentFile(f"there is no agent file {path}")
    path = path.resolve()
    compat = game.part("original") if game.has("original") else game.part("compat") if game.has("compat") else None
    surroundings = Surroundings(path.parent, _modules(compat))
    with surroundings.entered():
        module = _run(path)
        agent = _find(game, compat, module, path.stem)
    if agent is None:
        kinds = ["a function act(view, legal)", *getattr(compat, "INTERFACES", ())]
        raise AgentFile(f"{path.name} holds no agent for {game.spec.title}: it needs {' or '.join(kinds)}")
    return Guest(agent, surroundings)


def _run(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"ludus_agent_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise AgentFile(f"{path.name} does not run: {last_line(error)}") from error
    return module


def last_line(error: BaseException) -> str:
    """Return an error as one line, with the place in the file where it happened."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" (line {frames[-1].lineno} of {Path(frames[-1].filename).name})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def _find(game: Game, compat: Any, module: ModuleType, name: str) -> Agent | None:
    """Return the agent of a module: one of the original program's kind, or one with a plain `act`."""
    original: Callable[[ModuleType, str], Agent | None] | None = getattr(compat, "original_agent", None)
    try:
        if original is not None and (agent := original(module, name)) is not None:
            return agent
    except LudusError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentFile(f"the agent in {name}.py cannot be made: {last_line(error)}") from error
    return Function(module.act, name) if callable(getattr(module, "act", None)) else None


def _modules(compat: Any) -> dict[str, ModuleType]:
    """Return the modules of the original program, fresh for each file, so that no file can change another's."""
    offered = {}
    for name, contents in (compat.modules() if hasattr(compat, "modules") else {}).items():
        offered[name] = ModuleType(name)
        offered[name].__dict__.update(contents)
        offered[name].__path__ = []
    for name, module in offered.items():
        parent, _, child = name.rpartition(".")
        if parent in offered:
            setattr(offered[parent], child, module)
    return offered
