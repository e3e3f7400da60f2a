"""How a word becomes an agent: a bot's name, a kind of bot, a file, a class of a file, a command, a folder with a bot.toml."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.core import Agent, BadValue, UnknownName, is_file, is_there, one_line, shown
from ludus.engine import compiled_bots
from ludus.games import Game

from .builtin import Builtin, Prepared
from .containment import Limits, checked_level
from .debugged import Debugged
from .files import AgentFile, agent_from_file
from .function import Function
from .hashes import content_hash, folder_files, module_files
from .kinds import HELP, open_kind
from .remote import Command, Remote

RUN_FILE = Path(__file__).with_name("run_file.py")
PYTHON_FILE = re.compile(r"\.py(:|$)")
KNOWN = ("human (in `ludus play`)", "FILE.py", "FILE.py:CLASS", "cmd:COMMAND", "a folder with a bot.toml", "FILE.toml", *HELP)
SETTINGS = {"command": list, "name": str, "protocol": str, "memory_mb": int, "build": list, "writes": list}  # of a bot.toml


def make_agent(
    game: Game, word: Any, isolation: str = "in-process", limits: Limits | None = None, is_debugged: bool = False
) -> Agent:
    """Return an agent: a bot's name, a Python file, a command, a folder, a function, or an agent as it is.

    With the isolation "process" or "contained" Python files run in processes of their own, as commands always do; one that
    is debugged runs in ours and has the terminal.
    """
    if isinstance(word, Agent):
        return word
    if hasattr(word, "act") and hasattr(word, "start"):
        raise BadValue(f"{shown(word)} is no agent: derive its class from ludus.core.Agent")
    if callable(word):
        return Function(word, getattr(word, "__name__", "function"))
    if not isinstance(word, str | Path):
        raise BadValue(f"an agent is a bot's name, a file, a command or a function, not {shown(word)}")
    name, word = split_name(str(word))
    if is_debugged and PYTHON_FILE.search(word) and not word.startswith("cmd:"):
        agent: Agent = Debugged(_from_file(game, word, is_free=True))
    else:
        level = checked_level(isolation)
        agent = _builtin(game, word) or open_kind(game, word) or _from_outside(game, word, name, level, limits or Limits())
    agent.name = name or agent.name
    agent.hash = content_hash(files_of(agent, word))
    return agent


def is_word(text: str) -> bool:
    """Whether a text with a `=` in it names an agent, not a seat and its agent."""
    return text.startswith(("name=", "cmd:"))


def command_of(word: str) -> Command:
    """Read `cmd:php genetic.php`, with a name before it or without."""
    name, word = split_name(word)
    return _command(word.removeprefix("cmd:"), name)


def split_name(word: str) -> tuple[str, str]:
    """Split `name=Crocodilian cmd:php genetic.php`."""
    if not word.startswith("name="):
        return "", word
    name, _, rest = word.removeprefix("name=").partition(" ")
    if not name or not rest.strip():
        raise BadValue(f"a name comes before an agent, as in `name=Swift cmd:./my_bot`, not {word!r}")
    return name, rest.strip()


def _builtin(game: Game, word: str) -> Agent | None:
    own = word.removeprefix(f"{game.name}:")
    if own in game.bots:
        return Builtin(own) if own in compiled_bots(game) else Prepared(own)
    if word == "human":
        raise BadValue("a person can only sit down in `ludus play`")
    return None


def _from_outside(game: Game, word: str, name: str, level: str, limits: Limits) -> Agent:
    if word.startswith("cmd:"):
        return _remote(_command(word.removeprefix("cmd:"), name), level, limits)
    if PYTHON_FILE.search(word):
        if level == "in-process":
            return _from_file(game, word)
        return _remote(_file_command(*_file_and_class(word), name), level, limits)
    toml = Path(word) if word.endswith(".toml") else Path(word, "bot.toml")
    if is_file(toml):
        return _remote(*_toml_command(toml, name, level, limits))
    raise UnknownName("bot", word, [*game.bots, *KNOWN])


def files_of(agent: Agent, word: str) -> list[Path]:
    """List the files that make an agent what it is: of a Python file the modules beside it, of a bot.toml its folder, too."""
    word = split_name(word)[1]
    if isinstance(agent, Builtin | Prepared):
        return []
    if agent.files is not None:
        return list(agent.files)
    if not isinstance(agent, Remote) or (not word.startswith("cmd:") and PYTHON_FILE.search(word)):
        return module_files(_file_and_class(word)[0].resolve())
    if not word.startswith("cmd:"):
        toml = Path(word) if word.endswith(".toml") else Path(word, "bot.toml")
        return folder_files(toml.resolve().parent, _settings(toml).get("writes", []))
    named = [Path(agent.command.folder, part) for part in agent.command.words]
    return [file for file in named if is_file(file) and not _is_installed(file)]


def _from_file(game: Game, word: str, is_free: bool = False) -> Agent:
    """Run a file in our own process."""
    path, chosen = _file_and_class(word)
    agent = agent_from_file(game, path, chosen, is_free)
    agent.name = chosen or agent.name
    return agent


def _file_and_class(word: str) -> tuple[Path, str]:
    file, sign, chosen = word.partition(".py:")
    return Path(f"{file}.py" if sign else word), chosen


def _remote(command: Command, level: str, limits: Limits) -> Remote:
    """Seat a command; what comes from outside is never in our own process."""
    level = checked_level("process" if level == "in-process" else level)
    return Remote(replace(command, level=level, limits=limits))


def _file_command(path: Path, chosen: str, name: str) -> Command:
    """Return what runs a Python file; -P keeps our own folder from being searched for its imports."""
    if not is_file(path):
        raise AgentFile(f"there is no agent file {one_line(str(path))}")
    path = path.resolve()
    words = [sys.executable, "-P", "-u", str(RUN_FILE), f"{path}:{chosen}" if chosen else str(path)]
    return Command(words, path.parent, name or chosen or path.stem, speaks="wire")


def _command(text: str, name: str) -> Command:
    """Read a command line; it runs in the folder of its program, or of the script that is given to an interpreter."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadValue(f"the command {shown(text)} cannot be read: {error}") from None
    if not words:
        raise BadValue("a command is written cmd:PROGRAM ARGUMENT…")
    files = [Path(word) for word in words if "/" in word or Path(word).suffix]
    own = next((file for file in files if is_file(file) and not _is_installed(file)), None)
    folder = own.resolve().parent if own else Path.cwd()
    words = [str(Path(word).absolute()) if is_there(word) and (i > 0 or "/" in word) else word for i, word in enumerate(words)]
    return _runnable(Command(words, folder, name or (own.stem if own else Path(words[0]).name)))


def _toml_command(file: Path, name: str, level: str, limits: Limits) -> tuple[Command, str, Limits]:
    """Read a bot.toml: what to run in its folder, and how it is called. What builds it (`build`) is for whoever builds it."""
    settings = _settings(file)
    words = settings.get("command", [])
    if not words or not all(isinstance(word, str) for word in words):
        raise BadValue(f'{file} needs a command, as in: command = ["./my_bot", "--fast"]')
    folder = file.resolve().parent
    words = [str(folder / words[0]) if "/" in words[0] else words[0], *words[1:]]
    if "memory_mb" in settings:
        limits = replace(limits, memory=settings["memory_mb"] << 20)
    named = name or settings.get("name") or folder.name
    hint = f"; build it first, in {folder}: {shlex.join(settings['build'])}" if "build" in settings else ""
    return _runnable(Command(words, folder, named, speaks=settings.get("protocol", "")), hint), level, limits


def _settings(file: Path) -> dict[str, Any]:
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadValue(f"{file} cannot be read: {error}") from None
    for key, value in settings.items():
        if key not in SETTINGS:
            raise UnknownName(f"setting in {file}", key, SETTINGS)
        if not isinstance(value, SETTINGS[key]):
            raise BadValue(f"{key} in {file} must be a {SETTINGS[key].__name__}, not {shown(value)}")
    return settings


def _runnable(command: Command, hint: str = "") -> Command:
    """Say so at once where a program does not exist; python means the one that runs this."""
    words = [sys.executable, *command.words[1:]] if command.words[0] in ("python", "python3") else command.words
    if shutil.which(words[0]) is None:
        raise BadValue(f"there is no program {one_line(words[0])} that could be run{hint}")
    return replace(command, words=words)


def _is_installed(file: Path) -> bool:
    return file.is_absolute() and any(file.is_relative_to(home) for home in ("/usr", "/bin", sys.prefix, sys.base_prefix))
