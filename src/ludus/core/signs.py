"""Signs that any output can take: what an encoding lacks is written with another sign."""

from __future__ import annotations

from functools import cache

# What stands for our signs where only ASCII, or a code page of Windows, can be written. Signs of boards stay one character.
PLAIN = {
    "█": "#", "·": ".", "░": ":", "▒": ":", "▓": "#", "…": "...", "–": "-", "—": "-", "−": "-", "×": "x", "→": ">", "←": "<",
    "↑": "^", "↓": "v", "±": "+-", "≥": ">=", "≤": "<=", "²": "2", "³": "3", "µ": "u", "│": "|", "─": "-", "■": "#", "●": "o",
    "◎": "@", "◆": "$", "○": "o", "•": "*", "▪": "=", "▏": "|", "▎": "|", "▍": "|", "▌": "|", "▋": "|", "▊": "#", "▉": "#",
}  # fmt: skip
ALL = ("utf-8", "utf8", "utf-16", "utf-32", "utf-8-sig")  # encodings that lack nothing


def spelled(text: str, encoding: str = "utf-8") -> str:
    """Return a text with signs that an encoding has."""
    if text.isascii() or encoding.lower() in ALL:
        return text
    return "".join(sign if sign.isascii() else _spelled(sign, encoding) for sign in text)


@cache
def _spelled(sign: str, encoding: str) -> str:
    try:
        sign.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN.get(sign, "?")
    return sign
