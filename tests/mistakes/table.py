"""Print what `ludus check` says to each mistake: python tests/mistakes/table.py [PART OF A GAME'S OR FILE'S NAME]."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from mistakes import MISTAKES, Mistake  # noqa: E402

from ludus.testing import CheckFailed, check_game  # noqa: E402


def spoilt(mistake: Mistake, number: int, folder: Path) -> Path:
    """Return a copy of a game with the mistake in it."""
    copy = folder / f"{mistake.game}_{number}"
    shutil.copytree(HERE / "games" / mistake.game, copy, ignore=shutil.ignore_patterns("__pycache__"))
    file = copy / mistake.file
    text = file.read_text(encoding="utf-8")
    assert mistake.old in text, f"{mistake.game}/{mistake.file} has no {mistake.old!r}"
    file.write_text(text.replace(mistake.old, mistake.new, 1), encoding="utf-8")
    return copy


def says(mistake: Mistake, number: int, folder: Path) -> str:
    """Return what the check says of a mistake, or ""."""
    try:
        check_game(spoilt(mistake, number, folder), ahead=False)
    except CheckFailed as breach:
        return str(breach)
    except BaseException as error:
        return f"ESCAPED {type(error).__name__}: {error}"
    return ""


def main(part: str) -> None:
    caught = total = 0
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, mistake in enumerate(MISTAKES):
            if part in f"{number} {mistake.game}/{mistake.file}":
                now = time.perf_counter()
                sentence = says(mistake, number, Path(folder))
                fits = all(word in sentence for word in mistake.words)
                caught, total = caught + bool(sentence), total + 1
                line = (
                    mistake.new.strip().splitlines()[0]
                    if mistake.new.strip()
                    else f"without {mistake.old.strip().splitlines()[0]}"
                )
                sign = "" if fits else "UNFIT " if sentence else "PASSED "
                took = time.perf_counter() - now
                print(f"| {number} {mistake.game}/{mistake.file}: `{line}` | {sign}{sentence} | {took:.1f} s |", flush=True)
    print(f"{caught} of {total} caught in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
