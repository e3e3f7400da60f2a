"""Contests: the referee of one game, and matches of many."""

from .match import Match, Played, wilson
from .referee import POLICIES, Referee
from .series import Conditions, play_match, round_up

__all__ = ["POLICIES", "Conditions", "Match", "Played", "Referee", "play_match", "round_up", "wilson"]
