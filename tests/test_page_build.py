"""The page that is committed is the one that its sources make."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path("src/ludus/viewers/page")


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files under a folder by their relative names; what is packed as what it unpacks to."""
    found = {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
    return {name: gzip.decompress(data) if name.endswith(".gz") else data for name, data in found.items()}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="Node builds the page")
def test_the_page_is_built_from_its_sources(root: Path, tmp_path: Path) -> None:
    for part in ("web", "src/ludus/viewers/icons"):
        shutil.copytree(root / part, tmp_path / part, ignore=shutil.ignore_patterns("node_modules"))
    for words in (["npm", "ci"], ["npm", "run", "build"]):
        done = subprocess.run(words, cwd=tmp_path / "web", capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stdout + done.stderr
    built, kept = files_of(tmp_path / PAGE), files_of(root / PAGE)
    assert built.keys() == kept.keys()
    assert [name for name in built if built[name] != kept[name]] == [], "build the page anew: npm run build in web/"


def test_the_list_of_packages_names_no_host(root: Path) -> None:
    text = (root / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text
    assert "integrity" in text


def test_files_of_the_page_are_read_in_a_sitting(root: Path) -> None:
    for file in (root / "web" / "src").rglob("*.ts"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 400, file.name


def test_the_page_has_no_code_or_style_between_its_tags(root: Path) -> None:
    page = (root / PAGE / "index.html").read_text(encoding="utf-8")
    assert page.count("<script") == 1
    assert "<style" not in page
    assert " style=" not in page
    assert "innerHTML" not in "".join(file.read_text(encoding="utf-8") for file in (root / "web" / "src").rglob("*.ts"))
