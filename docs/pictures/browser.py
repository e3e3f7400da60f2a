"""Take the pictures of docs/browser.md: the page in Chromium, each game at three turns, wide and on a phone, light and dark.

usage: python docs/pictures/browser.py [--records=FOLDER]

Records in the folder, NAME.json, are taken as they are; others are played.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests"))

from browsing import PHONE, launched, open_file, served, tab
from PIL import Image

import ludus
from ludus.arena import read_record, write_record
from ludus.viewers import few_colours, write_site

HERE = Path(__file__).parent
BOTS = {
    "battlegrid": ("tactician", "hunter"), "chase": ("greedy", "greedy", "search"), "plantation": ("tracker", "scry_and_die"),
    "quantum_harvest": ("commander", "raider"), "unit": ("aggressor", "planner"),
}  # fmt: skip
SEEDS = {"battlegrid": 3, "chase": 3}
SHARES = {"early": 0.12, "middle": 0.6, "end": 1.0}
WIDE = {"width": 1280, "height": 800}
COLOURS = 220  # of a picture that is kept


def main(words: list[str]) -> None:
    """Take them all."""
    given = dict(word.removeprefix("--").split("=", 1) for word in words)
    with tempfile.TemporaryDirectory() as folder, launched() as chromium:
        site, records = Path(folder) / "site", Path(given.get("records", folder))
        write_site(site)
        with served(site) as address:
            for name, bots in BOTS.items():
                file = records / f"{name}.json"
                if not file.exists():
                    write_record(ludus.play(name, list(bots), seed=SEEDS.get(name, 5)), file)
                take(chromium, address, name, file)
            take_others(chromium, address, records)


def take(chromium: Any, address: str, name: str, file: Path) -> None:
    """Take the pictures of one game."""
    agents = read_record(file).agents
    for size, colours in [(size, colours) for size in ("wide", "phone") for colours in ("dark", "light")]:
        with tab(
            chromium,
            viewport=WIDE if size == "wide" else PHONE,
            color_scheme=colours,
            device_scale_factor=1 if size == "wide" else 2,
        ) as page:
            open_file(page, address, file)
            page.wait_for_selector(f".agent:has-text('{agents[0]}')")
            last = int(page.inner_text(".count").split("/")[1])
            for when, share in SHARES.items():
                page.evaluate(f"location.hash = '#t={round(share * last)}'")
                page.wait_for_timeout(600)
                keep(page, f"page-{name}-{when}-{size}-{colours}.png")


def take_others(chromium: Any, address: str, records: Path) -> None:
    """Take the start page, a game that is played, and layers in three dimensions."""
    with tab(chromium, viewport=WIDE, color_scheme="light") as page:
        page.goto(address)
        page.wait_for_selector(".gamecard .about:not(:empty) >> nth=4")
        page.wait_for_timeout(800)
        keep(page, "page-home.png")
    with tab(chromium, viewport=WIDE, color_scheme="dark") as page:
        open_file(page, f"{address}#t=80", records / "quantum_harvest.json")
        page.keyboard.press("p")
        page.click("dialog.takeover button.main")
        page.wait_for_selector(".move:not([hidden]) .choices button")
        page.hover(".choices button >> nth=1")
        page.wait_for_timeout(600)
        keep(page, "page-play.png")
    with tab(chromium, viewport=WIDE, color_scheme="dark") as page:
        open_file(page, f"{address}#t=30", records / "unit.json")
        page.keyboard.press("3")
        page.wait_for_selector(".space canvas")
        page.click("[role=tab]:has-text('Chances')")
        page.click(".analysis button.main")
        page.wait_for_timeout(2500)
        keep(page, "page-unit-space.png")


def keep(page: Any, name: str) -> None:
    """Write a picture in few colours."""
    file = HERE / name
    page.screenshot(path=file)
    few_colours(Image.open(file).convert("RGB"), COLOURS).save(file, optimize=True)
    print(file.name, file.stat().st_size, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
