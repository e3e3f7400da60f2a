"""Write the pages of this folder: a report of each LEDGER that is named, and the one viewer that shows the games of all.

usage: ludus tournament run docs/tournaments/GAME.toml --ledger GAME.db     (once for each game; build the kits before)
       python docs/tournaments/make.py GAME.db …                            (none: the viewer alone, after a change of the page)
"""

import sys
from pathlib import Path

from ludus.arena import Ledger, results_of
from ludus.games import load
from ludus.viewers import viewer_page, write_report

HERE = Path(__file__).parent
REPLAYS = 4  # games of every two bots, two set-ups from both sides: the pages stay small


def main() -> None:
    """Write a report of every ledger that is named, and the viewer."""
    for place in sys.argv[1:]:
        with Ledger.open(place) as ledger:
            folder = HERE / ledger.game.name
            write_report(results_of(ledger), ledger.game, folder, ledger.record, REPLAYS, viewer="../viewer.html")
        print(folder / "index.html", flush=True)
    games = [load(page.parent.name) for page in sorted(HERE.glob("*/index.html"))]
    (HERE / "viewer.html").write_text(viewer_page(games, "Tournaments"), encoding="utf-8")


if __name__ == "__main__":
    main()
