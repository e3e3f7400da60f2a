"""How decisions are judged by what follows: advantages and values, seat by seat, over turns of any length."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Played(NamedTuple):
    """What was played between two updates; [step, game, …], on the device."""

    shown: Tensor
    mask: Tensor
    action: Tensor
    log_chance: Tensor
    values: Tensor  # [step, game, seat] from the deciding seat on
    seat: Tensor  # who decided
    reward: Tensor  # what that seat had got since its decision before
    done: Tensor  # whether the decision ended the game
    paid: Tensor  # [step, game, seat] what each seat got where it did
    lesson: Tensor  # what the teacher would have played


def judged(played: Played, last: tuple[Tensor, Tensor, Tensor], discount: float, trace: float) -> tuple[Tensor, Tensor, Tensor]:
    """Return by decision: its advantage, what each seat's value should have been, and which of these are known.

    It goes back through time with three numbers a seat: what the seat gets up to its next decision, the value and the advantage
    of that one. A seat that was not asked again before the end of what was played is not judged.
    """
    steps, games, seats = played.paid.shape
    value, gain, pay = (torch.zeros((games, seats), device=played.paid.device) for _ in range(3))
    is_known = torch.zeros((games, seats), dtype=torch.bool, device=played.paid.device)
    around = torch.arange(seats, device=played.paid.device)
    gains, targets, known = [], [], []

    def note(seat: Tensor, at: Tensor, advantage: Tensor, got: Tensor) -> None:
        place = seat[:, None]
        for carried, what in ((value, at), (gain, advantage), (pay, got)):
            carried.scatter_(1, place, what[:, None].to(carried.dtype))
        is_known.scatter_(1, place, True)

    note(last[0], last[2][:, 0], torch.zeros_like(last[1]), last[1])
    for t in reversed(range(steps)):
        ended = played.done[t][:, None]
        value.masked_fill_(ended, 0.0)
        gain.masked_fill_(ended, 0.0)
        pay.copy_(torch.where(ended, played.paid[t], pay))
        is_known.logical_or_(ended)
        seat = played.seat[t]
        turned = (seat[:, None] + around) % seats  # from the deciding seat on
        target = pay + discount * (value + trace * gain)
        advantage = target.gather(1, seat[:, None])[:, 0] - played.values[t, :, 0]
        gains.append(advantage)
        targets.append(target.gather(1, turned))
        known.append(is_known.gather(1, turned))
        note(seat, played.values[t, :, 0], advantage, played.reward[t])
    return torch.stack(gains[::-1]), torch.stack(targets[::-1]), torch.stack(known[::-1])
