"""What bots make their tables with."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.engine import Tools
from ludus.engine.tools import KEPT
from ludus.games import load, names

GAME = load(names()[0])


def test_the_last_tables_stay_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as KEPT, the least recently used go first; what is damaged is made again."""
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    tools, made = Tools(GAME), []

    def table(number: int) -> Any:
        def make() -> Any:
            made.append(number)
            return np.full((3, 4), number, np.uint8)

        kept = tools.kept(b"%d" % number, make)
        assert not kept.flags.writeable
        assert (kept == number).all()
        for age, file in enumerate(sorted(folder.glob("*.npy"), key=lambda f: f.stat().st_mtime_ns)):
            os.utime(file, (1_000_000 + age, 1_000_000 + age))  # file times may be coarser than this test is fast
        return kept

    folder = tmp_path / GAME.name / "tables"
    folder.mkdir(parents=True)
    (folder / "killed.part").touch()
    os.utime(folder / "killed.part", (0, 0))
    for number in [*range(KEPT), 0, KEPT, 0, 1]:
        table(number)
    assert made == [*range(KEPT), KEPT, 1]  # 0 was used again, so 1 had to go
    assert len(list(folder.iterdir())) == KEPT
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[:100])
    table(0)
    assert made[-1] == 0
    assert len(list(folder.glob("*.npy"))) == KEPT


def test_a_disk_that_takes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path / "file"))
    assert Tools(GAME).kept(b"key", lambda: np.ones(3, np.uint8)).tolist() == [1, 1, 1]
