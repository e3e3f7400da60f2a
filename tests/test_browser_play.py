"""Playing in a real browser: whole games against bots, moves that are typed and taken back, replays that are taken over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import open_file, random_record, saved, set_up, tab, turn_of

from ludus.arena import read_record, rerun
from ludus.games import names

pytestmark = pytest.mark.browser
every_game = pytest.mark.parametrize("name", names())
PLAY_TO_THE_END = """async () => {
  // Whoever sits here plays what the list offers, by clicks on its buttons, until the game is over.
  const { viewer } = ludus.app.screen;
  let clicks = 0;
  for (let idle = 0; !viewer.reel.isDone && idle < 4000; idle++) {
    const buttons = document.querySelectorAll(".move:not([hidden]) .choices button");
    if (buttons.length) { buttons[(7 * clicks++) % buttons.length].click(); idle = 0; }
    await new Promise((done) => setTimeout(done, 0));
  }
  return clicks;
}"""


def start(page: Any, site: str, name: str, **options: Any) -> None:
    """Begin a game of the first seat against bots."""
    set_up(page, site, name, **options)
    page.click("button[type=submit].large")
    page.wait_for_selector(".viewer")


@every_game
def test_a_whole_game_is_played_against_a_bot_and_saved_as_a_record(chromium, site, tmp_path, name: str) -> None:
    short = {"max_turns": 12, "max_actions": 40, "seed": 5}
    with tab(chromium, accept_downloads=True) as page:
        start(page, site, name, **short)
        page.wait_for_selector(".move:not([hidden])")
        assert page.evaluate(PLAY_TO_THE_END) > 3
        page.wait_for_selector(".winner:not([hidden]), .trouble:not([hidden])")
        with page.expect_download() as download:
            page.click("button:has-text('Save record')")
        file = Path(tmp_path) / "saved.json"
        download.value.save_as(file)
    record = read_record(file)
    assert record.agents[0] == "human"
    *_, (table, _decision) = rerun(record, "pure")  # raises where a position, an action or the result differs
    assert table.over


def test_moves_are_typed_refused_in_words_and_taken_back(chromium, site) -> None:
    with tab(chromium) as page:
        start(page, site, names()[0], seed=5)
        page.wait_for_selector(".move:not([hidden]) .choices button")
        first = page.inner_text(".choices button >> nth=0")
        page.fill(".move form input", "jump over the moon")
        page.keyboard.press("Enter")
        assert "jump over the moon" in page.inner_text(".refusal")
        before = page.evaluate("ludus.app.screen.viewer.reel.decisions.length")
        page.fill(".move form input", first)
        page.keyboard.press("Enter")
        page.wait_for_function("n => ludus.app.screen.viewer.reel.decisions.length > n", arg=before)
        page.wait_for_selector(".move:not([hidden]) .choices button")
        page.click(".move header button")
        page.wait_for_function("n => ludus.app.screen.viewer.reel.decisions.length === n", arg=before)
        page.wait_for_selector(".move:not([hidden]) .choices button")


TELLING = """() => {
  // Find a place that some of the first actions touch and others do not, by pointing at each; else one that all touch.
  const { viewer } = ludus.app.screen, touched = [];
  for (const button of [...document.querySelectorAll(".choices button")].slice(0, 20)) {
    button.dispatchEvent(new PointerEvent("pointerenter"));
    touched.push(viewer.highlights.pointed.map(String));
  }
  const all = new Set(touched.flat()), telling = [...all].find((place) => touched.some((places) => !places.includes(place)));
  const place = (telling ?? [...all][0]).split(",").map(Number);
  return { at: viewer.stage.painter.layout.middle(...place), isTelling: telling !== undefined };
}"""


@every_game
def test_a_click_on_the_board_picks_what_touches_it(chromium, site, name: str) -> None:
    with tab(chromium) as page:
        start(page, site, name, seed=5)
        page.wait_for_selector(".move:not([hidden]) .choices button")
        place = page.evaluate(TELLING)
        listed = page.locator(".choices button").count()
        before = page.evaluate("ludus.app.screen.viewer.reel.decisions.length")
        page.click("canvas.board", position={"x": place["at"][0], "y": place["at"][1]})
        if place["isTelling"]:
            page.wait_for_function(
                "([n, before]) => document.querySelectorAll('.choices button').length < n"
                " || ludus.app.screen.viewer.reel.decisions.length > before",
                arg=[listed, before],
            )
        else:
            assert page.locator(".choices button").count() == listed


@every_game
def test_anybody_may_take_over_in_a_replay(chromium, site, tmp_path, name: str) -> None:
    record = random_record(name, 40)
    with tab(chromium) as page:
        open_file(page, f"{site}#t=2", saved(record, tmp_path))
        turn = turn_of(page)
        page.keyboard.press("p")
        page.click("dialog.takeover button.main")
        page.wait_for_selector(".move:not([hidden]) .choices button")
        decisions = page.evaluate("ludus.app.screen.viewer.reel.decisions")
        known = [list(decision) for decision in record.decisions]
        assert turn_of(page) >= turn
        assert decisions[: len(known)][:2] == known[:2]
        page.click(".choices button >> nth=0")
        page.wait_for_function("n => ludus.app.screen.viewer.reel.decisions.length > n", arg=len(decisions))


def test_bots_alone_are_watched(chromium, site) -> None:
    with tab(chromium) as page:
        page.goto(site)
        page.click(".gamecard >> nth=0")
        page.wait_for_selector(".setup")
        bot = page.eval_on_selector("select[name=seat0]", "select => select.options[1].value")
        page.select_option("select[name=seat0]", bot)
        page.click("button[type=submit].large")
        page.wait_for_function("() => ludus.app.screen.viewer.reel.length > 5")
        assert not page.is_visible(".move")
