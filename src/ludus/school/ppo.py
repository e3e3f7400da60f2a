"""Masked PPO: one network on all seats against itself, or on some against bots and itself; games and learning on one device.

Read it top to bottom; judging.py tells what a decision was worth. Many games are played at once, a few decisions each; every
decision of the learner is judged by what its own seat got until its next one, however many decisions of others lie between;
then the network is improved, and so on.
It may be taught first: a built-in bot says what it would play in the learner's place, and the learner imitates that, less and
less ("kickstarting", Schmitt and others 2018; in the learner's own positions, as in DAgger, Ross and others 2011).
Everything stands in one folder:

    arguments.json             what was asked for
    learner.pt                 weights, optimizer and counters of the network that learns
    best.safetensors, .onnx    the network for whoever wants to use it: `ludus play GAME net:FILE`
    metrics.jsonl, events…     the curves

Kill it at any time and give the same command again: it goes on from the last save. At each save all games begin anew, from
seeds of their own, so that a run that was killed equals one that was not (same device, `deterministic=1` on a GPU).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ludus.engine import Batch, Seen, compiled_bots
from ludus.games import Game, load

from .checkpoint import about_net, export_onnx, load_net, save_net
from .files import agree, clear_parts, whole_file
from .judging import Played, judged
from .metrics import Metrics
from .net import Net, Sizes
from .past import PAST, PastSelves
from .ranks import Ranks
from .seating import seat_of
from .teachers import Teacher

LOWEST = -1e9  # the logit of what is not legal
SOLUTION = "solution"  # as a teacher: see study.py
SPREAD_ROUNDS = 16  # groups of games that begin one after the other


@dataclass(frozen=True)
class LearnArguments:
    """Everything that can be chosen. `ludus learn GAME --set NAME=VALUE` sets any of them."""

    game: str
    options: dict[str, int] = field(default_factory=dict)  # of the game
    seat: str = "all"  # whose: all (self-play), any (one seat a game, the next in the next game), or names with commas
    bots: str = "random"  # on the other seats: a name, name:weight with commas (self = the learner, past = earlier), seat=name
    start: str = ""  # a checkpoint of such a network to begin with
    warm: float = 0.0  # the share of the run in which values alone are learned: of a policy that is there already
    teacher: str = ""  # a bot that is imitated at first, one of the game's own teachers, or its solution: see study.py
    lessons: float = 0.2  # the share of the run in which it is: wholly in the first half of that, then less and less
    anchor: float = 0.0  # how much it counts to the end, so that chance alone does not carry the learner away
    minutes: float = 0.0  # of learning, all runs of this folder together; 0 = until `decisions` are made
    decisions: int = 10_000_000  # of the learner
    seed: int = 0
    device: str = "cpu"  # or cuda: of the network, and of the games
    games_on: str = ""  # of the games, where it is another: the cpu is faster with bots that think long
    deterministic: int = 0  # 1 = a GPU adds in a fixed order, a little slower
    # Games
    games: int = 512  # at once
    steps: int = 32  # decisions of each between two updates
    spread: int = 0  # decisions over which games begin at first, so that they do not all end together: about the length of one
    reward: str = "outcome"  # or points, or original
    scale: float = 1.0  # of rewards: values are from -1 to 1
    outcome: float = 0.0  # what is paid besides at the end, times the outcome
    # The network
    input: str = "features"  # or planes, or both
    kind: str = "layers"  # plain layers, convolutions, or residual: see net.Sizes
    channels: int = 128
    blocks: int = 2
    # Learning
    epochs: int = 2
    minibatches: int = 4
    rate: float = 1e-3  # at first; it falls in a straight line
    last_rate: float = 0.1  # what is left of it at the end
    discount: float = 0.99
    trace: float = 0.95  # lambda of the advantage estimate
    clip: float = 0.2
    entropy: float = 0.01  # falls as the rate does
    value_weight: float = 0.5
    largest_gradient: float = 0.5
    # What is kept and measured
    save_every: int = 100  # updates
    evaluate_every: int = 50  # updates
    evaluated: int = 256  # games against each bot
    against: str = ""  # bots to be measured against, with commas; default: the strongest
    heat: float = 0.0  # how it plays there, and later as a bot: 0 = what it likes best, 1 = by chance, as likely as it says


def learn_by_play(a: LearnArguments, folder: Path, say: Callable[[str], None] = print) -> Path:
    """Learn until the time or the decisions are spent; return the network's file."""
    from .study import Student

    ranks, kind = Ranks(a.device), Student if a.teacher == SOLUTION else Learner
    if not ranks.is_first:
        return ranks.follow(kind(a, folder, load(a.game, **a.options), ranks))
    agree(a, folder, {"minutes", "decisions", "evaluate_every", "evaluated", "against", "heat"})
    clear_parts(folder)
    game = load(a.game, **a.options)
    learner = kind(a, folder, game, ranks)
    measured = a.against.split(",") if a.against else compiled_bots(game)[-1:]
    with Metrics(folder, learner.updates) as metrics:
        learner.begin()
        while not learner.is_done():
            losses = learner.improve()
            if learner.updates % a.evaluate_every == 0 or learner.is_done():
                pace, scores = learner.pace(), learner.scores(measured, a.evaluated)
                metrics.add(learner.updates, "charts", {"SPS": pace, "decisions": learner.decisions})
                metrics.add(learner.updates, "losses", {key: float(value) for key, value in losses.items()})
                metrics.add(learner.updates, "evaluate", scores)
                shown = ", ".join(f"{name} {score:.1%}" for name, score in scores.items())
                say(f"{learner.seconds:.0f} s, {learner.decisions:,} decisions, {pace:,.0f} a second; {shown}")
            if learner.updates % a.save_every == 0 or learner.is_done():
                learner.save()
                if not learner.is_done():
                    learner.begin()
    ranks.leave()
    return learner.write()


class Learner:
    """The network that learns, its games and its counters."""

    def __init__(self, a: LearnArguments, folder: Path, game: Game, ranks: Ranks) -> None:
        self.ranks, self.played_on = ranks, a.games_on or a.device
        self.a, self.folder, self.game, self.seats = a, folder, game, len(game.spec.seats)
        if a.device == "cuda":
            os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without which products are added in any order
            torch.use_deterministic_algorithms(bool(a.deterministic))
            torch.backends.cudnn.benchmark = not a.deterministic  # the fastest convolutions are found by trying
        torch.manual_seed(a.seed)
        self.net = Net(game, Sizes(a.channels, a.blocks, a.input, a.kind)).to(a.device)
        if a.start:
            self.net.load_state_dict(load_net(a.start, game)[0].state_dict())
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        is_fused = a.device == "cuda" and not a.deterministic
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=a.rate, eps=1e-5, fused=is_fused)
        self.updates, self.decisions, self.seconds, self.is_warm = 0, 0, 0.0, False
        self._paced = (0, 0.0)
        self.past, self.teacher = PastSelves(a.seed, a.save_every), Teacher(game, a.teacher, a.input)
        is_there = self.ranks.is_first and (file := folder / "learner.pt").is_file()
        kept = self.ranks.told(torch.load(file, map_location=a.device, weights_only=True) if is_there else None)
        if kept is not None:
            self.net.load_state_dict(kept["net"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.updates, self.decisions, self.seconds = kept["updates"], kept["decisions"], kept["seconds"]
            self.past.kept = kept.get("past", {})

    def is_done(self) -> bool:
        """Whether what was asked for is spent."""
        return self.progress() >= 1

    def progress(self) -> float:
        """Return which share of what was asked for is spent."""
        return self.seconds / (60 * self.a.minutes) if self.a.minutes else self.decisions / self.a.decisions

    def taught(self) -> float:
        """Return how much the teacher counts, from 1 to 0."""
        a = self.a
        return min(1.0, max(a.anchor, 2 - 2 * self.progress() / a.lessons)) if a.teacher and a.lessons > 0 else 0.0

    def begin(self) -> None:
        """Begin all games anew; chance follows from the seed and from how far the run has come."""
        a = self.a
        torch.manual_seed(self.ranks.seed(a.seed + 1_000_003 * self.updates))
        batch = Batch(self.game, a.games, self.ranks.seed(a.seed + 7919 * self.updates), self.played_on)
        if PAST in a.bots and (self.updates or a.start):
            self.past.add(self.updates, self.net)
        self.seat = seat_of(batch, a.seat, a.bots, a.input, a.reward, self.past.met(self.updates, self.net, a.input))
        self.seen = seen = self.seat.reset()
        here = torch.device(self.played_on)
        # The arrays are the batch's own and stay where they are: tensors over the same memory, made once.
        self.mask, self.reward, self.done, self.decider = (
            torch.as_tensor(x, device=here) for x in (seen.mask, seen.reward, seen.done, seen.seat)
        )
        self.show = self._shower(seen)
        self.paid = torch.as_tensor(self.seat.rewards, device=here)
        self.outcomes = torch.as_tensor(batch.final_outcomes, device=here)
        self._spread_out()

    def _shower(self, seen: Seen) -> Callable[[], Tensor]:
        """Return a function that tells what the network is shown now; of features and planes alone it is the batch's memory."""
        here, a = torch.device(self.played_on), self.a
        if a.input != "both":
            shown = torch.as_tensor(seen.obs, device=here)
            return lambda: shown
        features, planes = (torch.as_tensor(x, device=here) for x in (seen.features, seen.planes))
        dtype, high = torch.bfloat16 if a.device == "cuda" else torch.float32, self.game.spec.plane_high
        return lambda: torch.cat([features.to(dtype), planes.flatten(1).to(dtype) / high], 1)

    def _spread_out(self) -> None:
        """Play on, and let some games begin anew now and then: else those of a fixed length would end together for ever."""
        rounds = min(self.a.spread, SPREAD_ROUNDS)
        group = np.arange(self.a.games) % max(1, rounds)
        for k in range(rounds):
            for _ in range(self.a.spread // rounds):
                log, _ = self.look(self._here(self.show()), self._here(self.mask != 0))
                self._step(drawn(log))
            self.seat.reset(which=group == k)

    def _step(self, action: Tensor) -> None:
        self.seat.step(action if self.played_on == "cuda" else action.cpu().numpy())

    def _here(self, array: Tensor, copy: bool = False) -> Tensor:
        """Return what the games show where the network is."""
        return array.to(self.a.device, copy=copy)

    def improve(self) -> dict[str, Tensor]:
        """Play a little, and learn from it."""
        return self.update(*self.play())

    def play(self) -> tuple[Played, tuple[Tensor, Tensor, Tensor]]:
        """Play some decisions in every game; also return who decides next, what it got, and the values then."""
        a, begun, steps, is_taught = self.a, time.perf_counter(), [], self.taught() > 0
        with self._in_half():  # once for all, so that the weights are made half as wide once
            for _ in range(a.steps):
                shown, mask = self._here(self.show(), copy=a.input != "both"), self._here(self.mask != 0)
                seat, reward = self._here(self.decider.long()), a.scale * self._here(self.reward)
                log, values = self.look(shown, mask)
                action = drawn(log)
                lesson = self._here(self.teacher(self.seat, self.seen, self.played_on)) if is_taught else action
                self._step(action)
                chance, done = log.gather(1, action[:, None])[:, 0], self._here(self.done != 0)
                paid = a.scale * self._here(self.paid)
                if a.outcome:
                    paid += a.outcome * done[:, None] * self._here(self.outcomes)
                steps.append((shown, mask, action, chance, values, seat, reward, done, paid, lesson))
            _, values = self.look(self._here(self.show()), self._here(self.mask != 0))
        last = (self._here(self.decider.long()), a.scale * self._here(self.reward), values)
        self.decisions += a.games * a.steps * self.ranks.count
        self._spend(begun)
        return Played(*(torch.stack(part) for part in zip(*steps, strict=True))), last

    @torch.no_grad()
    def look(self, shown: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of what is legal, and values from the deciding seat on."""
        with self._in_half():
            logits, values = self.net(shown)
        return logits.float().masked_fill(~mask, LOWEST).log_softmax(1), values.float()

    def _in_half(self) -> torch.autocast:
        """Let a GPU count in numbers of half the width where that does no harm."""
        return torch.autocast(self.a.device, torch.bfloat16, enabled=self.a.device == "cuda")

    def update(self, played: Played, last: tuple[Tensor, Tensor, Tensor]) -> dict[str, Tensor]:
        """Improve the network by what was played: a few epochs, each over groups of games."""
        a, begun = self.a, time.perf_counter()
        judgement = judged(played, last, a.discount, a.trace)
        learned = (played.shown, played.mask, played.action, played.log_chance, played.lesson, *judgement)
        self.optimizer.param_groups[0]["lr"] = a.rate * self._left()
        for _ in range(a.epochs):
            order = torch.randperm(a.games, device=played.action.device)
            for games in order.chunk(a.minibatches):
                losses = self._losses(*(array[:, games].flatten(0, 1) for array in learned))
                self.optimizer.zero_grad(set_to_none=True)
                losses["total"].backward()  # type: ignore[no-untyped-call]
                self.ranks.average(self.net)
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), a.largest_gradient)
                self.optimizer.step()
        self.updates += 1
        self._spend(begun)
        return {key: value.detach() for key, value in losses.items()}

    def _losses(
        self, shown: Tensor, mask: Tensor, action: Tensor, before: Tensor, lesson: Tensor,
        gain: Tensor, target: Tensor, is_known: Tensor,
    ) -> dict[str, Tensor]:  # fmt: skip
        """Return the losses of some decisions; `before` is how likely (log) the action was when it was played."""
        a = self.a
        with self._in_half():
            logits, values = self.net(shown)
        log = logits.float().masked_fill(~mask, LOWEST).log_softmax(1)
        own = is_known[:, 0].float()
        count = own.sum().clamp(min=1)
        mean = (gain * own).sum() / count
        spread = (((gain - mean) ** 2 * own).sum() / count).sqrt() + 1e-8
        gain = (gain - mean) / spread
        ratio = (log.gather(1, action[:, None])[:, 0] - before).exp()
        clipped = ratio.clamp(1 - a.clip, 1 + a.clip)
        policy = -(torch.minimum(gain * ratio, gain * clipped) * own).sum() / count
        value = ((values.float() - target.clamp(-1, 1)) ** 2 * is_known).sum() / is_known.sum().clamp(min=1)
        entropy = -(log.exp() * log.clamp(min=-50.0)).sum(1).mean()
        taught = self.taught()
        total = (1 - taught) * (policy - a.entropy * self._left() * entropy)
        missed = functional.nll_loss(log.clamp(min=-50.0), lesson) if taught else torch.zeros_like(policy)
        total = total + taught * missed
        total = a.value_weight * value + (total if self.progress() >= a.warm else 0.0)
        return {"policy_loss": policy, "value_loss": value, "entropy": entropy, "lesson_loss": missed, "total": total}

    def _left(self) -> float:
        """Return what is left of the rate and of the weight of the entropy."""
        return 1 - (1 - self.a.last_rate) * min(1.0, self.progress())

    def scores(self, bots: list[str], games: int) -> dict[str, float]:
        """Return what each side scores against each bot on all other seats, draws as half."""
        spec, found = self.game.spec, {}
        for side in sorted({spec.side(k) for k in range(self.seats)}):
            seats = [name for k, name in enumerate(spec.seats) if spec.side(k) == side]
            for bot in bots:
                found[f"{'+'.join(seats)} vs {bot}"] = self._score(seats, bot, games)
        return found

    def _score(self, seats: list[str], bot: str, games: int) -> float:
        batch = Batch(self.game, games, 999, self.played_on)
        seat = batch.seat(seats, bot, obs=self.a.input)
        seen, score = seat.reset(), np.full(games, np.nan)
        show, mask = self._shower(seen), torch.as_tensor(seen.mask, device=self.played_on)
        while np.isnan(score).any():
            log = self.look(self._here(show()), self._here(mask != 0))[0]
            action = drawn(log / self.a.heat) if self.a.heat > 0 else log.argmax(1)
            seen = seat.step(action if self.played_on == "cuda" else action.cpu().numpy())
            done, outcome = (np.asarray(batch.host(x)) for x in (seen.done, seat.final_outcomes))
            ended = (done != 0) & np.isnan(score)
            score[ended] = (np.sign(outcome[ended]) + 1) / 2
        return float(score.mean())

    def pace(self) -> float:
        """Return the learner's decisions a second since it was asked last, learning included."""
        (decisions, seconds), self._paced = self._paced, (self.decisions, self.seconds)
        return (self.decisions - decisions) / max(1e-9, self.seconds - seconds)

    def save(self) -> None:
        """Keep all that the run needs to go on, and the network as it is now."""
        kept = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "past": self.past.kept}
        with whole_file(self.folder / "learner.pt") as part:
            torch.save({**kept, **self._counters(), "seconds": self.seconds}, part)
        save_net(self.folder / "best.safetensors", self.game, self.net, self._counters(), heat=self.a.heat)

    def write(self) -> Path:
        """Export the network for whoever wants to use it."""
        path, about = self.folder / "best.safetensors", about_net(self.game, self.net, self._counters(), self.a.heat)
        save_net(path, self.game, self.net, self._counters(), heat=self.a.heat)
        export_onnx(self.net.cpu(), about, self.game, path.with_suffix(".onnx"))
        self.net.to(self.a.device)
        return path

    def _counters(self) -> dict[str, int]:
        return {"updates": self.updates, "decisions": self.decisions}

    def _spend(self, begun: float) -> None:
        if self.a.device == "cuda":
            torch.cuda.synchronize()
        spent = time.perf_counter() - begun if self.is_warm else 0.0  # the first update compiles
        self.seconds = self.ranks.agreed(self.seconds + spent)
        self.is_warm = self.is_warm or self.updates > 0


def drawn(log: Tensor) -> Tensor:
    """Draw an action in each game by the log-probabilities."""
    return (log - torch.empty_like(log).exponential_().log()).argmax(1)


def table_against(folder: Path, bots: list[str], games: int = 400) -> dict[str, float]:
    """Return what each side of a run's network scores against each bot on all other seats, draws as half."""
    kept = json.loads((folder / "arguments.json").read_text(encoding="utf-8"))
    a = LearnArguments(**{**kept, "games_on": "cpu"})  # few games, and some of these bots think long
    return Learner(a, folder, load(a.game, **a.options), Ranks(a.device, is_alone=True)).scores(bots, games)
