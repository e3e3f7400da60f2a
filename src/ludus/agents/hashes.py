"""What an agent's files hold, as a short hash: records name it, so that one can tell which version played."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from ludus.core import BadValue

MOST_FILES = 10_000  # of one bot
LEFT_OUT = ("__pycache__", "*.pyc", "*.log")  # of a bot's folder: what running it leaves behind


def content_hash(files: Sequence[Path]) -> str:
    """Return one hash of what the files hold, in their order; "" if there are none, or one cannot be read."""
    whole = hashlib.blake2b(digest_size=16)
    for file in files:
        try:
            with file.open("rb") as contents:
                whole.update(hashlib.file_digest(contents, "blake2b").digest())
        except OSError:
            return ""
    return whole.hexdigest() if files else ""


def module_files(file: Path) -> list[Path]:
    """List a Python file and the modules beside it that it imports, and those that they import."""
    found, left = [file], [file]
    while left:
        for name in _imported(left.pop()):
            base = file.parent.joinpath(*name.split("."))
            for module in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
                if module.is_file() and module not in found:
                    found.append(module)
                    left.append(module)
    return [file, *sorted(found[1:])]


def _imported(file: Path) -> list[str]:
    """List what a Python file imports, by dotted name; one that cannot be read imports nothing."""
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            start = node.module or ""
            names += [start, *(f"{start}.{alias.name}".lstrip(".") for alias in node.names)]
    parents = [".".join(name.split(".")[:k]) for name in names for k in range(1, name.count(".") + 1)]
    return [name for name in (*names, *parents) if name]


def folder_files(folder: Path, written: Sequence[str] = ()) -> list[Path]:
    """List the files of a bot's folder, but for hidden ones and those that the bot itself writes, as its bot.toml says."""
    patterns = (*LEFT_OUT, *map(str, written))
    found = []
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        if file.is_file() and not any(part.startswith(".") or fnmatch(part, p) for part in parts for p in patterns):
            found.append(file)
            if len(found) > MOST_FILES:
                raise BadValue(f"{folder} holds more than {MOST_FILES} files; give the bot a folder of its own")
    return found
