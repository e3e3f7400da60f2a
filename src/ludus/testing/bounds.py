"""Options at their bounds: games of the smallest and largest values are played, too."""

from __future__ import annotations

import numpy as np

from ludus.core import Option
from ludus.games import Game, load, options_of

from .breach import CheckFailed, fail, told
from .judge import Judge
from .play import Course, Slow, kept_positions, play
from .rows import checked_tables
from .scenes import check_scenes
from .slow import must_answer
from .source import Source
from .watch import Watch
from .words import check_public, check_texts
from .work import Budget


def check_bounds(judge: Judge, sources: dict[str, Source], amount: float) -> str:
    """options at their bounds give games that can be played."""
    game, watch = judge.game, judge.watch
    tried, share = [], amount / max(1, 2 * len(options_of(game)))
    structural = {option.name for option in options_of(game)} - {option.name for option in game.spec.options}
    for option in options_of(game):
        played = {}
        for value in sorted({option.low, option.high}):
            try:
                other = load(game.name, **{**dict(game.given), option.name: value})
                if not other.spec.no_setup:
                    played[value] = _play(other, watch, judge.bots, sources, share)
            except CheckFailed as breach:
                fail(f"with option {option.name}={value}: {breach}")
            except Exception as error:
                raise told(error, game.folder, f"with option {option.name}={value}") from error
            tried.append(f"{option.name}={value}")
        if option.name not in structural and len(played) == 2:
            _check_effect(game, option, *played.values())
    return ", ".join(tried) or "none"


def _play(game: Game, watch: Watch, bots: list[str], sources: dict[str, Source], amount: float) -> list[Course]:
    """Play two games by chance and one by the strongest bot, and look at some of their positions."""
    judge, seats = Judge(game, watch, is_at_bounds=True), len(game.spec.seats)
    for file in sources:
        game.part(file)
    with checked_tables(game.package, [source.path for source in sources.values()]):
        courses = [play(judge, seed, ("",) * seats, Budget(amount / 3), most=2000) for seed in range(2)]
        for bot in bots[-1:]:
            try:
                courses.append(play(judge, 2, (bot,) * seats, Budget(amount / 3), most=500))
            except Slow as breach:
                must_answer(game, bot, str(breach))
        rows = kept_positions(judge, courses, 9)
    check_texts(judge, rows)
    check_scenes(judge, rows)
    check_public(judge, rows)
    return courses


def _check_effect(game: Game, option: Option, low: list[Course], high: list[Course]) -> None:
    """Refuse an option that changes nothing between its lowest and its highest value."""
    name = f"opt_{option.name}"
    for one, other in zip(low, high, strict=False):  # a bot may be too slow with one of them
        if one.is_cut or other.is_cut or one.actions != other.actions or one.status != other.status:
            return
        for a, b in zip(one.rows, other.rows, strict=True):
            first, second = (np.frombuffer(cells, game.state_type) for cells in (a, b))
            if any(not np.array_equal(first[f], second[f]) for f in game.state_type.names or () if f != name):
                return
    fail(
        f"rules.py: the option {option.name} changes nothing: games with {option.low}"
        f" and {option.high} are the same (opt_{option.name})"
    )
