"""A tournament in one file, for others to check: terms, hashes, the ledger, the records."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from sqlalchemy import insert, select

from ludus.core import BadRecord, LudusError, one_line, read_json

from .ledger import AT_ONCE, Ledger
from .schema import tables

LEDGER, TERMS, HASHES, RECORDS = "ledger.db", "terms.json", "hashes.json", "records.jsonl.gz"
LARGEST = 64 << 30  # bytes of a ledger that is unpacked
LARGEST_HASHES = 64 << 20


def export_bundle(ledger: Ledger, path: Path) -> int:
    """Write a bundle; the file is there as a whole or not at all. Return how many records it holds."""
    part = path.with_name(f".{path.name}.part")
    try:
        with tempfile.TemporaryDirectory(prefix="ludus-bundle-", dir=path.parent) as folder:
            whole = Path(folder)
            copy_ledger(ledger, whole / LEDGER)
            (whole / TERMS).write_bytes(msgspec.json.format(msgspec.json.encode(ledger.terms), indent=2) + b"\n")
            kept = _write_records(ledger, whole / RECORDS)
            (whole / HASHES).write_text(json.dumps(_hashes(ledger, whole), indent=2) + "\n", encoding="utf-8")
            with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
                for name in (TERMS, HASHES, LEDGER, RECORDS):
                    bundle.write(whole / name, name)
        part.replace(path)
    except OSError as error:
        raise LudusError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
    return kept


@contextmanager
def open_bundle(path: Path) -> Iterator[Ledger]:
    """Open the ledger of a bundle, or say what was changed in it since it was written."""
    with tempfile.TemporaryDirectory(prefix="ludus-bundle-") as folder:
        try:
            with zipfile.ZipFile(path) as bundle:
                for name, most in ((HASHES, LARGEST_HASHES), *((name, LARGEST) for name in (TERMS, LEDGER, RECORDS))):
                    if bundle.getinfo(name).file_size > most:
                        raise BadRecord(f"{path}: {name} is too large")
                told = read_json(bundle.read(HASHES))["files"]
                for name in (TERMS, LEDGER, RECORDS):
                    bundle.extract(name, folder)
                    if _digest(Path(folder, name)) != told[name]:
                        raise BadRecord(f"{path}: {name} is not what was exported")
        except OSError as error:
            raise BadRecord(f"{path} cannot be read: {error.strerror or error}") from None
        except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, RuntimeError) as error:  # damaged or locked
            raise BadRecord(f"{path} is no bundle of a tournament: {one_line(str(error))}") from None
        with Ledger.open(Path(folder, LEDGER)) as ledger:
            yield ledger


def copy_ledger(ledger: Ledger, path: Path) -> None:
    """Write a ledger, wherever it is kept, as a SQLite file."""
    with Ledger(path, may_make=True) as copy, ledger.reading() as source, copy.writing() as target:
        for table in tables.sorted_tables:
            target.execute(table.delete())
            rows = source.execution_options(yield_per=AT_ONCE).execute(select(table)).mappings()
            for some in rows.partitions(AT_ONCE):
                target.execute(insert(table), [dict(row) for row in some])


def _write_records(ledger: Ledger, path: Path) -> int:
    kept = 0
    with gzip.open(path, "wb") as file:
        for data in ledger.packed_records():
            file.write(gzip.decompress(data).rstrip() + b"\n")
            kept += 1
    return kept


def _hashes(ledger: Ledger, folder: Path) -> dict[str, object]:
    """Return what a bundle's files and its entrants are known by."""
    bots = [{"name": one.name, "word": one.word, "hash": one.hash} for one in ledger.entrants()]
    files = {name: _digest(folder / name) for name in (TERMS, LEDGER, RECORDS)}
    about = {"ludus": ledger.ludus, "rules": ledger.game.spec.version, "commitment": ledger.commitment}
    return {**about, "entrants": bots, "files": files}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()
