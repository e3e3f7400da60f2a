"""The agents of the original program."""

from ludus.games import load

_compat = load("chase").part("compat")
BaseAgent, RandomAgent, ManualAgent = _compat.BaseAgent, _compat.RandomAgent, _compat.ManualAgent

__all__ = ["BaseAgent", "ManualAgent", "RandomAgent"]
