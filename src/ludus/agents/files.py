"""Agents from Python files: with `act(view, legal)`, or written for the original program of a game.

A file is run as it is: with helper modules beside it, module-level code, prints and the global `random`. What it imports is
its own: two files may each have a `utils.py`, and the modules of the original programs are offered to that file alone.
"""

from __future__ import annotations

import importlib.util
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

import ludus
from ludus.core import Agent, LudusError, Result, Start, UnknownName, is_file, listens, one_line, printed_line
from ludus.games import Game

from .function import Function
from .guard import Interrupts, last_line, own_frames

_LUDUS = Path(ludus.__file__).parent
LOG_LINES, LINE_LENGTH = 1000, 500  # of an agent's prints that are kept
NO_DEBUGGER = "breakpoint() works in `ludus play … --debug`, where the terminal is the bot's"


class AgentFile(LudusError):
    """A file that cannot be used as an agent."""


class Log:
    """What a file prints: its last lines, within a bound; it stands in for sys.stdout and sys.stderr."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=LOG_LINES)
        self._open = ""  # the line that has not ended yet
        self._early: deque[str] | None = deque(maxlen=LOG_LINES)  # lines from before the first game
        self._hear: Callable[[str], None] | None = None

    def write(self, text: str) -> int:
        """Keep what is printed."""
        *whole, rest = (self._open + str(text)[-LOG_LINES * LINE_LENGTH :]).split("\n")
        for line in whole[-LOG_LINES:]:
            self._keep(printed_line(line, LINE_LENGTH))
        self._open = rest[:LINE_LENGTH]
        return len(text)

    def listen(self, hear: Callable[[str], None] | None) -> None:
        """Pass on each line of a game as it ends, and first those from before the first one."""
        early, self._early, self._hear = self._early or (), None, hear
        for line in early:
            if hear is not None:
                hear(line)

    def end_line(self) -> None:
        """End a line that was left open."""
        if self._open:
            self.write("\n")

    def _keep(self, line: str) -> None:
        self._lines.append(line)
        if self._hear is not None:
            self._hear(line)
        elif self._early is not None:
            self._early.append(line)

    def flush(self) -> None:
        """Nothing waits."""

    def isatty(self) -> bool:
        """No person is reading."""
        return False

    def lines(self) -> list[str]:
        """Return the lines that are kept."""
        return [*self._lines, *([printed_line(self._open, LINE_LENGTH)] if self._open else [])]


_entered = RLock()  # one file at a time: sys.modules and sys.stdout are everybody's


class Surroundings:
    """What one file sees of the world: its folder, its modules, its chance, its own standard output."""

    def __init__(self, folder: Path, modules: dict[str, ModuleType], log: Log | None) -> None:
        self.folder, self.log = str(folder), log
        self.chance = _own_random()
        self.modules: dict[str, ModuleType] = {**modules, "random": self.chance}

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Put the file's world in place for one call, and the rest of the program's back after it."""
        with _entered:
            known, before = len(sys.modules), {name: sys.modules.get(name) for name in self.modules}
            out, err, debugger = sys.stdout, sys.stderr, sys.breakpointhook
            sys.modules.update(self.modules)
            sys.path.insert(0, self.folder)
            if self.log is not None:
                sys.stdout = sys.stderr = self.log
                sys.breakpointhook = _no_debugger
            try:
                yield
            finally:
                sys.stdout, sys.stderr, sys.breakpointhook = out, err, debugger
                if self.folder in sys.path:
                    sys.path.remove(self.folder)
                if len(sys.modules) != known + sum(module is None for module in before.values()):
                    self._keep_modules(before)
                for name, module in before.items():
                    if module is None:
                        sys.modules.pop(name, None)
                    else:
                        sys.modules[name] = module

    def _keep_modules(self, before: dict[str, ModuleType | None]) -> None:
        """Keep modules that came from the file's folder for it alone."""
        for name, module in list(sys.modules.items()):
            if name not in self.modules and self._is_mine(module):
                self.modules[name] = module
                before[name] = None

    def _is_mine(self, module: ModuleType) -> bool:
        """Whether a module lies beside the file, or below, and is no installed library that happens to lie there, too."""
        file = Path(getattr(module, "__file__", None) or "/")
        is_library = any(file.is_relative_to(home) for home in (sys.prefix, sys.base_prefix, _LUDUS))
        return file.is_relative_to(self.folder) and not is_library and "site-packages" not in file.parts


def _no_debugger(*arguments: Any, **named: Any) -> None:
    raise RuntimeError(NO_DEBUGGER)


def _own_random() -> ModuleType:
    """Return the module `random` once more, with a generator of its own: to swap the state of one takes 30 µs a call."""
    spec = importlib.util.find_spec("random")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Guest(Agent):
    """An agent from a file: each call happens in the file's own surroundings."""

    def __init__(self, agent: Agent, surroundings: Surroundings) -> None:
        self.agent, self.name, self.surroundings = agent, one_line(str(agent.name), 60), surroundings

    def start(self, start: Start) -> None:
        """Take the seat."""
        self.surroundings.chance.seed(start.seed)
        if self.surroundings.log is not None:
            self.surroundings.log.listen(self.hear)
        with self.surroundings.entered():
            self.agent.start(start)

    def act(self, view: Any, legal: list[int]) -> Any:
        """Ask the agent."""
        with self.surroundings.entered():
            return self.agent.act(view, legal)

    def end(self, result: Result) -> None:
        """Tell the agent how the game ended."""
        with self.surroundings.entered():
            self.agent.end(result)
        if self.surroundings.log is not None:
            self.surroundings.log.end_line()

    @property
    def log(self) -> list[str]:
        """What the file has printed: its last lines."""
        log = self.surroundings.log
        return log.lines() if log is not None else []


class ListeningGuest(Guest):
    """One whose agent wants to know what came of its decisions."""

    def after(self, view: Any) -> None:
        """Tell the agent."""
        with self.surroundings.entered():
            self.agent.after(view)


def agent_from_file(game: Game, path: Path, chosen: str = "", is_free: bool = False, **settings: Any) -> Agent:
    """Run a file and return the agent that it holds, or the chosen class; settings go to agents of the original's kind.

    What it prints goes to a log of its own; with `is_free` it stays where it goes, and breakpoint() works.
    """
    if not is_file(path):
        raise AgentFile(f"there is no agent file {one_line(str(path))}")
    path = path.resolve()
    original = game.part("original") if game.has("original") else None
    surroundings = Surroundings(path.parent, _modules(original), None if is_free else Log())
    with surroundings.entered():
        with _told(f"{one_line(path.name, 60)} does not run"):
            module = _run(path, getattr(original, "PACKAGE", ""))
        with _told(f"the agent in {one_line(path.name, 60)} cannot be made"):
            agent = _find(original, _only(module, chosen) if chosen else module, path.stem, settings)
            if agent is not None:
                return ListeningGuest(agent, surroundings) if listens(agent) else Guest(agent, surroundings)
    kinds = ["a function act(view, legal)", *getattr(original, "INTERFACES", ())]
    raise AgentFile(f"{one_line(path.name, 60)} holds no agent for {game.spec.title}: it needs {' or '.join(kinds)}")


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Let an author's code run before there is a game: whatever it raises is said of its file, and Ctrl-C is the user's."""
    with Interrupts() as interrupts:
        try:
            yield
        except BaseException as error:
            if interrupts.is_real(error) or (issubclass(type(error), LudusError) and not own_frames(error)):
                raise
            raise AgentFile(f"{what}: {last_line(error)}") from None


def _run(path: Path, package: str) -> ModuleType:
    """Run a file; one with relative imports as a part of the original's package that its kind stood in."""
    is_part = package and b"\nfrom ." in b"\n" + path.read_bytes()
    spec = importlib.util.spec_from_file_location(f"{package}.{path.stem}" if is_part else f"ludus_agent_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        needed = one_line(str(error.name).partition(".")[0], 60)
        raise AgentFile(f"{one_line(path.name, 60)} needs {needed}, which is not installed: pip install {needed}") from None
    return module


def _only(module: ModuleType, chosen: str) -> ModuleType:
    """Return a module that holds one class of another, and its method `act` as a function."""
    cls = getattr(module, chosen, None)
    if not isinstance(cls, type):
        raise UnknownName("class", chosen, [name for name, value in vars(module).items() if isinstance(value, type)])
    alone = ModuleType(module.__name__)
    setattr(alone, chosen, cls)
    if callable(getattr(cls, "act", None)) and not issubclass(cls, Agent):
        with suppress(TypeError):  # it needs arguments, which those of an original's kind get
            alone.act = cls().act  # type: ignore[attr-defined]
    return alone


def _find(original: Any, module: ModuleType, name: str, settings: dict[str, Any]) -> Agent | None:
    """Return the agent of a module: one of the original program's kind, or one with a plain `act`."""
    make: Callable[..., Agent | None] | None = getattr(original, "original_agent", None)
    if make is not None and (agent := make(module, name, **settings)) is not None:
        return agent
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    own = [cls for cls in classes if issubclass(cls, Agent) and cls is not Agent]
    if callable(getattr(module, "act", None)):
        return Function(module.act, name)
    return own[-1]() if own else None


def _modules(original: Any) -> dict[str, ModuleType]:
    """Return the modules of the original program, fresh for each file, so that no file can change another's."""
    offered = {}
    for name, contents in (original.modules() if hasattr(original, "modules") else {}).items():
        offered[name] = ModuleType(name)
        offered[name].__dict__.update(contents)
        offered[name].__path__ = []
    for name, module in offered.items():
        parent, _, child = name.rpartition(".")
        if parent in offered:
            setattr(offered[parent], child, module)
    return offered
