"""Arrays of a batch as learners take them: NumPy's in ordinary memory, torch's on a GPU; and observations made of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core import LudusError, MissingExtra, plain
from ludus.engine import Batch

from .lens import Lens


class HostArrays:
    """Arrays in ordinary memory."""

    def given(self, array: Any) -> Any:
        """Return an array of the batch, in the same memory."""
        return array

    def kept(self, array: Any) -> Any:
        """Return a copy."""
        return array.copy()

    def cast(self, array: Any, dtype: Any) -> Any:
        """Return an array in a type of numbers; the same one if it has it."""
        return array.astype(dtype, copy=False)

    def zeros(self, shape: tuple[int, ...], like: Any) -> Any:
        """Return zeros of the type of another array."""
        return np.zeros(shape, like.dtype)

    def host(self, array: Any) -> Any:
        """Return an array in ordinary memory."""
        return array

    def truths(self, mask: Any) -> Any:
        """Return a mask as truth values, in the same memory."""
        return mask.view(bool)

    def scattered(self, observation: Any, rows: Any, count: int) -> Any:
        """Return observations of some games as Gymnasium hands out final ones: an object a game, None elsewhere."""
        each = observation if isinstance(observation, np.ndarray) else (nth(observation, k) for k in range(len(rows)))
        scattered = np.empty(count, object)
        for row, one in zip(rows.tolist(), each, strict=True):
            scattered[row] = one
        return scattered

    def flags(self, count: int, value: bool = False) -> Any:
        """Return truth values, all of them alike."""
        return ~np.zeros(count, bool) if value else np.zeros(count, bool)  # np.full takes thrice as long

    def highest(self, array: Any) -> int:
        """Return the highest number of an array of the batch."""
        return int(np.maximum.reduce(array))  # the method of the same name takes twice as long

    def rows(self, flags: Any) -> Any:
        """Return the numbers of the rows whose flag is set."""
        return flags.nonzero()[0]


class TorchArrays:
    """Arrays on a GPU: torch's tensors over the batch's memory."""

    def __init__(self) -> None:
        try:
            import torch
        except ImportError:
            raise MissingExtra("torch", "school") from None
        self.torch = torch

    def given(self, array: Any) -> Any:
        """Return an array of the batch, in the same memory."""
        return array if isinstance(array, self.torch.Tensor) else self.torch.as_tensor(array, device="cuda")

    def kept(self, array: Any) -> Any:
        """Return a copy."""
        return array.clone()

    def cast(self, array: Any, dtype: Any) -> Any:
        """Return an array in a type of numbers; the same one if it has it."""
        return array.to(self.torch.from_numpy(np.zeros(0, dtype)).dtype)

    def zeros(self, shape: tuple[int, ...], like: Any) -> Any:
        """Return zeros of the type of another array."""
        return self.torch.zeros(shape, dtype=like.dtype, device="cuda")

    def host(self, array: Any) -> Any:
        """Return an array in ordinary memory."""
        return array.cpu().numpy()

    def truths(self, mask: Any) -> Any:
        """Return a mask as truth values, in the same memory."""
        return mask.view(self.torch.bool)

    def scattered(self, observation: Any, rows: Any, count: int) -> Any:
        """Return observations of some games at their places among all, with zeros elsewhere."""
        if isinstance(observation, dict):
            return {key: self.scattered(part, rows, count) for key, part in observation.items()}
        scattered = self.zeros((count, *observation.shape[1:]), observation)
        scattered[rows] = observation
        return scattered

    def flags(self, count: int, value: bool = False) -> Any:
        """Return truth values, all of them alike."""
        return self.torch.full((count,), value, device="cuda")

    def highest(self, array: Any) -> int:
        """Return the highest number of an array of the batch; this waits for the GPU."""
        return int(self.given(array).max())

    def rows(self, flags: Any) -> Any:
        """Return the numbers of the rows whose flag is set; this waits for the GPU."""
        return flags.nonzero()[:, 0]

    def __reduce__(self) -> Any:
        return TorchArrays, ()


def arrays_of(batch: Batch, lens: Lens) -> Any:
    """Return how the arrays of a batch are handed out."""
    if batch.device != "cuda":
        return HostArrays()
    if lens.kind == "dict":
        raise LudusError("the dictionary of the original environment is made by Python: on cuda take planes or features")
    return TorchArrays()


def dictionaries(lens: Lens, views: Any) -> Any:
    """Return views [n] as the game's own environment showed them, key by key."""
    return lens.joined([lens.dictionary(plain(views[i : i + 1])) for i in range(len(views))])


def nth(observation: Any, place: int) -> Any:
    """Return the observation of one game among those of many."""
    return {key: nth(part, place) for key, part in observation.items()} if isinstance(observation, dict) else observation[place]
