"""Records of Chase: the page on them, with its example, and how small they are."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import ludus
from ludus.arena.formats import Format2, encode
from ludus.arena.records_page import records_page

PAGE = Path(__file__).parent.parent.parent / "docs" / "records.md"


def test_the_page_is_as_the_types_say() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == records_page("chase"), "run: python -m ludus.arena.records_page chase > docs/records.md"
    for key in Format2.__struct_fields__:
        assert f"| `{key}` |" in page
    assert json.loads(page.split("```json\n")[1].split("```")[0])["game"] == "chase"


def test_its_python_runs(tmp_path: Path) -> None:
    code = PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_a_game_is_small() -> None:
    """The longest there is: 300 turns of three moves."""
    longest = max((ludus.play("chase", ["greedy"] * 3, seed=seed) for seed in (424, 846)), key=lambda game: len(game.decisions))
    assert len(longest.decisions) == 900
    assert len(gzip.compress(encode(longest))) < 5_000
