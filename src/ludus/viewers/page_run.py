"""A training run in a web page, while it goes on or after it: its curves, and game after game of its newest network."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from ludus.agents import Stop, seat_agents
from ludus.arena import Referee
from ludus.core import one_line
from ludus.engine import Table, module_of
from ludus.school import Newest, Run

from .envelope import Shelf
from .page import invite
from .page_live import Live
from .server import PageServer

POLL = 0.5  # seconds between two looks at the folder
REST = 1.5  # seconds for which the end of a game is shown
NEWEST = "newest"  # how the run's network is called where somebody may play against it


def watch_run(folder: Path, delay: float = 0.15, opens: bool = True, port: int = 0) -> None:
    """Show a run in this machine's browser until the page is closed or Ctrl-C comes."""
    run, shelf = Run(folder), Shelf()
    shelf.place(module_of(run.game))
    server = PageServer(shelf, None, None, port, one_line(folder.resolve().name, 60))
    try:
        invite(server, opens)
        server.wait_for_page()
        threading.Thread(target=_tell_curves, args=(run, server), daemon=True).start()
        with tempfile.TemporaryDirectory(prefix="ludus-") as place:
            _play(run, server, Path(place), delay)
    except KeyboardInterrupt:
        print()
    finally:
        server.close()


def _tell_curves(run: Run, server: PageServer) -> None:
    """Tell what was measured, as it is written; a run that goes on from an earlier step takes some of it back."""
    told: list[dict[str, Any]] | None = None
    while not server.is_gone:
        measured = run.measured()
        if measured != told:
            is_fresh = told is None or measured[: len(told)] != told
            points = measured if is_fresh else measured[len(told or ()) :]
            server.story.tell({"kind": "curves", "fresh": is_fresh, "points": points}, lasts=True)
            told = measured
        time.sleep(POLL)


def _play(run: Run, server: PageServer, place: Path, delay: float) -> None:
    """Let the newest network play, game after game; it is looked for anew before each."""
    network: Newest | None = None
    for number in range(1, 1 << 31):
        network = run.newest(place) or network
        while network is None and not server.is_gone:
            time.sleep(POLL)
            network = run.newest(place)
        if network is None or server.is_gone:
            return
        server.shelf.networks[run.game.name] = {NEWEST: network.file}
        if not _play_game(run, server, network, number, delay):
            return


def _play_game(run: Run, server: PageServer, network: Newest, seed: int, delay: float) -> bool:
    """Play one game; return whether somebody still looks."""
    word = f"net:{network.file}"
    table, agents = Table(run.game, seed), seat_agents(run.game, run.agents(word))
    for agent, who in zip(agents, run.agents(word), strict=True):
        agent.name = network.name if who == word else agent.name
    server.story.begin()
    try:
        Live(table, agents, server=server).play(Referee(table, agents), delay)
    except Stop:
        return False
    finally:
        for agent in agents:
            agent.close()
    time.sleep(REST)
    return not server.is_gone
