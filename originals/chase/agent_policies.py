"""The agents of the original program."""

from ludus.games import load

_original = load("chase").part("original")
BaseAgent, RandomAgent, ManualAgent = _original.BaseAgent, _original.RandomAgent, _original.ManualAgent

__all__ = ["BaseAgent", "ManualAgent", "RandomAgent"]
