"""Networks as search and bots ask them: onnxruntime on the CPU, torch on a GPU. Playing on a CPU needs no torch."""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ludus.core import LudusError, MissingExtra, is_file, one_line
from ludus.engine import cache_root
from ludus.games import Game

from .checkpoint import KEY, export_onnx, fitting, load_net, read_head
from .files import Unwritable, sha256

SUFFIXES = (".onnx", ".safetensors", ".pt")


def open_network(file: str | Path, game: Game, device: str = "cpu") -> OnnxNetwork | TorchNetwork:
    """Open a checkpoint or an exported network for a game; what is another game's is refused in a sentence."""
    path = Path(file)
    if not is_file(path):
        raise LudusError(f"there is no network {one_line(str(file))}; name a file that ends in {', '.join(SUFFIXES)}")
    if device.startswith("cuda"):
        return TorchNetwork(path, game, device)
    if path.suffix == ".onnx":
        return OnnxNetwork(path, game)
    try:
        return OnnxNetwork(exported(path, game), game)
    except (Unwritable, MissingExtra):  # no place for the exported one, or nothing to export with: torch will do
        return TorchNetwork(path, game)


def exported(path: Path, game: Game) -> Path:
    """Return a checkpoint as ONNX, which is kept beside compiled code as long as the checkpoint stays the same."""
    kept = cache_root() / "networks" / f"{sha256(path)}.onnx"
    if not kept.is_file():
        net, about = load_net(path, game)
        export_onnx(net, about, fitting(about, game, path), kept)
    return kept


class OnnxNetwork:
    """A network on onnxruntime: positions in, logits in own ids and values from the mover on out."""

    def __init__(self, path: Path, game: Game, threads: int | None = None) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise MissingExtra("onnxruntime, which runs networks on the CPU,", "school") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or int(os.environ.get("LUDUS_THREADS") or os.cpu_count() or 1)
        options.inter_op_num_threads, options.log_severity_level = 1, 3
        try:
            providers = ["CPUExecutionProvider"]  # there is no other to fall back to, which would be printed
            self._session = onnxruntime.InferenceSession(str(path), options, providers=providers, enable_fallback=False)
            head = self._session.get_modelmeta().custom_metadata_map.get(KEY)
        except Exception as error:  # its errors have no common class
            raise LudusError(f"{one_line(str(path))} cannot be run: {one_line(str(error), 100)}") from None
        self.about = read_head(head, path)
        fitting(self.about, game, path)
        self.input, self.hash = str(self.about.sizes["input"]), sha256(path)

    def __call__(self, shown: Any, masks: Any = None) -> tuple[Any, Any]:
        """Return logits [n, actions] and values [n, seats]."""
        logits, values = self._session.run(None, {"shown": np.ascontiguousarray(shown)})
        return logits, values


class TorchNetwork:
    """A network on torch: on a GPU arrays come as they lie there and answers stay there."""

    def __init__(self, path: Path, game: Game, device: str = "cpu") -> None:
        import torch

        self._torch, self._device = torch, device
        self.net, self.about = load_net(path, game)
        self.net.to(device)
        self.input, self.hash = str(self.about.sizes["input"]), sha256(path)

    def __call__(self, shown: Any, masks: Any = None) -> tuple[Any, Any]:
        """Return logits [n, actions] and values [n, seats]."""
        with self._torch.inference_mode():
            logits, values = self.net(self._torch.as_tensor(shown, device=self._device))
        if isinstance(shown, np.ndarray):  # who asks with arrays of the CPU gets such
            return logits.cpu().numpy(), values.cpu().numpy()
        return logits, values


def speed(network: OnnxNetwork | TorchNetwork, shown: Any, seconds: float = 1.0) -> float:
    """Return how many positions a second a network judges, these at once: the best of several rounds."""
    network(shown)
    best, until = 0.0, perf_counter() + seconds
    while perf_counter() < until:
        begun = perf_counter()
        network(shown)
        best = max(best, len(shown) / (perf_counter() - begun))
    return best


def chosen(logits: Any, masks: Any, heat: float, chance: np.random.Generator) -> Any:
    """Return what a network plays [n] of what is legal: what it likes best, or with some heat by chance."""
    liked = np.where(np.asarray(masks) != 0, np.asarray(logits, np.float64), -np.inf)
    if heat > 0:
        liked = liked / heat + chance.gumbel(size=liked.shape)
    return liked.argmax(1)


def masked_softmax(logits: Any, masks: Any, temperature: float = 1.0) -> Any:
    """Return probabilities [n, actions] of what is legal; zeros where nothing is."""
    allowed = np.asarray(masks) != 0
    scaled = np.where(allowed, np.asarray(logits, np.float64) / temperature, -np.inf)
    top = scaled.max(1, keepdims=True)
    weights = np.exp(scaled - np.where(np.isfinite(top), top, 0.0))
    total = weights.sum(1, keepdims=True)
    return weights / np.where(total > 0, total, 1.0)
