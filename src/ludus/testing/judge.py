"""The judge calls a game's verbs uncompiled, on checked rows and under a time limit, and holds each call to its promise."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from ludus.core import Row, plain, streams_of
from ludus.games import Game

from .breach import CheckFailed, TimeUp, at, fail, told
from .compare import different
from .rows import cells, checked
from .watch import Watch
from .work import CALL, work

LITTER = (0x5A, 0xA5)  # what stands where a verb must write: what it leaves is noticed


class Judge:
    """One game's verbs. Every method returns what the verb answered, or raises a CheckFailed."""

    def __init__(self, game: Game, watch: Watch, is_at_bounds: bool = False) -> None:
        self.game, self.spec, self.watch = game, game.spec, watch
        # Where options are at their bounds there may be no marked action that does nothing; a failing one is the next best.
        self.may_fail = is_at_bounds and not game.spec.refuses
        self.marks = 8 * -(-game.spec.actions // 8)
        self.where = ""  # what is being played, for sentences
        self.bots: list[str] = []  # that answer in time uncompiled

    def call(self, doing: str, function: Callable[..., Any], *arguments: Any, cells: float = inf) -> Any:
        """Call an author's function, which may touch so many cells; what it raises becomes a sentence with its place."""
        work.done += CALL
        self.watch.begin(cells=cells)
        try:
            return function(*arguments)
        except CheckFailed:
            raise
        except (Exception, TimeUp) as error:
            raise told(error, self.game.folder, doing) from error
        finally:
            self.watch.end()

    def at(self, verb: str) -> str:
        """Return where a verb stands."""
        function = getattr(self.game.rules, verb, None)
        return f"{at(function)}: {verb}" if function else verb

    def row(self, source: Any = None, litter: int | None = None) -> Row:
        """Return a checked row: a copy, or one with options alone and litter elsewhere."""
        if source is not None:
            return checked(plain(source).copy(), "State")
        rows = np.zeros(1, self.game.state_type)
        if litter is not None:
            rows.view(np.uint8)[:] = litter
        given = self.game.empty(1)
        for option in self.spec.options:
            rows[f"opt_{option.name}"] = given[f"opt_{option.name}"]
        return checked(rows, "State")

    def new(self, seed: int) -> tuple[Row, Any]:
        """Begin a game; return its row and its chance."""
        made = []
        for litter in (*LITTER, LITTER[0]):
            row, rng = self.row(litter=litter), streams_of(np.array([seed], np.uint64))[0]
            self.call(f"new, seed {seed}", self.game.verbs.new, row, rng)
            made.append((row, rng))
        (row, rng), (other, _), (again, chance) = made
        if (field := different(row, again)) or rng[0] != chance[0]:
            fail(
                f"{self.at('new')} deals another {field or 'number of draws'} from the"
                " same seed: chance comes from draw(rng, n) alone"
            )
        if field := different(row, other):
            fail(f"{self.at('new')} does not write the field {field}: it keeps what stood there before")
        self._check_options("new", row, self.row())
        self.check_seat("new", row)
        return row, rng

    def legal(self, row: Row) -> Any:
        """Return the mask of a position [marks]."""
        mask = np.zeros(self.marks, np.int8)
        count = self.look("legal", row, cells(mask, "the mask"))
        if not isinstance(count, int | np.integer) or isinstance(count, bool):
            fail(f"{self.at('legal')} returned {count!r}, not how many actions it marked")
        wrong = mask[(mask != 0) & (mask != 1)]
        if wrong.size:
            fail(f"{self.at('legal')} wrote {int(wrong[0])} into the mask, which holds 0 and 1 only")
        if mask[self.spec.actions :].any():
            beyond = self.spec.actions + int(mask[self.spec.actions :].argmax())
            fail(f"{self.at('legal')} marked action {beyond}, but SPEC.actions is {self.spec.actions}")
        if int(count) != int(mask.sum()):
            fail(f"{self.at('legal')} returned {int(count)} but marked {int(mask.sum())} actions{self.where}")
        return mask

    def result(self, row: Row) -> tuple[int, Any, Any]:
        """Return status, outcomes and points."""
        seats = len(self.spec.seats)
        outcome, points = np.full(seats, np.nan, np.float32), np.full(seats, np.nan)
        status = self.look("result", row, cells(outcome, "outcome"), cells(points, "points"))
        for name, numbers in (("outcome", outcome), ("points", points)):
            if not np.isfinite(numbers).all():
                seat = int(np.argmin(np.isfinite(numbers)))
                fail(
                    f"{self.at('result')} does not write {name}[{seat}] ({self.spec.seats[seat]}), or not a number{self.where}"
                )
        if isinstance(status, bool | np.bool_) or status not in (0, 1, 2) or not isinstance(status, int | np.integer):
            fail(f"{self.at('result')} returned {status!r}, not 0 (running), 1 (decided) or 2 (ended by a limit){self.where}")
        if (np.abs(outcome) > 1).any():
            fail(f"{self.at('result')} wrote the outcome {outcome.tolist()}; outcomes are from -1 to 1{self.where}")
        for seat in range(seats):
            side = self.spec.side(seat)
            first = next(k for k in range(seats) if self.spec.side(k) == side)
            if outcome[seat] != outcome[first]:
                names = f"{self.spec.seats[first]} and {self.spec.seats[seat]}"
                fail(f"{self.at('result')} gives {names}, who are one side, the outcomes {outcome.tolist()}{self.where}")
        return int(status), outcome, points

    def look(self, verb: str, row: Row, *more: Any) -> Any:
        """Call a verb that may only look at a row."""
        before = bytes(row.bytes)
        answer = self.call(f"{verb}{self.where}", getattr(self.game.verbs, verb), row, *more)
        if row.tobytes() != before:
            self.check_untouched(self.at(verb), row, before)
        return answer

    def check_untouched(self, who: str, row: Row, before: bytes) -> None:
        """Refuse what changed a row that it may only look at."""
        if row.tobytes() != before:
            field = different(row, type(row).over(memoryview(bytearray(before))))
            fail(f"{who} changes the field {field or '(a gap)'}: it may only look")

    def sound(self, row: Row) -> bool:
        """Say whether a row may be played."""
        return bool(self.look("sound", row))

    def default(self, row: Row, mask: Any) -> None:
        """Hold the default action to the mask."""
        if self.game.verbs.default is not None:
            action = self.look("default", row)
            is_id = isinstance(action, int | np.integer) and 0 <= action < self.spec.actions
            if not is_id or not (mask[action] or self.may_fail):
                fail(f"{self.at('default')} returned {action!r}, which is not legal{self.where}")

    def observe(self, row: Row, seat: int) -> Row:
        """Return a seat's view, whole."""
        views = []
        for litter in LITTER:
            cells_of_view = np.full(1, 0, self.game.view_type)
            cells_of_view.view(np.uint8)[:] = litter
            view = checked(cells_of_view, "View")
            self.look("observe", row, seat, view)
            views.append(view)
        if field := different(*views):
            fail(f"{self.at('observe')} does not write the field {field} of the view of {self.spec.seats[seat]}{self.where}")
        return views[0]

    def encode(self, view: Row) -> Any:
        """Return the planes of a view."""
        planes = np.zeros(self.spec.planes, self.spec.plane_type)
        before = bytes(view.bytes)
        self.call(f"encode{self.where}", self.game.verbs.encode, view, cells(planes, "the planes"))
        if view.tobytes() != before:
            self.check_untouched(self.at("encode"), view, before)
        low, high = planes.min(), planes.max()
        if not (np.isfinite(planes).all() and self.spec.plane_low <= low and high <= np.float32(self.spec.plane_high)):
            bad = high if not high <= self.spec.plane_high else low
            bounds = f"SPEC.plane_low {self.spec.plane_low:g} to SPEC.plane_high {self.spec.plane_high:g}"
            fail(f"{self.at('encode')} writes {bad:g} into the planes, which hold {bounds}{self.where}")
        return planes

    def features(self, view: Row, row: Row | None = None) -> Any:
        """Return the numbers of a view, from -1 to 1: they are made of its fields alone, and of `row` at a glance the same."""
        names, fill, glance = self.game.features
        where = f"features.py line {fill.__code__.co_firstlineno}: features" if self.game.has("features") else "features"
        made, before = [], bytes(view.bytes)
        for looked_at in (view, self._with_other_gaps(view)):
            made.append(np.zeros(len(names), np.float32))
            self.call(f"features{self.where}", fill, looked_at, cells(made[-1], "the features"))
        if glance is not None and row is not None:
            made.append(np.zeros(len(names), np.float32))
            position = bytes(row.bytes)
            self.call(f"glance{self.where}", glance, row, int(view.me), cells(made[-1], "the features"))
            self.check_untouched("features.py: glance", row, position)
        self.check_untouched(where, view, before)
        numbers = made[0]
        for k in np.flatnonzero(~(np.abs(numbers) <= 1))[:1]:
            fail(f"{where} writes {numbers[k]:g} into {names[k]!r}; features are from -1 to 1{self.where}")
        for k in np.flatnonzero(numbers != made[1])[:1]:
            fail(f"{where}: {names[k]!r} is {made[0][k]:g}, then {made[1][k]:g}, of one view: it depends on something else")
        for other in made[2:]:
            for k in np.flatnonzero(numbers != other)[:1]:
                fail(f"features.py: {names[k]!r} is {numbers[k]:g} of the view, but {other[k]:g} at a glance{self.where}")
        return numbers

    def _with_other_gaps(self, view: Row) -> Row:
        """Return a copy of a view with litter wherever no field stands."""
        copy = np.zeros(1, self.game.view_type)
        copy.view(np.uint8)[:] = LITTER[0]
        for field in self.game.view_type.names or ():
            copy[field] = view.array[field]
        return checked(copy, "View")

    def apply(self, row: Row, action: int, rng: Any, whole: bool = True) -> None:
        """Play an action; `whole`: also twice on copies, with other litter in last_reward."""
        turn, before = row.turn, self.row(row)
        verb, doing = self.game.verbs.apply, f"apply, action {action}{self.where}"
        if whole:
            copies = []
            for litter in (77, 77, -99):
                other, chance = self.row(row), rng.copy()
                other.array["last_reward"][:] = litter
                self.call(doing, verb, other, action, chance)
                copies.append((other, chance))
            (one, one_rng), (two, two_rng), (three, _) = copies
            if (field := different(one, two)) or one_rng[0] != two_rng[0]:
                fail(f"{self.at('apply')} leaves another {field or 'number of draws'} from the same position and chance")
            if field := different(one, three):
                words = "does not write" if field == "last_reward" else "reads last_reward for"
                fail(f"{self.at('apply')} {words} the field {field}: it holds what the move before left there{self.where}")
        self.call(doing, verb, row, action, rng)
        self._check_options("apply", row, before)
        self.check_seat("apply", row)
        if row.turn < turn:
            fail(f"{self.at('apply')} sets turn back from {turn} to {row.turn}{self.where}")

    def check_seat(self, verb: str, row: Row) -> None:
        """Refuse a seat that is none."""
        if not 0 <= row.seat < len(self.spec.seats):
            fail(f"{self.at(verb)} leaves seat {row.seat}; seats are 0 to {len(self.spec.seats) - 1}{self.where}")
        if row.turn < 0:
            fail(f"{self.at(verb)} leaves turn {row.turn}, which is below 0{self.where}")

    def _check_options(self, verb: str, row: Row, before: Row) -> None:
        for option in self.spec.options:
            name = f"opt_{option.name}"
            if row[name] != before[name]:
                fail(f"{self.at(verb)} changes {name}: options stay as they are")
