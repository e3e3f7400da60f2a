/** Small pictures beside words: a seat's shape, a piece, a tile, drawn as on the board. */

import { type Theme, colourOf, css, mixed, shapeOf, BLACK } from "../draw/palette";
import { shapePath } from "../draw/shapes";
import { paintBar, sprite } from "../draw/sprites";
import { tile } from "../draw/tiles";
import type { Piece } from "../scene/types";
import { h } from "./dom";

const SCALE = 2;

const pictures = new Map<string, string>(); // a page has hundreds of them, and every canvas in it costs something with every picture

function picture(name: string, size: number, theme: Theme, draw: (to: CanvasRenderingContext2D) => void): HTMLImageElement {
  const key = `${name} ${size} ${theme.name} ${theme.palette}`;
  let source = pictures.get(key);
  if (!source) {
    const canvas = h("canvas", { width: size * SCALE, height: size * SCALE }), to = canvas.getContext("2d")!;
    to.scale(SCALE, SCALE);
    draw(to);
    pictures.set(key, (source = canvas.toDataURL()));
  }
  return h("img", { class: "chip", src: source, width: size, height: size, alt: "", decoding: "sync" });
}

export function seatChip(seat: number, theme: Theme, size = 16): HTMLImageElement {
  return picture(`seat ${seat}`, size, theme, (to) => {
    to.translate(size * 0.05, size * 0.05);
    to.scale(size * 0.9, size * 0.9);
    const colour = colourOf(theme, `seat${seat}`);
    to.fillStyle = css(colour);
    to.fill(shapePath(shapeOf(seat)));
    to.lineWidth = 0.07;
    to.strokeStyle = css(theme.palette === "strong" ? theme.text : mixed(colour, BLACK, 0.4));
    to.stroke(shapePath(shapeOf(seat)));
  });
}

export function pieceChip(piece: Piece, theme: Theme, size = 24): HTMLImageElement {
  const name = `piece ${piece.seat} ${piece.role} ${piece.icon} ${piece.icon ? "" : piece.text}`;
  return picture(name, size, theme, (to) => to.drawImage(sprite(theme, { ...piece, facing: "" }, size * SCALE), 0, 0, size, size));
}

export function tileChip(role: string, theme: Theme, size = 24): HTMLImageElement {
  return picture(`tile ${role}`, size, theme, (to) => tile(to, 0, 0, size, role, theme));
}

export function markChip(role: string, theme: Theme, size = 24): HTMLImageElement {
  return picture(`mark ${role}`, size, theme, (to) => {
    to.strokeStyle = css(colourOf(theme, role));
    to.lineWidth = 2.5;
    if (role === "danger" || role === "neutral") to.setLineDash([4, 3]);
    to.strokeRect(3, 3, size - 6, size - 6);
  });
}

export function barChip(k: number, theme: Theme, size = 24): HTMLImageElement {
  return picture(`bar ${k}`, size, theme, (to) => paintBar(to, size / 2, size * 0.62, size, k, { name: "", value: 1, full: 1 }, theme));
}
