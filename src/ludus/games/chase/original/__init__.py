"""Chase as its original program had it: pairs are (row, column), observations are dictionaries, agents decide moves."""

from .agents import INTERFACES, BaseAgent, ManualAgent, OriginalAgent, Position, RandomAgent, modules, original_agent
from .environment import ENV_NAME, info, observation, observation_space, win_condition, winner
from .setup import ask
from .starts import custom_start, original_layout, original_start

__all__ = [
    "ENV_NAME", "INTERFACES", "BaseAgent", "ManualAgent", "OriginalAgent", "Position", "RandomAgent", "ask", "custom_start",
    "info", "modules", "observation", "observation_space", "original_agent", "original_layout", "original_start",
    "win_condition", "winner",
]  # fmt: skip
