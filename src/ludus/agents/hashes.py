"""What an agent's files hold, as a short hash: records name it, so that one can tell which version played."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path


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
