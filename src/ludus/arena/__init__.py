"""Contests: the referee of one game, and matches of many; records of what was played, and how they are run again."""

from .draft import Draft
from .formats import encode as record_as_json
from .match import Match, Played, commitment_of, wilson
from .opening import Original, open_any, open_original
from .prints import PrintFiles
from .record import RecordFolder, check_place, read_record, read_records, write_record
from .referee import POLICIES, Hear, Referee
from .replay import Replay, open_replay, rerun
from .series import Conditions, play_match, round_up
from .watch import EVERYTHING, Watch

__all__ = [
    "EVERYTHING", "POLICIES", "Conditions", "Draft", "Hear", "Match", "Original", "Played", "PrintFiles",
    "RecordFolder", "Referee", "Replay", "Watch", "check_place", "commitment_of", "open_any", "open_original", "open_replay",
    "play_match", "read_record", "read_records", "record_as_json", "rerun", "round_up", "wilson", "write_record",
]  # fmt: skip
