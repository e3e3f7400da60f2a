"""Bots packed up with their files, to be unpacked and played on another machine."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from ludus.core import Agent, BadValue
from ludus.games import Game

from .remote import Remote
from .words import files_of, make_agent, split_name

LARGEST = 256 << 20  # bytes of one bot
FOLDER = "{folder}"  # stands for where the files lie


@dataclass(frozen=True)
class Parcel:
    """A bot: the word that names it, with FOLDER in the place of where its files are, and the files."""

    word: str
    hash: str
    files: tuple[tuple[str, int, bytes], ...] = ()  # path within the folder, mode, contents

    def unpack(self, folder: Path) -> str:
        """Write the files into a folder of the bot's own and return the word that names it there."""
        for name, mode, contents in self.files:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(contents)
            file.chmod(mode)
        is_command = split_name(self.word)[1].startswith("cmd:")
        return self.word.replace(FOLDER, shlex.quote(str(folder)) if is_command else str(folder))


def pack(game: Game, word: str) -> Parcel:
    """Pack up a bot; the game's own need no files."""
    agent = make_agent(game, word, "process")
    try:
        files = [file.resolve() for file in files_of(agent, word)]
        root = _root(agent, files)
        size = sum(file.stat().st_size for file in files)
        if size > LARGEST:
            raise BadValue(f"the files of {agent.name} are {size >> 20} MiB, and at most {LARGEST >> 20} are sent to workers")
        packed = tuple((str(file.relative_to(root)), file.stat().st_mode & 0o777, file.read_bytes()) for file in files)
        return Parcel(_moved(word, root, files), agent.hash, packed)
    except OSError as error:
        raise BadValue(f"the files of {agent.name} cannot be read: {error}") from None
    finally:
        agent.close()


def _root(agent: Agent, files: list[Path]) -> Path:
    """Return the folder that all files lie in."""
    if not files:
        return Path()
    root = agent.command.folder.resolve() if isinstance(agent, Remote) else files[0].parent
    while not all(file.is_relative_to(root) for file in files):
        root = root.parent
    return root


def _moved(word: str, root: Path, files: list[Path]) -> str:
    """Return a word in which FOLDER stands for the root of its files."""
    name, word = split_name(word)
    head = f"name={name} " if name else ""
    if word.startswith("cmd:"):
        parts = (_place(part, root, files) for part in shlex.split(word.removeprefix("cmd:")))
        return f"{head}cmd:{' '.join(part if FOLDER in part else shlex.quote(part) for part in parts)}"
    if not files:
        return head + word
    file, py, chosen = word.partition(".py:")
    own = Path(f"{file}.py" if py else word).resolve()
    return f"{head}{FOLDER}/{own.relative_to(root)}{f':{chosen}' if py else ''}"


def _place(part: str, root: Path, files: list[Path]) -> str:
    own = Path(part)
    return f"{FOLDER}/{own.resolve().relative_to(root)}" if own.exists() and own.resolve() in files else part
