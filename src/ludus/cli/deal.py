"""`ludus verify-deal`: whether the games of a match were dealt from the secret that was committed before the first one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.arena import commitment_of
from ludus.core import BadRecord, dealt_seed, read_json


def verify(file: Path, commitment: str | None) -> int:
    """Check what `ludus match … --json` printed; return the exit code."""
    report = _report(file)
    secret = bytes.fromhex(report["secret"])
    for told in filter(None, (report["commitment"], commitment)):
        if told.strip().lower() != commitment_of(secret):
            print(f"FAILED: the secret's hash is {commitment_of(secret)}, but {told} was told before the first game")
            return 1
    each = len(report["agents"]) if report["swap"] else 1  # games of one seed
    for number, game in enumerate(report["games"]):
        if game["seed"] != dealt_seed(secret, number // each):
            print(
                f"FAILED: game {number + 1} has the seed {game['seed']}; the secret deals {dealt_seed(secret, number // each)}"
            )
            return 1
    print(f"the hash is that of the secret, and the seeds of all {len(report['games'])} games follow from it")
    return 0


def _report(file: Path) -> dict[str, Any]:
    try:
        report: dict[str, Any] = read_json(file.read_text(encoding="utf-8"))
        bytes.fromhex(report["secret"])
        [int(game["seed"]) for game in report["games"]]
        if not {"commitment", "swap", "agents"} <= report.keys():
            raise KeyError("commitment")
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadRecord(f"{file} is no report of a match that was dealt from a secret: ludus match … --json > {file}") from None
    return report
