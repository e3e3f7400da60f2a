"""Tuning a bot by matches: steps that are kept in a file as they are made, and a check against the bot as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from ludus.core import BadRecord, BadValue, LudusError, one_line, read_json
from ludus.games import Game

from ..rating import about, in_percent, interval, surety
from ..series import Conditions, play_match
from .numbers import Number, as_declared, declared, variant
from .spsa import asked, direction, moved, settled

CHECKED = 0.2  # share of the games that is kept for the check
MOST_STEPS = 200


class Step(NamedTuple):
    """One step: both bots' values, what the first led by, and where the search stood after it."""

    step: int
    plus: dict[str, float]
    minus: dict[str, float]
    lead: float  # of plus, -1 to 1
    values: dict[str, float]


@dataclass
class Tuning:
    """A search for better numbers of one bot, in a folder of its own."""

    game: Game
    bot: str
    numbers: list[Number]
    games: int
    folder: Path
    seed: int = 0
    conditions: Conditions = field(default_factory=Conditions)
    jobs: int = 1

    def __post_init__(self) -> None:
        if not self.numbers:
            raise BadValue("say which numbers to tune, as in --param weight=0.1..2")
        self.start = declared(self.bot, self.numbers)
        self.numbers = as_declared(self.bot, self.numbers)
        pairs = max(1, int(self.games * (1 - CHECKED)) // 2)
        self.steps = max(1, min(MOST_STEPS, round(2.5 * sqrt(pairs)), pairs))
        self.pairs = max(1, pairs // self.steps)  # of a step
        self._file = self.folder / "steps.jsonl"
        self.path: list[Step] = []
        self.checked: dict[str, Any] | None = None
        self._open()

    def run(self) -> Iterator[Step]:
        """Make the steps that are missing; then play the tuned bot against the one that it was."""
        places = [number.place((self.path[-1].values if self.path else self.start)[number.name]) for number in self.numbers]
        for step in range(len(self.path) + 1, self.steps + 1):
            signs = direction(self.seed, step, len(self.numbers))
            plus, minus = (self._named(values) for values in asked(places, signs, step, self.numbers))
            lead = 2 * fmean(self._play(plus, minus, self.pairs, self.seed + step * self.pairs)) - 1
            places = moved(places, signs, step, self.steps, lead)
            reached = [n.low + place * (n.high - n.low) for n, place in zip(self.numbers, places, strict=True)]
            one = Step(step, plus, minus, lead, self._named(reached))
            self._keep({"step": one._asdict()})
            self.path.append(one)
            yield one
        if self.checked is None:
            self._check()

    def best(self) -> dict[str, float]:
        """Return the values that the search has come to."""
        if not self.path:
            return self.start
        places = settled([[number.place(step.values[number.name]) for number in self.numbers] for step in self.path])
        return self._named([number.at(place) for number, place in zip(self.numbers, places, strict=True)])

    def tuned(self) -> str:
        """Return the word of the tuned bot; of a file, the copy of it lies in the folder."""
        return variant(self.bot, self.numbers, self.best(), self.folder / "tuned")

    def verdict(self) -> str:
        """Say what the check has found."""
        if self.checked is None:
            return "not checked yet"
        scores = self.checked["rounds"]
        share, more = surety([score - 0.5 for score in scores])
        low, high = interval(scores)
        told = (
            f"the tuned bot scored {fmean(scores):.1%} ({low:.1%} to {high:.1%}) in {2 * len(scores)} games against what it was"
        )
        if share >= 0.95:
            return f"better, {in_percent(share)}: {told}"
        if fmean(scores) > 0.5:
            return f"not decided, {in_percent(share)}: {told}; about {about(2 * more)} more games would tell"
        return f"no better: {told}"

    def _check(self) -> None:
        pairs = max(1, int(self.games * CHECKED) // 2)
        rounds = self._play(self.best(), self.start, pairs, self.seed + (self.steps + 1) * self.pairs)
        self.checked = {"rounds": rounds, "values": self.best()}
        self._keep({"check": self.checked})

    def _named(self, values: list[float]) -> dict[str, float]:
        return {number.name: float(value) for number, value in zip(self.numbers, values, strict=True)}

    def _play(self, one: dict[str, float], other: dict[str, float], pairs: int, seed: int) -> list[float]:
        """Play pairs of games between two sets of numbers and return the score of the first in each pair."""
        words = [
            variant(self.bot, self.numbers, values, self.folder / "bots" / side)
            for side, values in (("plus", one), ("minus", other))
        ]
        spec, scores = self.game.spec, []
        sides = [spec.side(seat) for seat in range(len(spec.seats))]
        alone = sorted(set(sides))[seed % len(set(sides))] if len(set(sides)) > 2 else sides[0]
        for mine, theirs in (words, reversed(words)):
            seated = [mine if side == alone else theirs for side in sides]
            match = play_match(self.game, seated, pairs, seed, conditions=self.conditions, jobs=self.jobs)
            seat = sides.index(alone)
            scores.append([0.5 if game.is_void else (game.result.outcome[seat] + 1) / 2 for game in match.games])
        return [(first + 1 - second) / 2 for first, second in zip(*scores, strict=True)]

    def _open(self) -> None:
        """Go on with what the folder holds, if it is the same search."""
        about_it = {
            "game": self.game.name, "options": dict(self.game.options), "bot": self.bot, "games": self.games, "seed": self.seed,
            "numbers": [[n.name, n.low, n.high, n.is_whole] for n in self.numbers], "start": self.start,
        }  # fmt: skip
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lines = self._file.read_bytes().split(b"\n") if self._file.exists() else []
        except OSError as error:
            raise LudusError(f"{self.folder} cannot be used: {error.strerror or error}") from None
        whole = self._read(lines[:-1])  # the last one has no end if the run was killed as it wrote
        if not whole:
            self._file.unlink(missing_ok=True)
            self._keep(about_it)
            return
        if whole[0] != about_it:
            changed = [key for key in about_it if whole[0].get(key) != about_it[key]]
            raise LudusError(f"{self.folder} holds another search: {', '.join(changed)} differ; name another folder with --out")
        if lines[-1]:
            self._file.write_bytes(b"\n".join(lines[:-1]) + b"\n")
        self.path = self._steps(whole)
        self.checked = next((line["check"] for line in whole if "check" in line), None)

    def _read(self, lines: list[bytes]) -> list[dict[str, Any]]:
        try:
            whole = [read_json(line) for line in lines]
            if not all(isinstance(line, dict) for line in whole):
                raise ValueError("a line is no object of JSON")
            return whole
        except ValueError as error:
            raise self._damaged(error) from None

    def _steps(self, whole: list[dict[str, Any]]) -> list[Step]:
        try:
            return [Step(**line["step"]) for line in whole[1:] if "step" in line]
        except TypeError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> BadRecord:
        return BadRecord(f"{one_line(str(self._file))} is damaged ({one_line(str(error), 80)}); name another folder with --out")

    def _keep(self, line: dict[str, Any]) -> None:
        try:
            with self._file.open("ab") as file:
                file.write(json.dumps(line).encode() + b"\n")
        except OSError as error:
            raise LudusError(
                f"{self._file} cannot be written: {error.strerror or error}; what was made so far is kept"
            ) from None
