"""Checks for authors of games and bots: `check_game("name")` holds a game to the contract, on every backend present.

Each check is a function that plays and compares; the first breach is a CheckFailed that says what came.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np

from ludus.agents import make_agent
from ludus.agents.files import last_line
from ludus.arena.match import Match
from ludus.core import LudusError, Scene, streams
from ludus.engine import Batch, Table
from ludus.engine.kernels import compiled_bots
from ludus.games import Game, load

VIEW_NAMES = ("scene", "text", "parse", "action_name", "parse_action", "public", "why_not")
VERBS = ("new", "legal", "apply", "observe", "encode", "result")
LONG = 200_000  # decisions after which a random game is taken for endless
GARBAGE = 0x5A


class CheckFailed(LudusError):
    """A game or a bot does not keep the contract."""


def check_game(
    name: str,
    devices: tuple[str, ...] = ("pure", "cpu"),
    games: int = 8,
    say: Callable[[str], None] = lambda line: None,
    **options: Any,
) -> None:
    """Hold a game to the contract; raise at the first breach, `say` what was checked."""
    game = load(name, **options)
    checks = [_contract, _whole_rows, _masks_and_ends, _same_seed, _texts, _copies, _every_id, _bots]
    if game.hidden:
        checks.append(_no_leaks)
    if game.spec.own_ids:
        checks.append(_turned)
    if game.spec.no_setup:
        raise LudusError(f"{game.spec.title} cannot be checked here: {game.spec.no_setup}")
    for check in checks:
        try:
            say(f"{(check.__doc__ or '').rstrip('.')}: {check(game, games)}")
        except LudusError:
            raise
        except Exception as error:
            raise CheckFailed(f"{(check.__doc__ or '').rstrip('.')}: {last_line(error)}") from error
    for device in devices:
        if device != "pure":
            say(f"pure = {device}: {compare_devices(game, 'pure', device, games)}")
    for device in devices:
        say(f"speed on {device}: {_speed(game, device)}")


def compare_devices(game: Game, one: str, other: str, games: int, steps: int = 60, seed: int = 1) -> str:
    """Play the same actions on two devices and compare every array, field by field."""
    first, second = Batch(game, games, seed, one), Batch(game, games, seed, other)
    chance = np.random.default_rng(seed)
    values = 0
    for step in range(steps):
        pairs = [(first.states, second.states), (first.legal(), second.legal()), (first.encode(), second.encode())]
        pairs += [(first.observe(), second.observe()), *zip(first.result(), second.result(), strict=True)]
        if step:
            pairs += [(first.rewards, second.rewards), (first.done, second.done)]
            pairs += [(first.final_outcomes, second.final_outcomes), (first.final_views, second.final_views)]
        for a, b in pairs:
            values += same(first._backend.to_host(a), second._backend.to_host(b), f"step {step}, {one} and {other}")
        actions = _random_actions(chance, np.asarray(first._backend.to_host(first.legal())))
        first.step(actions)
        second.step(actions)
    return f"{values} values equal"


def compare_seat(game: Game, one: str, other: str, games: int, decisions: int = 50, seed: int = 1) -> str:
    """Play the last seat from outside, against random bots, on two devices, and compare all that it is shown."""
    last, batches = len(game.spec.seats) - 1, [Batch(game, games, seed, device) for device in (one, other)]
    for batch in batches:
        batch.set_bots(["random"] * last + [None])
        batch.enter(last)
    chance, values = np.random.default_rng(seed), 0
    for decision in range(decisions):
        fields = ["states", "planes", "turned_masks", "counts"]
        if decision:
            fields += ["rewards", "done", "replaced", "final_outcomes", "final_points", "final_planes"]
        for field in fields:
            a, b = (batch._backend.to_host(getattr(batch.desk, field)) for batch in batches)
            values += same(a, b, f"decision {decision}, {one} and {other}, {field}")
        masks = np.asarray(batches[0]._backend.to_host(batches[0].desk.turned_masks))
        actions = _random_actions(chance, masks)
        actions[chance.random(games) < 0.1] = 0  # which may be illegal, and is replaced then
        for batch in batches:
            batch.face(actions, last)
    return f"{values} values equal"


def same(a: Any, b: Any, where: str) -> int:
    """Compare two arrays, records field by field (aligned rows have gaps); return how many values."""
    if a.dtype.names:
        return sum(same(a[field], b[field], f"{where}, {field}") for field in a.dtype.names)
    if a.shape != b.shape or not np.array_equal(a, b):
        spot = np.argwhere(np.asarray(a != b))[0] if a.shape == b.shape else "shape"
        raise CheckFailed(f"{where} differ at {spot}: {a} against {b}")
    return int(a.size)


def positions(game: Game, games: int, device: str = "cpu", seed: int = 7, every: int = 5) -> Iterator[Any]:
    """Give positions of random play as rows, some of each game."""
    table = Table(game, seed, device)
    chance = np.random.default_rng(seed)
    for _ in range(games):
        table.new()
        for move in range(LONG):
            if move % every == 0:
                yield table.s.copy()
            if table.over or move > 60 * every:
                break
            table.apply(int(chance.choice(table.legal())))
        yield table.s.copy()


def check_bot(name: str, bot: Any, games: int = 10, say: Callable[[str], None] = lambda line: None, **options: Any) -> None:
    """Play a bot in every seat against random ones; the first fault is a CheckFailed."""
    _play_bot(load(name, **options), bot, games, say)


def _play_bot(game: Game, bot: Any, games: int, say: Callable[[str], None] = lambda line: None) -> None:
    for seat, seat_name in enumerate(game.spec.seats):
        started = time.perf_counter()
        for number in range(games):
            agents: list[Any] = ["random"] * len(game.spec.seats)
            agents[seat] = bot
            played = Match(Table(game, number), [make_agent(game, agent) for agent in agents], number).finish()
            for fault in played.faults:
                raise CheckFailed(f"as {seat_name}, game {number}, decision {fault.decision}: {fault.kind}: {fault.text}")
        say(f"{seat_name}: {games} games without a fault in {time.perf_counter() - started:.1f} s")


def _contract(game: Game, games: int) -> str:
    """rows, verbs and facts are as the engine needs them."""
    spec, state = game.spec, game.state_type
    for verb in VERBS:
        if not callable(getattr(game.rules, verb, None)):
            raise CheckFailed(f"rules.py has no function {verb}")
    fields: dict[str, Any] = dict(state.fields or {})
    wanted = ["seat", "last_reward", *(f"opt_{option.name}" for option in spec.options)]
    for field in wanted:
        if field not in fields:
            raise CheckFailed(f"State has no field {field}")
    if fields["last_reward"][0].shape != (len(spec.seats),):
        raise CheckFailed("State.last_reward must have one number a seat")
    for name, (dtype, *_) in (*fields.items(), *(game.view_type.fields or {}).items()):
        if dtype.base.kind in "bfc" or dtype.base == np.dtype("?"):
            raise CheckFailed(f"the field {name} is {dtype.base}; rows hold whole numbers only")
    if game.hidden and not hasattr(game.rules, "sample"):
        raise CheckFailed("a game with hidden information needs sample(view, s, rng)")
    return f"row of {state.itemsize} bytes, view of {game.view_type.itemsize}, {spec.actions} actions"


def _whole_rows(game: Game, games: int) -> str:
    """new writes every field but the options, observe every field of a view."""
    rules, values = game.verbs, 0
    for seed in range(games):
        rows = game.empty(2)
        rows[1:].view(np.uint8)[:] = GARBAGE
        for option in game.spec.options:
            rows[1][f"opt_{option.name}"] = game.options[option.name]
        for row in rows:
            rules.new(row, streams(seed, 1)[0])
        values += same(rows[0:1], rows[1:2], "rows after new")
        for seat in range(len(game.spec.seats)):
            views = np.zeros(2, game.view_type).view(np.recarray)
            views[1:].view(np.uint8)[:] = GARBAGE
            for view in views:
                rules.observe(rows[0], seat, view)
            values += same(views[0:1], views[1:2], "views after observe")
    return f"{values} values equal"


def _masks_and_ends(game: Game, games: int) -> str:
    """the mask is never empty while a game runs and zero after, and games end."""
    batch = Batch(game, games, 3, restart=False)
    lengths = batch.finish_random()
    status, outcomes, _ = batch.result()
    if (status == 0).any():
        raise CheckFailed(f"a random game goes on after {lengths.max()} decisions")
    if not (np.abs(outcomes) <= 1).all():
        raise CheckFailed(f"outcomes must be in -1 to 1: {outcomes}")
    if batch.legal().any() or batch.counts().any():
        raise CheckFailed("actions are marked after the end")
    decisions = 0
    for row in positions(game, games):
        table = Table(game, position=row)
        marked, status_now = np.flatnonzero(table.mask if table.legal() else []), table.result().status
        if table.legal() != marked.tolist() or (status_now == 0) == table.over:
            raise CheckFailed(f"legal returned {table._count[0]} and marked {marked}, result says {status_now}")
        decisions += 1
    return f"{games} games, {int(lengths.mean())} decisions on average; {decisions} positions"


def _same_seed(game: Game, games: int) -> str:
    """the same seed gives the same fields, another seed others."""
    batches = [Batch(game, games, seed) for seed in (5, 5, 6)]
    for batch in batches:
        batch.play_random(50)
    same(batches[0].states, batches[1].states, "two batches of one seed")
    try:
        same(batches[0].states, batches[2].states, "")
    except CheckFailed:
        return f"{games} games"
    raise CheckFailed("seeds 5 and 6 gave the same games")


def _texts(game: Game, games: int) -> str:
    """positions, scenes, views and actions survive their text forms."""
    view, count = game, 0
    buffer = np.zeros(1, game.view_type).view(np.recarray)[0]
    for row in positions(game, games):
        parsed = view.parse(view.text(row)).array[0]
        same(np.array([row]), np.array([parsed]), f"text form\n{view.text(row)}")
        for seat in range(-1, len(game.spec.seats)):
            scene = view.scene(row, seat)
            if msgspec.json.decode(msgspec.json.encode(scene), type=Scene) != scene:
                raise CheckFailed(f"a scene changes on its way through JSON: {scene}")
            if seat >= 0:
                game.verbs.observe(row, seat, buffer)
                shown = view.public(buffer)
                if msgspec.json.decode(msgspec.json.encode(shown)) != shown:
                    raise CheckFailed(f"public(view) is no plain JSON: {shown}")
        count += 1
    for action in range(game.spec.actions):
        if view.parse_action(view.action_name(action)) != action:
            raise CheckFailed(f"action {action} is written {view.action_name(action)!r}, which reads as another")
    return f"{count} positions, {game.spec.actions} actions"


def _copies(game: Game, games: int) -> str:
    """a copy goes its own way."""
    batch = Batch(game, games, 9)
    copied, before = batch.copy(), np.array(batch.states)
    copied.play_random(20)
    same(before.view(np.recarray), batch.states, "a batch whose copy was played")
    batch.play_random(20)
    same(batch.states, copied.states, "a batch and its copy after the same play")
    return f"{games} games"


def _every_id(game: Game, games: int) -> str:
    """apply leaves a game that still runs or has ended, whatever id it may be given."""
    if game.spec.refuses:
        return "the border refuses what is not legal"
    table, chance = Table(game, 2, "pure"), np.random.default_rng(2)
    for _ in range(40 * games):
        if table.over:
            table.new()
        table.apply(int(chance.integers(game.spec.actions)))
        table.result()
    return f"{40 * games} ids"


def _bots(game: Game, games: int) -> str:
    """built-in bots play to the end, and only what is legal."""
    bots = game.bots if game.has("bots") else {}
    for bot in bots:
        _play_bot(game, bot, 1)
        if bot not in compiled_bots(game):
            continue
        batch = Batch(game, games, 4)
        batch.finish([bot] * len(game.spec.seats))
        if (batch.result()[0] == 0).any():
            raise CheckFailed(f"games between {bot} bots do not end")
    return ", ".join(bots) or "none"


def _no_leaks(game: Game, games: int) -> str:
    """positions with equal views have equal masks, and bots play the same in them."""
    rules, count = game.verbs, 0
    view, other = np.zeros(2, game.view_type).view(np.recarray)
    rows, masks = game.empty(2), np.zeros((2, 8 * -(-game.spec.actions // 8)), np.int8)
    for number, row in enumerate(positions(game, games)):
        for seat in range(len(game.spec.seats)):
            rows[0:1] = np.array([row])
            rules.observe(rows[0], seat, view)
            for name in game.state_type.names or ():  # the options are known to everybody
                rows[1][name] = rows[0][name] if name.startswith("opt_") else 0
            rules.sample(view, rows[1], streams(number, 1)[0])
            rules.observe(rows[1], seat, other)
            same(np.array([view]), np.array([other]), f"view of seat {seat} and of a sampled position")
            if rows[0].seat == seat:
                masks[:] = 0
                rules.legal(rows[0], masks[0]), rules.legal(rows[1], masks[1])
                same(masks[0], masks[1], f"masks of seat {seat} in two positions with equal views")
            count += 1
    return f"{count} views"


def _turned(game: Game, games: int) -> str:
    """a position and its twin, seats exchanged, look the same to the seats to move."""
    rules, turned, count = game.verbs, np.array(game.spec.own_ids), 0
    rows, view = game.empty(2), np.zeros(1, game.view_type).view(np.recarray)[0]
    for row in positions(game, games):
        rows[0:1] = np.array([row])
        game.rules.twin(rows[0], rows[1])
        shown = []
        for s in rows:
            planes = np.zeros(game.spec.planes, game.spec.plane_type)
            mask = np.zeros(8 * -(-game.spec.actions // 8), np.int8)
            rules.observe(s, int(s.seat), view)
            rules.encode(view, planes)
            rules.legal(s, mask)
            shown.append((planes, mask[turned[s.seat]]))
        same(shown[0][0], shown[1][0], "planes of a position and its twin")
        same(shown[0][1], shown[1][1], "masks, in turned ids, of a position and its twin")
        count += 1
    return f"{count} positions"


def _speed(game: Game, device: str) -> str:
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


__all__ = ["CheckFailed", "check_bot", "check_game", "compare_devices", "positions", "same"]
