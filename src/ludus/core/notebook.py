"""How things show themselves in notebooks: who can draw stands in a room above, behind the package's front door."""

from __future__ import annotations

from typing import Any


def html_of(thing: Any) -> str:
    """Return a thing as HTML; this is the `_repr_html_` of whatever can be drawn (docs/decisions/0018)."""
    from ludus import as_html

    return as_html(thing)
