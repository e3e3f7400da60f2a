"""The original's shards: Parquet or JSON lines with one game a row, its moves whole, compressed, or only counted.

What is added: each move has its `action_id`, and the `policy` of a search where one ran; the metadata have the version tag.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import time
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ludus.core import BadRecord, BadValue, LudusError, MissingExtra, UnknownName, one_line

from ..board import ATTACK, END_TURN, SIZES, VERTICES
from ..forms import id_of
from ..rules import apply
from .objects import PLAYERS, action_of, read_action, read_state, write_action, write_state

FORMATS = ("parquet", "jsonl")
MOVE_MODES = ("full", "compressed", "compact")
SPELLING = "v"  # of vertices, in self-play
TYPES = ("place", "infuse", "move", "attack", "pincer", "endTurn")
LARGEST_MOVES = 1 << 30  # bytes of one game's moves, unpacked; more is never read


@dataclass
class PlayedGame:
    """One game, as it is written and read."""

    start: Any  # a row
    actions: Sequence[Any]  # ids
    winner: str | None = None
    game_id: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    policies: Sequence[Mapping[int, float] | None] = ()  # by move, where a search ran: by action id
    opponent_type: str = "self"
    start_ms: int = 0
    end_ms: int = 0


def game_row(game: PlayedGame, mode: str = "compressed", is_trimmed: bool = False) -> dict[str, Any]:
    """Return a game as a row of a shard."""
    if mode not in MOVE_MODES:
        raise UnknownName("move mode", mode, MOVE_MODES)
    count, turns = len(game.actions), sum(action == END_TURN or action >= ATTACK for action in game.actions)
    moves, winner = _written_moves(game, is_trimmed or mode == "compact")
    row: dict[str, Any] = {"game_id": game.game_id, "winner": winner}
    text = json.dumps(moves, separators=(",", ":"))
    if mode == "compact":
        row["moves_count"] = count
    else:
        row["moves"] = gzip.compress(text.encode(), mtime=0) if mode == "compressed" else text
    schema = {"board_layout": list(SIZES), "num_vertices": VERTICES, "actions_supported": list(TYPES)}
    about = {**game.metadata, "game_schema": schema, "opponent_type": game.opponent_type}
    return row | {
        "initial_state": json.dumps(write_state(game.start, SPELLING), separators=(",", ":")),
        "metadata": json.dumps(about),
        "total_moves": count,
        "total_actions": count,
        "total_turns": turns,
        "avg_actions_per_turn": count / max(1, turns),
        "start_time": game.start_ms,
        "end_time": game.end_ms,
        "game_duration_ms": max(0, game.end_ms - game.start_ms),
        "timestamp": datetime.fromtimestamp(game.end_ms / 1000, UTC).isoformat(),
    }


def _written_moves(game: PlayedGame, is_trimmed: bool) -> tuple[list[dict[str, Any]], str | None]:
    """Return the moves of a game as the original wrote them, and who won."""
    moves, s, span = [], game.start.copy(), max(0, game.end_ms - game.start_ms)
    for number, action in enumerate(game.actions):
        move: dict[str, Any] = {
            "move_number": number,
            "player": PLAYERS[s.seat],
            "action": write_action(action, SPELLING),
            "action_id": action,
            "timestamp": game.start_ms + span * number // len(game.actions),
            "opponent_type": game.opponent_type,
        }
        if game.policies and (policy := game.policies[number]):
            move["policy"] = {str(key): round(value, 6) for key, value in policy.items()}
        before = None if is_trimmed else write_state(s, SPELLING)
        apply(s, action, None)
        if not is_trimmed:
            move |= {"state_before": before, "state_after": write_state(s, SPELLING)}
        moves.append(move)
    return moves, None if s.winner < 0 else PLAYERS[s.winner]


def write_shard(rows: Sequence[dict[str, Any]], folder: Path, form: str = "parquet") -> Path:
    """Write rows as one file, which is there as a whole or not at all; return its path."""
    if form not in FORMATS:
        raise UnknownName("shard format", form, FORMATS)
    if not rows:
        raise BadValue("a shard holds one game at least")
    folder.mkdir(parents=True, exist_ok=True)
    seconds = int(time.time())
    if form == "parquet":
        file = folder / f"shard_{seconds}_{uuid.uuid4().hex}.parquet"
        part = file.with_suffix(".parquet.tmp")
        _parquet().write_table(_table(rows), part, compression="snappy")
    else:
        number = sum(1 for _ in folder.glob("*.jsonl"))
        while (file := folder / f"shard_{seconds}_{number}.jsonl").exists():
            number += 1
        part = file.with_suffix(".jsonl.tmp")
        part.write_text("".join(json.dumps(_as_text(row)) + "\n" for row in rows), encoding="utf-8")
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(file)
    return file


def shard_files(folder: Path) -> list[Path]:
    """List every shard file of a folder: Parquet first, then JSON lines, each sorted."""
    return [*sorted(folder.glob("*.parquet")), *sorted(folder.glob("*.jsonl"))]


def read_games(files: Sequence[Path], say: Callable[[str], None] = print) -> Iterator[PlayedGame]:
    """Read the games of shard files; what cannot be read, or was there before, is named and left out."""
    seen: set[str] = set()
    for file in files:
        try:
            rows = list(_rows(file))
        except Exception as error:  # of pyarrow, of JSON, of the disk: whatever it is, the other files are read
            say(f"{one_line(str(file))} is left out: {one_line(str(error), 120)}")
            continue
        for number, row in enumerate(rows):
            try:
                game = read_game(row)
                if game.game_id and game.game_id in seen:
                    raise BadRecord(f"{one_line(game.game_id, 60)} was there before")
            except (LudusError, ValueError, KeyError, TypeError, AttributeError, OSError, zlib.error) as error:
                say(f"{one_line(str(file))}, game {number}, is left out: {one_line(str(error), 120)}")
                continue
            seen.add(game.game_id)
            yield game


def read_game(row: Mapping[str, Any]) -> PlayedGame:
    """Return the game of a row. Whether the moves are legal and lead to this winner is told when it is played again."""
    if row.get("moves") is None:
        raise BadRecord("it holds no moves, only their count")
    about = json.loads(row.get("metadata") or "{}")
    start = read_state(json.loads(row["initial_state"]), max_actions=int(about.get("max_actions", 500)))
    moves = _moves(row["moves"])
    actions = [id_of(read_action(move["action"])) for move in moves]
    if None in actions:  # what a pincer without its origins means only the position tells
        actions = _in_position(start, moves)
    if any(move.get("action_id", action) != action for move, action in zip(moves, actions, strict=True)):
        raise BadRecord("the number of a move is not that of its action")
    policies = [{int(k): float(v) for k, v in move["policy"].items()} if "policy" in move else None for move in moves]
    times = int(row.get("start_time") or 0), int(row.get("end_time") or 0)
    opponent = str(about.get("opponent_type", "self"))
    return PlayedGame(start, actions, row.get("winner"), str(row.get("game_id", "")), about, policies, opponent, *times)


def _in_position(start: Any, moves: list[dict[str, Any]]) -> list[int | None]:
    """Return the ids of moves by playing them, uncompiled."""
    s, actions = start.copy(), list[int | None]()
    for number, move in enumerate(moves):
        action, reason = action_of(s, move["action"])
        if action is None:
            raise BadRecord(f"move {number} is refused ({reason})")
        actions.append(action)
        apply(s, action, None)
    return actions


def _moves(moves: Any) -> list[dict[str, Any]]:
    """Unpack moves: bytes are gzipped JSON, in JSON lines as base64; any other text is JSON."""
    if isinstance(moves, str) and not moves.lstrip().startswith("["):
        moves = base64.b64decode(moves, validate=True)
    if isinstance(moves, bytes):
        unpacked = zlib.decompressobj(wbits=31)
        moves = unpacked.decompress(moves, LARGEST_MOVES)
        if not unpacked.eof:
            raise BadRecord("its moves are cut off, or too many")
    found = json.loads(moves)
    if not isinstance(found, list):
        raise BadRecord("its moves are no list")
    return found


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    if file.suffix == ".parquet":
        yield from _parquet().read_table(file).to_pylist()
    else:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield json.loads(line)


def _as_text(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as JSON can hold it."""
    return {key: base64.b64encode(value).decode() if isinstance(value, bytes) else value for key, value in row.items()}


def _table(rows: Sequence[dict[str, Any]]) -> Any:
    import pyarrow as pa

    kinds = {int: pa.int64(), float: pa.float64(), str: pa.string(), bytes: pa.binary(), type(None): pa.string()}
    schema = pa.schema([(name, kinds[type(value)]) for name, value in rows[0].items()])
    return pa.Table.from_pylist(list(rows), schema)


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("pyarrow, which reads and writes Parquet,", "school") from None
    return pyarrow.parquet
