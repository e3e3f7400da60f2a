"""Golden games: recorded play that the rules must reproduce, value by value.

A game's golden.py plays a trace: `play(trace, border)`. It drives the game with what it `take`s from the trace and hands
every other value to `compare`; a key that it neither takes nor compares is a difference, too. `options(data)` says which
options a record needs, `FILES` which files of tests/data/GAME are golden. Where a line is not a record, `records(file)` reads
them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludus.core import Agent, BadRecord, Count, Difference, LudusError, Trace, UnknownName, read_traces
from ludus.engine import Table
from ludus.games import Game, load

__all__ = ["Border", "Count", "Difference", "Trace", "check", "files_of"]


BACKENDS = ("pure", "cpu")


class Border:
    """Where a record is played: the game on one device, alone or behind an environment."""

    def __init__(self, game: Game, device: str) -> None:
        self.game, self.device = game, device

    def table(self, row: Any = None, seed: int = 0) -> Table:
        """Return a table with this position, or with a new game."""
        return Table(self.game, seed, self.device, position=row)

    def aec(self, row: Any) -> Any:
        """Return the game's AEC environment, reset to this position."""
        from ludus.adapters.pettingzoo import Env

        env = Env(self.game, "dict", 0, self.device)
        env.reset(options={"position": row})
        return env

    def single(self, seat: int, script: Callable[[int], int]) -> Any:
        """Return the environment of one seat, not reset yet; `script` gives the next action of any other seat."""
        from ludus.adapters.gymnasium import SeatEnv

        others = {name: _Scripted(script) for k, name in enumerate(self.game.spec.seats) if k != seat}
        return SeatEnv(self.game, seat, others, "dict", 0, self.device)


class _Scripted(Agent):
    """An agent that plays what was recorded."""

    name = "script"

    def __init__(self, script: Callable[[int], int]) -> None:
        self._script, self._seat = script, -1

    def start(self, start: Any) -> None:
        """Take the seat."""
        self._seat = start.seat

    def act(self, view: Any, legal: list[int]) -> int:
        """Play the next recorded action."""
        return self._script(self._seat)


def check(name: str, files: list[Path], device: str = "pure", progress: Callable[[Count], None] = lambda count: None) -> Count:
    """Play every recorded game; raise the first Difference, or return what was compared.

    Games of other than standard sizes are played uncompiled: each size would be compiled for a handful of steps.
    """
    if device not in BACKENDS:
        raise UnknownName("backend", device, BACKENDS)
    golden = load(name).part("golden")
    options, records = golden.options, getattr(golden, "records", read_traces)
    count = Count()
    for file in files:
        for number, data in enumerate(records(file)):
            if not isinstance(data, dict) or data.get("game", name) != name:
                other = data.get("game") if isinstance(data, dict) else type(data).__name__
                raise BadRecord(f"{file.name}, line {number + 1}, is a record of {other}, not of {name}")
            record = Trace(data, f"{file.name}, game {data.get('id', number)}", count)
            record.take("game", name), record.take("id", number)
            try:
                game = load(name, **options(data))
                game.part("golden").play(record, Border(game, device if game.sizes == load(name).sizes else "pure"))
            except (BadRecord, Difference):
                raise
            except LudusError as error:  # the rules drew or refused where the record did not
                raise Difference(record.where, str(error), "play as recorded") from error
            except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
                raise BadRecord(f"{record.where}: not a whole record of {name} ({error!r})") from error
            record.close()
            count.games += 1
            progress(count)
    if count.games == 0:
        raise BadRecord(f"no recorded game in {', '.join(file.name for file in files) or 'no file'}")
    return count


def files_of(game: Game) -> list[Path]:
    """Return the golden files that come with the project: tests/data of the source tree."""
    for root in (Path.cwd(), *Path(__file__).parents):
        folder = root / "tests" / "data" / game.name
        if folder.is_dir():
            return [folder / file for file in game.part("golden").FILES]
    raise BadRecord(f"no golden files of {game.name} here: run this in the source tree, or name the files")
