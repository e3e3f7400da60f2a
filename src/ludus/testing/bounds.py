"""Options at their bounds: games of the smallest and largest values are played, too."""

from __future__ import annotations

import time

import numpy as np

from ludus.core import Option
from ludus.games import Game, load, options_of

from .breach import CheckFailed, fail, told
from .judge import Judge
from .play import Course, kept_positions, play
from .rows import checked_tables
from .scenes import check_scenes
from .source import Source
from .watch import Watch
from .words import check_public, check_texts


def check_bounds(judge: Judge, sources: dict[str, Source], seconds: float) -> str:
    """options at their bounds give games that can be played."""
    game, watch = judge.game, judge.watch
    tried, until = [], time.monotonic() + seconds
    structural = {option.name for option in options_of(game)} - {option.name for option in game.spec.options}
    for option in options_of(game):
        played = {}
        for value in sorted({option.low, option.high}):
            if time.monotonic() > until:
                break
            try:
                other = load(game.name, **{**dict(game.given), option.name: value})
                if not other.spec.no_setup:
                    played[value] = _play(other, watch, judge.bots, sources, min(until, time.monotonic() + seconds / 4))
            except CheckFailed as breach:
                fail(f"with option {option.name}={value}: {breach}")
            except Exception as error:
                raise told(error, game.folder, f"with option {option.name}={value}") from error
            tried.append(f"{option.name}={value}")
        if option.name not in structural and len(played) == 2:
            _check_effect(game, option, *played.values())
    left = [option.name for option in options_of(game) if not any(one.startswith(f"{option.name}=") for one in tried)]
    return (", ".join(tried) or "none") + (f"; no time was left for {', '.join(left)}" if left else "")


def _play(game: Game, watch: Watch, bots: list[str], sources: dict[str, Source], until: float) -> list[Course]:
    """Play two games by chance and one by the strongest bot, and look at some of their positions."""
    judge, seats = Judge(game, watch), len(game.spec.seats)
    for file in sources:
        game.part(file)
    with checked_tables(game.package, [source.path for source in sources.values()]):
        courses = [play(judge, seed, ("",) * seats, until, most=2000) for seed in range(2)]
        if bots:
            courses.append(play(judge, 2, (bots[-1],) * seats, until, most=500))
        rows = kept_positions(judge, courses, 9)
    check_texts(judge, rows)
    check_scenes(judge, rows)
    check_public(judge, rows)
    return courses


def _check_effect(game: Game, option: Option, low: list[Course], high: list[Course]) -> None:
    """Refuse an option that changes nothing between its lowest and its highest value."""
    name = f"opt_{option.name}"
    for one, other in zip(low, high, strict=True):
        if one.actions != other.actions or one.status != other.status or len(one.rows) != len(other.rows):
            return
        for a, b in zip(one.rows, other.rows, strict=True):
            first, second = (np.frombuffer(cells, game.state_type) for cells in (a, b))
            if any(not np.array_equal(first[f], second[f]) for f in game.state_type.names or () if f != name):
                return
    fail(
        f"rules.py: the option {option.name} changes nothing: games with {option.low}"
        f" and {option.high} are the same (opt_{option.name})"
    )
