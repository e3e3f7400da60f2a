"""What surrounds a kernel on a CUDA device, in Numba's simulator; the device itself is for test_cuda.py."""

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludus.engine.launch import SHEETS, WARP, block_of
from ludus.games import load, names

SCRIPT = Path(__file__).parent / "simulated_cuda.py"


@pytest.mark.parametrize(("sheets", "said"), [(SHEETS, "paints"), (0, "does not paint")])
def test_rows_and_planes_come_and_go(sheets: int, said: str) -> None:
    """More games than a block paints, and not as many as two of them do."""
    games = block_of(load("chase"), "encode").games + 3
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "chase", str(games), str(sheets)]
    ran = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.strip() == said


@pytest.mark.parametrize("name", names())
def test_planes_of_a_block_are_whole_words_and_fit(name: str) -> None:
    game = load(name)
    block = block_of(game, "encode")
    size = block.games * math.prod(game.spec.planes) * np.dtype(game.spec.plane_type).itemsize
    assert block.paints
    assert block.threads == WARP >= block.games
    assert size % 8 == 0
    assert size <= SHEETS
