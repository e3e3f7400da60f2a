"""HTML and SVG from plain words: whatever is no Markup yet is escaped, so that a bot's name cannot be more than a name."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import Any

NO_END = {"meta", "link", "br", "img"}


class Markup(str):
    """Text that may stand in a page as it is."""

    __slots__ = ()


def tag(name: str, /, *children: object, **attributes: Any) -> Markup:
    """Return an element; `class_` is `class`, an underscore inside a name is a hyphen, None leaves an attribute out."""
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            written = f"{value:.6g}" if isinstance(value, float) else value
            words.append(f'{key.rstrip("_").replace("_", "-")}="{escape(str(written))}"')
    start = f"<{' '.join(words)}>"
    return Markup(start if name in NO_END else f"{start}{joined(*children)}</{name}>")


def joined(*children: object) -> Markup:
    """Return children one after the other; lists are opened, None is nothing."""
    parts = []
    for child in children:
        if isinstance(child, Markup):
            parts.append(str(child))
        elif isinstance(child, list | tuple):
            parts.append(str(joined(*child)))
        elif child is not None:
            parts.append(escape(str(child)))
    return Markup("".join(parts))


def page(title: str, style: str, *body: object) -> str:
    """Return a whole page: no scripts, nothing from elsewhere, one style that is named by its hash."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', tag('main', *body)), lang='en')}\n"
