"""Some rubbish at every border of every game; `python tests/fuzz.py GAME --minutes 5` throws more, with bounds checked."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fuzz import Fuzzer

from ludus.games import load, names


@pytest.mark.parametrize("name", names())
def test_rubbish_is_refused_or_safe(name: str) -> None:
    fuzzer = Fuzzer(load(name), 1)
    fuzzer.run(2000, seconds=600)
    assert fuzzer.count >= 2000
    assert fuzzer.taken > 0
