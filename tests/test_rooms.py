"""The rooms have one direction, games are named nowhere else, and nothing heavy is loaded unasked."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.engine.compiled import NOT_COMPILED
from ludus.games import names

SOURCE = Path(__file__).parent.parent / "src" / "ludus"
# Lower rooms first; a room may import those before it.
ROOMS = ["core", "games", "engine", "agents", "adapters", "arena", "replay", "view", "golden", "testing", "bench", "cli", "web"]
FILES = sorted(SOURCE.rglob("*.py"))


def room_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(file: Path) -> set[str]:
    """Absolute names of the ludus modules that a file imports, at its top or inside functions."""
    package = ("ludus", *file.relative_to(SOURCE).parent.parts)
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.startswith("ludus")}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_go_down(file: Path) -> None:
    own = room_of(file)
    if own in ("__init__", "__main__"):
        return
    for name in imported(file):
        parts = name.split(".")
        if len(parts) > 1 and parts[1] in ROOMS:
            assert ROOMS.index(parts[1]) <= ROOMS.index(own), f"{file.name} of {own} imports {name}"


@pytest.mark.parametrize("name", names())
def test_games_are_named_in_their_folder_only(name: str) -> None:
    for file in FILES:
        if "games" not in file.relative_to(SOURCE).parts[:-1]:
            text = file.read_text(encoding="utf-8").lower()
            # "unit" is a word like others; a game is named in quotes, by its path, or on a command line
            named = re.search(rf"[\"'`]{name}[\"'`]|games[./]{name}\b|ludus \w+ {name}\b", text)
            assert not named, f"{file} names {name}: {named and named.group()}"


@pytest.mark.parametrize("name", names())
def test_compiled_files_import_nothing_that_the_cache_key_leaves_out(name: str) -> None:
    folder = SOURCE / "games" / name
    left_out = {file.removesuffix(".py") for file in NOT_COMPILED}
    for file in folder.glob("*.py"):
        if file.name not in NOT_COMPILED:
            for module in imported(file):
                parts = module.split(".")
                if parts[:3] == ["ludus", "games", name] and len(parts) > 3:
                    assert parts[3] not in left_out, f"{file.name} imports {module}"


def test_importing_ludus_loads_nothing_heavy() -> None:
    heavy = ["numba", "numpy", "torch", "gymnasium", "pettingzoo", "rich", "typer"]
    code = f"import sys, ludus; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_playing_uncompiled_loads_no_numba() -> None:
    code = "import sys, ludus; ludus.make(ludus.games.names()[0], device='pure'); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_files_can_be_read_in_a_sitting() -> None:
    for file in FILES:
        lines = len(file.read_text(encoding="utf-8").splitlines())
        assert lines <= 400 or file.name == "rules.py", f"{file.relative_to(SOURCE)} has {lines} lines"
