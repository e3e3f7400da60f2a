"""The same on every device: uncompiled, compiled, CUDA and WebAssembly leave equal values, in whole games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ludus.core import Row, plain
from ludus.engine import Batch, Table, compiled_bots
from ludus.games import Game

from .breach import CheckFailed, fail
from .compare import same
from .judge import Judge
from .play import Course

LONG = 200_000  # decisions after which a random game is taken for endless
MOST = 20_000  # decisions that are played again on another device
SEEN, LOADED = 2500, 64  # positions that are looked at, all in all and together
LATE = 60_000  # decisions of games that are too long to be played uncompiled


def compare_devices(game: Game, one: str, other: str, games: int, steps: int = 60, seed: int = 1) -> str:
    """Play the same actions on two devices and compare every array, field by field."""
    first, second = Batch(game, games, seed, one), Batch(game, games, seed, other)
    chance = np.random.default_rng(seed)
    values = 0
    for step in range(steps):
        for seat in range(-1, 1) if step % 8 == 7 else ():  # spectators and the first seat; views are overwritten on the way
            frames = first.host(first.frames(seat)), second.host(second.frames(seat))
            values += same(*frames, f"{one} and {other}, step {step}: frames({seat})")
        pairs = {
            "states": (first.states, second.states), "legal": (first.legal(), second.legal()),
            "encode": (first.encode(), second.encode()), "observe": (first.observe(), second.observe()),
            "digest": (first.digest(), second.digest()),
        }  # fmt: skip
        if game.spec.features:
            pairs["features"] = first.features(), second.features()
        pairs |= dict(zip(("status", "outcome", "points"), zip(first.result(), second.result(), strict=True), strict=True))
        if step:
            for name in ("rewards", "done", "final_outcomes", "final_views"):
                pairs[name] = getattr(first, name), getattr(second, name)
        for name, (a, b) in pairs.items():
            values += same(first.host(a), second.host(b), f"{one} and {other}, step {step}: {name}")
        actions = _random_actions(chance, np.asarray(first.host(first.legal())))
        first.step(actions)
        second.step(actions)
    return f"{values} values equal"


def compare_seat(game: Game, one: str, other: str, games: int, decisions: int = 50, seed: int = 1) -> str:
    """Play the last seat from outside, against random bots, on two devices, and compare all that it is shown."""
    batches = [Batch(game, games, seed, device) for device in (one, other)]
    told = ("planes", "features") if game.spec.features else ("planes",)
    obs = "both" if game.spec.features else "planes"
    seats = [batch.seat(len(game.spec.seats) - 1, obs=obs, reward="points") for batch in batches]
    shown = [seat.reset() for seat in seats]
    chance, values = np.random.default_rng(seed), 0
    for decision in range(decisions):
        pairs = {"states": (batches[0].states, batches[1].states)}
        pairs |= {name: (getattr(shown[0], name), getattr(shown[1], name)) for name in (*told, "mask", "seat")}
        if decision:
            pairs |= {name: (getattr(shown[0], name), getattr(shown[1], name)) for name in ("reward", "done")}
            for name in ("replaced", "rewards", "final_outcomes", "final_points", *(f"final_{name}" for name in told)):
                pairs[name] = getattr(seats[0], name), getattr(seats[1], name)
        for name, (a, b) in pairs.items():
            hosts = batches[0].host(a), batches[1].host(b)
            values += same(*hosts, f"{one} and {other}, decision {decision} of the last seat: {name}")
        actions = _random_actions(chance, np.asarray(batches[0].host(shown[0].mask)))
        actions[chance.random(games) < 0.1] = 0  # which may be illegal, and is replaced then
        shown = [seat.step(actions) for seat in seats]
    return f"{values} values equal"


def compare_courses(judge: Judge, courses: list[Course], device: str) -> str:
    """Play whole games once more on another device and compare every value with what the uncompiled rules left."""
    values, left = 0, MOST
    for course in courses:
        values += _compare_course(judge, course, device, left)
        left = max(0, left - len(course.actions))
    every = max(3, sum(len(course.rows) for course in courses) // SEEN)
    looked_at = [
        (f"{course.name}, decision {number}", cells)
        for course in courses
        for number, cells in enumerate(course.rows)
        if number % every == 0 or number >= len(course.actions) - 1
    ]
    for first in range(0, len(looked_at), LOADED):
        values += _compare_positions(judge.game, looked_at[first : first + LOADED], device)
    return f"{values} values equal"


def _compare_course(judge: Judge, course: Course, device: str, most: int) -> int:
    """Play a course again, for so many decisions: rows must be equal, and bots play the same."""
    game, values = judge.game, 0
    batch = Batch(game, 1, [course.seed], device, restart=False)
    bots = [name or "random" for name in course.players]
    for number, cells in enumerate(course.rows[: most + 1]):
        row, came = np.frombuffer(cells, game.state_type), np.asarray(batch.host(batch.states))
        where = f"uncompiled and {device} differ, {course.name}, decision {number}"
        values += row.nbytes if row.tobytes() == came.tobytes() else same(row, came, f"{where}: State")
        if number == min(most, len(course.actions)):
            break
        action, seat = course.actions[number], course.seats[number]
        if course.players[seat]:
            own = int(batch.host(batch.choose(bots))[0])
            chosen = int(game.own_ids[seat][own]) if 0 <= own < game.spec.actions else own
            if chosen != action:
                fail(
                    f"bots.py: {course.players[seat]} plays {action} uncompiled and {chosen}"
                    f" on {device} ({course.name}, decision {number})"
                )
        batch.step([int(np.flatnonzero(game.own_ids[seat] == action)[0])])
    return values


def _compare_positions(game: Game, looked_at: list[tuple[str, bytes]], device: str) -> int:
    """Look at positions, each with its place in words, with every verb that only looks, uncompiled and on a device."""
    rows = np.frombuffer(b"".join(cells for _, cells in looked_at), game.state_type)
    batch, values = Batch(game, len(rows), 0, device), 0
    batch.load(rows)
    uncompiled = [_looks(game, plain(rows[k : k + 1].copy())) for k in range(len(rows))]
    status, outcome, points = (np.array(batch.host(array)) for array in batch.result())
    came = {
        "the mask of legal": batch.legal(), "View": batch.observe(), "the status of result": status,
        "the outcome of result": outcome, "the points of result": points, "the digest": batch.digest(),
    }  # fmt: skip
    came = {what: np.array(batch.host(array)) for what, array in came.items()}  # views are overwritten by what follows
    came["the planes of encode"] = np.asarray(batch.host(batch.encode()))
    if game.spec.features:
        came["the numbers of features"] = np.asarray(batch.host(batch.features()))
    for what, array in came.items():
        wanted = np.concatenate([looks[what] for looks in uncompiled])
        try:
            values += same(wanted, array, what)
        except CheckFailed:  # say where
            for k, (place, _) in enumerate(looked_at):
                same(wanted[k : k + 1], array[k : k + 1], f"uncompiled and {device} differ, {place}: {what}")
    return values


def _looks(game: Game, row: Row) -> dict[str, Any]:
    """Return what the uncompiled verbs tell of a position, each as an array [1, …]; rows are plain ones, which is faster."""
    spec, verbs, seats = game.spec, game.verbs, len(game.spec.seats)
    mask, planes = np.zeros(8 * -(-spec.actions // 8), np.int8), np.zeros((1, *spec.planes), spec.plane_type)
    outcome, points = np.zeros((1, seats), np.float32), np.zeros((1, seats))
    numbers = np.zeros((1, len(spec.features)), np.float32)
    verbs.legal(row, mask)
    view = game.look(row, row.seat)
    verbs.encode(view, planes[0])
    if spec.features:
        game.features.fill(view, numbers[0])
    return {
        "the mask of legal": mask[None, game.own_ids[row.seat]], "View": view.array, "the planes of encode": planes,
        "the numbers of features": numbers, "the status of result": np.array([verbs.result(row, outcome[0], points[0])]),
        "the outcome of result": outcome, "the points of result": points,
        "the digest": np.array([game.digest(row)], np.uint64),
    }  # fmt: skip


def finished_courses(judge: Judge, device: str, games: int) -> list[Course]:
    """Play whole games by chance on a device, where uncompiled ones take too long to end, and keep some of their rows."""
    game, left, found = judge.game, LATE, []
    table = Table(game, 0, device)
    for seed in range(games):
        table.begin(300 + seed)
        chance, course = np.random.default_rng(seed), Course(300 + seed, ("",) * len(game.spec.seats))
        while not table.over and len(course.rewards) < left:
            course.seats.append(table.seat)
            table.apply(int(chance.choice(table.legal())))
            course.rewards.append(table.s.last_reward.tolist())
            if len(course.rewards) % 500 == 0:
                course.rows.append(bytes(table.s.bytes))
        left -= len(course.rewards)
        course.rows.append(bytes(table.s.bytes))
        result = table.result()
        course.status, course.outcome, course.points = result.status, np.array(result.outcome), np.array(result.points)
        found.append(course)
    return found


def check_ends(game: Game, games: int) -> str:
    """random games end, and so do those of bots; the strongest bot is not weaker than chance."""
    batch = Batch(game, 4 * games, 3, restart=False)
    lengths = batch.finish_random()
    if (batch.result()[0] == 0).any():
        fail(f"rules.py: a random game goes on after {lengths.max()} decisions: games must end, by a limit at least")
    bots = [bot for bot in compiled_bots(game) if bot != "random"]
    seats = len(game.spec.seats)
    for bot in bots:
        batch = Batch(game, games, 4)
        batch.finish([bot] * seats)
        if (batch.result()[0] == 0).any():
            fail(f"bots.py: games between {bot} bots do not end")
    if bots and game.has("bots") and list(game.part("bots").BOTS)[-1] == bots[-1]:
        _check_strength(game, bots[-1])
    return f"{4 * games} random games, {int(lengths.mean())} decisions on average, {int(lengths.max())} at most"


def _check_strength(game: Game, bot: str) -> None:
    """Let the strongest bot sit on one side after the other, against chance."""
    spec, scores = game.spec, []
    for side in sorted({spec.side(seat) for seat in range(len(spec.seats))}):
        mine = [spec.side(seat) == side for seat in range(len(spec.seats))]
        batch = Batch(game, 64, 5, restart=False)
        batch.finish([bot if is_mine else "random" for is_mine in mine])
        outcome = batch.result()[1]
        scores.append(float(outcome[:, mine].mean() - outcome[:, [not m for m in mine]].mean()) if not all(mine) else 0.0)
    if scores and np.mean(scores) < -0.4:
        fail(
            f"bots.py: BOTS are listed weak to strong, but {bot} loses to random play ({np.mean(scores) / 2:+.2f} on average):"
            " is the bot wrong, or who wins in result?"
        )


def positions(game: Game, games: int, device: str = "cpu", seed: int = 7, every: int = 5) -> Iterator[Any]:
    """Give positions of whole random games as rows: every fifth of a short game, fewer of a long one, and each last one."""
    table, chance = Table(game, seed, device), np.random.default_rng(seed)
    for _ in range(games):
        table.begin()
        for move in range(LONG):
            if move % max(every, move // 40) == 0:
                yield table.s.copy()
            if table.over:
                break
            table.apply(int(chance.choice(table.legal())))
        yield table.s.copy()


def speed(game: Game, device: str) -> str:
    """Measure random legal play."""
    n, steps = (4, 100) if device == "pure" else (4096, 200)
    batch = Batch(game, n, 0, device)
    batch.play_random(1)
    started = time.perf_counter()
    played, _ = batch.play_random(steps)
    return f"{played / (time.perf_counter() - started):,.0f} random decisions a second"


def _random_actions(chance: np.random.Generator, masks: Any) -> Any:
    """Draw a legal action in each row."""
    return (masks * (1 + chance.random(masks.shape))).argmax(axis=1).astype(np.int32)


__all__ = ["CheckFailed", "check_ends", "compare_courses", "compare_devices", "compare_seat", "positions", "speed"]
