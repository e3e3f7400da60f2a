"""What every trainer does with a batch: one step of the optimizer, and the losses on data that is not learned from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import nn

from .loader import Batch
from .net import losses


class Losses(NamedTuple):
    """Mean losses over some batches."""

    policy: float  # cross-entropy
    value: float  # mean squared error


def make_optimizer(net: nn.Module, rate: float, decay: float) -> torch.optim.Optimizer:
    """Return AdamW, which forgets weights of matrices and leaves offsets and scales alone."""
    matrices = [p for p in net.parameters() if p.dim() > 1]
    others = [p for p in net.parameters() if p.dim() <= 1]
    groups = [{"params": matrices, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate)


def learn(
    net: nn.Module, optimizer: torch.optim.Optimizer, batch: Batch, value_weight: float, rate: float, device: str = "cpu"
) -> tuple[torch.Tensor, torch.Tensor]:
    """Take one step; return both losses as they were before it."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    net.train()
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        policy, value = _losses(net, batch, device)
    optimizer.zero_grad(set_to_none=True)
    (policy + value_weight * value).backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()
    return policy.detach(), value.detach()


def mean_losses(net: nn.Module, batches: Iterable[Batch], device: str = "cpu") -> Losses:
    """Return the mean losses over batches, a row as good as another."""
    net.eval()
    sums, rows = [0.0, 0.0], 0
    with torch.inference_mode():
        for batch in batches:
            count = len(batch.mask)
            sums = [total + float(loss) * count for total, loss in zip(sums, _losses(net, batch, device), strict=True)]
            rows += count
    return Losses(sums[0] / max(1, rows), sums[1] / max(1, rows))


def _losses(net: nn.Module, batch: Batch, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    shown, mask, policy, outcome = (torch.as_tensor(array).to(device) for array in batch)
    logits, values = net(shown)
    return losses(logits, values, mask, policy, outcome)
