"""The commands of `ludus` about the rules in the browser."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add these commands to `ludus`."""
