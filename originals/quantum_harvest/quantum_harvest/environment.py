"""The environment class, on a compiled table."""

from typing import Any

from ludus.engine import Table
from ludus.games import load

_Plain = load("quantum_harvest").part("original").QuantumHarvestEnv


class QuantumHarvestEnv(_Plain):  # type: ignore[misc, valid-type]
    """The original's environment; see ludus.games.quantum_harvest.original."""

    @staticmethod
    def open_table(game: Any, position: Any) -> Any:
        """Return a compiled table."""
        return Table(game, position=position.array)
