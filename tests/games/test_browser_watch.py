"""`ludus watch` in a real browser: a run that learns while one looks, and one that is over."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browsing import tab

from ludus.games import load

pytestmark = pytest.mark.browser
GAME = "chase"
QUICK = {"games": 32, "steps": 8, "channels": 16, "blocks": 1, "evaluate_every": 4, "evaluated": 8, "save_every": 8}
PATIENCE = 900_000  # milliseconds: programs beside the test may have to compile first
STEP = """selector => {
  // The step that a text names, or -1.
  const found = /step ([\\d,]+)/.exec(document.querySelector(selector)?.textContent ?? "");
  return found ? Number(found[1].replaceAll(",", "")) : -1;
}"""
PLAYING, MEASURED = ".agent", ".learning .lead"  # where the page says of which step a network plays, and what was measured


@contextmanager
def program(*words: str, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """Run `ludus` beside the test."""
    with subprocess.Popen([sys.executable, "-m", "ludus", *words], stdout=stdout, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


def learning(folder: Path, decisions: int) -> list[str]:
    """Return the words by which a network learns a little."""
    settings = [f"{name}={value}" for name, value in QUICK.items()] + [f"decisions={decisions}", "against=greedy"]
    return ["learn", GAME, "--out", str(folder), "--minutes", "0", *(word for one in settings for word in ("-s", one))]


def test_a_run_is_watched_while_it_learns(chromium, tmp_path) -> None:
    folder = tmp_path / "run"
    with program(*learning(folder, 100_000_000), stdout=subprocess.DEVNULL) as learner:  # nobody reads what it says
        while not (folder / "metrics.jsonl").exists():
            assert learner.poll() is None
            time.sleep(0.1)
        with program("watch", str(folder), "--no-open", "--delay", "0") as watcher, tab(chromium) as page:
            page.set_default_timeout(PATIENCE)
            page.goto(watcher.stdout.readline().split()[0])  # type: ignore[union-attr]
            page.wait_for_selector(".viewer .learning .uplot canvas")
            page.wait_for_function(f"place => ({STEP})(place) >= 0", arg=PLAYING)
            first, measured = page.evaluate(STEP, PLAYING), page.evaluate(STEP, MEASURED)
            page.wait_for_function(f"([place, was]) => ({STEP})(place) > was", arg=[PLAYING, first])  # a newer network plays
            page.wait_for_function(f"([place, was]) => ({STEP})(place) > was", arg=[MEASURED, measured])
            assert page.locator(".learning figure").count() > 3
            page.click("button[role=tab]:has-text('Events')")
            page.wait_for_selector(".log li")


def test_a_run_that_is_over_is_watched_and_its_network_is_played_against(chromium, tmp_path) -> None:
    from ludus.school import LearnArguments, learn_by_play

    folder = tmp_path / "run"
    learn_by_play(LearnArguments(GAME, decisions=5_000, **{**QUICK, "against": "greedy"}), folder, lambda line: None)
    with program("watch", str(folder), "--no-open") as watcher:
        with tab(chromium) as page:
            page.set_default_timeout(PATIENCE)
            page.goto(watcher.stdout.readline().split()[0])  # type: ignore[union-attr]
            page.wait_for_selector(".viewer .learning .uplot canvas")
            page.wait_for_function("() => document.querySelector('.agent')?.textContent === 'run, best'")
            assert page.evaluate(STEP, MEASURED) >= 5_000 // (32 * 8)
            page.reload()  # whoever comes late is told all of it
            page.wait_for_selector(".viewer .learning .uplot canvas")
            page.click("button.brand")
            page.click(f".gamecard:has-text('{load(GAME).spec.title}')")
            page.select_option("select[name=seat1]", "newest")
            page.click("button[type=submit].large")
            page.wait_for_selector(".move:not([hidden]) .choices button")
            page.click(".choices button >> nth=0")
            page.wait_for_function("() => ludus.app.screen.viewer.reel.decisions.some(([seat]) => seat === 1)")
        assert watcher.wait(PATIENCE / 1000) == 0, "it ends with its page"
