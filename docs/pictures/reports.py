"""Take the pictures of the reports in docs/tournaments, from disk: python docs/pictures/reports.py [--all=FOLDER].

Without --all one of each report is written beside this file; with it whole pages and a game, wide and narrow, light and dark.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests"))

from browsing import OPENED, PHONE, launched, tab
from PIL import Image

HERE = Path(__file__).parent
PAGES = sorted((HERE.parent / "tournaments").glob("*/index.html"))
WIDE = {"width": 1160, "height": 900}


def main(words: list[str]) -> None:
    """Take them."""
    folder = next((Path(word.removeprefix("--all=")) for word in words if word.startswith("--all=")), None)
    with launched() as chromium:
        for number, index in enumerate(PAGES):
            if folder is None:
                with tab(chromium, viewport=WIDE, color_scheme="dark" if number % 2 else "light") as page:
                    page.goto(index.as_uri())
                    keep(page, HERE / f"report-{index.parent.name}.png")
            else:
                take_all(chromium, index, folder)


def take_all(chromium: Any, index: Path, folder: Path) -> None:
    """Take both pages of a report in every way, and the first of its games."""
    for size, colours in [(size, colours) for size in ("wide", "phone") for colours in ("dark", "light")]:
        with tab(chromium, viewport=WIDE if size == "wide" else PHONE, color_scheme=colours) as page:
            for name in ("index", "games"):
                page.goto(index.with_name(f"{name}.html").as_uri())
                keep(page, folder / f"{index.parent.name}-{name}-{size}-{colours}.png", is_whole=name == "index")
            page.click("a:text('watch') >> nth=0")
            page.wait_for_selector(OPENED)
            page.wait_for_timeout(800)
            keep(page, folder / f"{index.parent.name}-game-{size}-{colours}.png")


def keep(page: Any, file: Path, is_whole: bool = False) -> None:
    """Write a picture: in all its colours, since tints tell how large a score is."""
    page.screenshot(path=file, full_page=is_whole)
    Image.open(file).convert("RGB").save(file, optimize=True)
    print(file.name, file.stat().st_size, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
