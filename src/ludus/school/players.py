"""Who decides in many games at once: networks and searches. Built-in bots do so inside kernels, and are their names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ludus.engine import Batch, compiled_bots
from ludus.games import Game

from .champion import champion_file
from .gumbel import INPUTS, GumbelSearch
from .network import masked_softmax, open_network
from .search import PlayoutSearch, playout_of

NET_SEARCH = re.compile(r"net\+search:(.+):([0-9]+)")
PLAYOUTS = re.compile(r"mcts:([0-9]+)(?::(\w+))?")


class Asked(NamedTuple):
    """What a player is asked: to decide in some games of a batch."""

    batch: Batch
    where: Any  # [k] which games
    masks: Any  # [k, actions] own ids
    heat: float  # temperature; 0 = the best
    draws: Any  # [k] from 0 to 1, for whoever needs chance


class Player(Protocol):
    """Who decides in many games at once."""

    def choose(self, asked: Asked) -> tuple[Any, Any]:
        """Return actions [k] and policies [k, actions], or None, in own ids."""
        ...


def open_player(game: Game, word: str, seed: int, is_noisy: bool, device: str = "cpu") -> Player | str | None:
    """Return who plays a word in many games at once: a bot's name as it is, a player, or None for all others.

    Networks are asked on the device, wherever games are played.
    """
    if word in compiled_bots(game):
        return word
    if word.startswith("net:") or word == "champion":
        return NetPlayer(open_network(champion_file(game) if word == "champion" else word.removeprefix("net:"), game, device))
    if found := NET_SEARCH.fullmatch(word):
        network, sims = open_network(found[1], game, device), int(found[2])
        noise = 1.0 if is_noisy else 0.0
        return SearchPlayer(lambda n, k: GumbelSearch(game, n, network, simulations=sims, seed=seed + k, noise=noise))
    if found := PLAYOUTS.fullmatch(word):
        sims, bot = int(found[1]), playout_of(game, found[2] or "")
        return SearchPlayer(lambda n, k: PlayoutSearch(game, n, sims, bot, seed + k), is_sampled=True)
    return None


class NetPlayer:
    """A network alone: its policy under the mask, with the heat that is asked for, or its own."""

    def __init__(self, network: Any) -> None:
        self.network = network

    def choose(self, asked: Asked) -> tuple[Any, Any]:
        """Sample from the policy, or take its best."""
        shown = np.asarray(getattr(asked.batch, INPUTS[self.network.input])())
        logits, _ = self.network(shown[asked.where], asked.masks)
        return sampled(masked_softmax(logits, asked.masks), asked.heat or self.network.about.heat, asked.draws), None


class SearchPlayer:
    """A tree search in every game; its policy is what a network learns."""

    def __init__(self, make: Callable[[int, int], Any], is_sampled: bool = False) -> None:
        self._make, self._is_sampled = make, is_sampled
        self._search: Any = None
        self._size = self._made = 0

    def choose(self, asked: Asked) -> tuple[Any, Any]:
        """Search all positions together; as games end, fewer trees are kept."""
        count = len(asked.where)
        if not count <= self._size <= 2 * count:
            self._size, self._made = count, self._made + 1
            self._search = self._make(count, self._made << 20)
        views = np.asarray(asked.batch.observe())[asked.where]
        found = self._search(np.concatenate([views, views[:1].repeat(self._size - count)]), check=False)
        policy = np.array(found.policy[:count], np.float32)
        if self._is_sampled and asked.heat > 0:
            return sampled(policy, asked.heat, asked.draws), policy
        return np.array(found.actions[:count]), policy


def sampled(policy: Any, heat: float, draws: Any) -> Any:
    """Return actions [k] drawn from policies [k, actions] at a temperature; at 0 the likeliest."""
    if heat == 0:
        return policy.argmax(1)
    with np.errstate(divide="ignore"):
        weights = np.exp((log := np.log(policy.astype(np.float64)) / heat) - log.max(1, keepdims=True))
    sums = weights.cumsum(1)
    return np.minimum((sums <= (draws * sums[:, -1])[:, None]).sum(1), policy.shape[1] - 1)


def by_chance(masks: Any, draws: Any) -> Any:
    """Return any legal action of each game [n], as the draws say; 0 where nothing is legal."""
    counts = masks.sum(1, dtype=np.int64)
    places = np.minimum((draws * counts).astype(np.int64), np.maximum(counts - 1, 0))
    return (masks.cumsum(1, dtype=np.int64) <= places[:, None]).sum(1).clip(max=masks.shape[1] - 1)
