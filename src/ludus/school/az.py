"""The trainer for search: self-play with search, learn from it, let the candidate meet the best, promote it if it has won.

One file, read top to bottom. Everything stands in one folder, and every stage is a file that is there as a whole or not at all:

    arguments.json             what was asked for
    data/0000/                 shards: games of a bot that the first network imitates, if one is named
    data/0001/ …               shards of each iteration's self-play by the best network so far
    learner.pt                 weights, optimizer and step of the network that learns
    checkpoints/0001.*         the network after each iteration: safetensors, JSON, ONNX
    gates/0001.json            how it did against the best, and whether it was promoted
    best.safetensors           the last that was promoted, for whoever wants to use it
    metrics.jsonl, events…     the curves

Kill it at any time and give the same command again: it goes on where it stood. In one process on a CPU the shards and the
weights are those of an undisturbed run, byte by byte.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from pickle import UnpicklingError
from statistics import fmean
from typing import Any

import torch

from ludus.arena import Bounds, as_data, judge_in_order
from ludus.core import BadRecord, one_line
from ludus.games import Game, load

from .checkpoint import about_net, export_onnx, save_net
from .data import facts_of
from .files import agree, clear_parts, whole_file, write_text
from .fit import learn, make_optimizer
from .loader import Loader, find_shards
from .metrics import Metrics
from .net import Net, Sizes
from .play import Chance
from .selfplay import Made, make_plan, play_plan
from .versus import evaluate, play_rounds, round_scores, sides_of

SHARD_GAMES = 64  # a file: so many are played at once


@dataclass(frozen=True)
class Arguments:
    """Everything that can be chosen. `ludus train GAME --set NAME=VALUE` sets any of them."""

    game: str
    options: dict[str, int] = field(default_factory=dict)  # of the game
    seed: int = 0
    iterations: int = 10  # rounds of self-play, learning and gate
    # Self-play
    games: int = 128  # of an iteration
    simulations: int = 32  # of the search, a decision
    temperature: float = 1.0  # 0 = searches without noise: all games from one position alike
    opening: int = 0  # up to so many random decisions begin each game
    start_bot: str = ""  # whose games the first network imitates; none = it begins knowing nothing
    start_games: int = 256
    # The network
    channels: int = 64
    blocks: int = 6
    input: str = "planes"  # or "features": smaller and much faster on a CPU
    # Learning
    steps: int = 500  # of an iteration
    start_steps: int = 0  # of imitation; 0 = as many as an iteration has
    batch: int = 256
    rate: float = 2e-3  # AdamW's, at its highest; it rises over `warmup` steps and falls to a tenth over each stage
    warmup: int = 50
    decay: float = 1e-4
    value_weight: float = 1.0
    window: int = 5  # iterations whose games are learned from
    device: str = "cpu"  # of learning: cpu or cuda
    save_steps: int = 200  # after which a killed run need not learn again
    # The gate
    gate_rounds: int = 100  # at most, each from every side; 0 = every candidate is promoted
    gate_at_once: int = 20  # rounds between two looks at the test
    gate_simulations: int = 0  # 0 = as many as in self-play
    elo0: float = 0.0  # normalised: what the sequential test holds against …
    elo1: float = 60.0
    # What is measured beside
    against: str = ""  # a bot that every candidate meets, without search
    against_rounds: int = 20
    # Where work is done
    jobs: int = 1
    on: str = "here"


def train(arguments: Arguments, folder: Path, say: Callable[[str], None] = print) -> Path:
    """Train until all iterations are done; return the best network's file."""
    agree(arguments, folder, {"iterations", "jobs", "on", "device"})
    for part in (folder, folder / "checkpoints", folder / "gates"):
        clear_parts(part)
    run = _Run(arguments, folder, load(arguments.game, **arguments.options), say)
    with run.metrics:
        if arguments.start_bot:
            run.generate(0, [arguments.start_bot], arguments.start_games, Chance(0.0, 0, max(4, arguments.opening)))
            run.learn(0)
        run.begin()
        for iteration in range(1, arguments.iterations + 1):
            best = run.best()
            word = f"net+search:{best.with_suffix('.onnx')}:{arguments.simulations}"
            run.generate(iteration, [word], arguments.games, Chance(arguments.temperature, opening=arguments.opening))
            run.learn(iteration)
            run.gate(iteration, best)
        return run.keep_best()


class _Run:
    """A training run: its folder and what stands there."""

    def __init__(self, arguments: Arguments, folder: Path, game: Game, say: Callable[[str], None]) -> None:
        self.arguments, self.folder, self.game, self.say = arguments, folder, game, say
        torch.manual_seed(arguments.seed)
        self.net = Net(game, Sizes(arguments.channels, arguments.blocks, arguments.input)).to(arguments.device)
        self.optimizer = make_optimizer(self.net, arguments.rate, arguments.decay)
        self.step = 0
        learner = folder / "learner.pt"
        if learner.is_file():
            try:
                kept = torch.load(learner, map_location=arguments.device, weights_only=True)
                self.net.load_state_dict(kept["net"])
                self.optimizer.load_state_dict(kept["optimizer"])
                self.step = int(kept["step"])
            except (RuntimeError, OSError, KeyError, ValueError, UnpicklingError) as error:
                raise BadRecord(f"{one_line(str(learner))} cannot be gone on with: {one_line(str(error), 100)}") from None
        self.metrics = Metrics(folder, self.step)

    def data(self, iteration: int) -> Path:
        """Return the folder of an iteration's shards."""
        return self.folder / "data" / f"{iteration:04}"

    def checkpoint(self, iteration: int) -> Path:
        """Return the file of the network after an iteration; 0 is the first one."""
        return self.folder / "checkpoints" / f"{iteration:04}.safetensors"

    def last_step(self, iteration: int) -> int:
        """Return at which step an iteration ends."""
        a = self.arguments
        return (a.start_steps or a.steps) * bool(a.start_bot) + iteration * a.steps

    def generate(self, iteration: int, agents: list[str], games: int, chance: Chance) -> None:
        """Let agents play, and keep their games as shards."""
        a, folder, begun = self.arguments, self.data(iteration), time.perf_counter()
        if not (folder / "manifest.json").is_file():
            seed = a.seed + (iteration << 32)
            plan = make_plan(self.game, agents, games, seed, shard_games=min(SHARD_GAMES, games), chance=chance)
            made: list[Made] = []
            for one in play_plan(plan, folder, a.jobs, a.on, self.say):
                made.append(one)
                count, rows = sum(m.games for m in made), sum(m.rows for m in made)
                pace = rows / (time.perf_counter() - begun)
                self.say(f"iteration {iteration}: {count} of {games} games, {rows} positions, {pace:.0f} a second")
        step = self.last_step(iteration - 1) if iteration else 0
        self.metrics.add(step, "selfplay", facts_of(folder))

    def learn(self, iteration: int) -> None:
        """Learn from the last iterations' games; a checkpoint is there when it is done."""
        a, last, first = self.arguments, self.last_step(iteration), self.last_step(iteration - 1) if iteration else 0
        if self.step < last:
            oldest = max(0 if a.start_bot else 1, iteration - a.window + 1)
            folders = [self.data(k) for k in range(oldest, iteration + 1)]
            files = find_shards(folders, self.game, self.say)
            loader = Loader(self.game, files, a.batch, a.seed + iteration, shown=a.input, say=self.say)
            found: list[tuple[Any, Any]] = []
            for batch in loader(self.step - first):
                rate = _rate(a, self.step - first, last - first)
                found.append(learn(self.net, self.optimizer, batch, a.value_weight, rate, a.device))
                self.step += 1
                if self.step % a.save_steps == 0 or self.step == last:
                    self._log(iteration, found, rate)
                    found = []
                    self._save()
                if self.step == last:
                    break
        self._write(iteration)

    def begin(self) -> None:
        """Make sure that there is a first network, which nobody has to beat."""
        if not self.checkpoint(0).with_suffix(".onnx").is_file():
            self._write(0)

    def gate(self, iteration: int, best: Path) -> None:
        """Let the candidate meet the best until the sequential test is decided, and note whether it is promoted."""
        a, file = self.arguments, self.folder / "gates" / f"{iteration:04}.json"
        if file.is_file():
            return
        sims, candidate = a.gate_simulations or a.simulations, self.checkpoint(iteration).with_suffix(".onnx")
        one, other = (f"net+search:{path}:{sims}" for path in (candidate, best.with_suffix(".onnx")))
        played: list[Any] = []
        bounds, judged = Bounds(a.elo0, a.elo1), judge_in_order([], Bounds(a.elo0, a.elo1))
        calm = Chance(0.0, 0, max(4, a.opening))  # games without noise that began alike would end alike
        for first in range(0, a.gate_rounds, a.gate_at_once):
            count = min(a.gate_at_once, a.gate_rounds - first)
            played += play_rounds(self.game, one, other, first, count, a.seed + (iteration << 32) + (1 << 31), calm)
            judged = judge_in_order(round_scores(self.game, played), bounds, len(sides_of(self.game)))
            if judged.decision:
                break
        is_promoted = judged.decision == "H1" or not a.gate_rounds
        scores = round_scores(self.game, played)
        found = {"promoted": is_promoted, "score": fmean(scores) if scores else None, "test": as_data(judged)}
        self._beside(found, candidate)
        values = {"score": found["score"], "llr": judged.llr, "promoted": int(is_promoted), "rounds": len(scores)}
        self.metrics.add(self.step, "gate", values)
        write_text(file, json.dumps(found, indent=1) + "\n")
        self.say(f"iteration {iteration}: {'promoted' if is_promoted else 'not promoted'}; {judged.in_words}")

    def best(self) -> Path:
        """Return the checkpoint of the network that was promoted last."""
        for file in sorted((self.folder / "gates").glob("*.json"), reverse=True):
            if json.loads(file.read_text(encoding="utf-8"))["promoted"]:
                return self.checkpoint(int(file.stem))
        return self.checkpoint(0)

    def keep_best(self) -> Path:
        """Put the best network where it is easily found."""
        for suffix in (".json", ".onnx", ".safetensors"):
            with whole_file(self.folder / f"best{suffix}") as part:
                shutil.copyfile(self.best().with_suffix(suffix), part)
        return self.folder / "best.safetensors"

    def _beside(self, found: dict[str, Any], candidate: Path) -> None:
        """Measure the candidate, without search, against a bot that stays the same."""
        a = self.arguments
        if a.against:
            *_, match = evaluate(self.game, f"net:{candidate}", a.against, a.against_rounds, a.seed, chance=Chance(0.0, 0, 4))
            found["against"] = {a.against: match.summary(0)["score"]}
            self.metrics.add(self.step, "evaluate", {a.against: match.summary(0)["score"]})

    def _log(self, iteration: int, found: list[tuple[Any, Any]], rate: float) -> None:
        policy, value = (fmean(float(pair[k]) for pair in found) for k in range(2))
        total = policy + self.arguments.value_weight * value
        self.metrics.add(self.step, "loss", {"policy": policy, "value": value, "total": total})
        self.metrics.add(self.step, "charts", {"learning_rate": rate, "iteration": iteration})
        self.say(f"iteration {iteration}: step {self.step}: policy loss {policy:.3f}, value loss {value:.3f}")

    def _save(self) -> None:
        kept = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.step}
        with whole_file(self.folder / "learner.pt") as part:
            torch.save(kept, part)

    def _write(self, iteration: int) -> None:
        """Write the network as an iteration's checkpoint; the exported one comes last and stands for all."""
        path, counters = self.checkpoint(iteration), {"steps": self.step, "iteration": iteration}
        if path.with_suffix(".onnx").is_file():
            return
        save_net(path, self.game, self.net, counters)
        export_onnx(self.net.cpu(), about_net(self.game, self.net, counters), self.game, path.with_suffix(".onnx"))
        self.net.to(self.arguments.device)


def _rate(a: Arguments, step: int, steps: int) -> float:
    """Return the rate of a step: it rises at the very beginning of a stage, then falls to a tenth."""
    return a.rate * min(1.0, (step + 1) / max(1, a.warmup)) * (1.0 - 0.9 * step / max(1, steps))
