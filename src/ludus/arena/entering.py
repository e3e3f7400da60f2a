"""Who takes part in a tournament: words, files and folders of submissions as entrants that are known by what they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ludus.agents import Builtin, Parcel, Prepared, make_agent, pack, split_name
from ludus.core import BadValue, LudusError, one_line
from ludus.engine import sources
from ludus.games import Game

from .series import told_apart


class Candidate(NamedTuple):
    """A bot that wants to take part."""

    name: str
    word: str
    hash: str  # of all that makes it what it is
    level: str  # what keeps it apart from the rest
    is_compiled: bool  # whether it plays inside kernels
    is_elsewhere: bool  # whether it thinks in a process of its own


def candidates(game: Game, words: Iterable[str], isolation: str) -> list[Candidate]:
    """Open every bot once, so that what cannot play is said before the first game; folders give all bots that they hold."""
    found, problems = [], []
    for word in (each for given in words for each in submissions(given)):
        try:
            agent = make_agent(game, word, isolation)
        except LudusError as error:
            problems.append(one_line(f"{word}: {error}", 300))
            continue
        own = isinstance(agent, Builtin | Prepared)
        whole = builtin_hash(game) if own else agent.hash
        found.append(Candidate(agent.name, word, whole, agent.level, isinstance(agent, Builtin), agent.is_elsewhere))
        agent.close()
    if problems:
        raise BadValue(f"{len(problems)} of the bots cannot play: {'; '.join(problems[:5])}")
    names = _apart(told_apart([one.name for one in found], [one.word for one in found]))
    return [one._replace(name=name) for one, name in zip(found, names, strict=True)]


def submissions(word: str) -> list[str]:
    """List the bots of a folder: its Python files, and the folders in it that have a bot.toml; other words are one bot."""
    folder = Path(word)
    if word.startswith(("cmd:", "name=")) or not folder.is_dir() or (folder / "bot.toml").is_file():
        return [word]
    bots = [
        str(one)
        for one in sorted(folder.iterdir())
        if not one.name.startswith((".", "_")) and ((one / "bot.toml").is_file() or (one.suffix == ".py" and one.is_file()))
    ]
    if not bots:
        raise BadValue(f"the folder {word} holds no bots: neither Python files nor folders with a bot.toml")
    return bots


def parcels(game: Game, entrants: Iterable[tuple[int, str]]) -> dict[int, Parcel]:
    """Pack up bots by their ids, for machines that have none of their files."""
    return {number: pack(game, word) for number, word in entrants}


def builtin_hash(game: Game) -> str:
    """Return the hash that all bots of a game share: of the sources that they are compiled from."""
    whole = hashlib.blake2b(digest_size=16)
    for file in sources(game.folder):
        if file.is_relative_to(game.folder):
            whole.update(file.read_bytes())
    return whole.hexdigest()


def own_name(game: Game, word: str) -> str:
    """Return the name under which kernels know a built-in bot."""
    return split_name(word)[1].removeprefix(f"{game.name}:")


def _apart(names: Iterable[str]) -> list[str]:
    """Return names of which none is there twice."""
    found: list[str] = []
    for name in names:
        count, told = 1, name
        while told in found:
            count += 1
            told = f"{name} ({count})"
        found.append(told)
    return found
