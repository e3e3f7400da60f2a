"""`ludus new bot GAME --language L`: a folder with a bot in any language, which plays as it is."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import ludus
from ludus.core import BadValue, LudusError, UnknownName, one_line
from ludus.games import Game, load

from .completion import LANGUAGES

LEFT_OUT = ("chaser", "bot.toml", "README.md", "build", "__pycache__")  # what begins so in a kit is not for everybody


def write_kit(name: str, folder: Path | None, language: str) -> None:
    """Copy a language's kit as a bot of one's own, build it if it must be and can be, and say how it is run."""
    game = load(name)
    if language.lower() not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)
    folder = folder or Path(f"my_{game.name}_bot")
    if folder.exists():
        raise BadValue(f"{folder} exists already; give another folder")
    kit = kits() / LANGUAGES[language.lower()]
    settings = tomllib.loads((kit / "bot.toml").read_text(encoding="utf-8")) | {"name": folder.name}
    try:
        folder.mkdir(parents=True)
        for file in sorted(kit.iterdir()):
            if not file.name.startswith(LEFT_OUT):
                shutil.copy(file, folder)
        (folder / "bot.toml").write_text(_as_toml(settings), encoding="utf-8")
        (folder / "README.md").write_text(_about(game, folder, kit, settings), encoding="utf-8")
    except OSError as error:
        raise BadValue(f"cannot write {folder}: {error.strerror}") from None
    print(f"wrote {folder}; {_built(folder, settings)}")
    print(f"try it with: ludus play {game.name} {folder}, check it with: ludus check {game.name} --bot {folder}")


def kits() -> Path:
    """Return the folder of the kits: installed inside the package, or beside its source."""
    package = Path(ludus.__file__).parent
    for folder in (package / "kits", package.parents[1] / "kits"):
        if folder.is_dir():
            return folder
    raise LudusError("this installation of ludus came without its kits")


def _as_toml(settings: dict[str, Any]) -> str:
    """Write texts and lists of texts; JSON writes them as TOML does."""
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in settings.items())


def _about(game: Game, folder: Path, kit: Path, settings: dict[str, Any]) -> str:
    """Return the README: how this bot is run, and below it the kit's own words."""
    build = [f"(cd {folder} && {shlex.join(settings['build'])})    # after every change"] if "build" in settings else []
    seats = " ".join([str(folder), *["random"] * (len(game.spec.seats) - 1)])
    commands = [
        *build,
        f"ludus play {game.name} {folder}",
        f"ludus check {game.name} --bot {folder}",
        f"ludus match {game.name} {seats} --games 20 --swap",
    ]
    _, _, words = (kit / "README.md").read_text(encoding="utf-8").partition("\n")
    words = words.replace("`bot.toml`, `chaser.toml`", "`bot.toml`")
    own = "\n".join(line for line in words.splitlines() if "`chaser." not in line)
    head = f"# {folder.name}: a bot for {game.spec.title}\n\nFrom where it was made:\n\n```sh\n"
    return head + "\n".join(commands) + f"\n```\n\n`ludus rules {game.name}` has the rules.\n\n## Inside the folder\n{own}\n"


def _built(folder: Path, settings: dict[str, Any]) -> str:
    """Build the bot where that is needed; say what has been done, or is to be done."""
    build, program = settings.get("build"), settings["command"][0]
    if build is None:
        return "it is ready" if shutil.which(program) else f"it needs {program}, which is not installed here"
    try:
        subprocess.run(build, cwd=folder, capture_output=True, text=True, check=True)
    except OSError as error:
        problem = f"{build[0]}: {error.strerror}"
    except subprocess.CalledProcessError as error:
        problem = one_line(error.stderr)
    else:
        return "it is built and ready"
    return f"it could not be built here ({problem}); do it there with: {shlex.join(build)}"
