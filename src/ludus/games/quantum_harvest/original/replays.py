"""The original's replay files (A18 to A20) as they are written: a JSON list, gzipped or plain. `watching.py` reads them."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = "game_logs"


class Log:
    """One game on its way into a replay file."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.config, self.entries = config, list[dict[str, Any]]()
        self._name = f"game_log_{datetime.now():%Y%m%d_%H%M%S}.json.gz"

    def begin(self, config: dict[str, Any], observation: dict[str, Any], info: dict[str, Any]) -> None:
        """Write the settings and the start position; what was logged before is dropped."""
        self.config = config
        self.entries = [{"type": "game_config", **as_json(config), "timestamp": _now()}]
        self.entries.append({"type": "reset", **_entry(observation, info)})

    def add(
        self,
        observation: dict[str, Any],
        info: dict[str, Any],
        actions: object,
        reward: float,
        terminated: bool,
        truncated: bool,
    ) -> None:
        """Write a turn."""
        entry = {"type": "step", **_entry(observation, info), "action": as_json(actions), "reward": reward}
        entry |= {"terminated": terminated, "truncated": truncated}
        if terminated or truncated:
            entry["winner"] = info.get("winner")
        self.entries.append(entry)

    def path(self, file: str | Path | None = None) -> Path:
        """Return where the log goes: the given file, or one named after the time in game_logs/."""
        return Path(file) if file else Path(FOLDER) / self._name

    def save(self, file: str | Path | None = None) -> Path:
        """Write the file, gzipped if its name ends in .gz."""
        path = self.path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps(self.entries).encode()
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        return path


def as_json(value: Any) -> Any:
    """Return a value as JSON has it; keys become words, foreign things their names."""
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return as_json(value.tolist())
    if isinstance(value, float):
        return value if abs(value) <= 1e308 else repr(value)
    return value if value is None or isinstance(value, str | int) else repr(value)


def _entry(observation: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
    return {
        "turn": info["turn"],
        "timestamp": _now(),
        "observation": as_json(observation),
        "info": as_json(info),
    }


def _now() -> str:
    return datetime.now().isoformat()
