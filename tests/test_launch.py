"""What surrounds a kernel on a CUDA device, in Numba's simulator; the device itself is for test_cuda.py."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus.engine import device_code, driver
from ludus.engine.driver import DeviceArray
from ludus.engine.launch import WARP, block_of, launch_text
from ludus.engine.pure import kernels_of
from ludus.engine.sharing import SHARED, SHARING, shared_rooms
from ludus.games import load, names

GAME = names()[1]  # one with small planes
SCRIPT = Path(__file__).parent / "simulated_cuda.py"
SMALL = min(names(), key=lambda name: load(name).state_type.itemsize)  # a thread of the simulator is slow


@pytest.mark.parametrize(("shared", "said"), [(SHARED, "shares"), (0, "does not share")])
def test_rows_and_planes_are_loaded_and_stored(shared: int, said: str) -> None:
    """More games than a block encodes, and not as many as two of them do."""
    games = block_of(load(GAME), "encode").games + 3
    command = [sys.executable, "-W", "ignore", str(SCRIPT), GAME, str(games), str(shared)]
    ran = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.strip() == said


@pytest.mark.parametrize("name", names())
def test_rows_that_are_shared_are_whole_words_and_fit(name: str) -> None:
    game = load(name)
    for kernel in SHARING:
        block = block_of(game, kernel)
        assert block.shares
        assert block.threads == WARP >= block.games
        rooms = shared_rooms(game, kernel, block.games).values()
        assert sum(room.itemsize for room in rooms) <= SHARED
        for kind, *_ in [field for room in rooms for field in room.fields.values()]:
            assert kind.itemsize % 8 == 0


@pytest.mark.parametrize("name", names())
def test_a_kernel_is_written_the_same_each_time_and_sets_no_name_twice(name: str) -> None:
    for kernel in {*kernels_of(load(name)), *SHARING}:
        text = launch_text(load(name), kernel)
        assert text == launch_text(load(name), kernel)
        launch = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
        arguments = {argument.arg for argument in launch.args.args}
        assigned = {node.id for node in ast.walk(launch) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        assert not arguments & assigned, f"{kernel}: a copy of a row has the name of an array"


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Stand in for Numba and NVIDIA's linker; return what they were asked to compile."""
    asked: list[str] = []

    def machine_code(function, signature, made_for):
        asked.append(function.__name__)
        return b"machine code"

    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(driver, "capability", lambda: (9, 0, "a"))
    monkeypatch.setattr(driver, "versions", lambda: ("1",))
    monkeypatch.setattr(driver, "machine_code", machine_code)
    monkeypatch.setattr(driver, "loaded", lambda code: code)
    return asked


def test_machine_code_is_kept_beside_its_text(compiler: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        assert device_code.game_kernel.__wrapped__(load(GAME), "legal") == b"machine code"
    assert compiler == ["launch"]
    (text,) = tmp_path.rglob("legal.py")
    assert text.read_text(encoding="utf-8") == launch_text(load(GAME), "legal")


def test_kernels_with_other_bots_are_other_kernels(compiler: list[str], tmp_path: Path) -> None:
    for seated in (["random"], ["random", "search"]):
        device_code.game_kernel.__wrapped__(load(GAME), "bot_game", frozenset(seated))
    assert len(compiler) == len([*tmp_path.rglob("bot_game.*.cubin")]) == 2


def test_damaged_machine_code_is_made_anew(compiler: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device_code.game_kernel.__wrapped__(load(GAME), "legal")
    (kept,) = tmp_path.rglob("*.cubin")
    kept.write_bytes(kept.read_bytes()[:-1] + b"!")
    assert device_code.game_kernel.__wrapped__(load(GAME), "legal") == b"machine code"
    assert len(compiler) == 2
    assert f"kept code {kept.name} is damaged" in capsys.readouterr().err


def test_without_a_folder_machine_code_is_made_each_time(
    compiler: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / GAME).write_text("in the way", encoding="ascii")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / GAME))  # nor is there one of the user's own
    for _ in range(2):
        assert device_code.game_kernel.__wrapped__(load(GAME), "legal") == b"machine code"
    assert len(compiler) == 2


def test_a_device_array_tells_others_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    array = DeviceArray(None, 4096, (5, 3), np.dtype("f4"))
    column = array.column(2)
    assert column.__cuda_array_interface__["data"] == (4104, False)
    assert (column.shape, column.strides) == ((5,), (12,))
    assert driver.flat(array) == [0, 0, 15, 4, 4096, 5, 3, 12, 4]
    assert array.view(np.dtype("i8")).shape == (7,)
