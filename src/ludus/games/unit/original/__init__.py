"""All that belongs to Unit's original programs, the browser game and its self-play: their objects, network and agents."""

from .agents import INTERFACES, modules, original_agent
from .network import head_index, network_input, policy_class
from .objects import SPELLINGS, action_of, read_action, read_state, write_action, write_state

PACKAGE = "self_play"  # in which the original's own agents stood: their relative imports are answered there

__all__ = [
    "INTERFACES", "PACKAGE", "SPELLINGS", "action_of", "head_index", "modules", "network_input", "original_agent",
    "policy_class", "read_action", "read_state", "write_action", "write_state",
]  # fmt: skip
