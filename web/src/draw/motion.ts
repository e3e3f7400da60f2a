/** Between two scenes: where the pieces are on their way, what is shot, who is hurt. Pieces are known by their ids. */

import { type Link, NOBODY, type Piece, type Scene, key } from "../scene/types";
import type { Layout } from "./layout";

const MOST_ALONE = 4; // pieces of one place that are drawn one by one
const MOVES = new Set(["move", "turn", "blocked", "end", "stay", "escape"]); // kinds of events that the pieces themselves show

export interface Placed { piece: Piece; x: number; y: number; side: number; share: number; together: number; picture: HTMLCanvasElement | null }
export interface Hurt { id: number; text: string; x: number; y: number }

/** Return the pieces of a scene by id; those that share a place stand beside each other, many of one kind as one. */
export function placed(scene: Scene, layout: Layout): Map<number, Placed> {
  const spots = new Map<number, Piece[]>();
  for (const piece of scene.pieces) {
    const place = key(piece.x, piece.y, piece.z), there = spots.get(place);
    if (there) there.push(piece);
    else spots.set(place, [piece]);
  }
  const found = new Map<number, Placed>();
  for (const pieces of spots.values()) {
    const [x, y] = layout.middle(pieces[0].x, pieces[0].y, pieces[0].z);
    const groups = grouped(pieces), slots = slotsOf(groups.length);
    groups.forEach((group, n) => {
      const [dx, dy, share] = slots[n];
      group.forEach((piece, k) => {
        found.set(piece.id, {
          piece, x: x + dx * layout.cell, y: y + dy * layout.cell, side: share * layout.cell, share: k === 0 ? 1 : 0, together: group.length,
          picture: null,
        });
      });
    });
  }
  return found;
}

/** Return the pieces of a place as they are drawn: one by one, or many of one kind together, the weakest first. */
function grouped(pieces: Piece[]): Piece[][] {
  if (pieces.length <= MOST_ALONE) return pieces.map((piece) => [piece]);
  const kinds = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const name = `${piece.seat} ${piece.kind} ${piece.icon}`;
    kinds.set(name, [...(kinds.get(name) ?? []), piece]);
  }
  return [...kinds.values()].map((group) => group.sort((one, other) => (one.bars[0]?.value ?? 0) - (other.bars[0]?.value ?? 0)));
}

/** Return where so many things stand in a place, and how large they are: shares of a cell, from its middle. */
function slotsOf(count: number): [number, number, number][] {
  if (count === 2) return [[-0.18, -0.18, 0.64], [0.18, 0.18, 0.64]];
  const across = Math.ceil(Math.sqrt(count)), down = Math.ceil(count / across);
  return Array.from({ length: count }, (_, k): [number, number, number] => {
    const row = Math.floor(k / across), inRow = Math.min(across, count - row * across);
    return [((k % across) - (inRow - 1) / 2) / across, (row - (down - 1) / 2) / across, 1 / across];
  });
}

/** Show the pieces on their way from one scene to the next; t goes from 0 to 1. */
export function eachMoving(
  now: Map<number, Placed>, then: Map<number, Placed> | null, t: number,
  show: (placed: Placed, x: number, y: number, side: number, share: number) => void,
): void {
  const before = t < 1 ? then : null, share = t * t * (3 - 2 * t); // slow at both ends
  before?.forEach((old, id) => {
    if (!now.has(id)) show(old, old.x, old.y, old.side, (1 - t) * old.share);
  });
  now.forEach((fresh, id) => {
    const old = before?.get(id);
    if (!before) show(fresh, fresh.x, fresh.y, fresh.side, fresh.share);
    else if (!old || old.piece.kind !== fresh.piece.kind) show(fresh, fresh.x, fresh.y, fresh.side, t * fresh.share);
    else {
      const x = old.x + (fresh.x - old.x) * share, y = old.y + (fresh.y - old.y) * share;
      show(fresh, x, y, old.side + (fresh.side - old.side) * share, old.share + (fresh.share - old.share) * t);
    }
  });
}

/** Return the lines of the last turn: those of the scene, and of events that went from a place to another. */
export function shots(scene: Scene): Link[] {
  const found = [...scene.links];
  const drawn = new Set(found.map((link) => `${link.x},${link.y},${link.z},${link.toX},${link.toY},${link.toZ}`));
  for (const { kind, from, to, seat } of scene.events) {
    if (!from || !to || MOVES.has(kind)) continue;
    const line = `${from},${to}`;
    if (drawn.has(line) || String(from) === String(to)) continue;
    drawn.add(line);
    const role = seat !== NOBODY ? `seat${seat}` : "danger";
    found.push({ x: from[0], y: from[1], z: from[2], toX: to[0], toY: to[1], toZ: to[2], role });
  }
  return found;
}

/** Return what pieces lost of their first bar since the scene before, and those that are gone. */
export function hurts(before: Scene | null, scene: Scene, layout: Layout): Hurt[] {
  if (!before || before.board !== scene.board) return [];
  const now = new Map(scene.pieces.map((piece) => [piece.id, piece]));
  const found: Hurt[] = [];
  for (const piece of before.pieces) {
    const fresh = now.get(piece.id), bar = piece.bars[0], after = fresh?.bars[0];
    if (!fresh || !bar || !after || bar.name !== after.name || bar.full !== after.full) continue;
    const lost = bar.value - after.value;
    if (lost > 0) {
      const [x, y] = layout.middle(fresh.x, fresh.y, fresh.z);
      found.push({ id: piece.id, text: `−${Number(lost.toFixed(2))}`, x, y });
    }
  }
  return found;
}
