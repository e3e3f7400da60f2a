"""The enums, and the constants of the rules by the original's names."""

from quantum_harvest import ActionType, TileType, UnitType, _original

__all__ = ["ActionType", "TileType", "UnitType"]
globals().update(_original.SETTINGS)
