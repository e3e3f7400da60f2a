"""What seats may not know: samples that fit a view, masks and bots that see no more, secret commitments."""

from __future__ import annotations

import numpy as np

from ludus.core import Row, streams

from .breach import CheckFailed, fail
from .compare import different
from .judge import LITTER, Judge
from .mutants import exercise
from .work import Budget


def check_samples(judge: Judge, rows: list[Row], amount: float) -> str:
    """positions with equal views have equal masks and frames, and can be played on."""
    budget, count = Budget(amount), 0
    is_other = is_varied = False
    for number, source in enumerate(rows):
        is_late = budget.is_spent()
        if is_late and is_other and is_varied:
            break
        for seat in range(len(judge.spec.seats)):
            row = judge.row(source)
            view = judge.observe(row, seat)
            samples = [_sampled(judge, row, view, seat, 3 * number + k) for k in range(2)]
            is_other = is_other or any(different(row, other) for other in samples)
            is_varied = is_varied or bool(different(*samples))
            if not is_late:  # a large game is looked at less often, and that is no reason to find fault
                _check_alike(judge, row, samples[0], seat)
            count += 1
    if not is_other:
        fail(f"{judge.at('sample')} gave the true position back for all of {count} views: it hides nothing, or knows too much")
    if not is_varied:
        fail(f"{judge.at('sample')} gives one position a view, whatever its chance: it must draw what the view does not tell")
    return f"{count} views"


def _sampled(judge: Judge, row: Row, view: Row, seat: int, seed: int) -> Row:
    """Return a position that could be what a seat sees, held to that."""
    sample, made = judge.game.verbs.sample, []
    assert sample is not None
    for litter in (*LITTER, LITTER[0]):
        other, rng = judge.row(litter=litter), streams(seed, 1)[0]
        for option in judge.spec.options:
            other[f"opt_{option.name}"] = row[f"opt_{option.name}"]
        before = bytes(view.bytes)
        judge.call(f"sample from the view of {judge.spec.seats[seat]}", sample, view, other, rng)
        judge.check_untouched(judge.at("sample"), view, before)
        made.append(other)
    if field := different(made[0], made[2]):
        fail(f"{judge.at('sample')} draws another {field} from the same view and chance")
    if field := different(made[0], made[1]):
        fail(f"{judge.at('sample')} does not write the field {field}")
    other = made[0]
    if not judge.sound(other):
        fail(f"{judge.at('sample')} makes a position that sound refuses, from a view of {judge.spec.seats[seat]}")
    seen = judge.observe(other, seat)
    if field := different(view, seen):
        true, came = view.array[field][0].tolist(), seen.array[field][0].tolist()
        fail(
            f"{judge.at('sample')} makes a position that {judge.spec.seats[seat]} would see otherwise: View.{field} is {true},"
            f" then {came}; either sample is wrong or observe shows what is hidden"
        )
    return other


def _check_alike(judge: Judge, row: Row, other: Row, seat: int) -> None:
    """Hold two positions with equal views to look and feel the same to the seat."""
    name = judge.spec.seats[seat]
    mask, other_mask = judge.legal(row), judge.legal(other)
    if bool(mask.any()) != bool(other_mask.any()):
        fail(
            f"{judge.at('sample')} makes a position that {'is over' if mask.any() else 'goes on'},"
            f" from a view of {name} that says otherwise"
        )
    if row.seat == seat and not np.array_equal(mask, other_mask):
        action = int(np.flatnonzero(mask != other_mask)[0])
        fail(
            f"{judge.at('legal')} marks action {action} by something that {name} cannot"
            " see: two positions with equal views differ"
        )
    if field := different(*(judge.call("show", judge.game.frame, s, seat) for s in (row, other))):
        fail(f"scene.py: frame.{field} shows {name} something that its view does not hold")
    try:  # bots are asked there, too; to them the two positions are one: they are given the view
        exercise(judge, other, np.random.default_rng(seat), 8, words=False)
    except CheckFailed as breach:
        fail(f"{judge.at('sample')} makes a position that cannot be played on: {breach}")


def check_commitments(judge: Judge, rows: list[Row]) -> str:
    """in a simultaneous game a seat does not see what others have committed in the same turn."""
    count = 0
    for source in rows:
        row = judge.row(source)
        marked = np.flatnonzero(judge.legal(row))
        if len(marked) < 2:
            continue
        after = []
        for action in (marked[0], marked[len(marked) // 2], marked[-1]):
            other = judge.row(row)
            judge.apply(other, int(action), streams(3, 1)[0], whole=False)
            if other.turn == row.turn and not judge.result(other)[0]:
                after.append(other)
        others = [seat for seat in range(len(judge.spec.seats)) if seat != row.seat]
        seen = {seat: judge.observe(after[0], seat) for seat in others} if len(after) > 1 else {}
        for other in after[1:]:
            for seat in others if other.seat == after[0].seat else ():
                if field := different(seen[seat], judge.observe(other, seat)):
                    who = f"{judge.spec.seats[seat]} what {judge.spec.seats[row.seat]} has committed in the same turn"
                    fail(f"{judge.at('observe')} shows {who} (View.{field}), in a game whose SPEC says simultaneous")
                if seat == other.seat and not np.array_equal(judge.legal(after[0]), judge.legal(other)):
                    fail(
                        f"{judge.at('legal')} depends on what another seat has committed"
                        " in the same turn (SPEC says simultaneous)"
                    )
                count += 1
    if not count:
        fail(
            "rules.py: SPEC says simultaneous, but no seat ever commits while another of the same State.turn is still to decide"
        )
    return f"{count} views"


def check_twins(judge: Judge, rows: list[Row]) -> str:
    """a position and its twin, seats exchanged, look the same to the seats to move."""
    ids = judge.game.own_ids
    for source in rows:
        row, twin, untouched = judge.row(source), judge.row(), bytes(source.bytes)
        judge.call("twin", judge.game.rules.twin, row, twin)
        judge.check_untouched(judge.at("twin"), row, untouched)
        judge.check_seat("twin", twin)
        if not judge.sound(twin):
            fail(f"{judge.at('twin')} makes a position that sound refuses")
        if twin.seat == row.seat:
            fail(f"{judge.at('twin')} leaves the move to the same seat")
        planes = [judge.encode(judge.observe(s, s.seat)) for s in (row, twin)]
        if not np.array_equal(*planes):
            spot = np.argwhere(planes[0] != planes[1])[0].tolist()
            fail(
                f"{judge.at('twin')}: the planes of a position and of its twin differ"
                f" at [channel, y, x] = {spot}: encode, or twin?"
            )
        numbers = [judge.features(judge.observe(s, s.seat)) for s in (row, twin) if judge.spec.features]
        for k in np.flatnonzero(numbers[0] != numbers[1])[:1] if numbers else ():
            fail(
                f"features.py: {judge.spec.features[k]!r} is {numbers[0][k]:g} in a position and {numbers[1][k]:g} in its twin:"
                " features are in the own frame of who looks"
            )
        masks = [judge.legal(s)[ids[s.seat]] for s in (row, twin)]
        if not np.array_equal(*masks):
            own = int(np.flatnonzero(masks[0] != masks[1])[0])
            fail(
                f"{judge.at('twin')}: own action {own} is legal in a position or in"
                " its twin, not in both: SPEC.own_ids, or twin?"
            )
    return f"{len(rows)} positions"
