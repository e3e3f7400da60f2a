"""Kept machine code: its key follows the imports, damage and full disks cost a recompile and one line."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType, ModuleType

import pytest

from ludus.engine import cache
from ludus.engine.compiled import compiled_rule, machine_code
from ludus.engine.sources import imported, sources
from ludus.games import Game, load, names

SIGNATURE = "int64(int64, int64)"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache; whatever is said once is said again."""
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path / "cache"))
    cache.warn.cache_clear()
    yield tmp_path / "cache"
    cache.warn.cache_clear()


def plus(a, b):  # type: ignore[no-untyped-def]
    """Stand in for a kernel."""
    return a + b


def compiled_now() -> bool:
    """Ask for the machine code of a function, and check it; return whether it had to be compiled."""
    code = machine_code(None, plus, SIGNATURE)
    assert code(40, 2) == 42
    return bool(code.stats.cache_misses) or not code.stats.cache_hits


def test_code_is_kept(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert compiled_now()
    assert not compiled_now()
    assert {file.suffix for file in root.rglob("*plus*") if file.is_file()} == {".nbi", ".nbc", ".sums", ".lock"}
    assert capfd.readouterr().err == ""


def test_code_that_is_compiled_at_its_first_call_is_kept(root: Path, tiny: Game, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert compiled_rule(tiny, plus)(40, 2) == 42
    assert [file.suffix for file in root.rglob("*plus*.sums")] == [".sums"]
    assert "damaged" not in capfd.readouterr().err


def empty(file: Path) -> None:
    file.write_bytes(b"")


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def garble(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for place in range(len(data) // 2, len(data), 3):
        data[place] ^= 0xFF
    file.write_bytes(data)


@pytest.mark.parametrize("damage", [empty, cut, garble, Path.unlink])
@pytest.mark.parametrize("ending", ["nbi", "nbc", "sums"])
def test_damaged_files_cost_a_recompile_and_one_line(
    root: Path, capfd: pytest.CaptureFixture[str], damage: Callable[[Path], None], ending: str
) -> None:
    compiled_now()
    for file in list(root.rglob(f"*plus*.{ending}")):
        damage(file)
    assert compiled_now()
    said = capfd.readouterr().err.splitlines()
    assert len(said) == 1
    assert re.match("ludus: kept code of plus_[0-9a-f]{8} is damaged", said[0])
    assert not compiled_now()
    assert capfd.readouterr().err == ""


def test_a_folder_that_cannot_be_made_costs_a_recompile_and_one_line(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (root.parent / "file").touch()
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(root.parent / "file" / "cache"))
    assert compiled_now()
    assert compiled_now()
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("ludus: compiled code cannot be kept")
    assert "LUDUS_CACHE_DIR" in line


def minus(a, b):  # type: ignore[no-untyped-def]
    """Stand in for another kernel."""
    return a - b


def test_where_nothing_can_be_written_kept_code_is_loaded_and_new_code_is_the_users_own(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert compiled_now()
    before, make = sorted(root.rglob("*")), tempfile.TemporaryFile

    def refuse(dir: str | Path) -> object:
        if Path(dir).is_relative_to(root):
            raise PermissionError(13, "not here")
        return make(dir=dir)

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    monkeypatch.setenv("XDG_CACHE_HOME", str(root.parent / "own"))
    assert not compiled_now()
    assert [machine_code(None, minus, SIGNATURE).stats.cache_hits.total() for _ in range(2)] == [0, 1]
    assert not compiled_now()
    assert sorted(root.rglob("*")) == before
    assert capfd.readouterr().err == ""


FULL_DISK = """
import resource
from ludus import Batch, games
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
batch = Batch(games.names()[0], 2)
batch.result()
batch.legal()
print(batch.result()[0].tolist())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_full_disk_costs_a_recompile_and_one_line(tmp_path: Path) -> None:
    env = {**os.environ, "LUDUS_CACHE_DIR": str(tmp_path), "LUDUS_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", FULL_DISK], capture_output=True, text=True, env=env, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[0, 0]\n"
    compiling, line = done.stderr.splitlines()
    assert compiling.startswith("compiling ")
    assert line.startswith("ludus: compiled code cannot be kept")


FILES = {
    "__init__.py": "",
    "rules.py": "from ludus.core import draw, rule\nfrom .board import WIDTH\n\ndef new(s, rng):\n    from . import late\n",
    "board.py": "from my_game.numbers import WIDTH\nimport my_game.tables\n",
    "numbers.py": "WIDTH = 3\n",
    "tables.py": "TABLE = (1, 2)\n",
    "late.py": "",
    "bots.py": "from .planner import plan\nfrom .helpers.deep import deeper\n",
    "planner.py": "from .rules import new\n",
    "helpers/__init__.py": "",
    "helpers/deep.py": "",
    "text.py": "from .rules import new\n",
    "scene.py": "",
    "actions.py": "",
    "golden.py": "",
    "original/__init__.py": "from ..rules import new\n",
    "README.md": "",
}
COMPILED = {
    "rules.py", "board.py", "numbers.py", "tables.py", "late.py", "bots.py", "planner.py", "helpers/deep.py",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game's folder, with imports of every kind."""
    made = tmp_path / "my_game"
    for name, text in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text)
    return made


def key(folder: Path) -> str:
    """Return the key of a game's compiled code as another process would find it."""
    imported.cache_clear()
    game = Game("my_game", "my_game", folder, (("size", 3),), MappingProxyType({}), ModuleType("rules"))
    return cache.source_key.__wrapped__(game)


def test_the_key_follows_imports(folder: Path) -> None:
    assert {str(file.relative_to(folder)) for file in sources(folder) if file.is_relative_to(folder)} == COMPILED


@pytest.mark.parametrize("file", FILES)
def test_an_edit_changes_the_key_where_compiled_code_sees_it(folder: Path, file: str) -> None:
    before = key(folder)
    with (folder / file).open("a") as text:
        text.write("\n# another line\n")
    assert (key(folder) != before) == (file in COMPILED)


def test_the_key_follows_the_core_by_name(folder: Path) -> None:
    """`draw` is in rng.py, whatever door it came through; pictures are in no kernel."""
    seen = {f"{file.parent.name}/{file.name}" for file in sources(folder)}
    assert {"core/rng.py", "core/rule.py", "games/derived.py", "engine/kernels.py", "engine/seat_kernels.py"} <= seen
    assert not seen & {"core/scene.py", "core/trace.py", "core/report.py", "engine/table.py", "engine/batch.py"}


@pytest.mark.parametrize("name", names())
def test_a_games_key_sees_all_that_its_rules_import(name: str) -> None:
    """What Python has loaded of the game's folder for rules and bots alone is what the key follows."""
    code = f"import sys; from ludus.games import load; game = load({name!r}); game.verbs, game.bots\n"
    code += "print(*[m.__file__ for n, m in list(sys.modules.items()) if n.startswith(game.package + '.')], sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    folder = load(name).folder
    apart = {"__init__.py", "features.py"}  # the second is read for its names, and compiled as a part of its own
    assert {Path(file) for file in loaded if Path(file).name not in apart} == {
        file for file in sources(folder) if file.is_relative_to(folder) and file.name not in apart
    }
    assert {"rules.py", "features.py"} <= {file.name for file in sources(folder, "features") if file.is_relative_to(folder)}


def test_settings_and_sizes_are_in_the_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(folder)
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert key(folder) != before
    monkeypatch.delenv("NUMBA_OPT")
    assert key(folder) == before
    other = Game("my_game", "my_game", folder, (("size", 4),), MappingProxyType({}), ModuleType("rules"))
    assert cache.source_key.__wrapped__(other) != before


@pytest.mark.slow
def test_kept_code_of_two_games_does_not_mix(root: Path) -> None:
    """Each compiled in a process of its own, then both loaded into one: the engine's functions for them have other names."""
    script = "import sys; from ludus.games import load; from ludus.testing import compare_seat\n"
    script += "for name in sys.argv[1:]: compare_seat(load(name), 'pure', 'cpu', 5, 6)"
    one, other = names()[:2]
    for together in ([one], [other], [one, other]):
        subprocess.run([sys.executable, "-c", script, *together], env=os.environ, check=True)


def test_two_installations_do_not_take_each_other_for_damage(folder: Path) -> None:
    """The same sources in another place: Numba's files would stand side by side, and neither list of sums would fit."""
    other = folder.parent / "elsewhere" / "my_game"
    shutil.copytree(folder, other)
    assert key(other) != key(folder)
