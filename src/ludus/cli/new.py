"""`ludus new bot` and `ludus new game`: something of one's own that runs as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from ludus.core import BadValue
from ludus.games import load, names

STARTER = '''"""A bot for {title}. Try it: ludus play {name} {file}"""

import random


def act(view, legal):
    """Return one of the names in `legal`.

    `view` is what this seat may know:
    {keys}
    """
    return random.choice(legal)
'''

TEMPLATES = Path(__file__).parent / "templates"  # projects that work, under this name and title:
TEMPLATE_NAME, TEMPLATE_TITLE = "game_name", "Game Name"
MOST_SEATS = 8


def write_bot(name: str, file: Path | None) -> None:
    """Write a starter bot; a game may have one of its own (starter.py)."""
    from ludus.engine import Table

    game = load(name)
    name = game.name
    path = file or Path(f"my_{name}_bot.py")
    if path.suffix != ".py":
        raise BadValue(f"a bot's file ends in .py, not {path}")
    if path.exists():
        raise BadValue(f"{path} exists already; give another file name")
    if game.has("starter"):
        text = (game.folder / "starter.py").read_text(encoding="utf-8")
    else:
        keys = ", ".join(game.public(Table(game, device="pure").observe()))
        text = STARTER.format(title=game.spec.title, name=name, file=path, keys=keys)
    _write(path, text)
    print(f"wrote {path}; try it with: ludus play {name} {path}, check it with: ludus check {name} --bot {path}")


def write_game(name: str, folder: Path | None, hidden: bool, simultaneous: bool, seats: int) -> None:
    """Write a project that adds a game to Ludus: a template under another name, for so many seats."""
    project = folder or Path(name)
    _check_game_name(name)
    if not 2 <= seats <= MOST_SEATS:
        raise BadValue(f"a new game has 2 to {MOST_SEATS} seats, not {seats}; a template becomes any game in rules.py")
    if project.exists():
        raise BadValue(f"{project} exists already; give another folder")
    constants = {"SEATS": seats, "SIMULTANEOUS": simultaneous}
    template = TEMPLATES / ("hidden" if hidden else "simultaneous" if simultaneous else "open")
    for source in (TEMPLATES / "shared", template):
        for file in source.rglob("*.*"):
            if file.suffix != ".pyc":  # installing Ludus may compile the templates, too
                text = _with_constants(file.read_text("utf-8"), constants)
                text = text.replace("greedy random", "greedy" + " random" * (seats - 1))  # a match needs a bot a seat
                _write(project / _renamed(str(file.relative_to(source)), name), _renamed(text, name))
    print(f"wrote {project}, a game that works as it is; {project / 'README.md'} says what each file is for")
    print(f"add it to Ludus with: pip install --editable {project}")
    print(f"try it with: ludus play {name} human greedy, check it with: ludus check {name}")


def _check_game_name(name: str) -> None:
    """Refuse what cannot be the name of a new package and of a new game."""
    if not re.fullmatch("[a-z]([a-z0-9_]*[a-z0-9])?", name) or iskeyword(name):
        raise BadValue(f"a game's name is a Python name of small letters, digits and _, such as four_in_a_row, not {name!r}")
    if name in names():
        raise BadValue(f"there is a game {name} already; give another name")
    if find_spec(name) or name == "tests":
        raise BadValue(f"a package {name} would hide another one of this name; give another name")


def _renamed(text: str, name: str) -> str:
    """Put the name of the new game for that of the template."""
    return text.replace(TEMPLATE_TITLE, name.replace("_", " ").title()).replace(TEMPLATE_NAME, name)


def _with_constants(text: str, constants: Mapping[str, object]) -> str:
    """Give the constants that a template's rules begin with their values."""
    for constant, value in constants.items():
        text = re.sub(rf"^{constant} = (\d+|True|False)\b", f"{constant} = {value}", text, flags=re.MULTILINE)
    return text


def _write(path: Path, text: str) -> None:
    """Write a file, and the folders that it stands in."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadValue(f"cannot write {path}: {error.strerror}") from None
