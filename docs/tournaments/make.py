"""Write the pages of this folder: `python docs/tournaments/make.py LEDGER…`, a report each, and one viewer for all."""

import sys
from pathlib import Path

from ludus.arena import Ledger, results_of
from ludus.viewers import viewer_page, write_report

HERE = Path(__file__).parent
REPLAYS = 4  # games of every two bots, two set-ups from both sides: the pages stay small


def main() -> None:
    """Write a report of every ledger that is named."""
    games = []
    for place in sys.argv[1:]:
        with Ledger.open(place) as ledger:
            folder = HERE / ledger.game.name
            write_report(results_of(ledger), ledger.game, folder, ledger.record, REPLAYS, viewer="../viewer.html")
            games.append(ledger.game)
        print(folder / "index.html", flush=True)
    (HERE / "viewer.html").write_text(viewer_page(games, "Tournaments"), encoding="utf-8")


if __name__ == "__main__":
    main()
