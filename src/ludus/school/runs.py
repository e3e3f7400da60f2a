"""A run of `ludus learn` or `ludus train` as something to look at while it goes on: its curves, and its newest network."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from ludus.core import BadRecord, LudusError, one_line, read_json
from ludus.games import Game, load


class Newest(NamedTuple):
    """The network that a run had written last."""

    file: Path  # in ONNX
    name: str  # how far the run had come


class Run:
    """The folder of a run, which somebody else may be writing."""

    def __init__(self, folder: Path) -> None:
        self.folder, name = folder.resolve(), one_line(str(folder))
        try:
            self.arguments: dict[str, Any] = read_json((folder / "arguments.json").read_text(encoding="utf-8"))
            self.game: Game = load(str(self.arguments["game"]), **self.arguments["options"])
        except OSError:
            raise LudusError(f"{name} is no run of `ludus learn` or `ludus train`: it has no arguments.json") from None
        except (ValueError, KeyError, TypeError):
            raise BadRecord(f"{name} is no run of `ludus learn` or `ludus train`: its arguments.json says no game") from None
        self._seen: tuple[Path, float] | None = None

    def measured(self) -> list[dict[str, Any]]:
        """Return what was measured so far, a step and its numbers by tag; a line that is being written is left out."""
        found = []
        try:
            text = (self.folder / "metrics.jsonl").read_text(encoding="utf-8")
        except OSError:
            return []
        for line in text.splitlines():
            try:
                if isinstance(point := read_json(line), dict) and isinstance(point.get("step"), int):
                    found.append(point)
            except ValueError:
                continue
        return found

    def newest(self, target: Path) -> Newest | None:
        """Return the newest network; one that is not exported yet is, into a folder. None if there is none, or no newer one."""
        files = [self.folder / "learner.pt", self.folder / "best.onnx", *self.folder.glob("checkpoints/*.onnx")]
        written = sorted((file.stat().st_mtime, file) for file in files if file.is_file())
        if not written or (written[-1][1], written[-1][0]) == self._seen:
            return None
        time, file = written[-1]
        self._seen = file, time
        if file.suffix == ".onnx":
            return Newest(file, f"{self.folder.name}, {file.stem}")
        return self._exported(file, target)

    def agents(self, network: str) -> list[str]:
        """Return who plays, by seat, as in the run itself: the network where it learns, its opponents on the other seats."""
        seats, bots = self.game.spec.seats, str(self.arguments.get("bots", ""))
        learning = str(self.arguments.get("seat", "all"))
        if learning in ("all", "any"):
            return [network] * len(seats)
        named = {name.strip(): bot.strip() for name, _, bot in (pair.partition("=") for pair in bots.split(","))}
        own = {name.strip() for name in learning.split(",")}
        any_bot = bots.partition(",")[0].partition(":")[0]  # of a mix the first
        others = [named.get(seat, "random" if "=" in bots else any_bot) for seat in seats]
        return [network if seat in own or other == "self" else other for seat, other in zip(seats, others, strict=True)]

    def _exported(self, file: Path, target: Path) -> Newest:
        import torch

        from .checkpoint import about_net, export_onnx
        from .net import Net, Sizes

        kept = torch.load(file, map_location="cpu", weights_only=True)
        step = int(kept.get("updates", kept.get("step", 0)))
        sizes = Sizes(**{one.name: self.arguments[one.name] for one in fields(Sizes) if one.name in self.arguments})
        net = Net(self.game, sizes)
        net.load_state_dict(kept["net"])
        exported = target / f"step-{step}.onnx"
        export_onnx(net, about_net(self.game, net, {"updates": step}), self.game, exported)
        return Newest(exported, f"{self.folder.name}, step {step}")
