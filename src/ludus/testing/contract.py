"""`check_game`: hold a game to the contract, from its source to its machine code; `check_bot`: a bot's."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ludus.agents import Agent, make_agent
from ludus.arena import Referee
from ludus.core import Fault, LudusError, one_line, time_control
from ludus.engine import Table, compiled_bots
from ludus.games import Game, add_folder, folder_of, load

from . import bounds, devices, facts, hidden, mutants, scenes, story, words
from .ahead import Ahead
from .breach import CheckFailed, told
from .judge import Judge
from .play import Course, kept_positions, play_all
from .rows import checked_tables
from .slow import must_answer, quick_bots
from .source import FILLING, Source, check_filling, check_recursion, check_verbs, read_sources, rule_calls
from .subset import check_subset
from .watch import Watch

Say = Callable[[str], None]
# Cells that rules may touch, uncompiled, in what could go on for ever; a million take about a second.
GAMES, MEMORY, SAMPLES, ROWS, TEXTS, BOUNDS = 12e6, 1.5e6, 2.5e6, 4e6, 4e6, 4e6
FILES = ("bots", "actions", "text", "scene", "features")
PATIENCE = "move=10"  # the clock of a bot that is checked


def check_game(
    name: str | Path,
    devices: tuple[str, ...] = ("pure", "cpu"),
    games: int = 8,
    say: Say = lambda line: None,
    effort: float = 1.0,
    ahead: bool = True,
    **options: Any,
) -> None:
    """Hold a game, by its name or its folder, to the contract; raise at the first breach, `say` what was checked.

    `effort` says how much of the usual work is spent on what is drawn at random. What is not compiled yet is compiled `ahead`,
    by a second process, where there is a core for it.
    """
    if isinstance(name, Path) or "/" in str(name):
        name = add_folder(Path(name))
    folder = folder_of(name)
    sources = read_sources(folder)
    _check_sources(sources)
    game = _loaded(name, folder, sources, options)
    if getattr(game.spec, "no_setup", ""):
        raise LudusError(f"{game.spec.title} cannot be checked here: {game.spec.no_setup}")
    try:
        with Ahead(game, ahead and bool(set(devices) - {"pure"})) as compiling:
            _check(game, sources, devices, games, say, effort, compiling)
    except CheckFailed:
        raise
    except Exception as error:  # whatever else an author's files bring about
        raise told(error, folder) from error


def _check(
    game: Game, sources: dict[str, Source], where: tuple[str, ...], games: int, say: Say, effort: float, ahead: Ahead
) -> None:
    """Go from what is read to what runs, uncompiled and compiled."""
    missing = [file for file in FILES if not game.has(file) and not game.has("view")]
    say(f"the source keeps to the kernel subset: {', '.join(f'{file}.py' for file in sources)}")
    if missing:
        say(f"skipped, with Ludus' own in their place: {', '.join(f'{file}.py' for file in missing)}")
    for check in (facts.check_spec, facts.check_rows, facts.check_bot_table, facts.check_features):
        say(f"{_title(check)}: {check(game)}")
    facts.check_marks(game, sources)
    fields = {"s": game.state_type, "view": game.view_type, "frame": game.picture.frame}
    for source in sources.values():
        check_subset(source, fields)
    with Watch() as watch, np.errstate(over="raise", divide="raise", invalid="raise"):
        judge = Judge(game, watch)
        courses = _uncompiled(judge, sources, games, say, effort, ahead)
    ahead.join()
    _compiled(judge, courses, where, games, say, effort)


def _check_sources(sources: dict[str, Source]) -> None:
    check_verbs(sources["rules"])
    for file, rules in FILLING.items():
        if file in sources:
            check_filling(sources[file], rules)
    for source in sources.values():
        check_subset(source)
    check_recursion(sources, rule_calls(sources))


def _loaded(name: str, folder: Path, sources: dict[str, Source], options: dict[str, Any]) -> Game:
    """Import the game's files; what does not run is told with its line."""
    try:
        game = load(name, **options)
    except LudusError as error:
        if options and error.__cause__ is None:
            raise
        raise told(error.__cause__ or error, folder, "importing rules.py") from error
    except Exception as error:
        raise told(error, folder, "importing rules.py") from error
    for file in (*sources, *FILES):
        if game.has(file):
            try:
                game.part(file)
            except Exception as error:
                raise told(error, folder, f"importing {file}.py") from error
    return game


def _uncompiled(judge: Judge, sources: dict[str, Source], games: int, say: Say, effort: float, ahead: Ahead) -> list[Course]:
    """Play and compare as Python runs the rules: what fails there has a line."""
    game = judge.game
    with checked_tables(game.package, [source.path for source in sources.values()]):
        bots, slow_bots = quick_bots(judge, compiled_bots(game))
        if slow_bots:
            say(f"too slow to be asked uncompiled, so checked compiled alone: {', '.join(slow_bots)}")
        courses = play_all(judge, games, bots, partial(must_answer, game), GAMES * effort)
        say(f"whole games, every verb at every decision: {story.check_story(judge, courses)}")
        ahead.start()  # not before: most mistakes show in the first games
        story.check_memory(judge, courses, MEMORY * effort)
    rows = kept_positions(judge, courses, 60)
    for check in (words.check_texts, words.check_actions, words.check_refusals, words.check_public):
        say(f"{_title(check)}: {check(judge, rows)}")
    with checked_tables(game.package, [source.path for source in sources.values()]):
        say(f"{_title(scenes.check_scenes)}: {scenes.check_scenes(judge, rows)}")
        if game.hidden and game.verbs.sample is not None:
            say(f"{_title(hidden.check_samples)}: {hidden.check_samples(judge, rows, SAMPLES * effort)}")
        if judge.spec.simultaneous:
            say(f"{_title(hidden.check_commitments)}: {hidden.check_commitments(judge, rows)}")
        if hasattr(game.rules, "twin"):
            say(f"{_title(hidden.check_twins)}: {hidden.check_twins(judge, rows)}")
        for check_spoilt, amount in ((mutants.check_mutants, ROWS), (mutants.check_spoilt_texts, TEXTS)):
            say(f"{_title(check_spoilt)}: {check_spoilt(judge, rows, amount * effort)}")
    say(f"{_title(bounds.check_bounds)}: {bounds.check_bounds(judge, sources, BOUNDS * effort)}")
    return courses


def _compiled(judge: Judge, courses: list[Course], where: tuple[str, ...], games: int, say: Say, effort: float) -> None:
    """Compile, and compare with what the uncompiled rules left."""
    game = judge.game
    for device in where:
        if device != "pure":
            try:
                say(f"pure = {device}: {devices.compare_courses(judge, courses, device)}")
            except CheckFailed:
                raise
            except LudusError as error:
                raise _not_compiled(error) from error
            say(f"frames, pure = {device}: {scenes.compare_frames(judge, kept_positions(judge, courses, 60), device)}")
    if set(where) - {"pure"}:
        if not any(course.status for course in courses):
            _check_late(judge, devices.finished_courses(judge, "cpu", games))
        say(f"{_title(devices.check_ends)}: {devices.check_ends(game, games)}")
        for bot in game.bots:
            if bot not in compiled_bots(game):
                _play_bot(game, bot, 1)
    for device in where:
        say(f"speed on {device}: {devices.speed(game, device)}")


def _check_late(judge: Judge, courses: list[Course]) -> None:
    """Hold the ends of games that are too long to be played uncompiled to what is asked of others."""
    story.check_ends(judge, [course for course in courses if course.status])
    rows = kept_positions(judge, courses, 12)
    with Watch() as judge.watch:
        for check in (words.check_texts, words.check_refusals, words.check_public, scenes.check_scenes):
            check(judge, rows)
        for row in rows:
            for seat in range(len(judge.spec.seats)):
                view = judge.observe(judge.row(row), seat)
                judge.encode(view)
                if judge.spec.features:
                    judge.features(view)


def _not_compiled(error: LudusError) -> CheckFailed:
    """Return what Numba says with the place in front."""
    words = str(error)
    place = re.search(r'File "([^"]*)", line (\d+)', words)
    what = words[: place.start()].strip() if place else words
    return CheckFailed(one_line(f"{Path(place[1]).name} line {place[2]}: {what}" if place else what, 300))


def _title(check: Callable[..., Any]) -> str:
    return (check.__doc__ or "").strip().rstrip(".")


def check_bot(
    name: str, bot: Any, games: int = 10, say: Say = lambda line: None, isolation: str = "in-process", **options: Any
) -> None:
    """Play a bot in every seat as a referee does, against scripts and random bots; the first fault is a CheckFailed."""
    _play_bot(load(name, **options), bot, games, say, isolation)


def first_legal(view: Any, legal: list[str]) -> str:
    """Play the first legal action: a script that leads where chance seldom does."""
    return legal[0]


def last_legal(view: Any, legal: list[str]) -> str:
    """Play the last legal action."""
    return legal[-1]


def _play_bot(game: Game, bot: Any, games: int, say: Say = lambda line: None, isolation: str = "in-process") -> None:
    """Play so many games against random bots in every seat, and one against each script."""
    for seat, seat_name in enumerate(game.spec.seats):
        started = time.perf_counter()
        agent = make_agent(game, bot, isolation)
        try:
            for others in (first_legal, last_legal, "random"):
                for number in range(games if others == "random" else 1):
                    _play_one(game, seat, agent, others, number)
        finally:
            if agent is not bot:
                agent.close()
        say(f"{seat_name}: {games + 2} games without a fault in {time.perf_counter() - started:.1f} s")


def _play_one(game: Game, seat: int, agent: Agent, others: Any, number: int) -> None:
    seated = [agent if k == seat else make_agent(game, others) for k in range(len(game.spec.seats))]
    played = Referee(Table(game, number), seated, control=time_control(PATIENCE)).finish()
    for fault in played.faults:
        if fault.seat == seat:
            against = others if isinstance(others, str) else others.__name__
            raise CheckFailed(f"as {game.spec.seats[seat]} against {against}, game {number}, {_story(fault)}")


def _story(fault: Fault) -> str:
    stderr = "".join(f"\n  stderr: {line}" for line in fault.stderr)
    where = f"turn {fault.turn}, decision {fault.decision}"
    return f"{where}: {fault.kind}: {fault.text}{stderr}\n  what to try: {fault.advice}"
