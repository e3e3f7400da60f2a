/** Shapes that tell seats apart without colour, and the icons, as paths in a box of 1 × 1. */

const CORNERS: Record<string, [count: number, turned: number]> = {
  diamond: [4, 0], hexagon: [6, 30], triangle: [3, 0], octagon: [8, 22.5],
};
const shapes = new Map<string, Path2D>();
const icons = new Map<string, Path2D>();

export function shapePath(shape: string): Path2D {
  let path = shapes.get(shape);
  if (!path) {
    path = new Path2D();
    if (shape === "square") path.roundRect(0.07, 0.07, 0.86, 0.86, 0.18);
    else if (shape in CORNERS) polygon(path, ...CORNERS[shape]);
    else if (shape === "kite") for (const [x, y] of [[0.5, 0], [0.95, 0.35], [0.5, 1], [0.05, 0.35]]) path.lineTo(x, y);
    else path.arc(0.5, 0.5, 0.49, 0, 2 * Math.PI);
    path.closePath();
    shapes.set(shape, path);
  }
  return path;
}

function polygon(path: Path2D, count: number, turned: number): void {
  const down = count === 3 ? 0.58 : 0.5; // a triangle's middle lies lower
  for (let k = 0; k < count; k++) {
    const turn = ((turned - 90 + (360 * k) / count) * Math.PI) / 180;
    path.lineTo(0.5 + 0.52 * Math.cos(turn), down + 0.52 * Math.sin(turn));
  }
}

const sources = import.meta.glob<string>("../../../src/ludus/viewers/icons/*.svg", { query: "?raw", import: "default", eager: true });

/** Return an icon as one path, filled by the even-odd rule, in a box of 24 × 24; null if there is none of that name. */
export function iconPath(name: string): Path2D | null {
  const known = icons.get(name);
  if (known) return known;
  const source = Object.entries(sources).find(([file]) => file.endsWith(`/${name}.svg`))?.[1];
  if (!name || !source) return null;
  const path = new Path2D();
  for (const shape of new DOMParser().parseFromString(source, "image/svg+xml").documentElement.children) add(path, shape);
  icons.set(name, path);
  return path;
}

function add(path: Path2D, shape: Element): void {
  const given = (name: string) => Number(shape.getAttribute(name) ?? 0);
  if (shape.tagName === "path") path.addPath(new Path2D(shape.getAttribute("d") ?? ""));
  else if (shape.tagName === "polygon") path.addPath(new Path2D(`M${shape.getAttribute("points")}Z`));
  else if (shape.tagName === "rect") {
    const rect = new Path2D();
    rect.roundRect(given("x"), given("y"), given("width"), given("height"), given("rx"));
    path.addPath(rect);
  } else if (shape.tagName === "circle") {
    const circle = new Path2D();
    circle.arc(given("cx"), given("cy"), given("r"), 0, 2 * Math.PI);
    path.addPath(circle);
  }
}
