"""Contests: the referee of one game, matches and tournaments of many; records of games, and how they are run again."""

from typing import TYPE_CHECKING, Any

from .draft import Draft
from .entries import Counts, Entrant, Entry, Pair, Standing, Verdict
from .formats import encode as record_as_json
from .match import Match, Played, commitment_of
from .opening import Original, open_any, open_original
from .prints import PrintFiles
from .rating import (
    Bounds,
    Duel,
    Judged,
    Level,
    Online,
    Ratings,
    Row,
    Sample,
    Sampled,
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
from .results import Results, results_data, results_of
from .schedule import FORMATS
from .series import Conditions, play_match, round_up
from .terms import Terms, make_terms, read_terms
from .tuning import Number, Step, Tuning, read_number
from .verifying import Finding, verify_ledger
from .watch import EVERYTHING, Watch

if TYPE_CHECKING:
    from .bundle import export_bundle, open_bundle
    from .ledger import Ledger
    from .sprt import play_test
    from .tournament import Tournament

__all__ = [
    "EVERYTHING", "FORMATS", "POLICIES", "Bounds", "Conditions", "Counts", "Draft", "Duel", "Entrant", "Entry", "Finding",
    "Hear", "Judged", "Ledger", "Level", "Match", "Number", "Online", "Original", "Pair", "Played", "PrintFiles", "Ratings",
    "RecordFolder", "Referee", "Replay", "Results", "Row", "Sample", "Sampled", "Standing", "Step", "Terms", "Tournament",
    "Tuning", "Verdict", "Watch", "as_data", "check_place", "commitment_of", "curves", "export_bundle", "in_percent", "judge",
    "judge_in_order", "judge_pairs", "make_terms", "open_any", "open_bundle", "open_original", "open_replay", "play_match",
    "play_test", "read_number", "read_record", "read_records", "read_terms", "record_as_json", "rerun", "results_data",
    "results_of", "round_up", "standing", "verify_ledger", "wilson", "write_record",
]  # fmt: skip

_LATE = {
    "Ledger": "ledger",
    "Tournament": "tournament",
    "export_bundle": "bundle",
    "open_bundle": "bundle",
    "play_test": "sprt",
}


def __getattr__(name: str) -> Any:
    """Load what needs a database when it is asked for."""
    from importlib import import_module

    from ludus.core import MissingExtra

    if name not in _LATE:
        raise AttributeError(f"module 'ludus.arena' has no attribute {name!r}")
    try:
        return getattr(import_module(f"ludus.arena.{_LATE[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name != "sqlalchemy":
            raise
        raise MissingExtra("sqlalchemy, which keeps the results of tournaments,", "contest") from None
