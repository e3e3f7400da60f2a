"""Reels: the scenes of a game in a row, made from its rows when they are looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from ludus.arena import Replay
from ludus.core import NOBODY, Event, Row, Scene
from ludus.engine import Table

KEPT = 64  # scenes


class TableReel:
    """Rows of one game. While somebody who plays must not see all of it, one looks through that seat's eyes alone."""

    def __init__(self, table: Table, names: Sequence[str] = (), steps: Callable[[int], list[Row]] | None = None) -> None:
        self._steps = steps  # positions within a turn, where each decision has its own events
        self._table, self.names, self.is_done = table.copy(), tuple(names), False
        self._rows: list[bytes] = []
        self._draft: bytes | None = None  # a turn in the making, shown after all others
        self._seat: int | None = None
        self._kept: OrderedDict[tuple[int, int], Scene] = OrderedDict()

    def __len__(self) -> int:
        return len(self._rows) + (self._draft is not None)

    def add(self, row: Any) -> None:
        """Add a position; it takes the place of a draft."""
        self.draft(None)
        self._rows.append(bytes(row.bytes))

    def draft(self, row: Any) -> None:
        """Show a turn in the making last of all, or none any more."""
        self._draft = None if row is None else bytes(row.bytes)
        for key in [key for key in self._kept if key[0] >= len(self._rows)]:
            del self._kept[key]

    def look_through(self, seat: int | None) -> None:
        """Show a seat's side alone, or (None) whatever is asked for."""
        self._seat = seat

    @property
    def eyes(self) -> Sequence[int]:
        """Whose eyes one may look through."""
        if self._seat is not None:
            return [self._seat]
        return [NOBODY, *range(len(self._table.spec.seats))] if self._table.game.hidden else [NOBODY]

    def scene(self, k: int, eyes: int = NOBODY) -> Scene:
        """Return the k-th scene; the same object as long as it is remembered."""
        eyes = eyes if eyes in self.eyes else self.eyes[0]
        found = self._kept.get((k, eyes))
        if found is None:
            row = self._rows[k] if k < len(self._rows) else self._draft
            found = self._kept[k, eyes] = self._told(k, self._drawn(row or self._rows[-1], eyes), eyes)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _drawn(self, row: Any, eyes: int) -> Scene:
        self._table.s.bytes[:] = row  # play has reached it: it needs no check
        return self._table.scene(eyes)

    def _told(self, k: int, scene: Scene, eyes: int) -> Scene:
        """Return a scene that tells what happened at every decision of its turn, not at the last one alone."""
        if self._steps is None or k >= len(self._rows):
            return scene
        events, before = list[Event](), tuple[Event, ...]()
        for row in self._steps(k)[:-1]:
            now = self._drawn(row.bytes, eyes).events
            events += now if now != before else ()
            before = now
        return replace(scene, events=(*events, *(scene.events if scene.events != before else ())))


def reel_of(replay: Replay) -> TableReel:
    """Return a record that was run again as a reel."""
    # What simultaneous orders come to happens at once, as the last one is given.
    steps = None if replay.game.spec.simultaneous else replay.steps
    reel = TableReel(replay.at(0), replay.record.agents, steps)
    for turn in range(replay.turns + 1):
        reel.add(replay.row(turn))
    reel.is_done = True
    return reel


class SceneReel:
    """Scenes that are there already."""

    is_done, eyes = True, (NOBODY,)

    def __init__(self, scenes: Sequence[Scene], names: Sequence[str] = ()) -> None:
        self.scenes, self.names = scenes, tuple(names)

    def __len__(self) -> int:
        return len(self.scenes)

    def scene(self, k: int, eyes: int = NOBODY) -> Scene:
        """Return the k-th scene."""
        return self.scenes[k]


def scenes_of(reel: Any) -> list[Scene]:
    """Return all scenes of a reel, as a spectator sees them."""
    return [reel.scene(k, NOBODY) for k in range(len(reel))]
