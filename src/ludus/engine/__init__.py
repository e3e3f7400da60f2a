"""Many rows at once, uncompiled, on the CPU or on CUDA; names no game."""

from .batch import DEVICES, Batch

__all__ = ["DEVICES", "Batch"]
