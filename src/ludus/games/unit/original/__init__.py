"""All that belongs to Unit's original programs, the browser game and its self-play: their objects, network and agents."""

from .agents import INTERFACES, modules, original_agent
from .network import head_index, network_input, policy_class
from .objects import SPELLINGS, action_of, read_action, read_state, write_action, write_state
from .shards import FORMATS, MOVE_MODES, PlayedGame, game_row, read_game, read_games, shard_files, write_shard

PACKAGE = "self_play"  # in which the original's own agents stood: their relative imports are answered there

__all__ = [
    "FORMATS", "INTERFACES", "MOVE_MODES", "PACKAGE", "SPELLINGS", "PlayedGame", "action_of", "game_row", "head_index",
    "modules", "network_input", "original_agent", "policy_class", "read_action", "read_game", "read_games", "read_state",
    "shard_files", "write_action", "write_shard", "write_state",
]  # fmt: skip
