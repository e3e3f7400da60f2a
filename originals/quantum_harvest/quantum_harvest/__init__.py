"""Quantum Harvest under the original's module names; everything here calls ludus."""

from ludus.games import load

_original = load("quantum_harvest").part("original")

__version__: str = _original.VERSION
BaseAgent, TileType, UnitType, ActionType = _original.BaseAgent, _original.TileType, _original.UnitType, _original.ActionType
