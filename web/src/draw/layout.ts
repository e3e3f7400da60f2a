/** Where every place of a board stands on a canvas, in its own dots; layers lie side by side. */

import { type Board, type Place, key } from "../scene/types";

export interface Camera { zoom: number; x: number; y: number }
export const STRAIGHT: Camera = { zoom: 1, x: 0, y: 0 };
export const ZOOMS: [number, number] = [0.3, 8];
const GAP = 0.9; // between layers, in cells

interface Grid { columns: Map<number, number>; rows: Map<number, number> }

export interface Layout {
  width: number;
  height: number;
  cell: number;
  corners: [number, number][]; // by layer
  grids: Grid[];
  corner(x: number, y: number, z: number): [number, number];
  middle(x: number, y: number, z: number): [number, number];
  placeAt(x: number, y: number): Place | null;
}

const grids = new WeakMap<Board, { grids: Grid[]; holes: Set<number> }>();

/** By layer the columns and rows that have places: layers of other sizes stand in one frame, with gaps between. */
export function gridsOf(board: Board): { grids: Grid[]; holes: Set<number> } {
  let found = grids.get(board);
  if (!found) {
    const holes = new Set(board.holes.map(([x, y, z]) => key(x, y, z)));
    const all: Grid[] = [];
    for (let z = 0; z < board.layers; z++) {
      const columns = new Map<number, number>(), rows = new Map<number, number>();
      for (let x = 0; x < board.width; x++) {
        for (let y = 0; y < board.height; y++) if (!holes.has(key(x, y, z)) && !columns.has(x)) columns.set(x, columns.size);
      }
      for (let y = 0; y < board.height; y++) {
        for (let x = 0; x < board.width; x++) if (!holes.has(key(x, y, z)) && !rows.has(y)) rows.set(y, rows.size);
      }
      all.push({ columns, rows });
    }
    grids.set(board, (found = { grids: all, holes }));
  }
  return found;
}

/** Whether layers are graphs of points rather than fields of tiles: their places are joined by lines that are always there. */
export function isGraph(board: Board): boolean {
  return board.links.length > 0;
}

export function layOut(board: Board, width: number, height: number, camera: Camera = STRAIGHT): Layout {
  const { grids, holes } = gridsOf(board);
  const sizes = grids.map(({ columns, rows }): [number, number] => [Math.max(1, columns.size), Math.max(1, rows.size)]);
  const hasLabels = (board.columns.length > 0 || board.rows.length > 0) && board.layers === 1;
  const before = hasLabels || board.layers > 1 ? 0.75 : 0.2, after = hasLabels ? 0.3 : 0.25;
  let best = 0, chosen = 1;
  for (let count = 1; count <= board.layers; count++) {
    const [wide, high] = extent(sizes, count);
    const cell = Math.min(width / (wide + before + after), height / (high + before + after));
    if (cell > best) [best, chosen] = [cell, count];
  }
  const cell = Math.max(4, Math.floor(Math.min(best, 96) * camera.zoom));
  const [, high] = extent(sizes, chosen);
  const shift = ((before - after) * cell) / 2;
  let top = (height - high * cell) / 2 + shift + camera.y;
  const corners: [number, number][] = [];
  for (let first = 0; first < board.layers; first += chosen) {
    const line = sizes.slice(first, first + chosen);
    const length = line.reduce((sum, [w]) => sum + w, 0) + GAP * (line.length - 1);
    let left = (width - length * cell) / 2 + (hasLabels ? shift : 0) + camera.x;
    const tall = Math.max(...line.map(([, h]) => h));
    for (const [w, h] of line) {
      corners.push([Math.round(left), Math.round(top + ((tall - h) * cell) / 2)]);
      left += (w + GAP) * cell;
    }
    top += (tall + GAP) * cell;
  }
  return make(width, height, cell, corners, grids, holes);
}

function make(width: number, height: number, cell: number, corners: [number, number][], grids: Grid[], holes: Set<number>): Layout {
  const corner = (x: number, y: number, z: number): [number, number] => {
    const [left, top] = corners[z];
    return [left + (grids[z].columns.get(x) ?? 0) * cell, top + (grids[z].rows.get(y) ?? 0) * cell];
  };
  return {
    width, height, cell, corners, grids, corner,
    middle(x, y, z) {
      const [left, top] = corner(x, y, z);
      return [left + cell / 2, top + cell / 2];
    },
    placeAt(px, py) {
      for (const [z, [left, top]] of corners.entries()) {
        const column = Math.floor((px - left) / cell), row = Math.floor((py - top) / cell);
        const x = [...grids[z].columns].find(([, k]) => k === column)?.[0];
        const y = [...grids[z].rows].find(([, k]) => k === row)?.[0];
        if (x !== undefined && y !== undefined && !holes.has(key(x, y, z))) return [x, y, z];
      }
      return null;
    },
  };
}

function extent(sizes: [number, number][], count: number): [number, number] {
  let wide = 0, high = 0, lines = 0;
  for (let k = 0; k < sizes.length; k += count) {
    const line = sizes.slice(k, k + count);
    wide = Math.max(wide, line.reduce((sum, [w]) => sum + w, 0) + GAP * (line.length - 1));
    high += Math.max(...line.map(([, h]) => h));
    lines++;
  }
  return [wide, high + GAP * (lines - 1)];
}
