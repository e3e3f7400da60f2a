"""The rules in a real browser are those of the CPU: a million random decisions a game, and every bot that plays in kernels."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import random_play, tab

import ludus
from ludus.engine import compiled_bots
from ludus.games import load, names

pytestmark = pytest.mark.browser
every_game = pytest.mark.parametrize("name", names())
GAMES, STEPS = 1000, 1000
PLAY_BOT = """async ({ index, bot, seed }) => {
  const { about, module } = await ludus.app.envelope.load(index), table = new ludus.Table(about, module), decisions = [];
  table.begin(BigInt(seed), {});
  while (!table.isOver) {
    decisions.push([table.seat, table.choose(about.bots.indexOf(bot))]);
    table.play(decisions.at(-1)[1]);
  }
  return { decisions, digest: String(table.digest()), bots: about.bots };
}"""


def on_site(page: Any, site: str) -> None:
    """Load the page of all games, which are listed as they are here."""
    page.goto(site)
    page.wait_for_selector(".gamecard .about:not(:empty)")


@every_game
def test_a_million_random_decisions_come_to_the_same(chromium, site, name: str) -> None:
    with tab(chromium) as page:
        on_site(page, site)
        found, digests, _ = random_play(page, name, names().index(name), GAMES, STEPS, 1)
    assert len(digests) == 16 * GAMES
    assert found["digests"] == digests


@every_game
def test_every_bot_decides_as_it_does_in_python(chromium, site, name: str) -> None:
    with tab(chromium) as page:
        on_site(page, site)
        for bot in compiled_bots(load(name)):
            found = page.evaluate(PLAY_BOT, {"index": names().index(name), "bot": bot, "seed": 6})
            record = ludus.play(name, [bot] * len(load(name).spec.seats), seed=6)
            assert [tuple(decision) for decision in found["decisions"]] == list(record.decisions), bot
            assert int(found["digest"]) == record.digests[-1], bot
            assert found["bots"] == list(compiled_bots(load(name)))
