"""Who is imitated: a built-in bot, or a teacher of the game's own that knows better than one.

A game's learning.py may say `TEACHERS = {name: (bot, better)}`: `better(advice, planes, mask)` returns what should be played
instead of what that bot would play [n], in own ids, on whatever device the arrays lie.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ludus.core import BadValue
from ludus.engine import Seat, Seen
from ludus.games import Game


class Teacher:
    """A teacher by its name."""

    def __init__(self, game: Game, name: str, shown: str) -> None:
        teachers: dict[str, Any] = game.says("learning", "TEACHERS") or {}
        self.bot, self.better = teachers.get(name, (name, None))
        if self.better and shown == "features":
            raise BadValue(f"{name} teaches by planes: take input=planes or input=both")

    def __call__(self, seat: Seat, seen: Seen, device: str) -> Tensor:
        """Return what the learner should play [n] now, in own ids."""
        advice = torch.as_tensor(seat.advice(self.bot), device=device).long()
        if self.better is None:
            return advice
        lesson: Tensor = self.better(advice, *(torch.as_tensor(array, device=device) for array in (seen.planes, seen.mask)))
        return lesson
