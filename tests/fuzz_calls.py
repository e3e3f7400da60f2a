"""Calls as somebody may make them: values of every kind at every entry of tables, batches, seats and environments."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.adapters.gymnasium import SeatEnv
from ludus.adapters.pettingzoo import env as turn_env
from ludus.adapters.vector import SeatVectorEnv
from ludus.core import LudusError
from ludus.engine import Batch, Reward, Table
from ludus.games import Game, load

GAMES = 4  # of a batch
Call = Callable[[Any], Any]


class Liar:
    """A number that is another one at every look, and says that it is a plain one."""

    __class__ = property(lambda self: int)  # type: ignore[assignment]

    def __init__(self) -> None:
        self.asked = 0

    def __index__(self) -> int:
        self.asked += 1
        return 0 if self.asked == 1 else 10**9

    def __lt__(self, other: object) -> bool:
        return False


class Thrower:
    """Something that raises whatever is asked of it."""

    def __index__(self) -> int:
        raise RuntimeError("no number")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no array")

    def __repr__(self) -> str:
        raise RuntimeError("no words")


class CallFuzzer:
    """Calls every entry of one game, uncompiled, with strange values; `taken` counts those that went through."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self.chance, self.taken = game, chance, 0
        self.table, self.batch = Table(game, 1, "pure"), Batch(game, GAMES, 1, "pure")
        self.seat = self.batch.seat(0, obs="none")
        self.single, self.turns = SeatEnv(game, device="pure", seed=1), turn_env(game, device="pure", seed=1)
        self.vector = SeatVectorEnv(game, GAMES, device="pure", seed=1)
        for env in (self.single, self.turns, self.vector):
            env.reset()

    def problem(self) -> str:
        """Call some entry with some value."""
        entries, values = self.entries(), self.values()
        return self.tried(self.chance.choice(list(entries)), self.chance.choice(values))

    def tried(self, entry: str, value: Any) -> str:
        """Call an entry with a value; return what is wrong with how that ended, or ""."""
        try:
            self.begin()
        except LudusError as error:
            return f"the game does not begin again before {entry}: {error}"
        before = self.positions()
        try:
            self.entries()[entry](value)
        except LudusError as error:
            said = f"{entry} with {type(value).__name__}: {error}"
            if not str(error).isprintable() or len(str(error)) > 2000:
                return f"a refusal that is not one plain line: {said}"
            return f"what was refused has changed something: {said}" if self.positions() != before else ""
        except Exception as error:
            return f"{entry} with {type(value).__name__}: {error!r:.300}"
        self.taken += 1
        return ""

    def begin(self) -> None:
        """Stand at the start of a game everywhere."""
        self.table.begin(1)
        self.seat.reset(seed=1)
        if self.table.bots:
            self.table = Table(self.game, 1, "pure")

    def positions(self) -> list[bytes]:
        """Return all that a refusal must leave alone: positions, chance, bots."""
        kept = [bytes(self.table.s.bytes), self.table.rng.tobytes(), repr(self.table.bots).encode()]
        for batch in (self.batch, self.vector.batch):
            kept += [batch.states.tobytes(), batch._buffers.rngs.tobytes(), repr(batch._seeds).encode()]
        for env in (self.single, self.turns):
            kept += [bytes(env.table.s.bytes), env.table.rng.tobytes()]
        return kept

    def entries(self) -> dict[str, Call]:
        """Return what can be called, by name."""
        return {**self.of_tables(), **self.of_batches(), **self.of_seats(), **self.of_environments()}

    def of_tables(self) -> dict[str, Call]:
        table, game = self.table, self.game
        names = ("begin", "load", "observe", "encode", "features", "frame", "scene", "apply", "check", "peek", "seat_bots")
        return {f"Table.{name}": getattr(table, name) for name in names} | {
            "Table.sample": table.sample,
            "Table.begin position": lambda value: table.begin(5, value),
            "Table.why_not": lambda value: (table.why_not(0, value), table.why_not(value, 0)),
            "Table.rule_id": lambda value: (table.rule_id(0, value), table.rule_id(value, 0)),
            "Table() device": lambda value: Table(game, 1, value),
            "Table() seed": lambda value: Table(game, value, "pure"),
            "load": load,
            "Game.parse": game.parse,
            "Game.parse_action": game.parse_action,
            "Game.parse_turn": game.parse_turn,
            "Game.view_of": game.view_of,
            "Spec.seat": game.spec.seat,
        }

    def of_batches(self) -> dict[str, Call]:
        batch, game, row = self.batch, self.game, self.table.s
        names = ("new", "load", "seed", "step", "observe", "encode", "features", "frames", "finish", "choose", "sound")
        return {f"Batch.{name}": getattr(batch, name) for name in names} | {
            "Batch.load which": lambda value: batch.load(row, value),
            "Batch.seed which": lambda value: batch.seed(5, value),
            "Batch.take index": lambda value: batch.take(batch, value),
            "Batch.take source": lambda value: batch.take(value, range(GAMES)),
            "Batch() frame": lambda value: Batch(game, 1, 1, "pure", frame=value),
            "Batch() seed": lambda value: Batch(game, GAMES, value, "pure"),
            "Batch() device": lambda value: Batch(game, 1, 1, value),
        }

    def of_seats(self) -> dict[str, Call]:
        seat, game, others = self.seat, self.game, self.game.spec.seats[1:]

        def played(**given: Any) -> None:
            new = Batch(game, GAMES, 1, "pure").seat(**{"seat": 0, "obs": "none", **given})
            new.reset()
            new.step([0] * GAMES)

        return {
            "Seat() seat": lambda value: played(seat=value),
            "Seat() bots": lambda value: played(bots=value),
            "Seat() bots by seat": lambda value: played(bots=dict.fromkeys(others, value)),
            "Seat() obs": lambda value: played(obs=value),
            "Seat() reward": lambda value: played(reward=value),
            "Seat.step": seat.step,
            "Seat.advice": seat.advice,
            "Seat.play_against": lambda value: (
                seat.play_against(value),
                seat.play_against("random"),
            ),  # later it may fail
            "Seat.reset seed": lambda value: seat.reset(seed=value),
            "Seat.reset positions": lambda value: seat.reset(seed=9, positions=value),
            "Seat.reset which": lambda value: seat.reset(seed=9, which=value),
        }

    def of_environments(self) -> dict[str, Call]:
        envs: dict[str, Any] = {"SeatEnv": self.single, "Env": self.turns, "SeatVectorEnv": self.vector}
        makers: dict[str, Any] = {"SeatEnv": SeatEnv, "SeatVectorEnv": SeatVectorEnv, "Env": turn_env}
        calls: dict[str, Call] = {"Env.observe": lambda value: self.turns.observe(value if isinstance(value, str) else "?")}
        for name, env in envs.items():
            calls[f"{name}.reset seed"] = lambda value, env=env: env.reset(seed=value)
            calls[f"{name}.reset options"] = lambda value, env=env: env.reset(options=value)
            calls[f"{name}.reset position"] = lambda value, env=env: env.reset(seed=7, options={"position": value})
        for name, make in makers.items():
            for word in (
                "obs",
                "seed",
                "dtype",
                "reward",
                "render_mode",
                *(("seat", "opponents") if make is not turn_env else ()),
            ):
                calls[f"{name}() {word}"] = lambda value, make=make, word=word: make(self.game, device="pure", **{word: value})
        calls["SeatVectorEnv.reset mask"] = lambda value: self.vector.reset(options={"reset_mask": value})
        calls["SeatVectorEnv() mode"] = lambda value: SeatVectorEnv(self.game, device="pure", autoreset_mode=value)
        calls["SeatVectorEnv.step"] = self.vector.step
        return calls

    def values(self) -> list[Any]:
        """Return values of every kind, made anew: some change when they are looked at."""
        state, row = self.game.state_type, self.table.s.copy()
        overlapping = np.dtype({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [0, 2]})
        rows = [np.zeros(GAMES, kind) for kind in (state, state.newbyteorder(">"), overlapping, self.game.view_type, "V8")]
        rows += [np.zeros(shape, state) for shape in ((), 0, 2, (2, 2))] + [np.repeat(row.array, k) for k in (1, 2, GAMES)]
        numbers = [-1, 0, 1, 2**31, 2**63, 10**30, 1.5, float("nan"), True, np.int8(1), np.uint64(2**63), np.array(2), 1j]
        words = ["", "x", "0", "random", "any", "all", "self", "9" * 5000, "²", "\0", b"1", "planes", "human"]
        lists: list[Any] = [
            [],
            [0],
            [1, [2, 3]],
            [None],
            [[1]],
            ["random"],
            [10**30] * GAMES,
            [2**63 - 1, 1, 2, 3],
            [0] * GAMES,
        ]
        arrays = [np.array([1, 2]), np.zeros(GAMES, bool), np.zeros(GAMES, ">i4"), np.array(["random"] * GAMES)]
        arrays += [
            np.array([None] * GAMES),
            np.full(GAMES, 2**63, np.uint64),
            np.zeros((GAMES, 1)),
            np.array([["x"], [[1]]], object),
        ]
        mixes = [{"random": w} for w in (1, 0, -1, float("nan"), 10**400, "x")] + [
            {0: ["random"]},
            {0: {0: "random"}},
            {5: "x"},
        ]
        mixes += [{}, {"position": 5}, {"position": row}, {"x": 1}, {(1,): 1}, {None: 1}]
        policies = [lambda *seen, given=given: given for given in (None, [[1], [2, 3]], 1.5, "x", [-1] * GAMES)]
        rewards = [Reward("x"), Reward("outcome", discount="x"), Reward("outcome", potential=5), Reward("outcome", sees=[])]  # type: ignore[arg-type]
        rewards += [Reward(lambda before, after: "x"), Reward("outcome", potential=lambda views: np.zeros((2, 2)))]
        others = [
            None,
            object(),
            set(),
            range(GAMES),
            slice(1),
            iter([1]),
            (k for k in ()),
            Liar(),
            Thrower(),
            [Thrower()] * GAMES,
        ]
        return [*rows, row, *numbers, *words, *lists, *arrays, *mixes, *policies, *rewards, *others]
