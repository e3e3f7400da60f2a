"""Several processes that learn together, each with its own games: torch.distributed, as `torchrun` starts them.

Every rank begins with the same weights, plays games of its own, and takes the same steps: gradients are averaged before each.
The first rank alone writes, measures and speaks. Without `torchrun` there is one rank, and nothing of this costs anything.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from torch import distributed

SEEDS = 15_485_863  # between the games of two ranks


class Ranks:
    """This process among those that learn together."""

    def __init__(self, device: str, is_alone: bool = False) -> None:
        self.rank, self.count = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
        if is_alone:
            self.rank, self.count = 0, 1
        self.device = torch.device(device)
        if self.count > 1 and not distributed.is_initialized():
            distributed.init_process_group("nccl" if self.device.type == "cuda" else "gloo")

    @property
    def is_first(self) -> bool:
        """Whether this rank writes, measures and speaks for all."""
        return self.rank == 0

    def seed(self, seed: int) -> int:
        """Return this rank's own seed; the first one's is what one process alone would have."""
        return seed + SEEDS * self.rank

    def average(self, net: torch.nn.Module) -> None:
        """Let every rank have the mean of all gradients."""
        if self.count == 1:
            return
        gradients = [weight.grad for weight in net.parameters() if weight.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        flat /= self.count
        at = 0
        for gradient in gradients:
            gradient.copy_(flat[at : at + gradient.numel()].view_as(gradient))
            at += gradient.numel()

    def agreed(self, number: float) -> float:
        """Return the first rank's number: what steps depend on must be the same everywhere."""
        if self.count == 1:
            return number
        told = torch.tensor([number], dtype=torch.float64, device=self.device)
        distributed.broadcast(told, 0)
        return float(told)

    def told(self, thing: Any) -> Any:
        """Return what the first rank has, for all of them."""
        if self.count == 1:
            return thing
        kept = [thing]
        distributed.broadcast_object_list(kept, 0, device=self.device)
        return kept[0]

    def follow(self, learner: Any) -> Path:
        """Learn as one of the other ranks: what the first one measures and writes is not done twice."""
        learner.begin()
        while not learner.is_done():
            learner.improve()
            if learner.updates % learner.a.save_every == 0 or learner.is_done():
                learner.begin()
        self.leave()
        return Path(learner.folder) / "best.safetensors"

    def leave(self) -> None:
        """Go on alone."""
        if self.count > 1:
            distributed.destroy_process_group()


def settle() -> bool:
    """Take this process's share of the machine, before anything is loaded; return whether it is the first rank.

    `torchrun` starts as many processes as there are GPUs: each sees its own and no other, and has its share of the cores.
    """
    local, here = int(os.environ.get("LOCAL_RANK", "0")), int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    if here > 1:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES") or ",".join(map(str, range(torch.cuda.device_count())))
        if visible:
            devices = visible.split(",")
            os.environ["CUDA_VISIBLE_DEVICES"] = devices[local % len(devices)]
        os.environ.setdefault("LUDUS_THREADS", str(max(1, (os.cpu_count() or 1) // here)))
    return os.environ.get("RANK", "0") == "0"
