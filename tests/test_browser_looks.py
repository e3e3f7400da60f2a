"""How the page looks and reads: no serious fault by axe-core, small screens, light and dark, stillness, three dimensions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import PHONE, open_file, painted, random_record, saved, tab, turn_of

from ludus.games import load, names

pytestmark = pytest.mark.browser
AXE = Path(__file__).parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
LAYERED = [name for name in names() if load(name).picture.board.layers > 1]


def serious(page: Any) -> list[str]:
    """Return what axe-core calls serious or worse."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with `npm ci` in web/")
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_no_serious_fault(chromium, site, tmp_path, colours: str) -> None:
    with tab(chromium, color_scheme=colours, bypass_csp=True) as page:
        page.goto(site)
        page.wait_for_selector(".gamecard .about:not(:empty)")
        assert serious(page) == []
        page.click(".gamecard >> nth=0")
        page.wait_for_selector(".setup")
        assert serious(page) == []
        page.click("button[type=submit].large")
        page.wait_for_selector(".move:not([hidden])")
        assert serious(page) == []
        for name in names():
            open_file(page, site, saved(random_record(name, 40), tmp_path))
            page.keyboard.press("End")
            for tab_name in ("Events", "Curves", "Legend", "Chances"):
                page.click(f"[role=tab]:has-text('{tab_name}')")
                assert serious(page) == [], (name, tab_name)
        page.keyboard.press("?")
        assert serious(page) == []


@pytest.mark.parametrize("name", names())
def test_a_phone_shows_all_of_it(chromium, site, tmp_path, name: str) -> None:
    with tab(chromium, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2) as page:
        open_file(page, site, saved(random_record(name, 40), tmp_path))
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        board, deck = page.locator(".stage").bounding_box(), page.locator(".transport").bounding_box()
        assert board["width"] > 0.9 * PHONE["width"]
        assert board["y"] + board["height"] <= deck["y"]
        small = page.eval_on_selector_all(
            "button, select, input[type=range]",
            """all => all.map((one) => [one, one.getBoundingClientRect()])
              .filter(([one, box]) => box.width && !one.classList.contains("turn") && Math.min(box.width, box.height) < 28)
              .map(([one]) => one.outerHTML.slice(0, 80))""",
        )
        assert small == []
        page.tap("button[aria-label^='a step forward']")
        assert turn_of(page) == 1


def test_light_dark_and_lightness_alone_are_a_key_each_and_kept(chromium, site, tmp_path) -> None:
    with tab(chromium, color_scheme="light") as page:
        open_file(page, site, saved(random_record(names()[0], 40), tmp_path))
        seen = [page.locator("canvas.board").screenshot()]
        for key in ("t", "c"):
            page.keyboard.press(key)
            painted(page)
            seen.append(page.locator("canvas.board").screenshot())
        assert len(set(seen)) == 3
        page.reload()
        assert page.evaluate("document.documentElement.dataset") == {"theme": "dark", "palette": "strong"}


def test_who_wants_no_motion_gets_none(chromium, site, tmp_path) -> None:
    watch = "() => { const { viewer } = ludus.app.screen; viewer.step(1); return viewer.t; }"
    for motion, t in (("reduce", 1), ("no-preference", 0)):
        with tab(chromium, reduced_motion=motion) as page:
            open_file(page, site, saved(random_record(names()[0], 40), tmp_path))
            painted(page)
            assert page.evaluate(watch) == t


def test_each_turn_is_told_to_those_who_listen(chromium, site, tmp_path) -> None:
    with tab(chromium) as page:
        open_file(page, site, saved(random_record(names()[0], 40), tmp_path))
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('[aria-live=polite]').textContent.startsWith('1: ')")
        assert page.get_attribute("canvas.board", "aria-label")


def test_zoom_pan_and_fit(chromium, site, tmp_path) -> None:
    with tab(chromium) as page:
        open_file(page, site, saved(random_record(names()[0], 40), tmp_path))
        cell = "ludus.app.screen.viewer.stage.painter.layout.cell"
        fitted = page.evaluate(cell)
        page.keyboard.press("z")
        page.wait_for_function(f"n => {cell} > n", arg=fitted)
        page.keyboard.press("d")
        page.mouse.move(400, 400)
        page.mouse.wheel(0, -300)
        page.keyboard.press("r")
        page.wait_for_function(f"n => {cell} === n", arg=fitted)


@pytest.mark.parametrize("name", LAYERED)
def test_layers_are_shown_in_three_dimensions_and_flat_again(chromium, site, tmp_path, name: str) -> None:
    with tab(chromium) as page:
        open_file(page, site, saved(random_record(name, 40), tmp_path))
        page.keyboard.press("3")
        page.wait_for_selector(".space canvas")
        page.keyboard.press("ArrowRight")
        box = page.locator(".space").bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 200)
        page.mouse.down()
        page.mouse.move(box["x"] + 300, box["y"] + 220)
        page.mouse.up()
        assert not page.is_visible(".error")
        page.keyboard.press("3")
        page.wait_for_selector("canvas.board:visible")
