"""Past selves of a learner: networks as they were at some of its saves, which it meets again as opponents.

They are kept among what the run needs to go on, so that one that was killed meets the same. Of all saves each is as likely to
be kept as any other (a reservoir); in each stretch between two saves a few of them are met, drawn game by game.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import torch
from torch import Tensor

PAST = "past"  # as an opponent is called
MOST_KEPT = 8
MOST_MET = 3  # in one stretch: each is asked apart, for its own games


class PastSelves:
    """What is kept of a learner's past."""

    def __init__(self, seed: int, save_every: int) -> None:
        self.seed, self.save_every = seed, save_every
        self.kept: dict[int, dict[str, Tensor]] = {}  # weights by the update at which they were

    def add(self, updates: int, net: torch.nn.Module) -> None:
        """Keep the network as it is now, perhaps in another one's place; a second time at the same update changes nothing."""
        if updates in self.kept:
            return
        if len(self.kept) >= MOST_KEPT:
            place = Random(f"keep {self.seed} {updates}").randrange(updates // self.save_every + 1)
            if place >= MOST_KEPT:
                return
            del self.kept[sorted(self.kept)[place]]
        self.kept[updates] = {name: tensor.detach().clone() for name, tensor in net.state_dict().items()}

    def met(self, updates: int, net: torch.nn.Module, shown: str) -> list[Callable[..., Any]]:
        """Return those that are met from this update on, as opponents in a batch; a network of the same sizes is the mould."""
        known = sorted(self.kept)
        chosen = Random(f"meet {self.seed} {updates}").sample(known, min(MOST_MET, len(known)))
        return [PastSelf(net, self.kept[update], shown) for update in chosen]


class PastSelf:
    """A network with earlier weights that plays in many games at once, as likely as it says."""

    def __init__(self, net: torch.nn.Module, weights: dict[str, Tensor], shown: str) -> None:
        self.net, self.obs = deepcopy(net).eval(), shown
        self.net.load_state_dict(weights)
        self.device = next(self.net.parameters()).device.type

    @torch.no_grad()
    def __call__(self, obs: Any, mask: Any, seat: Any) -> Any:
        """Return actions [games] in own ids."""
        shown, allowed = (torch.as_tensor(array, device=self.device) for array in (obs, mask))
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            logits, _ = self.net(shown)
        liked = logits.float().masked_fill(allowed == 0, -torch.inf)
        return (liked - torch.empty_like(liked).exponential_().log()).argmax(1)
