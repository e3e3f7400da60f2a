"""Colours of the pictures: Okabe and Ito's, which colour-blind eyes can tell, on a dark or a light ground."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.core import UnknownName

Colour = tuple[int, int, int]

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
ORANGE, SKY, GREEN, YELLOW = (230, 159, 0), (86, 180, 233), (0, 158, 115), (240, 228, 66)
BLUE, VERMILLION, PURPLE = (0, 114, 178), (213, 94, 0), (204, 121, 167)
# By seat: a colour, and a shape behind every piece, so that no colour is needed to tell whose it is.
SEATS = (SKY, VERMILLION, GREEN, PURPLE, YELLOW, ORANGE, BLUE, (150, 150, 150))
SHAPES = ("disc", "square", "diamond", "hexagon", "triangle", "octagon", "kite", "ring")
ROLES = {
    "goal": YELLOW,
    "resource": ORANGE,
    "danger": VERMILLION,
    "safe": GREEN,
    "path": SKY,
}


@dataclass(frozen=True)
class Theme:
    """What is not of a role or a seat."""

    ground: Colour
    floor: Colour
    grid: Colour
    wall: Colour
    fog: Colour
    hatch: Colour
    text: Colour
    dim: Colour
    panel: Colour

    def role(self, role: str) -> Colour:
        """Return the colour of a role, also of a seat's."""
        if role.startswith("seat"):
            return SEATS[int(role[4:]) % len(SEATS)]
        return ROLES.get(role) or {"wall": self.wall, "fog": self.fog, "floor": self.floor}.get(role, self.dim)

    def tint(self, role: str, share: float = 0.28) -> Colour:
        """Return the floor with a share of a role's colour."""
        return mixed(self.floor, self.role(role), share)


DARK = Theme(
    ground=(18, 20, 24), floor=(36, 40, 48), grid=(54, 60, 71), wall=(122, 130, 144), fog=(24, 26, 31), hatch=(46, 51, 60),
    text=(236, 238, 241), dim=(160, 167, 178), panel=(27, 30, 36),
)  # fmt: skip
LIGHT = Theme(
    ground=(246, 246, 243), floor=(255, 255, 255), grid=(212, 215, 221), wall=(92, 98, 110), fog=(226, 228, 232),
    hatch=(196, 200, 207), text=(24, 26, 30), dim=(98, 104, 115), panel=(236, 237, 235),
)  # fmt: skip
THEMES = {"dark": DARK, "light": LIGHT}


def theme(name: str) -> Theme:
    """Return a theme by its name."""
    if name not in THEMES:
        raise UnknownName("theme", name, THEMES)
    return THEMES[name]


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def ink_on(colour: Colour) -> Colour:
    """Return black or white, whichever reads better on a colour."""
    red, green, blue = colour
    return BLACK if 299 * red + 587 * green + 114 * blue > 118_000 else WHITE


def shape_of(seat: int) -> str:
    """Return the shape behind a seat's pieces; those of nobody have none."""
    return SHAPES[seat % len(SHAPES)] if seat >= 0 else ""
