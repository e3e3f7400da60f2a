"""`ludus new bot`: a starter bot that runs as it is."""

from __future__ import annotations

from pathlib import Path

from ludus.core.errors import BadValue
from ludus.games import load

STARTER = '''"""A bot for {title}. Try it: ludus play {name} {file}"""

import random


def act(view, legal):
    """Return one of the names in `legal`.

    `view` is what this seat may know:
    {keys}
    """
    return random.choice(legal)
'''


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
        keys = ", ".join(game.view.public(Table(game, device="pure").observe()))
        text = STARTER.format(title=game.spec.title, name=name, file=path, keys=keys)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadValue(f"cannot write {path}: {error.strerror}") from None
    print(f"wrote {path}; try it with: ludus play {name} {path}, check it with: ludus check {name} --bot {path}")
