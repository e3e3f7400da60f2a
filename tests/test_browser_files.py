"""The page with Python behind it, and without anything: single files, dropped files, live games, games of one's own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browsing import OPENED, hostile_record, random_record, saved, tab, turn_of, turns_of

from ludus.agents import Agent
from ludus.arena import Referee, Replay
from ludus.engine import Table
from ludus.games import load, names
from ludus.viewers import Live, PagePerson, play_in_page, write_html
from ludus.viewers.envelope import Shelf
from ludus.viewers.server import PageServer

pytestmark = pytest.mark.browser
every_game = pytest.mark.parametrize("name", names())
LARGEST = 500_000  # bytes of a page with a flat game in it
ORIGINALS = sorted((Path(__file__).parent / "data").glob("*/original_*.json.gz"))

PLAY_UNTIL_ANSWERED = """before => {
  // A turn may take several decisions before a bot answers.
  const { reel } = ludus.app.screen.viewer;
  if (reel.isDone || reel.decisions.slice(before).some(([seat]) => seat !== 0)) return true;
  document.querySelector(".move:not([hidden]) .choices button")?.click();
  return false;
}"""


class AnyLegal(Agent):
    """Play what is listed first."""

    name = "any <b>legal</b>"

    def act(self, view: Any, legal: list[int]) -> list[int]:
        """Choose."""
        return [legal[0]]


@every_game
def test_one_file_from_disk_without_a_network_shows_a_game_and_plays_on(chromium, tmp_path, name: str) -> None:
    record, file = random_record(name, 50), tmp_path / "game.html"
    write_html(saved(record, tmp_path), file)
    if load(name).picture.board.layers == 1:
        assert file.stat().st_size < LARGEST
    with tab(chromium, offline=True) as page:
        page.goto(file.as_uri())
        page.wait_for_selector(OPENED)
        assert turns_of(page) == Replay(record, "pure").turns
        assert not page.is_visible(".error")
        page.keyboard.press("End")
        page.keyboard.press("p")
        page.click("dialog.takeover button.main")
        page.wait_for_selector(".move:not([hidden]) .choices button, .winner:not([hidden])")
        before = page.evaluate("ludus.app.screen.viewer.reel.decisions.length")
        page.wait_for_function(PLAY_UNTIL_ANSWERED, arg=before, polling=10)


@pytest.mark.parametrize("name", [name for name in names() if load(name).picture.board.layers > 1])
def test_layers_are_shown_in_three_dimensions_from_one_file(chromium, tmp_path, name: str) -> None:
    file = tmp_path / "game.html"
    write_html(saved(random_record(name, 30), tmp_path), file)
    with tab(chromium, offline=True) as page:
        page.goto(file.as_uri())
        page.wait_for_selector(OPENED)
        page.keyboard.press("3")
        page.wait_for_selector(".space canvas")


def test_one_file_runs_no_code_but_its_own(chromium, tmp_path) -> None:
    file = tmp_path / "game.html"
    write_html(saved(hostile_record(names()[0]), tmp_path), file)
    context = chromium.new_context()
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.goto(file.as_uri())
    page.wait_for_selector(OPENED)
    page.evaluate("""() => {
      window.refused = [];
      document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.refused.push(violatedDirective));
      const script = document.createElement("script");
      script.textContent = "document.title = 'owned'";
      document.head.append(script);
      fetch("http://127.0.0.1:9/").catch(() => {});
    }""")
    page.wait_for_function("() => window.refused.length >= 2")
    assert "owned" not in page.title()
    assert sum("Content Security Policy" in text for text in said) >= 2
    context.close()


@contextmanager
def behind(opened: dict[str, Any] | None = None) -> Iterator[PageServer]:
    """Serve the page as `ludus replay` does."""
    server = PageServer(Shelf(), opened)
    try:
        yield server
    finally:
        server.close()


@every_game
def test_a_dropped_file_is_opened_by_the_program_behind_the_page(chromium, tmp_path, name: str) -> None:
    record = random_record(name, 30)
    start = Table(load(name), record.seed, "pure")
    placed = random_record(name, 30, position=start.game.text(start.s))
    with behind() as server, tab(chromium) as page:
        page.goto(server.address)
        page.wait_for_selector(".dropzone")
        for number, one in enumerate((record, placed)):
            page.set_input_files("input[aria-label=record]", str(saved(one, tmp_path, f"{number}.json")))
            page.wait_for_function(
                "name => document.querySelector('.checked, .error span')?.textContent.includes(name)", arg=f"{number}.json"
            )
            assert not page.is_visible(".error"), page.inner_text(".error")
            assert turns_of(page) == Replay(one, "pure").turns


@pytest.mark.parametrize("file", ORIGINALS, ids=lambda file: file.name)
def test_files_of_original_programs_open_by_their_own_frames(chromium, tmp_path, file: Path) -> None:
    with behind() as server, tab(chromium) as page:
        page.goto(server.address)
        page.wait_for_selector(".dropzone")
        page.set_input_files("input[aria-label=record]", str(file))
        page.wait_for_selector(".viewer")
        page.keyboard.press("End")
        assert turn_of(page) == turns_of(page) > 10
        target = tmp_path / "original.html"
        write_html(file, target)
        page.goto(target.as_uri())
        page.wait_for_selector(".viewer")


@contextmanager
def played_live(name: str, people: int, **options: int) -> Iterator[tuple[Live, Referee]]:
    """Let a game be played beside the test, the first seats by people in the page."""
    known = {option.name for option in load(name).spec.options}
    table = Table(load(name, **{key: value for key, value in options.items() if key in known}), 3, "pure")
    agents = [PagePerson(table) if seat < people else AnyLegal() for seat in range(len(table.spec.seats))]
    live, referee = Live(table, agents), Referee(table, agents)
    thread = threading.Thread(target=play_in_page, args=(live, referee, 0.01, False, lambda: "it is over"), daemon=True)
    thread.start()
    try:
        yield live, referee
    finally:
        live.server.close()
        thread.join(10)


@every_game
def test_a_live_game_is_shown_as_it_goes_and_is_a_replay_at_its_end(chromium, name: str) -> None:
    with played_live(name, 0, max_turns=6, max_actions=30) as (live, referee), tab(chromium) as page:
        page.goto(live.server.address)
        page.wait_for_selector(".viewer")
        page.wait_for_selector(".checked")
        assert turns_of(page) == Replay(referee.record(), "pure").turns
        assert "any <b>legal</b>" in page.inner_text(".card .agent >> nth=0")


@every_game
def test_a_person_sits_in_a_live_game(chromium, name: str) -> None:
    with played_live(name, 1, max_turns=4, max_actions=12) as (live, referee), tab(chromium) as page:
        page.goto(live.server.address)
        page.wait_for_selector(".move:not([hidden]) .choices button")
        page.fill(".move form input", "jump over the moon")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('.refusal').textContent.length > 5")
        asked = ".move:not([hidden]) .choices button"
        page.wait_for_selector(asked)
        while button := page.query_selector(asked):
            button.evaluate("one => one.click()")
            page.wait_for_function("one => !one.isConnected || one.closest('.move').hidden", arg=button)  # it was answered
            page.wait_for_selector(f"{asked}, .checked")
        page.wait_for_selector(".checked")
        assert referee.table.over
