"""Clock, isolation and policy for faults, as they are written on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from ludus.agents import why_not_contained
from ludus.arena import POLICIES, Conditions
from ludus.core import BadValue, LudusError, UnknownName, time_control


def conditions(
    clock: str, on_fault: str | None, inproc: bool, contain: bool, log: Path | None = None, save: Path | None = None
) -> Conditions:
    """Return under what agents play; containment that this machine cannot give is refused at once.

    A clock that is not given is the game's own.
    """
    if inproc and contain:
        raise BadValue("--inproc and --contain exclude each other")
    if on_fault is not None and on_fault not in POLICIES:
        raise UnknownName("policy for faults", on_fault, POLICIES)
    if contain and (problem := why_not_contained()):
        raise LudusError(f"bots cannot be contained here: {problem}")
    has_processes = sys.platform.startswith("linux")
    isolation = "contained" if contain else "in-process" if inproc or not has_processes else "process"
    return Conditions(time_control(clock) if clock else None, on_fault, isolation, None, not clock, log, save)
