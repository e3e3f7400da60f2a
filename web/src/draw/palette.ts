/** Colours of the board: those of Okabe and Ito, which colour-blind eyes can tell, on a dark or a light ground. */

export type Colour = readonly [number, number, number];

const OKABE: Colour[] = [
  [86, 180, 233], [213, 94, 0], [0, 158, 115], [204, 121, 167], [240, 228, 66], [230, 159, 0], [0, 114, 178], [150, 150, 150],
];
// Seats differ in lightness alone, for eyes that tell no colours at all.
const STRONG: Colour[] = [
  [255, 255, 255], [45, 52, 64], [190, 196, 206], [98, 108, 124], [226, 230, 236], [70, 78, 92], [160, 168, 180], [122, 130, 144],
];
export const SHAPES = ["disc", "square", "diamond", "hexagon", "triangle", "octagon", "kite", "ring"] as const;
export const PALETTES = ["okabe", "strong"] as const;
export type Palette = (typeof PALETTES)[number];

const ROLES: Record<string, Colour> = {
  goal: [240, 228, 66], resource: [230, 159, 0], danger: [213, 94, 0], safe: [0, 158, 115], path: [86, 180, 233],
};
const DEEP_ROLES: Record<string, Colour> = { // on a light ground yellow and sky need depth
  goal: [196, 164, 0], resource: [201, 132, 0], danger: [202, 80, 0], safe: [0, 138, 100], path: [40, 138, 196],
};

export interface Theme {
  name: "dark" | "light";
  palette: Palette;
  ground: Colour;
  plate: Colour; // the board under its places
  floor: Colour;
  wall: Colour;
  fog: Colour;
  hatch: Colour;
  text: Colour;
  dim: Colour;
  edge: Colour;
}

const DARK: Omit<Theme, "palette"> = {
  name: "dark", ground: [17, 19, 24], plate: [26, 29, 36], floor: [38, 43, 53], wall: [112, 121, 138], fog: [24, 27, 33],
  hatch: [45, 50, 61], text: [236, 238, 241], dim: [160, 168, 181], edge: [12, 13, 17],
};
const LIGHT: Omit<Theme, "palette"> = {
  name: "light", ground: [247, 246, 242], plate: [222, 220, 213], floor: [255, 255, 253], wall: [104, 110, 124], fog: [226, 226, 223],
  hatch: [202, 203, 203], text: [26, 29, 36], dim: [92, 98, 110], edge: [70, 74, 84],
};

export function theme(name: "dark" | "light", palette: Palette): Theme {
  return { ...(name === "dark" ? DARK : LIGHT), palette };
}

export function colourOf(theme: Theme, role: string): Colour {
  if (role.startsWith("seat")) {
    const colours = theme.palette === "strong" ? STRONG : OKABE;
    return colours[Number(role.slice(4)) % colours.length];
  }
  if (role === "wall" || role === "fog" || role === "floor") return theme[role];
  return (theme.name === "dark" ? ROLES : DEEP_ROLES)[role] ?? theme.dim;
}

export function tint(theme: Theme, role: string, share = 0.28): Colour {
  return mixed(theme.floor, colourOf(theme, role), share);
}

export function mixed(one: Colour, other: Colour, share: number): Colour {
  return [0, 1, 2].map((k) => Math.round(one[k] + (other[k] - one[k]) * share)) as unknown as Colour;
}

export function css([red, green, blue]: Colour, alpha = 1): string {
  return alpha === 1 ? `rgb(${red} ${green} ${blue})` : `rgb(${red} ${green} ${blue} / ${alpha})`;
}

export const BLACK: Colour = [14, 16, 20];
export const WHITE: Colour = [255, 255, 255];

/** Return black or white, whichever reads better on a colour. */
export function inkOn([red, green, blue]: Colour): Colour {
  return 299 * red + 587 * green + 114 * blue > 118000 ? BLACK : WHITE;
}

export function shapeOf(seat: number): string {
  return seat >= 0 ? SHAPES[seat % SHAPES.length] : "";
}
