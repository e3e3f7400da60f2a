"""The reports in docs/tournaments, from disk and without a network: nothing overlaps, and a game is two clicks away."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsing import OPENED, PHONE, WIDE, tab

pytestmark = pytest.mark.browser
PAGES = sorted((Path(__file__).parent.parent / "docs" / "tournaments").glob("*/index.html"))
OVERLAPPING = """() => {
  const words = [...document.querySelectorAll(".chart text")].filter((word) => word.checkVisibility());
  const boxes = words.map((word) => word.getBoundingClientRect());
  const found = [];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 3) found.push(`${words[i].textContent} / ${words[i + 1 + j].textContent}`);  // boxes have some air
  }));
  return found;
}"""


def test_there_is_a_report_of_every_game(root: Path) -> None:
    from ludus.games import names

    assert [page.parent.name for page in PAGES] == names()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("index", PAGES, ids=lambda page: page.parent.name)
def test_a_report_from_disk_leads_to_its_games(chromium, index: Path, size: dict[str, int]) -> None:
    with tab(chromium, offline=True, viewport=size) as page:
        page.goto(index.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.evaluate(OVERLAPPING) == []
        bots = page.locator("h2:text-is('Table') ~ .card >> nth=0").locator("tr").count() - 1
        assert page.locator(".whisker").count() == bots  # an error bar each
        page.click(".cross a >> nth=0")
        assert "/games.html#p" in page.url
        row = page.locator(f"#{page.url.rpartition('#')[2]} + .card tr:has(a)").first
        seated = row.locator("td.left").all_inner_texts()
        row.locator("a").click()
        page.wait_for_selector(OPENED)
        assert not page.is_visible(".error")
        assert page.locator(".agent").all_inner_texts() == seated
        page.wait_for_selector("text=/decisions run again, every turn compared/")
