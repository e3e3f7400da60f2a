"""How fast whole turns are: with the two scouts of the start, and with seven units a side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ludus.games import load

from .board import describe_new, recount
from .rules import open_turn
from .tables import HARVESTER, SCOUT, SEATS, SIZE, WARRIOR

EXTRA = (HARVESTER, HARVESTER, HARVESTER, HARVESTER, WARRIOR, SCOUT)  # more units in each corner
Measured = tuple[str, float, str, str]  # name, value, unit, what was counted
ENDLESS = 1_000_000  # turns: no game ends while it is measured


def measure(device: str, batch_type: Any, rate: Callable[[Callable[[int], int]], float]) -> Iterator[Measured]:
    """Measure random legal orders, masks included; `rate(work)` says how much a second work(amount) gets done."""
    n = 1024 if device == "cpu" else 2**18
    for extra, name in (((), "turns_2_units"), (EXTRA, "turns_14_units")):
        batch = _batch(device, batch_type, n, extra)
        decisions = 2 + 2 * len(extra)  # about a turn
        seen = f"{n} games, {_orders(batch, decisions):.1f} orders a turn"
        turns = rate(lambda steps, batch=batch, d=decisions: _turns(batch, steps, d, observed=False))  # type: ignore[misc]
        yield name, turns, "turns/s", f"whole turns of random legal orders, masks and resolution included; {seen}"
        turns = rate(lambda steps, batch=batch, d=decisions: _turns(batch, steps, d, observed=True))  # type: ignore[misc]
        yield f"{name}_observed", turns, "turns/s", f"the same, and both players' views once a turn; {seen}"


def _turns(batch: Any, amount: int, decisions: int, observed: bool) -> int:
    """Play about `amount` turns in every game; return how many were played in all."""
    before = _turn_count(batch)
    if not observed:
        batch.play_random(amount * decisions)
    else:
        for _ in range(amount):
            batch.play_random(decisions)
            for seat in range(SEATS):
                batch.observe(seat)
    return _turn_count(batch) - before


def _turn_count(batch: Any) -> int:
    return int(np.asarray(batch._backend.to_host(batch.states))["turn"].sum())


def _orders(batch: Any, decisions: int) -> float:
    """Return how many orders a turn has: `done` and picks are decisions, too."""
    batch.play_random(20 * decisions)
    states = np.asarray(batch._backend.to_host(batch.states))
    fresh = states[(states["seat"] == 0) & (states["orders"][:, 0] == 0)]
    return float(fresh["last_orders"].sum(axis=1).mean())


def _batch(device: str, batch_type: Any, n: int, extra: tuple[int, ...]) -> Any:
    """Return games with more units in both corners."""
    game = load("quantum_harvest", max_turns=ENDLESS)
    batch = batch_type(game, n, 1, device)
    rows = np.array(batch._backend.to_host(batch.states)).view(np.recarray)
    for s in rows if extra else ():
        for seat in range(SEATS):
            for k, kind in enumerate(extra, 1):
                describe_new(s, seat, k, kind, k, seat * (SIZE - 1), seat * (SIZE - 1))
                s.unit_born[seat, k] = SEATS * k + seat
            s.units[seat] = s.next_id[seat] = 1 + len(extra)
        s.births = SEATS * (1 + len(extra))
        recount(s)
        open_turn(s, 0)
    batch.load(rows)
    return batch
