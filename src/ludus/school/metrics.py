"""Curves: a line of JSON a measurement, and the same as TensorBoard events; what a killed run will do again is forgotten."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any

from ludus.core import read_json

from .files import write_text


class Metrics:
    """The measurements of a run, by step."""

    def __init__(self, folder: Path, step: int) -> None:
        self._file = folder / "metrics.jsonl"
        self._known = self._forget_after(step)
        self._writer: Any = None
        try:
            from tensorboardX import SummaryWriter
        except ImportError:  # the lines are there all the same
            return
        self._writer = SummaryWriter(str(folder / "events"), purge_step=step + 1, flush_secs=10)

    def add(self, step: int, group: str, values: dict[str, Any]) -> None:
        """Write down what was measured at a step, unless it stands there already."""
        known = {f"{group}/{name}": value for name, value in values.items() if value is not None}
        if (step, group) in self._known:
            return
        self._known.add((step, group))
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"step": step, **known}) + "\n")
        for tag, value in known.items() if self._writer else ():
            self._writer.add_scalar(tag, value, step)

    def __enter__(self) -> Metrics:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._writer:
            self._writer.close()

    def _forget_after(self, step: int) -> set[tuple[int, str]]:
        """Drop lines of steps that will be taken again, and one that was cut; return what is left: steps and groups."""
        known: set[tuple[int, str]] = set()
        if not self._file.is_file():
            return known
        kept, text = [], self._file.read_text(encoding="utf-8")
        for line in text.splitlines():
            try:
                found = read_json(line)
                if found["step"] <= step:
                    kept.append(line)
                    known |= {(found["step"], name.partition("/")[0]) for name in found if name != "step"}
            except (ValueError, KeyError, TypeError):
                continue
        if (whole := "".join(f"{line}\n" for line in kept)) != text:
            write_text(self._file, whole)
        return known
