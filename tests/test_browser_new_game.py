"""A game that `ludus new game` wrote is built, put on a site and played in a real browser, without a line of TypeScript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browsing import OPENED, served, tab, turns_of
from test_new_game import ludus, written

pytestmark = pytest.mark.browser
KINDS = {
    "four_in_line": [],
    "sealed_bids": ["--hidden", "--simultaneous", "--seats", "4"],
}
DECIDED = "ludus.app.screen.viewer.reel.decisions.length"
IS_ASKED = "() => document.querySelector('.move:not([hidden]) .choices button') !== null || ludus.app.screen.viewer.reel.isDone"
PLACE = """name => {
  // Point at an action and find a place that it alone touches.
  const { viewer } = ludus.app.screen, touched = new Map();
  for (const button of document.querySelectorAll(".choices button")) {
    button.dispatchEvent(new PointerEvent("pointerenter"));
    touched.set(button.textContent, viewer.highlights.pointed.map(String));
  }
  const others = [...touched].filter(([other]) => other !== name).flatMap(([, places]) => places);
  const own = touched.get(name).find((place) => !others.includes(place));
  return own === undefined ? null : viewer.stage.painter.layout.middle(...own.split(",").map(Number));
}"""


def command(*words: str, project: Path) -> str:
    """Run `ludus` where the new game is installed."""
    done = ludus(*words, cwd=project.parent, also=project)
    assert done.returncode == 0, done.stderr
    return done.stdout


def play(page: Any) -> dict[str, int]:
    """Play a whole game, by the board, by words and by the list in turn; return how often each was used."""
    used = {"board": 0, "word": 0, "list": 0}
    for number in range(200):
        page.wait_for_function(IS_ASKED)
        if page.evaluate("ludus.app.screen.viewer.reel.isDone"):
            return used
        offered, decided = page.locator(".choices button").all_inner_texts(), page.evaluate(DECIDED)
        name = offered[(7 * number) % len(offered)]
        place = page.evaluate(PLACE, name)
        way = list(used)[number % 3]
        if way == "board" and place is not None:
            page.click("canvas.board", position={"x": place[0], "y": place[1]})
        elif way == "word":
            page.fill(".move form input", name)
            page.keyboard.press("Enter")
        else:
            way = "list"
            page.click(f".choices button:text-is('{name}')")
        page.wait_for_function(f"n => {DECIDED} > n", arg=decided)
        used[way] += 1
    raise AssertionError("the game does not end")


def refuse(page: Any, names: list[str]) -> None:
    """Type what means no action, and one that is not legal now if there is one; neither is played."""
    page.wait_for_selector(".move:not([hidden]) .choices button")
    offered, decided = page.locator(".choices button").all_inner_texts(), page.evaluate(DECIDED)
    vain = [(name, f"{name} is no legal move now") for name in names if name not in offered]
    for text, said in [("jump over the moon", "There is no move jump over the moon"), *vain]:
        page.fill(".move form input", text)
        page.keyboard.press("Enter")
        assert said in page.inner_text(".refusal")
        assert page.evaluate(DECIDED) == decided


@pytest.mark.parametrize("name", KINDS)
def test_a_new_game_is_played_in_the_page_as_soon_as_it_is_built(chromium, tmp_path, name: str) -> None:
    project = written(tmp_path, name, *KINDS[name])
    told = command("web", "build", name, project=project)
    assert told.startswith(f"{name}: ")
    about = json.loads((project / name / "web" / f"{name}.json").read_text(encoding="utf-8"))
    title, seats = about["title"], len(about["seats"])
    assert title in command("web", "site", "site", project=project)
    saved = tmp_path / "played.json"
    with served(tmp_path / "site") as address, tab(chromium, accept_downloads=True) as page:
        page.goto(address)
        page.click(f".gamecard:has-text('{title}')")
        page.wait_for_selector(".setup")
        assert page.locator("select[name^=seat]").count() == seats
        for seat in range(1, seats):
            page.select_option(f"select[name=seat{seat}]", "greedy")
        page.fill("input[name=seed]", "5")
        page.click("button[type=submit].large")
        refuse(page, about["names"])
        used = play(page)
        assert used["word"]
        assert used["board"], "a card and a cell are places that one action alone touches"
        page.wait_for_selector(".winner:not([hidden])")
        with page.expect_download() as download:
            page.click("button:has-text('Save record')")
        download.value.save_as(saved)
    assert json.loads(saved.read_bytes())["agents"] == ["human", *["greedy"] * (seats - 1)]
    command("replay", "verify", str(saved), project=project)
    command("replay", str(saved), "--html", "played.html", project=project)
    with tab(chromium, offline=True) as page:
        page.goto((tmp_path / "played.html").as_uri())
        page.wait_for_selector(OPENED)
        assert not page.is_visible(".error")
        assert turns_of(page) > 3
        page.keyboard.press("End")
        page.wait_for_selector(".winner:not([hidden])")
