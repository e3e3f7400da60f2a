"""Search with a network, many games at once: the Gumbel variant of AlphaZero's search (Danihelka et al. 2022).

The trees and all that happens in them are the engine's (`gumbel_kernels.py`); here the network is asked, once a simulation for
all games, and sequential halving is planned.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from ludus.core import BadValue, whole_number
from ludus.engine import Found, Trees
from ludus.games import Game

INPUTS = {"planes": "encode", "features": "features", "both": "both"}  # what a network is shown, and the batch's word for it


class Network(Protocol):
    """Whatever judges positions. `input` says what it is shown: "planes", or "features"."""

    input: str

    def __call__(self, shown: Any, masks: Any) -> tuple[Any, Any]:
        """Return logits [n, actions] in the movers' own ids, and values [n, seat] from the mover on, both float32.

        `shown` and `masks` [n, actions] are in the movers' own frames and the search's own memory: NumPy arrays, or tensors on
        the GPU. What is said of positions in which nothing is legal is not heard.
        """


def halving(considered: int, simulations: int) -> list[int]:
    """Return how many visits the action has that the root's next simulation goes to, by sequential halving.

    In each of about log2(considered) phases of equal length the better half of the actions goes on; two share the rest.
    """
    if considered <= 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(considered))
    plan: list[int] = []
    visits, left = [0] * considered, considered
    while len(plan) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            plan += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return plan[:simulations]


class GumbelSearch:
    """Search `n` games at once with a network; a call takes what the seats to move see, and returns a Found."""

    def __init__(
        self, game: Game, n: int, network: Network, simulations: int = 64, considered: int = 16, device: str = "cpu",
        seed: int = 0, noise: float = 1.0, nodes: int = 0,
    ) -> None:  # fmt: skip
        self.game, self.n, self.network, self.noise = game, n, network, noise
        self.simulations = whole_number(simulations, "simulations", 1, 1_000_000)
        self.considered = whole_number(considered, "considered", 1, 1_000_000)
        if getattr(network, "input", "planes") not in INPUTS:
            raise BadValue(f"a network is shown {' or '.join(INPUTS)}, not {network.input!r}")
        table = [halving(count, self.simulations) for count in range(self.considered + 1)]
        self.trees = Trees(game, n, nodes or self._room(), seed, device, table)
        self.trees.settings(self.simulations, self.considered)
        self._show = getattr(self.trees, INPUTS[getattr(network, "input", "planes")])
        self._chance = np.random.default_rng(seed)

    def __call__(self, views: Any, noise: Any = None, check: bool = True) -> Found:
        """Search from views [n], or one for all; noise [n, actions] stands in for what would be drawn."""
        if noise is None:
            noise = self.noise * self._chance.gumbel(size=(self.n, self.game.spec.actions))
        self.trees.shake(np.asarray(noise, np.float32))
        self.trees.plant(views, check)
        for _ in range(self.simulations + 1):  # the first one is the roots' own
            self.trees.descend()
            logits, values = self.network(self._given(self._show()), self._given(self.trees.legal()))
            self.trees.settle(logits, values)
        return self.trees.advised()

    def seed(self, seed: int) -> None:
        """Begin with new chance."""
        self.trees.seed(seed)
        self._chance = np.random.default_rng(seed)

    def host(self, array: Any) -> Any:
        """Return an array of a Found in ordinary memory."""
        return self.trees.host(array)

    def _given(self, array: Any) -> Any:
        """Return an array as networks take it."""
        if self.trees.device != "cuda":
            return array
        import torch

        return torch.as_tensor(array, device="cuda")

    def _room(self) -> int:
        """Return how many nodes a tree needs at most, within reason: every simulation adds all legal actions of its leaf."""
        return 2 + (self.simulations + 1) * min(self.game.spec.actions, 256)
