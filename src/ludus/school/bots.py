"""Search and networks as bots: `mcts:1000`, `mcts:200ms`, `net:FILE`, `net+search:FILE:SIMULATIONS`, `champion`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import Agent, BadValue, Start, is_there, one_line
from ludus.engine import Batch
from ludus.games import Game

from .gumbel import INPUTS, GumbelSearch, Network
from .search import MOST_SIMULATIONS, PlayoutSearch, playout_of

SECONDS = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
KINDS = {
    "champion": "champion or champion:64", "mcts": "mcts:1000, mcts:200ms or mcts:1000:BOT", "net": "net:FILE",
    "net+search": "net+search:FILE:64",
}  # fmt: skip
# The share of what is left on the clock that one decision may take: of a turn's time, of a game's.
SHARE = {"move": 0.5, "game": 0.04}


def open_bot(game: Game, kind: str, rest: str) -> Agent:
    """Return the bot of a word like `mcts:1000`, split at its first colon."""
    if kind == "mcts":
        much, _, playout = rest.partition(":")
        playout_of(game, playout)
        timed = SECONDS.fullmatch(much)
        if timed:
            seconds = float(timed[1]) / (1000 if timed[2] == "ms" else 1)
            if not seconds > 0:
                raise _refusal(kind, rest)
            return SearchBot(MOST_SIMULATIONS, seconds, playout)
        return SearchBot(_count(kind, rest, much), None, playout)
    if kind == "champion":
        from .champion import champion_file

        bot = NetworkBot(champion_file(game), _count(kind, rest, rest) if rest else 0)
    else:
        file, _, much = rest.rpartition(":") if kind == "net+search" else (rest, "", "0")
        if not file:
            raise _refusal(kind, rest)
        if not is_there(file):
            raise BadValue(f"there is no network {one_line(file)}")
        bot = NetworkBot(Path(file), _count(kind, rest, much) if kind == "net+search" else 0)
    bot.network(game)  # what is another game's, or broken, is refused here and not in the middle of a match
    return bot


class SearchBot(Agent):
    """Tree search with playouts, so many simulations a decision, or for so long."""

    files = ()

    def __init__(self, simulations: int, seconds: float | None, playout: str = "") -> None:
        self.simulations, self.seconds, self.playout = simulations, seconds, playout

    def start(self, start: Start) -> None:
        """Take the seat; all that is compiled is so before the clock runs."""
        self._start = start
        most = self.simulations if self.seconds is None else MOST_SIMULATIONS
        self._search = PlayoutSearch(start.game, 1, most, self.playout, start.seed, start.device)
        if start.view is not None and start.device != "pure":
            self._search(start.view, seconds=1e-6, check=False)
            self._search.trees.seed(start.seed)

    def act(self, view: Any, legal: list[int]) -> int:
        """Search, and play what was visited most."""
        if len(legal) == 1:
            return legal[0]
        wanted, most = self.seconds, time_left(self, self._start)
        seconds = most if wanted is None else wanted if most is None else min(wanted, most)
        return legal_choice(self._start, preferred(self._search(view, seconds, check=False)), legal)


class NetworkBot(Agent):
    """A network, asked once, or by a search of so many simulations."""

    def __init__(self, file: Path, simulations: int) -> None:
        self.file, self.files, self.simulations = file, (file,), simulations
        self._kept: tuple[Game, str, Network] | None = None

    def start(self, start: Start) -> None:
        """Take the seat."""
        self._start, network = start, self.network(start.game, start.device)
        self._ask: Callable[[Any], Any]
        if self.simulations:
            search = GumbelSearch(start.game, 1, network, self.simulations, device=start.device, seed=start.seed, noise=0.0)
            self._ask = lambda view: preferred(search(view, check=False))
        else:
            batch = Batch(start.game, 1, start.seed, start.device, restart=False)
            heat, chance = self._heat(network), np.random.default_rng(start.seed)
            self._ask = lambda view: heated(_asked(batch, network, view), heat, chance)
        if start.view is not None:
            self._ask(start.view)

    def act(self, view: Any, legal: list[int]) -> int:
        """Ask the network, and play what it likes best."""
        return legal[0] if len(legal) == 1 else legal_choice(self._start, self._ask(view), legal)

    @staticmethod
    def _heat(network: Any) -> float:
        """Return by how much chance a network plays, as its file says."""
        return float(getattr(getattr(network, "about", None), "heat", 0.0))

    def network(self, game: Game, device: str = "cpu") -> Network:
        """Open the file, unless it is still open from the game before."""
        if self._kept is None or self._kept[:2] != (game, device):
            from ludus import school

            network: Network = school.open_network(self.file, game, device)
            self._kept = game, device, network
        return self._kept[2]


def _asked(batch: Batch, network: Network, view: Any) -> Any:
    """Return a network's logits [actions] for one view, in own ids."""
    batch.sample(view, check=False)
    logits, _ = network(getattr(batch, INPUTS[network.input])(), batch.legal())
    return np.asarray(logits)[0]


def heated(logits: Any, heat: float, chance: np.random.Generator) -> Any:
    """Return logits [actions] of which the highest is drawn as likely as they say; with no heat as they are."""
    return logits / heat + chance.gumbel(size=logits.shape) if heat > 0 else logits


def preferred(found: Any) -> Any:
    """Return by how much a search likes each action [actions]: what it would play most of all."""
    liked = np.array(found.policy[0])
    liked[found.actions[0]] += 1
    return liked


def legal_choice(start: Start, liked: Any, legal: list[int]) -> int:
    """Return the legal action, in ids of the rules, that is liked most; `liked` [actions] is in own ids."""
    by_rule = np.empty(len(liked))
    by_rule[start.game.own_ids[start.seat]] = liked
    return legal[int(np.argmax(by_rule[legal]))]


def time_left(agent: Agent, start: Start) -> float | None:
    """Return how many seconds a decision may take under the clock, or None if there is none: a turn may have several."""
    if agent.limit is None or start.control is None:
        return None
    return max(0.001, (agent.limit - start.control.margin) * SHARE[start.control.kind])


def _count(kind: str, rest: str, much: str) -> int:
    if not much.isdecimal() or not 0 < int(much) <= MOST_SIMULATIONS:
        raise _refusal(kind, rest)
    return int(much)


def _refusal(kind: str, rest: str) -> BadValue:
    return BadValue(f"this bot is written {KINDS[kind]}, not {kind}:{rest}")
