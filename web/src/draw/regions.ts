/** Outlines of what is marked: marks of one role that touch are one region, and a ring of marks is all that it surrounds. */

import { type Mark, key } from "../scene/types";
import type { Layout } from "./layout";
import { type Theme, colourOf, css } from "./palette";
import type { Context } from "./text";

const DASHED = new Set(["danger", "neutral"]);

export function outlineRegions(to: Context, marks: Mark[], layout: Layout, theme: Theme): void {
  const regions = new Map<string, Set<number>>();
  for (const mark of marks) {
    if (mark.role.startsWith("seat") || mark.role === "fog") continue;
    const name = `${mark.role} ${mark.z}`, grid = layout.grids[mark.z];
    if (!regions.has(name)) regions.set(name, new Set());
    regions.get(name)!.add(key(grid.columns.get(mark.x) ?? 0, grid.rows.get(mark.y) ?? 0, 0));
  }
  [...regions].sort().forEach(([name, region], number) => {
    const [role, layer] = name.split(" ");
    const z = Number(layer), grid = layout.grids[z];
    const inner = filled(region, grid.columns.size, grid.rows.size);
    outline(to, inner, layout, z, 1.5 + (number % 3), theme, role);
  });
}

function outline(to: Context, inner: [number, number][], layout: Layout, z: number, inset: number, theme: Theme, role: string): void {
  const has = new Set(inner.map(([x, y]) => key(x + 1, y + 1, 0)));
  const [left, top] = layout.corners[z], { cell } = layout;
  const inside = (x: number, y: number) => has.has(key(x + 1, y + 1, 0));
  to.save();
  to.strokeStyle = css(colourOf(theme, role));
  to.lineWidth = Math.max(2, cell / 15);
  to.lineCap = "round";
  if (DASHED.has(role)) to.setLineDash([cell / 7, cell / 6]);
  to.beginPath();
  for (const [x, y] of inner) {
    const l = !inside(x - 1, y), r = !inside(x + 1, y), u = !inside(x, y - 1), d = !inside(x, y + 1);
    const x0 = left + x * cell + (l ? inset : 0), x1 = left + (x + 1) * cell - (r ? inset : 0);
    const y0 = top + y * cell + (u ? inset : 0), y1 = top + (y + 1) * cell - (d ? inset : 0);
    for (const [is, a, b, c, e] of [[u, x0, y0, x1, y0], [d, x0, y1, x1, y1], [l, x0, y0, x0, y1], [r, x1, y0, x1, y1]] as const) {
      if (is) {
        to.moveTo(a, b);
        to.lineTo(c, e);
      }
    }
  }
  to.stroke();
  to.restore();
}

/** Return a region with all that it surrounds. */
function filled(region: Set<number>, width: number, height: number): [number, number][] {
  const outside = new Set<number>(), edge: [number, number][] = [[-1, -1]];
  while (edge.length) {
    const [x, y] = edge.pop()!;
    const place = key(x + 1, y + 1, 0);
    if (outside.has(place) || x < -1 || y < -1 || x > width || y > height || (x >= 0 && y >= 0 && region.has(key(x, y, 0)))) continue;
    outside.add(place);
    edge.push([x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]);
  }
  const found: [number, number][] = [];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (!outside.has(key(x + 1, y + 1, 0))) found.push([x, y]);
  return found;
}
