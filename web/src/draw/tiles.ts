/** The board under the pieces: floor, cells, marks, lines and labels. A role is told by its pattern as well as by its colour. */

import { type Board, type Cell, type Place, type Scene, key } from "../scene/types";
import { type Layout, gridsOf, isGraph } from "./layout";
import { type Colour, type Theme, colourOf, css, inkOn, mixed, shapeOf, tint } from "./palette";
import { outlineRegions } from "./regions";
import { shapePath } from "./shapes";
import { type Context, fontOf, write } from "./text";

/** Draw everything that lies still in a scene. `fullest` remembers how full cells of a role were. */
export function paintBoard(to: Context, scene: Scene, layout: Layout, theme: Theme, fullest: Map<string, number>): void {
  const { board } = scene;
  const isNet = isGraph(board), scale = to.getTransform().a;
  const cells = new Map(scene.cells.map((cell) => [key(cell.x, cell.y, cell.z), cell]));
  const tints = new Map<number, string>(), dark = new Set<number>();
  for (const mark of scene.marks) {
    if (mark.role.startsWith("seat")) tints.set(key(mark.x, mark.y, mark.z), mark.role);
    else if (mark.role === "fog") dark.add(key(mark.x, mark.y, mark.z));
  }
  plates(to, scene, layout, theme);
  if (isNet) fixedLinks(to, scene, layout, theme);
  for (const [x, y, z] of places(scene)) {
    const place = key(x, y, z), cell = cells.get(place);
    const role = cell && cell.role !== "floor" ? cell.role : tints.get(place) ?? "floor";
    const [left, top] = layout.corner(x, y, z);
    if (left > layout.width || top > layout.height || left < -layout.cell || top < -layout.cell) continue;
    if (isNet) knot(to, left, top, layout.cell, role, theme);
    else stamp(to, left, top, layout.cell, role, theme, scale);
    if (tints.has(place) && role !== tints.get(place)) corner(to, left, top, layout.cell, tints.get(place)!, theme);
    if (dark.has(place) && role !== "fog") veil(to, left, top, layout.cell, theme);
  }
  const taken = new Set(scene.pieces.map((piece) => key(piece.x, piece.y, piece.z)));
  for (const [place, cell] of cells) sayCell(to, cell, taken.has(place), layout, theme, fullest, isNet);
  labels(to, scene, layout, theme);
  outlineRegions(to, scene.marks, layout, theme);
}

export function* places(scene: Scene): Generator<Place> {
  const { grids, holes } = gridsOf(scene.board);
  for (const [z, grid] of grids.entries()) {
    for (const y of grid.rows.keys()) for (const x of grid.columns.keys()) if (!holes.has(key(x, y, z))) yield [x, y, z];
  }
}

/** Draw the plate that each layer lies on. */
function plates(to: Context, scene: Scene, layout: Layout, theme: Theme): void {
  const isNet = isGraph(scene.board), pad = Math.max(2, layout.cell * 0.1);
  layout.corners.forEach(([left, top], z) => {
    const wide = layout.grids[z].columns.size * layout.cell, high = layout.grids[z].rows.size * layout.cell;
    to.beginPath();
    to.roundRect(left - pad, top - pad, wide + 2 * pad, high + 2 * pad, Math.min(16, layout.cell * 0.3));
    to.shadowColor = theme.name === "dark" ? "rgb(0 0 0 / 0.45)" : "rgb(40 44 60 / 0.18)";
    to.shadowBlur = 24;
    to.shadowOffsetY = 8;
    to.fillStyle = css(isNet ? mixed(theme.plate, theme.floor, 0.5) : theme.plate);
    to.fill();
    to.shadowColor = "transparent";
    to.shadowBlur = to.shadowOffsetY = 0;
  });
}

const MOST_STAMPS = 400;
const stamps = new Map<string, HTMLCanvasElement>();

/** Draw one place of a board: each kind is drawn once for a size and kept. */
function stamp(to: Context, left: number, top: number, size: number, role: string, theme: Theme, scale: number): void {
  const name = `${theme.name} ${theme.palette} ${role} ${size} ${scale}`;
  let found = stamps.get(name);
  if (!found) {
    if (stamps.size > MOST_STAMPS) stamps.clear();
    found = document.createElement("canvas");
    found.width = found.height = Math.ceil(size * scale);
    const on = found.getContext("2d")!;
    on.scale(scale, scale);
    tile(on, 0, 0, size, role, theme);
    stamps.set(name, found);
  }
  to.drawImage(found, left, top, found.width / scale, found.height / scale);
}

/** Draw one place; also used by legends. */
export function tile(to: Context, left: number, top: number, size: number, role: string, theme: Theme): void {
  const gap = size > 40 ? 1.5 : size > 14 ? 1 : 0.5, radius = size * 0.1;
  const colour = colourOf(theme, role);
  const base = role === "wall" ? theme.wall : role === "fog" ? theme.fog : role === "floor" ? theme.floor : tint(theme, role, 0.24);
  to.save();
  to.beginPath();
  to.roundRect(left + gap, top + gap, size - 2 * gap, size - 2 * gap, radius);
  to.fillStyle = css(base);
  to.fill();
  if (role !== "floor") {
    to.clip();
    pattern(to, left, top, size, role, colour, base, theme);
  }
  to.restore();
  if (role.startsWith("seat")) corner(to, left, top, size, role, theme);
}

function pattern(to: Context, left: number, top: number, size: number, role: string, colour: Colour, base: Colour, theme: Theme): void {
  const line = Math.max(1, size / 16);
  if (role === "wall") {
    to.fillStyle = css(mixed(base, [255, 255, 255], 0.22));
    to.fillRect(left, top, size, size * 0.14);
    to.fillStyle = css(mixed(base, [0, 0, 0], 0.3));
    to.fillRect(left, top + size * 0.86, size, size * 0.14);
  } else if (role === "fog") hatch(to, left, top, size, css(theme.hatch), line, 1);
  else if (role === "danger") hatch(to, left, top, size, css(mixed(base, colour, 0.6)), line, -1);
  else if (role === "goal") {
    to.fillStyle = css(mixed(base, colour, 0.85));
    for (const [x, y, dx, dy] of [[0, 0, 1, 1], [1, 0, -1, 1], [0, 1, 1, -1], [1, 1, -1, -1]]) {
      to.beginPath();
      to.moveTo(left + x * size, top + y * size);
      to.lineTo(left + (x + dx * 0.34) * size, top + y * size);
      to.lineTo(left + x * size, top + (y + dy * 0.34) * size);
      to.fill();
    }
    edge(to, left, top, size, mixed(base, colour, 0.85), line * 1.5);
  } else if (role === "path") {
    to.fillStyle = css(mixed(base, colour, 0.8));
    for (const [x, y] of [[0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]]) {
      to.beginPath();
      to.arc(left + x * size, top + y * size, size * 0.065, 0, 7);
      to.fill();
    }
    edge(to, left, top, size, mixed(base, colour, 0.55), line);
  } else if (role === "safe") {
    to.fillStyle = css(mixed(base, colour, 0.75));
    to.fillRect(left + size * 0.2, top + size / 2 - line / 2, size * 0.6, line);
    to.fillRect(left + size / 2 - line / 2, top + size * 0.2, line, size * 0.6);
  } else if (role === "resource" || role === "neutral") edge(to, left, top, size, mixed(base, colour, 0.75), line * 1.2);
}

function edge(to: Context, left: number, top: number, size: number, colour: Colour, line: number): void {
  to.beginPath();
  to.roundRect(left + line, top + line, size - 2 * line, size - 2 * line, size * 0.1);
  to.strokeStyle = css(colour);
  to.lineWidth = line * 1.4;
  to.stroke();
}

function hatch(to: Context, left: number, top: number, size: number, colour: string, line: number, slope: number): void {
  to.strokeStyle = colour;
  to.lineWidth = line;
  to.beginPath();
  for (let k = -3; k <= 6; k++) {
    const start = left + (k * size) / 3;
    to.moveTo(start, slope > 0 ? top + size : top);
    to.lineTo(start + size, slope > 0 ? top : top + size);
  }
  to.stroke();
}

/** Draw fog over a place whose content is known. */
function veil(to: Context, left: number, top: number, size: number, theme: Theme): void {
  to.save();
  to.beginPath();
  to.rect(left, top, size, size);
  to.clip();
  to.fillStyle = css(theme.fog, 0.35);
  to.fillRect(left, top, size, size);
  hatch(to, left, top, size, css(theme.fog, 0.75), Math.max(1, size / 8), 1);
  to.restore();
}

/** Sign a tile with its seat's shape. */
function corner(to: Context, left: number, top: number, size: number, role: string, theme: Theme): void {
  const small = Math.max(4, size / 5.5);
  to.save();
  to.translate(left + size - small - size * 0.07, top + size * 0.07);
  to.scale(small, small);
  to.fillStyle = css(mixed(theme.floor, colourOf(theme, role), theme.palette === "strong" ? 0.9 : 0.6));
  to.fill(shapePath(shapeOf(Number(role.slice(4)))));
  to.restore();
}

/** Draw a place of a board that is a net of points. */
function knot(to: Context, left: number, top: number, size: number, role: string, theme: Theme): void {
  const x = left + size / 2, y = top + size / 2;
  to.beginPath();
  if (role === "goal") to.roundRect(left + size * 0.1, top + size * 0.1, size * 0.8, size * 0.8, size * 0.16);
  else to.arc(x, y, size * (role === "floor" ? 0.3 : 0.38), 0, 7);
  to.fillStyle = css(role === "floor" ? theme.floor : tint(theme, role, 0.3));
  to.fill();
  to.lineWidth = Math.max(1, size / 24);
  to.strokeStyle = css(role === "floor" ? mixed(theme.floor, theme.dim, 0.35) : mixed(theme.floor, colourOf(theme, role), 0.85));
  if (role === "goal") to.setLineDash([]);
  to.stroke();
}

function fixedLinks(to: Context, scene: Scene, layout: Layout, theme: Theme): void {
  to.strokeStyle = css(mixed(theme.plate, theme.dim, 0.45));
  to.lineWidth = Math.max(1, layout.cell / 26);
  to.beginPath();
  for (const link of scene.board.links) {
    if (link.z !== link.toZ) continue; // lines between layers are for the board in three dimensions
    to.moveTo(...layout.middle(link.x, link.y, link.z));
    to.lineTo(...layout.middle(link.toX, link.toY, link.toZ));
  }
  to.stroke();
}

/** Write a cell's text and amount; an amount fills it from below, as full as the fullest one was. */
function sayCell(
  to: Context, cell: Cell, isTaken: boolean, layout: Layout, theme: Theme, fullest: Map<string, number>, isNet: boolean,
): void {
  const [left, top] = layout.corner(cell.x, cell.y, cell.z), size = layout.cell;
  const value = Number(cell.amount || NaN);
  let ground = cell.role === "wall" ? theme.wall : tint(theme, cell.role, 0.24);
  if (value > 0 && !isNet) {
    const most = Math.max(fullest.get(cell.role) ?? 0, value);
    fullest.set(cell.role, most);
    const gap = size > 40 ? 1.5 : 1, high = ((size - 2 * gap) * value) / most;
    ground = mixed(tint(theme, cell.role, 0.24), colourOf(theme, cell.role), 0.6);
    to.save();
    to.beginPath();
    to.roundRect(left + gap, top + gap, size - 2 * gap, size - 2 * gap, size * 0.1);
    to.clip();
    to.fillStyle = css(ground);
    to.fillRect(left + gap, top + size - gap - high, size - 2 * gap, high);
    to.restore();
  }
  const said = [cell.text, cell.amount].filter(Boolean);
  if (!said.length || size < 12) return;
  if (isTaken) { // the piece has the middle
    if (size >= 30) write(to, said.join(" "), left + size * 0.08, top + size * 0.16, size * 0.22, css(theme.dim), "left", 600, size * 0.6);
    return;
  }
  const ink = css(cell.role === "wall" ? inkOn(theme.wall) : value > 0 && !isNet ? inkOn(ground) : theme.text, 0.92);
  said.forEach((line, k) => {
    const y = top + size * (0.5 + (k - (said.length - 1) / 2) * 0.36);
    write(to, line, left + size / 2, y, size * (said.length === 1 ? 0.34 : 0.28), ink, "center", 600, size * 0.84);
  });
}

/** Write the labels of columns and rows, or of layers. */
function labels(to: Context, scene: Scene, layout: Layout, theme: Theme): void {
  const { board } = scene, { cell } = layout;
  const size = Math.max(8, Math.min(13, cell * 0.36)), colour = css(theme.dim);
  const [left, top] = layout.corners[0], pad = Math.max(2, cell * 0.1);
  if (board.layers === 1 && cell >= 12) {
    for (const [x, k] of layout.grids[0].columns) if (board.columns[x]) write(to, board.columns[x], left + (k + 0.5) * cell, top - pad - size * 0.75, size, colour, "center", 500, cell * 0.95);
    const rows = [...layout.grids[0].rows].filter(([y]) => board.rows[y]), room = left - pad - size * 0.45;
    to.font = fontOf(size, 500);
    const wide = Math.max(...rows.map(([y]) => to.measureText(board.rows[y]).width)), most = Math.max(room, cell * 0.5);
    for (const [y, k] of rows) write(to, board.rows[y], room, top + (k + 0.5) * cell, size * Math.min(1, most / wide), colour, "right", 500);
  }
  if (board.layers > 1 && cell >= 10) {
    layout.corners.forEach(([x, y], z) => write(to, `layer ${z}`, x, y - pad - size * 0.8, size, colour, "left", 600));
  }
}

/** Whether places have names, and there is room for them; tips tell them as well. */
export function hasNames(board: Board, layout: Layout): boolean {
  return board.places.length > 0 && layout.cell >= 26;
}

/** Write the names of places that have one, over whatever stands there: moves are told by them. */
export function namePlaces(to: Context, scene: Scene, layout: Layout, theme: Theme): void {
  const size = Math.max(8, layout.cell * 0.19);
  for (const [x, y, z, name] of scene.board.places) {
    const [left, top] = layout.corner(x, y, z);
    write(to, name, left + layout.cell * 0.04, top + size * 0.5, size, css(theme.dim), "left", 500);
  }
}
