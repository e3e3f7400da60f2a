/** What a picture needs explained: kinds of pieces, patterns of places, marks, bars, and signs that are written. */

import type { Theme } from "../draw/palette";
import { MOST_BARS } from "../draw/sprites";
import { type Piece, ROLES, type Scene } from "../scene/types";
import { barChip, markChip, pieceChip, tileChip } from "./chips";
import { fill, h } from "./dom";

const PLAIN = new Set(["floor", "fog"]); // roles that need no word if a game has none for them

export class Legend {
  readonly element = h("ul", { class: "legend" });
  private shown = "";

  update(scene: Scene, theme: Theme): void {
    const entries = explained(scene);
    const now = `${theme.name} ${theme.palette} ${JSON.stringify(entries.map(({ kind, meaning, piece, sign }) => [kind, meaning, piece?.icon, piece?.seat, sign]))}`;
    if (now === this.shown) return;
    this.shown = now;
    fill(this.element, ...entries.map((entry) => h("li", {}, picture(entry, theme), h("span", {}, entry.meaning))));
  }
}

interface Entry { kind: "piece" | "bar" | "cell" | "mark" | "sign"; meaning: string; piece?: Piece; bar?: number; role?: string; sign?: string }

function picture(entry: Entry, theme: Theme): HTMLElement {
  if (entry.piece) return pieceChip(entry.piece, theme);
  if (entry.kind === "bar") return barChip(entry.bar!, theme);
  if (entry.kind === "cell") return tileChip(entry.role!, theme);
  if (entry.kind === "mark") return markChip(entry.role!, theme);
  return h("kbd", {}, entry.sign!);
}

function explained(scene: Scene): Entry[] {
  const said = new Map(scene.legend);
  const kinds = new Map<string, Piece>();
  for (const piece of scene.pieces) if (piece.icon && !kinds.has(`${piece.kind} ${piece.icon}`)) kinds.set(`${piece.kind} ${piece.icon}`, piece);
  const found: Entry[] = [...kinds.values()].map((piece) => ({ kind: "piece", piece, meaning: said.get(piece.text) ?? piece.kind }));
  const bars = new Map<string, number>();
  for (const piece of scene.pieces) piece.bars.slice(0, MOST_BARS).forEach((bar, k) => bars.set(bar.name, k));
  for (const [name, bar] of bars) found.push({ kind: "bar", bar, meaning: `bar: ${name}` });
  const roles = new Set(scene.cells.map((cell) => cell.role));
  for (const role of roles) if (said.has(role) || !PLAIN.has(role)) found.push({ kind: "cell", role, meaning: said.get(role) ?? role });
  for (const role of new Set(scene.marks.map((mark) => mark.role))) {
    if (!said.has(role) || roles.has(role)) continue;
    found.push({ kind: role.startsWith("seat") || role === "fog" ? "cell" : "mark", role, meaning: said.get(role)! });
  }
  const written = new Set([...scene.cells.map((cell) => cell.text), ...scene.pieces.filter((piece) => !piece.icon).map((piece) => piece.text)]);
  const isAll = scene.pieces.length > 0 && !scene.pieces.some((piece) => piece.icon);
  for (const [sign, meaning] of scene.legend) {
    const isRole = (ROLES as readonly string[]).includes(sign) || sign.startsWith("seat");
    const isMet = isAll || written.has(sign) || (sign === "?" && scene.pieces.some((piece) => piece.text.includes("?")));
    if (!isRole && isMet) found.push({ kind: "sign", sign, meaning });
  }
  return found;
}
