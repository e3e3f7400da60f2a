"""The rooms have one direction and front doors, games are named nowhere else, and nothing heavy is loaded unasked."""

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ludus.games import load, names

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "ludus"
# Lower rooms first; a room may import those before it.
ROOMS = [
    "core", "scale", "games", "engine", "agents", "arena", "school", "viewers", "adapters", "golden", "testing", "bench", "cli",
]  # fmt: skip
# Each wraps another library, and whoever has that library imports the one that is for it.
DOORS = {f"ludus.adapters.{library}" for library in ("gymnasium", "pettingzoo", "vector", "parallel")}
STARTER = SOURCE / "cli" / "templates"  # projects of their own, held to their own tests
FILES = [file for file in sorted(SOURCE.rglob("*.py")) if not file.is_relative_to(STARTER)]
GAME_FILES = ("rules.py", "actions.py", "text.py", "scene.py", "bots.py", "golden.py", "original/__init__.py", "README.md")

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))


def room_of(file: Path) -> str:
    """Return the first folder, or the module that stands beside the rooms."""
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def imported(file: Path) -> Iterator[tuple[str, str]]:
    """Give module and name of what a file imports of ludus, also inside functions; the name of a whole module is ""."""
    package = ("ludus", *file.relative_to(SOURCE).parent.parts)
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "ludus")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module.split(".")[0] == "ludus":
                yield from ((module, alias.name) for alias in node.names)


def is_module(dotted: str) -> bool:
    path = SOURCE.parent.joinpath(*dotted.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@cache
def offered(package: str) -> set[str]:
    """Return the names that a package's front door takes from its modules: `rule` may be a function of a module `rule`."""
    door = SOURCE.parent.joinpath(*package.split("."), "__init__.py")
    nodes = ast.walk(parsed(door)) if door.is_file() else ()
    return {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


def modules_imported(file: Path) -> set[str]:
    """Return the modules that a file imports; a name that means a module counts as one."""
    found = set()
    for module, name in imported(file):
        means_module = name and name not in offered(module) and is_module(f"{module}.{name}")
        found.add(f"{module}.{name}" if means_module else module)
    return found


@each_file
def test_imports_go_down(file: Path) -> None:
    own = room_of(file)
    if own in ("__init__", "__main__"):  # the whole package's front doors, which open on all of them
        return
    for module in modules_imported(file):
        parts = module.split(".")
        if len(parts) > 1 and parts[1] in ROOMS:
            assert ROOMS.index(parts[1]) <= ROOMS.index(own), f"{file.name} of {own} imports {module}"


@each_file
def test_a_room_is_entered_by_its_front_door(file: Path) -> None:
    own = room_of(file)
    for module in modules_imported(file):
        parts = module.split(".")
        if len(parts) > 2 and parts[1] != own:
            assert module in DOORS, f"{file.relative_to(SOURCE)} imports {module}; the door is ludus.{parts[1]}"


@pytest.mark.parametrize("room", [room for room in ROOMS if (SOURCE / room / "__init__.py").is_file()])
def test_what_is_asked_for_at_a_door_is_offered_there(room: str) -> None:
    asked = {name for file in FILES if room_of(file) != room for module, name in imported(file) if module == f"ludus.{room}"}
    __import__(f"ludus.{room}")
    door = sys.modules[f"ludus.{room}"]
    modules = {name for name in asked - offered(f"ludus.{room}") if is_module(f"ludus.{room}.{name}")}
    for name in asked - modules - {""}:
        assert hasattr(door, name), name
        assert name in getattr(door, "__all__", [name]), f"{name} is not in __all__ of ludus.{room}"


@each_file
def test_private_attributes_stay_in_their_room(file: Path) -> None:
    """`x._name` is for the room that made it; self and cls, and what other libraries call so, are nobody's secret."""
    own, others = private_names(room_of(file)), set[str]().union(*(private_names(room) for room in ROOMS))
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Attribute) and node.attr in others - own - PETTINGZOO and not is_self(node.value):
            raise AssertionError(
                f"{file.relative_to(SOURCE)}:{node.lineno} touches {ast.unparse(node)}, which is another room's"
            )


PETTINGZOO = {"_cumulative_rewards"}  # part of its environments


@cache
def private_names(room: str) -> set[str]:
    """Return the private names that a room makes: functions, classes, and attributes of self, cls or of its own objects."""
    found = set()
    for file in FILES:
        for node in ast.walk(parsed(file)) if room_of(file) == room else ():
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


@pytest.mark.parametrize("name", names())
def test_games_are_named_in_their_folder_and_their_tests_only(name: str) -> None:
    for file in [*FILES, *(ROOT / "tests").glob("*.py"), *STARTER.rglob("*.py")]:
        if "games" not in file.relative_to(ROOT).parts[:-1]:
            text = file.read_text(encoding="utf-8").lower()
            # Some names are words like others: a game is named in quotes, by its path, or on a command line.
            named = re.search(rf"[\"'`]{name}[\"'`]|games[./]{name}\b|ludus \w+ {name}\b", text)
            assert not named, f"{file.relative_to(ROOT)} names {name}: {named and named.group()}"


@pytest.mark.parametrize("name", names())
def test_every_game_has_the_same_files(name: str) -> None:
    folder = load(name).folder
    for file in GAME_FILES:
        assert (folder / file).is_file(), f"{name} has no {file}"
    for file in ("view.py", "compat.py"):
        assert not (folder / file).exists(), f"{name} still has {file}"


@pytest.mark.parametrize("name", names())
def test_rules_know_nothing_of_words_and_originals(name: str) -> None:
    """What compiled code depends on is small: the key of the cache follows the imports of rules.py and bots.py."""
    from ludus.engine.sources import sources

    words = {"actions.py", "text.py", "scene.py", "golden.py", "solve.py", "starter.py", "bench.py"}
    for file in sources(load(name).folder):
        inside = file.is_relative_to(load(name).folder)
        assert not inside or (file.name not in words and "original" not in file.parts), f"{name}: rules depend on {file.name}"


def loaded_by(code: str, *asked: str) -> list[str]:
    """Return which of the modules asked for are loaded when the code has run."""
    command = [sys.executable, "-c", f"{code}\nimport sys; print([name for name in {asked!r} if name in sys.modules])"]
    return list(ast.literal_eval(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]))


HEAVY = ("numba", "numpy", "torch", "gymnasium", "pettingzoo", "rich", "typer", "msgspec", "PIL", "pygame", "imageio_ffmpeg")


def test_importing_ludus_loads_nothing_heavy() -> None:
    assert loaded_by("import ludus", *HEAVY) == []


def test_help_loads_the_command_line_alone() -> None:
    code = "import sys; sys.argv = ['ludus', '--help']\nfrom ludus.cli import main\ntry: main()\nexcept SystemExit: pass"
    assert set(loaded_by(code, *HEAVY, "ludus.engine", "ludus.games", "ludus.arena")) <= {"typer", "numpy", "msgspec"}


def test_playing_uncompiled_loads_no_numba() -> None:
    code = "import ludus; ludus.play(ludus.games.names()[0], device='pure')"
    assert loaded_by(code, "numba", "gymnasium", "rich") == []


def test_files_can_be_read_in_a_sitting() -> None:
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    for file, lines in lengths.items():
        assert lines <= 400 or file.name == "rules.py", f"{file.relative_to(SOURCE)} has {lines} lines"
    assert statistics.median(lengths.values()) < 150
    for file in (ROOT / "tests").rglob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 400, f"{file.relative_to(ROOT)} is too long"
