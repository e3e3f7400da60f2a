"""Contests: the referee of one game, and matches of many; records of what was played, and how they are run again."""

from .draft import Draft
from .match import Match, Played, commitment_of
from .opening import Original, open_any, open_original
from .prints import PrintFiles
from .rating import (
    Bounds,
    Duel,
    Field,
    Judged,
    Level,
    Online,
    Row,
    Scored,
    Standing,
    as_data,
    curves,
    in_percent,
    judge,
    judge_in_order,
    judge_pairs,
    standing,
    wilson,
)
from .record import RecordFolder, check_place, read_record, read_records, write_record
from .referee import POLICIES, Hear, Referee
from .replay import Replay, open_replay, rerun
from .series import Conditions, play_match, round_up
from .watch import EVERYTHING, Watch

__all__ = [
    "EVERYTHING", "POLICIES", "Bounds", "Conditions", "Draft", "Duel", "Field", "Hear", "Judged", "Level", "Match", "Online",
    "Original", "Played", "PrintFiles", "RecordFolder", "Referee", "Replay", "Row", "Scored", "Standing", "Watch", "as_data",
    "check_place", "commitment_of", "curves", "in_percent", "judge", "judge_in_order", "judge_pairs", "open_any",
    "open_original", "open_replay", "play_match", "read_record", "read_records", "rerun", "round_up", "standing", "wilson",
    "write_record",
]  # fmt: skip
