"""How fast whole turns are: with the two scouts of the start, and with seven units a side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ludus.games import load

from .board import describe_new, recount
from .rules import open_turn
from .tables import HARVESTER, SCOUT, SEATS, SIZE, WARRIOR

EXTRA = (HARVESTER, HARVESTER, HARVESTER, HARVESTER, WARRIOR, SCOUT)  # more units in each corner
Measured = tuple[str, float, str, str]  # name, value, unit, what was counted
MAPS = 1024  # that are played, each as often as the batch is larger
ENDLESS = 1_000_000  # turns: no game ends while it is measured


def measure(device: str, batch_type: Any, rate: Callable[[Callable[[int], int]], float]) -> Iterator[Measured]:
    """Measure random legal orders, masks included; `rate(work)` says how much a second work(amount) gets done."""
    n = MAPS if device == "cpu" else 2**18
    for extra, name in (((), "turns_2_units"), (EXTRA, "turns_14_units")):
        batch = _batch(device, batch_type, n, extra)
        per_turn, orders = _describe(_batch("cpu", batch_type, MAPS, extra), 2 + 2 * len(extra))
        seen = f"{n} games, {orders:.1f} orders a turn"
        plain = rate(partial(_plain, batch, round(per_turn)))
        yield name, plain / per_turn, "turns/s", f"whole turns of random legal orders, masks and resolution included; {seen}"
        seeing = rate(partial(_observed, batch, round(per_turn)))
        yield f"{name}_observed", seeing / per_turn, "turns/s", f"the same, and both players' views once a turn; {seen}"


def _plain(batch: Any, per_turn: int, turns: int) -> int:
    """Play about so many turns in every game; return how many decisions were played in all."""
    return int(batch.play_random(turns * per_turn)[0])


def _observed(batch: Any, per_turn: int, turns: int) -> int:
    """Play turns with both views taken after each; return how many decisions were played in all."""
    played = 0
    for _ in range(turns):
        played += batch.play_random(per_turn)[0]
        for seat in range(SEATS):
            batch.observe(seat)
    return played


def _describe(batch: Any, decisions: int) -> tuple[float, float]:
    """Return how many decisions and how many orders a turn has: `done` and picks are decisions, too."""
    played, _ = batch.play_random(40 * decisions)
    fresh = batch.states[(batch.states["seat"] == 0) & (batch.states["orders"][:, 0] == 0)]
    return played / int(batch.states["turn"].sum()), float(fresh["last_orders"].sum(axis=1).mean())


def _batch(device: str, batch_type: Any, n: int, extra: tuple[int, ...]) -> Any:
    """Return games with more units in both corners."""
    game = load("quantum_harvest", max_turns=ENDLESS)
    batch, some = batch_type(game, n, 1, device), batch_type(game, MAPS, 1)
    rows = np.array(some.states).view(np.recarray)
    for s in rows if extra else ():
        for seat in range(SEATS):
            for k, kind in enumerate(extra, 1):
                describe_new(s, seat, k, kind, k, seat * (SIZE - 1), seat * (SIZE - 1))
                s.unit_born[seat, k] = SEATS * k + seat
            s.units[seat] = s.next_id[seat] = 1 + len(extra)
        s.births = SEATS * (1 + len(extra))
        recount(s)
        open_turn(s, 0)
    batch.load(np.tile(rows, n // MAPS))
    return batch
