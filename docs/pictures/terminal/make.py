"""Make the pictures of this folder: games as the terminal shows them, drawn with Pillow in a font of even width.

    python docs/pictures/terminal/make.py FOLDER [WIDTH…]

Each game is played by its second bot on all seats; three positions of it, 80 and 60 columns, in colour and without.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import ludus
from ludus.arena import Replay
from ludus.engine import Table
from ludus.games import load, names
from ludus.viewers import Paper, draw

FONTS = ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
SIZE, PLAIN, PAPER = 14, (204, 204, 204), (18, 18, 18)
PARTS = (0.08, 0.5, 1.0)  # of a game: near its start, in its middle, at its end


def colour(number: int) -> tuple[int, int, int]:
    """Return one of a terminal's 256 colours."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return steps[number // 36], steps[number // 6 % 6], steps[number % 6]


def paint(lines: list[str], width: int) -> Image.Image:
    """Draw lines with escape codes."""
    fonts = [ImageFont.truetype(name, SIZE) for name in FONTS]
    wide, high = fonts[0].getlength("M"), 18
    image = Image.new("RGB", (int(wide * width) + 16, high * len(lines) + 16), PAPER)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        x, fore, back, bold, under = 8.0, PLAIN, None, 0, False
        for code, text in re.findall(r"\x1b\[([0-9;]*)m|([^\x1b]+)", line):
            if text:
                if back:
                    pen.rectangle((x, 8 + row * high, x + wide * len(text) - 1, 7 + (row + 1) * high), fill=back)
                for place, sign in enumerate(text):
                    pen.text((x + place * wide, 8 + row * high), sign, fore, fonts[bold])
                if under:
                    pen.line((x, 6 + (row + 1) * high, x + wide * len(text), 6 + (row + 1) * high), fill=fore)
                x += wide * len(text)
                continue
            parts = [int(part) for part in code.split(";") if part]
            while parts:
                match parts:
                    case [38, 5, number, *parts]:
                        fore = colour(number)
                    case [48, 5, number, *parts]:
                        back = colour(number)
                    case [first, *parts]:
                        if first == 0:
                            fore, back, bold, under = PLAIN, None, 0, False
                        bold, under = bold or int(first == 1), under or first == 4
    return image.quantize(64)


def positions(name: str) -> list[Table]:
    """Play a game and return it at three times."""
    game = load(name)
    replay = Replay(ludus.play(name, [list(game.bots)[1]] * len(game.spec.seats), seed=3))
    return [replay.at(round(part * replay.turns)) for part in PARTS]


if __name__ == "__main__":
    folder, widths = Path(sys.argv[1]), [int(word) for word in sys.argv[2:]] or [80, 60]
    for game in names():
        for number, table in enumerate(positions(game), 1):
            for width in widths:
                for has_colour in (True, False):
                    lines = draw(table.scene(), Paper(width, 0, has_colour))
                    kind = "colour" if has_colour else "plain"
                    paint(lines, width).save(folder / f"{game}-{number}-{width}-{kind}.png", optimize=True)
