"""`python -m self_play.main`: whole games of the current policy against itself, written as shards.

Without --batch-only it goes on until Ctrl-C or SIGTERM, then writes what is finished and ends.
"""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from ludus.core import BadValue, LudusError
from ludus.games.unit.original import FORMATS, MOVE_MODES, write_shard
from ludus.scale import workers

from .games import Settings, play_unit

log = logging.getLogger("self_play")
NOT_OFFERED = {
    "db_url": "there is no database writer; shards are files",
    "metrics_port": "metrics are not served; every batch is logged",
    "use_gpu_inference_server": "all games of a batch share one network anyway",
}


def parser() -> argparse.ArgumentParser:
    """Return the flags of the original."""
    flags = argparse.ArgumentParser(prog="python -m self_play.main", description=__doc__)
    add = flags.add_argument
    add("--file-writer", action="store_true", default=os.environ.get("ALLOW_FILE_WRITER") == "1", help="write shard files")
    add("--shard-format", choices=FORMATS, default="parquet")
    add("--shard-move-mode", choices=MOVE_MODES, default="compressed")
    add("--trim-states", action="store_true", help="leave states before and after each move out")
    add("--random-start", action="store_true", help="draw who begins")
    add("--shard-dir", type=Path, default=Path("shards/v1_model_data"))
    add("--use-model", action="store_true", help="choose moves with the network")
    add("--model-path", type=Path)
    add("--model-device", default="", help="cpu or cuda; default: cuda if there is one")
    add("--game-version", default=os.environ.get("GAME_VERSION", ""), help="a tag for each game's metadata")
    add("--shard-games", type=int, default=1024, help="games a file")
    add("--concurrent-games", type=int, default=32, help="games in flight in each worker")
    add("--games-per-batch", type=int, default=32)
    add("--batch-only", action="store_true", help="one batch, then end")
    add("--num-workers", type=int, default=os.cpu_count() or 1)
    add("--search-depth", type=int, default=4, help="recorded only")
    add("--exploration-rate", type=float, default=0.1, help="share of random moves")
    add("--temperature", type=float, default=1.0)
    add("--inference-batch-size", type=int, default=32, help="the games in flight decide it here")
    add("--inference-batch-timeout", type=float, default=0.02, help="nothing waits here")
    add("--use-gpu-inference-server", action="store_true")
    add("--board-layout", default="3,5,7,5,3")
    add("--metrics-port", type=int)
    add("--db-url", default=None)
    add("--dry-run", action="store_true", help="play, write nothing")
    add("--log-level", default="INFO")
    add("--seed", type=int, help="for the same games again; default: other games every time")
    return flags


def settings_of(words: argparse.Namespace) -> Settings:
    """Return what the games share, and say what cannot be had."""
    if words.use_model and not words.model_path:
        raise BadValue("--use-model needs --model-path FILE")
    if not words.file_writer and not words.dry_run:
        raise BadValue("there is no database to write to; add --file-writer, or --dry-run")
    for name, text in NOT_OFFERED.items():
        if getattr(words, name):
            log.warning("--%s: %s", name.replace("_", "-"), text)
    if words.use_model and not words.model_path.is_file():
        raise BadValue(f"there is no model {words.model_path}")
    layout = words.board_layout.replace(",", "")
    if not layout.isdecimal():
        raise BadValue(f"--board-layout is written 3,5,7,5,3, not {words.board_layout}")
    seed = words.seed if words.seed is not None else secrets.randbits(31)
    model = str(words.model_path.resolve()) if words.use_model else ""
    return Settings(
        int(layout), seed, words.random_start, model, words.exploration_rate, words.temperature, words.search_depth,
        words.game_version, words.shard_move_mode, words.trim_states, device_of(words) if model else "cpu",
    )  # fmt: skip


def device_of(words: argparse.Namespace) -> str:
    """Return on which device the network is asked: the one that is named, or a GPU if there is one."""
    import torch

    has_gpu = torch.cuda.is_available()
    if words.model_device.startswith("cuda") and not has_gpu:
        raise BadValue(f"--model-device {words.model_device}: torch sees no GPU here; use --model-device cpu")
    return words.model_device or ("cuda" if has_gpu else "cpu")


def generate(words: argparse.Namespace, batches: Iterator[int], games: int) -> int:
    """Play batches of so many games and write shards; return how many games were played."""
    settings, waiting, done = settings_of(words), list[dict[str, Any]](), 0
    size = max(1, min(words.concurrent_games, -(-games // max(1, words.num_workers))))
    pool = workers(play_unit, settings, jobs=max(1, words.num_workers), tell=log.warning)
    try:
        for batch in batches:
            begun, first = time.perf_counter(), batch * games
            units = [list(range(k, min(k + size, first + games))) for k in range(first, first + games, size)]
            rows: list[dict[str, Any]] = []
            for _, some in pool.run(units):
                rows += some
                waiting += some
                done += len(some)
            report(rows, time.perf_counter() - begun)
            while len(waiting) >= words.shard_games:
                flush(words, waiting[: words.shard_games])
                del waiting[: words.shard_games]
    except KeyboardInterrupt:
        log.info("stopped; what is finished is written")
    finally:
        pool.close()
        flush(words, waiting)
    return done


def flush(words: argparse.Namespace, rows: list[dict[str, Any]]) -> None:
    """Write rows as one file."""
    if rows and not words.dry_run:
        log.info("%d games in %s", len(rows), write_shard(rows, words.shard_dir, words.shard_format))


def report(rows: list[dict[str, Any]], seconds: float) -> None:
    """Log a batch: games, seconds, mean actions, who won, who began."""
    winners, games = Counter(row["winner"] for row in rows), max(1, len(rows))
    began = Counter(json_of(row)["starting_player"] for row in rows)
    shares = ", ".join(f"{name} {winners[name]} ({winners[name] / games:.0%})" for name in ("Player1", "Player2"))
    mean = sum(row["total_actions"] for row in rows) / games
    log.info(
        "%d games in %.1f s, %.2f games/s, %.1f actions a game; wins: %s; draws: %d; began: Player1 %d, Player2 %d",
        len(rows), seconds, len(rows) / max(seconds, 1e-9), mean, shares, winners[None], began[0], began[1],
    )  # fmt: skip


def json_of(row: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a row."""
    import json

    found: dict[str, Any] = json.loads(row["metadata"])
    return found


def interrupted(*_: Any) -> None:
    """Let SIGTERM end a run as Ctrl-C does."""
    raise KeyboardInterrupt


def main(arguments: list[str] | None = None) -> int:
    """Run it; wrong use is one line and status 2."""
    words = parser().parse_args(arguments)
    logging.basicConfig(level=words.log_level.upper(), format="%(asctime)s %(levelname)s %(message)s", force=True)
    signal.signal(signal.SIGTERM, interrupted)
    try:
        generate(words, iter(range(1)) if words.batch_only else count(), words.games_per_batch)
    except LudusError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
