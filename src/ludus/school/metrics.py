"""Curves: a line of JSON a measurement, and the same as TensorBoard events; what a killed run will do again is forgotten."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any

from .files import write_text


class Metrics:
    """The measurements of a run, by step."""

    def __init__(self, folder: Path, step: int) -> None:
        self._file = folder / "metrics.jsonl"
        self._forget_after(step)
        self._writer: Any = None
        try:
            from tensorboardX import SummaryWriter
        except ImportError:  # the lines are there all the same
            return
        self._writer = SummaryWriter(str(folder / "events"), purge_step=step + 1, flush_secs=10)

    def add(self, step: int, group: str, values: dict[str, Any]) -> None:
        """Write down what was measured at a step; one that was measured before is written again."""
        known = {f"{group}/{name}": value for name, value in values.items() if value is not None}
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"step": step, **known}) + "\n")
        for tag, value in known.items() if self._writer else ():
            self._writer.add_scalar(tag, value, step)

    def __enter__(self) -> Metrics:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._writer:
            self._writer.close()

    def _forget_after(self, step: int) -> None:
        """Drop lines of steps that will be taken again, and one that was cut."""
        if not self._file.is_file():
            return
        kept = []
        for line in self._file.read_text(encoding="utf-8").splitlines():
            try:
                if json.loads(line)["step"] <= step:
                    kept.append(line)
            except (ValueError, KeyError, TypeError):
                continue
        write_text(self._file, "".join(f"{line}\n" for line in kept))
