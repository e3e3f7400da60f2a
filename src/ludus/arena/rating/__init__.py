"""Ratings and statistics of contests: one truth for matches, tournaments, sequential tests and tuning."""

from .certainty import FEWEST_ROUNDS, SURE, SURE_ENOUGH, about, in_percent, interval, surety, wilson
from .duels import Duel
from .online import Level, Online, curves
from .sample import Sample, Sampled
from .sequential import Bounds, Judged, as_data, judge, judge_in_order, judge_pairs
from .standing import Ratings, Row, standing

__all__ = [
    "FEWEST_ROUNDS",
    "SURE",
    "SURE_ENOUGH",
    "Bounds",
    "Duel",
    "Judged",
    "Level",
    "Online",
    "Ratings",
    "Row",
    "Sample",
    "Sampled",
    "about",
    "as_data",
    "curves",
    "in_percent",
    "interval",
    "judge",
    "judge_in_order",
    "judge_pairs",
    "standing",
    "surety",
    "wilson",
]  # fmt: skip
