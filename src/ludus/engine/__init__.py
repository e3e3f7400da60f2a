"""Many rows at once, uncompiled, on the CPU or on CUDA; names no game."""

from .batch import DEVICES, Batch
from .table import Result, Table

__all__ = ["DEVICES", "Batch", "Result", "Table"]
