"""Quantum Harvest under the original's module names; everything here calls ludus."""

from ludus.games import load

_compat = load("quantum_harvest").part("compat")

__version__: str = _compat.VERSION
BaseAgent, TileType, UnitType, ActionType = _compat.BaseAgent, _compat.TileType, _compat.UnitType, _compat.ActionType
