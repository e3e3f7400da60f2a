/** Pieces: the icon on its seat's shape and colour, where it faces, its bars, how many it stands for. */

import type { Bar, Piece } from "../scene/types";
import { BLACK, type Theme, WHITE, colourOf, css, inkOn, mixed, shapeOf } from "./palette";
import { iconPath, shapePath } from "./shapes";
import { type Context, fontOf, write } from "./text";

const TURNED: Record<string, number> = { up: 0, right: 90, down: 180, left: 270 };
const STEP: Record<string, [number, number]> = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };
const INSIDE: Record<string, number> = { disc: 0.64, square: 0.68, octagon: 0.66, hexagon: 0.62, ring: 0.56 };
const PAST = 0.5; // how much is seen of a piece that is only remembered
export const MOST_BARS = 3;
const MOST_SPRITES = 1500;

const sprites = new Map<string, HTMLCanvasElement>();

/** Return a piece without what changes often, drawn once for a size and kept. */
export function sprite(theme: Theme, piece: Pick<Piece, "seat" | "role" | "icon" | "text" | "facing">, size: number): HTMLCanvasElement {
  const name = `${theme.name} ${theme.palette} ${piece.seat} ${piece.role} ${piece.icon} ${piece.icon ? "" : piece.text} ${piece.facing} ${size}`;
  let found = sprites.get(name);
  if (!found) {
    if (sprites.size > MOST_SPRITES) sprites.clear();
    found = document.createElement("canvas");
    found.width = found.height = size;
    drawSprite(found.getContext("2d")!, theme, piece, size);
    sprites.set(name, found);
  }
  return found;
}

function drawSprite(to: Context, theme: Theme, piece: Pick<Piece, "seat" | "role" | "icon" | "text" | "facing">, size: number): void {
  const colour = colourOf(theme, piece.role), shape = shapeOf(piece.seat);
  let ink = css(theme.name === "light" ? mixed(colour, BLACK, 0.25) : colour);
  if (shape) {
    const pad = size * 0.06, across = size - 2 * pad;
    to.save();
    to.translate(pad, pad);
    to.scale(across, across);
    to.shadowColor = "rgb(0 0 0 / 0.4)";
    to.shadowBlur = size * 0.06;
    to.shadowOffsetY = size * 0.025;
    const shade = to.createLinearGradient(0, 0, 0, 1);
    shade.addColorStop(0, css(mixed(colour, WHITE, 0.16)));
    shade.addColorStop(1, css(mixed(colour, BLACK, 0.1)));
    to.fillStyle = shade;
    to.fill(shapePath(shape));
    to.shadowColor = "transparent";
    to.lineWidth = 0.055;
    to.strokeStyle = css(theme.palette === "strong" ? inkOn(colour) : mixed(colour, BLACK, 0.5));
    to.stroke(shapePath(shape));
    to.restore();
    ink = css(inkOn(colour));
  }
  const inside = size * (shape ? INSIDE[shape] ?? 0.5 : 0.8);
  const path = iconPath(piece.icon);
  if (path) {
    to.save();
    to.translate(size / 2, size / 2 + (shape === "triangle" ? size * 0.08 : 0));
    to.rotate(((TURNED[piece.facing] ?? 0) * Math.PI) / 180);
    to.scale(inside / 24, inside / 24);
    to.translate(-12, -12);
    if (!shape) { // nobody's: an edge lets it stand out on a floor of its own colour
      to.lineWidth = 2;
      to.lineJoin = "round";
      to.strokeStyle = css(theme.ground, 0.9);
      to.stroke(path);
    }
    to.fillStyle = ink;
    to.fill(path, "evenodd");
    to.restore();
  } else if (piece.text) {
    if (!shape) {
      to.beginPath();
      to.roundRect(size * 0.08, size * 0.08, size * 0.84, size * 0.84, size * 0.2);
      to.fillStyle = css(colour);
      to.fill();
      ink = css(inkOn(colour));
    }
    const long = piece.text.length > 2 ? 0.36 : piece.text.length > 1 ? 0.42 : 0.5;
    write(to, piece.text, size / 2, size * (shape === "triangle" ? 0.6 : 0.5), size * long, ink, "center", 700, size * (shape === "diamond" ? 0.6 : 0.76));
  }
}

const dressed = new Map<string, HTMLCanvasElement>();

/** Return a piece with its bars, its label and where it faces, in a square of a side; drawn once and kept. `scale` is dots of the screen a dot. */
export function pictureOf(piece: Piece, side: number, label: string, theme: Theme, scale: number): HTMLCanvasElement {
  const hasBars = piece.bars.length > 0 && side >= 14;
  const bars = hasBars ? piece.bars.slice(0, side < 30 ? 1 : MOST_BARS) : [];
  let text = label;
  if (piece.amount && !piece.text.includes(String(Math.abs(piece.amount)))) text = `${text} ${piece.amount}`.trim();
  if (piece.isPast && !piece.text.includes("?")) text += "?";
  const shares = bars.map((bar) => Math.round(100 * (bar.full ? bar.value / bar.full : 0)));
  const name = `${theme.name} ${theme.palette} ${piece.seat} ${piece.role} ${piece.icon} ${piece.icon ? "" : piece.text} ${piece.facing} ${side} ${scale} ${text} ${shares}`;
  let found = dressed.get(name);
  if (!found) {
    if (dressed.size > MOST_SPRITES) dressed.clear();
    found = document.createElement("canvas");
    found.width = 2 * Math.ceil(side * scale * Math.max(0.6, 0.18 * text.length)); // a label may be wider than its piece
    found.height = 2 * Math.ceil(side * scale * 0.6);
    const to = found.getContext("2d")!;
    to.setTransform(scale, 0, 0, scale, found.width / 2, found.height / 2);
    dress(to, piece, side, bars, side >= 20 ? text : "", theme, scale);
    dressed.set(name, found);
  }
  return found;
}

/** Draw a piece and what it wears around 0, 0. */
function dress(to: Context, piece: Piece, side: number, bars: Bar[], label: string, theme: Theme, scale: number): void {
  const size = Math.max(4, side * (bars.length || piece.facing ? 0.8 : 0.88));
  const top = -size / 2 - (bars.length ? side * 0.06 : 0);
  to.drawImage(sprite(theme, piece, Math.max(4, Math.round(size * scale))), -size / 2, top, size, size);
  if (side < 14) return;
  bars.forEach((bar, k) => paintBar(to, 0, side * 0.48, side, k, bar, theme));
  if (piece.facing) nose(to, 0, top + size / 2, size * 0.45, side, piece.facing, theme);
  if (label) badge(to, side * 0.47, -side * 0.47, label, side, theme);
}

/** Draw a piece's picture around a dot, `by` times as large as it is; `glow` is how much it is hurt. */
export function paintPiece(
  to: Context, piece: Piece, picture: HTMLCanvasElement, x: number, y: number, side: number, by: number, share: number, glow: number,
  theme: Theme, scale: number, isMoving: boolean,
): void {
  to.globalAlpha = Math.max(0, Math.min(1, share * (piece.isPast ? PAST : 1)));
  if (glow > 0) {
    to.beginPath();
    to.arc(x, y, side * 0.52, 0, 7);
    to.fillStyle = css(colourOf(theme, "danger"), 0.55 * glow);
    to.fill();
  }
  const wide = (picture.width / scale) * by, high = (picture.height / scale) * by;
  let left = x - wide / 2, top = y - high / 2;
  if (!isMoving) [left, top] = [Math.round(left * scale) / scale, Math.round(top * scale) / scale]; // sharp where it rests
  to.drawImage(picture, left, top, wide, high);
  to.globalAlpha = 1;
}

/** Draw a tip on the side that a piece faces. */
function nose(to: Context, x: number, y: number, reach: number, side: number, facing: string, theme: Theme): void {
  const [dx, dy] = STEP[facing], far = reach + side * 0.13, wide = side * 0.13;
  const x0 = x + dx * reach, y0 = y + dy * reach;
  to.beginPath();
  to.moveTo(x + dx * far, y + dy * far);
  to.lineTo(x0 - dy * wide, y0 - dx * wide);
  to.lineTo(x0 + dy * wide, y0 + dx * wide);
  to.closePath();
  to.fillStyle = css(theme.text);
  to.fill();
}

/** Draw a bar under a piece: the first one is health or the like, later ones lie above it and are paler. */
export function paintBar(to: Context, x: number, bottom: number, side: number, k: number, bar: Bar, theme: Theme): void {
  const share = Math.max(0, Math.min(1, bar.full ? bar.value / bar.full : 0));
  const high = Math.max(2, side * 0.08), wide = side * 0.74, low = bottom - k * (high + 2), left = x - wide / 2;
  to.beginPath();
  to.roundRect(left - 1, low - high - 1, wide + 2, high + 2, high);
  to.fillStyle = css(theme.edge, 0.7);
  to.fill();
  const role = k > 0 ? "path" : share > 0.5 ? "safe" : share > 0.25 ? "goal" : "danger";
  if (share > 0) {
    to.beginPath();
    to.roundRect(left, low - high, Math.max(high, wide * share), high, high / 2);
    to.fillStyle = css(k === 0 && role === "safe" ? mixed(colourOf(theme, role), WHITE, 0.15) : colourOf(theme, role));
    to.fill();
  }
}

/** Write a short text on a plate that ends at a corner. */
function badge(to: Context, x: number, y: number, text: string, side: number, theme: Theme): void {
  const letters = Math.max(8, side * 0.24);
  to.font = fontOf(letters, 700);
  const wide = to.measureText(text).width + letters * 0.6, high = letters * 1.25;
  to.beginPath();
  to.roundRect(x - wide, y, wide, high, high * 0.35);
  to.fillStyle = css(theme.ground, 0.94);
  to.fill();
  to.lineWidth = 1;
  to.strokeStyle = css(theme.dim, 0.6);
  to.stroke();
  write(to, text, x - wide / 2, y + high / 2, letters, css(theme.text), "center", 700);
}
