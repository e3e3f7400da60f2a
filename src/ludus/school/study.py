"""Learning from a game's own solution: many games at once in which the best actions of every position are known.

A game that can be solved may have a file lessons.py with a class `Lessons(torch, device, games, options)`: `shown()` returns
planes, `judged()` what is legal, how much worse than the best each action is, and values; `step(actions, worse)` plays
on, `renew()` brings new boards. The learner plays in some of its games itself and learns in all of them, so that it knows what
to do where its own play leads to (DAgger, Ross and others 2011).
"""

from __future__ import annotations

import time
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from ludus.core import BadValue

from .ppo import LOWEST, Learner, drawn

LARGEST_LOSS = 8  # of an action: how much worse than the best it is counted at most
REGRET = 0.1  # what such a loss counts beside the chance that a best action is played


class Student(Learner):
    """A learner that is told what is best in every position."""

    lessons: Any

    def begin(self) -> None:
        """Begin with new boards; chance follows from the seed and from how far the run has come."""
        a = self.a
        if a.input != "planes" or not self.game.has("lessons"):
            raise BadValue("a solution is learned from planes (input=planes), and only of a game that has lessons")
        begun = time.perf_counter()
        torch.manual_seed(self.ranks.seed(a.seed + 1_000_003 * self.updates))
        self.lessons = self.game.part("lessons").Lessons(torch, a.device, a.games, self.game.options)
        self.seconds = self.ranks.agreed(self.seconds + time.perf_counter() - begun)  # to solve is part of the work

    def improve(self) -> dict[str, Tensor]:
        """Play some decisions in every game, and learn what would have been best in each."""
        a, begun = self.a, time.perf_counter()
        steps = []
        self.lessons.renew()
        is_calm = torch.arange(a.games, device=a.device) % 2 == 0  # plays what it likes best, others by chance
        for _ in range(a.steps):
            shown, (mask, worse, values) = self.lessons.shown(), self.lessons.judged()
            log, _ = self.look(shown, mask)
            self.lessons.step(torch.where(is_calm, log.argmax(1), drawn(log)), worse)
            steps.append((shown, mask, worse, values))
        seen = [torch.cat(part) for part in zip(*steps, strict=True)]
        self.optimizer.param_groups[0]["lr"] = a.rate * self._left()
        self.net.train()
        for _ in range(a.epochs):
            for part in torch.randperm(len(seen[0]), device=a.device).chunk(a.minibatches):
                losses = self._lost(*(array[part] for array in seen))
                self.optimizer.zero_grad(set_to_none=True)
                losses["total"].backward()  # type: ignore[no-untyped-call]
                self.ranks.average(self.net)
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), a.largest_gradient)
                self.optimizer.step()
        self.net.eval()
        self.updates += 1
        self.decisions += a.games * a.steps * self.ranks.count
        self._spend(begun)
        return {key: value.detach() for key, value in losses.items()}

    def _lost(self, shown: Tensor, mask: Tensor, worse: Tensor, values: Tensor) -> dict[str, Tensor]:
        with torch.autocast(self.a.device, torch.bfloat16, enabled=self.a.device == "cuda"):
            logits, found = self.net(shown)
        log = logits.float().masked_fill(~mask, LOWEST).log_softmax(1)
        lesson = -log.masked_fill(worse != 0, LOWEST).logsumexp(1).mean()
        regret = (log.exp() * worse.clamp(max=LARGEST_LOSS)).sum(1).mean()
        value = functional.mse_loss(found.float(), values)
        return {"lesson_loss": lesson, "regret": regret, "value_loss": value, "total": lesson + REGRET * regret + value}
