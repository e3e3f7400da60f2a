"""Contests: the referee of one game, and matches of many."""

from .match import Match, Played, play_match, round_up, wilson
from .referee import Referee

__all__ = ["Match", "Played", "Referee", "play_match", "round_up", "wilson"]
