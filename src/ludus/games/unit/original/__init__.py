"""All that belongs to Unit's original programs, the browser game and its self-play: their objects, network and agents."""

from .agents import INTERFACES, modules, original_agent
from .network import head_index, network_input, policy_class
from .objects import SPELLINGS, action_of, read_action, read_state, write_action, write_state

__all__ = [
    "INTERFACES", "SPELLINGS", "action_of", "head_index", "modules", "network_input", "original_agent", "policy_class",
    "read_action", "read_state", "write_action", "write_state",
]  # fmt: skip
