"""Games of shards as examples: what the mover saw, what it could and did play in its own ids, and how it ended for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import BadRecord, LudusError, one_line
from ludus.engine import Table
from ludus.games import Game
from ludus.games.unit.original import PlayedGame
from ludus.school import Batch

PLAYERS = ("Player1", "Player2")


class Examples:
    """Examples in memory, and how they lie in a file: `states`, `policies` int64, `values` float32, and what was legal."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states: list[Any] = []
        self.policies: list[int] = []  # what was played
        self.values: list[float] = []  # from the mover's side
        self.legal: list[Any] = []  # ids
        self.likely: list[Any] = []  # what a search thought of each, or 1 for what was played

    def __len__(self) -> int:
        return len(self.policies)

    def add(self, state: Any, action: int, value: float, legal: Any, likely: Any) -> None:
        """Add one example."""
        self.states.append(state)
        self.policies.append(action)
        self.values.append(value)
        self.legal.append(legal)
        self.likely.append(likely)

    def spill(self, path: Path) -> None:
        """Write what is there to a file, as a whole, and forget it."""
        part = path.with_suffix(".tmp.npz")
        np.savez_compressed(
            part, states=np.stack(self.states), policies=np.array(self.policies, np.int64),
            values=np.array(self.values, np.float32), legal=np.concatenate(self.legal).astype(np.int32),
            likely=np.concatenate(self.likely).astype(np.float32), legal_counts=np.array([len(ids) for ids in self.legal]),
        )  # fmt: skip
        part.replace(path)
        self.__init__(self.game)  # type: ignore[misc]


def examples(game: Game, played: PlayedGame) -> Iterator[tuple[Any, int, float, Any, Any]]:
    """Play a game again by the rules and give an example a move; one that is refused, or another winner, is a BadRecord."""
    table, found = Table(game, 0, position=played.start), []
    own_of = np.argsort(game.own_ids, axis=1)
    for number, action in enumerate(played.actions):
        seat, state = table.seat, np.array(table.encode())
        legal = np.flatnonzero(table.own_mask())
        policy = (played.policies[number] if played.policies else None) or {action: 1.0}
        likely = np.zeros(game.spec.actions, np.float32)
        for rule_id, share in policy.items():
            likely[own_of[seat, rule_id]] = share
        found.append((seat, state, int(own_of[seat, action]), legal, likely[legal] / max(1e-9, likely[legal].sum())))
        try:
            table.apply(action)
        except LudusError as error:
            raise BadRecord(f"move {number}: {one_line(str(error), 100)}") from None
    outcome = table.result().outcome
    winner = next((name for name, value in zip(PLAYERS, outcome, strict=True) if value > 0), None)
    if played.winner != winner:
        raise BadRecord(f"the winner is {str(played.winner)[:40]!r}, but the moves say {winner!r}")
    for seat, state, action, legal, likely in found:
        yield state, action, float(outcome[seat]), legal, likely


def prepare(
    game: Game, games: Iterator[PlayedGame], folder: Path, batch: int, rng: Any, say: Callable[[str], None]
) -> dict[str, list[Path]]:
    """Split the examples of games 90 to 10 at random and spill them to files; return those of each part."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("train_shard_*.npz"), *folder.glob("test_shard_*.npz")]:
        old.unlink()
    parts, files, most = {"train": Examples(game), "test": Examples(game)}, {"train": [], "test": []}, max(200 * batch, 10_000)
    count = 0
    for played in games:
        try:
            some = list(examples(game, played))
        except LudusError as error:
            say(f"{one_line(played.game_id, 60)} is left out: {one_line(str(error), 120)}")
            continue
        count += 1
        for example in some:
            parts["test" if rng.random() < 0.1 else "train"].add(*example)
        for name, part in parts.items():
            if len(part) >= most:
                _spill(name, part, files, folder)
    for name, part in parts.items():
        if len(part):
            _spill(name, part, files, folder)
    say(f"{count} games, {sum(_count(path) for some in files.values() for path in some)} examples")
    return files


def batches(game: Game, files: Sequence[Path], size: int, rng: Any = None) -> Iterator[Batch]:
    """Give the examples of files in batches, shuffled within each file and by file if an rng is given."""
    for k in rng.permutation(len(files)) if rng is not None else range(len(files)):
        with np.load(files[k]) as kept:
            arrays = {name: kept[name] for name in kept.files}
        count, starts = len(arrays["policies"]), np.concatenate([[0], np.cumsum(arrays["legal_counts"])])
        order = rng.permutation(count) if rng is not None else np.arange(count)
        for first in range(0, count, size):
            where = order[first : first + size]
            mask = np.zeros((len(where), game.spec.actions), bool)
            policy = np.zeros(mask.shape, np.float32)
            for row, example in enumerate(where):
                ids = arrays["legal"][starts[example] : starts[example + 1]]
                mask[row, ids], policy[row, ids] = True, arrays["likely"][starts[example] : starts[example + 1]]
            value = arrays["values"][where]
            yield Batch(arrays["states"][where], mask, policy, np.stack([value, -value], 1))


def _spill(name: str, part: Examples, files: dict[str, list[Path]], folder: Path) -> None:
    path = folder / f"{name}_shard_{len(files[name])}.npz"
    part.spill(path)
    files[name].append(path)


def _count(path: Path) -> int:
    with np.load(path) as kept:
        return len(kept["policies"])
