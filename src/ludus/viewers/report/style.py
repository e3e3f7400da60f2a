"""The style of all pages of reports."""

from pathlib import Path

STYLE = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
