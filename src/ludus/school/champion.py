"""Champions: a game's folder may hold a network, champion.onnx, which is the bot `champion` wherever bots are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import LudusError
from ludus.games import Game

from .network import chosen, open_network

FILE = "champion.onnx"


def champion_file(game: Game) -> Path:
    """Return the network of a game's champion, or say that there is none."""
    path = game.folder / FILE
    if not path.is_file():
        raise LudusError(
            f"{game.spec.title} has no champion: a network in its folder, {FILE}, would be it; `ludus learn` makes one"
        )
    return path


def open_policy(game: Game, word: str, device: str) -> Callable[..., Any]:
    """Return the champion as an opponent in a batch: a function of (obs, mask, seat) that says what it looks at."""
    return Champion(game, device)


class Champion:
    """A network that plays in many games at once."""

    def __init__(self, game: Game, device: str = "cpu") -> None:
        self.game, self.device = game, device
        self.network = open_network(champion_file(game), game, device)
        self.obs, self.heat, self._chance = self.network.input, self.network.about.heat, np.random.default_rng(0)

    def __reduce__(self) -> Any:
        return Champion, (self.game, self.device)

    def __call__(self, obs: Any, mask: Any, seat: Any) -> Any:
        """Return actions [games] in own ids."""
        logits, _ = self.network(obs)
        if isinstance(logits, np.ndarray):
            return chosen(logits, mask, self.heat, self._chance)
        liked = logits.float().masked_fill(mask == 0, -1e30)
        if self.heat > 0:
            liked = liked / self.heat - liked.new_empty(liked.shape).exponential_().log()
        return liked.argmax(1)
