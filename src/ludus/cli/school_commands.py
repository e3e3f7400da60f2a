"""The commands of `ludus` about search, self-play, shards, training."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add these commands to `ludus`."""
