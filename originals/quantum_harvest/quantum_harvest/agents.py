"""The base class of agents."""

from quantum_harvest import BaseAgent

__all__ = ["BaseAgent"]
