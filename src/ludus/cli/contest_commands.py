"""The commands of `ludus` about tournaments, ratings, sequential tests, tuning."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add these commands to `ludus`."""
