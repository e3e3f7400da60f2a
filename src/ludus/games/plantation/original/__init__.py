"""Plantation as its original program had it: engine, players, agents, reports, the line protocol, what environments show."""

from ..scene import draw_board
from .agent import INTERFACES, OriginalAgent, make_player, modules, original_agent
from .engine import Engine, Player
from .environment import info, observation, observation_space
from .players import BotPlayer, HumanPlayer, RandomPlayer, RandomPlayerDumb, ScryAndDie, Tracker
from .reports import TOURNAMENTS, series_text, tournament_text
from .translate import actions_of, hide, restricted, said
from .wire import WirePlayer, greeting, line_agent

__all__ = [
    "INTERFACES", "TOURNAMENTS", "BotPlayer", "Engine", "HumanPlayer", "OriginalAgent", "Player", "RandomPlayer",
    "RandomPlayerDumb", "ScryAndDie", "Tracker", "WirePlayer", "actions_of", "draw_board", "greeting", "hide", "info",
    "line_agent", "make_player", "modules", "observation", "observation_space", "original_agent", "restricted", "said",
    "series_text", "tournament_text",
]  # fmt: skip
