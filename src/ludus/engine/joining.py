"""Features and planes of the same views in one row."""

from __future__ import annotations

from typing import Any

import numpy as np


def joined(features: Any, planes: Any, high: float) -> Any:
    """Return features [n, number] and planes [n, channel, y, x] as one row of numbers a game."""
    if isinstance(planes, np.ndarray):
        return np.concatenate([features, planes.reshape(len(planes), -1) / np.float32(high)], axis=1, dtype=np.float32)
    import torch

    features, planes = (torch.as_tensor(array, device="cuda") for array in (features, planes))
    return torch.cat([features, planes.flatten(1) / high], 1)
