/** The painter: a scene on a canvas, also on the way from the one before. What lies still is drawn once. */

import { type Link, type Place, type Scene, key } from "../scene/types";
import { type Camera, type Layout, STRAIGHT, layOut } from "./layout";
import { type Placed, type Hurt, eachMoving, hurts, placed, shots } from "./motion";
import { type Theme, colourOf, css } from "./palette";
import { paintPiece, pictureOf } from "./sprites";
import { type Context, fontOf, write } from "./text";
import { hasNames, namePlaces, paintBoard } from "./tiles";

interface Still { scene: Scene; layout: Layout; theme: Theme; picture: HTMLCanvasElement; now: Map<number, Placed>; links: Link[]; labels: Set<string>; names: HTMLCanvasElement | null }
interface Way { before: Scene; then: Map<number, Placed>; hurt: Hurt[]; hit: Set<number> }

export interface Highlights { targets: Place[]; picked: Place | null; pointed: Place[] }

export class Painter {
  layout: Layout | null = null;
  private readonly fullest = new Map<string, number>();
  private still: Still | null = null;
  private way: Way | null = null;
  private scale = 1;
  private width = 0;
  private height = 0;
  private camera: Camera = STRAIGHT;

  private readonly to: Context;

  constructor(readonly canvas: HTMLCanvasElement, public theme: Theme) {
    this.to = canvas.getContext("2d", { alpha: false })!;
  }

  /** Take the size that the page gives the canvas. */
  resize(width: number, height: number, scale: number): void {
    if (width === this.width && height === this.height && scale === this.scale) return;
    [this.width, this.height, this.scale] = [width, height, scale];
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.still = this.way = null;
  }

  look(camera: Camera): void {
    if (camera === this.camera) return;
    this.camera = camera;
    this.still = this.way = null;
  }

  paint(scene: Scene, before: Scene | null, t: number, highlights: Highlights | null): void {
    if (!this.width || !this.height) return;
    const still = this.lyingStill(scene);
    const { to } = this;
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.drawImage(still.picture, 0, 0);
    to.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    const isMoving = before !== null && before !== scene && t < 1;
    const way = isMoving ? this.wayFrom(before, still) : null;
    if (highlights) this.highlight(to, highlights, still.layout);
    if (!isMoving || t >= 0.4) {
      const reach = isMoving ? Math.min(1, (t - 0.4) / 0.5) : 1;
      for (const link of still.links) arrow(to, link, still.layout, css(colourOf(this.theme, link.role)), reach);
    }
    const glow = isMoving && t >= 0.5 ? Math.sin((t - 0.5) * 2 * Math.PI) : 0;
    eachMoving(still.now, way?.then ?? null, t, (one, x, y, side, share) => {
      if (share <= 0) return;
      one.picture ??= this.pictureOf(one, still);
      const isHit = glow > 0 && way!.hit.has(one.piece.id);
      paintPiece(to, one.piece, one.picture, x, y, side, side / one.side, share, isHit ? glow : 0, this.theme, this.scale, isMoving);
    });
    if (still.names) to.drawImage(still.names, 0, 0, this.width, this.height);
    if (way && t >= 0.45) for (const one of way.hurt) this.number(to, one, still.layout.cell, (t - 0.45) / 0.55);
  }

  private pictureOf({ piece, side, together }: Placed, still: Still): HTMLCanvasElement {
    const isCounted = Boolean(piece.icon && piece.amount) && piece.text.includes(String(Math.abs(piece.amount)));
    const isTold = isCounted || still.labels.has(`${piece.icon} ${piece.seat}`);
    return pictureOf(piece, side, together > 1 ? `${together}×` : isTold ? piece.text : "", this.theme, this.scale);
  }

  private lyingStill(scene: Scene): Still {
    const { still } = this;
    if (still && still.scene === scene && still.theme === this.theme) return still;
    const layout = still && still.scene.board === scene.board ? still.layout : layOut(scene.board, this.width, this.height, this.camera);
    const picture = still?.picture ?? this.sheet(), to = picture.getContext("2d", { alpha: false })!;
    to.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    to.fillStyle = css(this.theme.ground);
    to.fillRect(0, 0, this.width, this.height);
    paintBoard(to, scene, layout, this.theme, this.fullest);
    this.layout = layout;
    this.way = null;
    const names = still && still.layout === layout && still.theme === this.theme ? still.names : this.named(scene, layout);
    this.still = { scene, layout, theme: this.theme, picture, now: placed(scene, layout), links: shots(scene), labels: labelsOf(scene), names };
    return this.still;
  }

  /** Return the names of places as something to lay over the pieces, or null if there are none. */
  private named(scene: Scene, layout: Layout): HTMLCanvasElement | null {
    if (!hasNames(scene.board, layout)) return null;
    const sheet = this.sheet(), to = sheet.getContext("2d")!;
    to.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    namePlaces(to, scene, layout, this.theme);
    return sheet;
  }

  private sheet(): HTMLCanvasElement {
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [this.canvas.width, this.canvas.height];
    return sheet;
  }

  private wayFrom(before: Scene, still: Still): Way | null {
    if (before.board !== still.scene.board) return null;
    if (this.way?.before !== before) {
      const hurt = hurts(before, still.scene, still.layout);
      this.way = { before, then: placed(before, still.layout), hurt, hit: new Set(hurt.map(({ id }) => id)) };
    }
    return this.way;
  }

  private highlight(to: Context, { targets, picked, pointed }: Highlights, layout: Layout): void {
    const { cell } = layout, gold = colourOf(this.theme, "goal");
    const ring = (place: Place, alpha: number, line: number): void => {
      const [left, top] = layout.corner(...place);
      to.beginPath();
      to.roundRect(left + 1.5, top + 1.5, cell - 3, cell - 3, cell * 0.12);
      to.fillStyle = css(gold, alpha * 0.22);
      to.fill();
      to.lineWidth = line;
      to.strokeStyle = css(gold, alpha);
      to.stroke();
    };
    to.setLineDash([cell * 0.16, cell * 0.1]);
    for (const place of targets) ring(place, 0.6, Math.max(1.5, cell / 26));
    to.setLineDash([]);
    for (const place of pointed) ring(place, 1, Math.max(2, cell / 18));
    if (picked && !pointed.some((place) => key(...place) === key(...picked))) ring(picked, 1, Math.max(2, cell / 18));
  }

  /** Let a number rise from a place. */
  private number(to: Context, { text, x, y }: Hurt, cell: number, t: number): void {
    const size = Math.max(11, cell * 0.4);
    to.globalAlpha = Math.min(1, 2 * (1 - t));
    const at = y - cell * (0.1 + 0.5 * t);
    to.font = fontOf(size, 800);
    to.textAlign = "center";
    to.textBaseline = "middle";
    to.lineWidth = size * 0.24;
    to.lineJoin = "round";
    to.strokeStyle = css(this.theme.ground);
    to.strokeText(text, x, at + size * 0.04);
    write(to, text, x, at, size, css(colourOf(this.theme, "goal")), "center", 800);
    to.globalAlpha = 1;
  }
}

/** Return icons and seats that stand for pieces of more than one text: those need their texts beside them. */
function labelsOf(scene: Scene): Set<string> {
  const texts = new Map<string, Set<string>>();
  for (const piece of scene.pieces) {
    if (!piece.icon || piece.facing) continue;
    const name = `${piece.icon} ${piece.seat}`;
    texts.set(name, (texts.get(name) ?? new Set()).add(piece.text));
  }
  return new Set([...texts].filter(([, found]) => found.size > 1).map(([name]) => name));
}

/** Draw a line with an arrow between two places; `reach` is how far it has come. */
function arrow(to: Context, link: Link, layout: Layout, colour: string, reach: number): void {
  let [x0, y0] = layout.middle(link.x, link.y, link.z), [x1, y1] = layout.middle(link.toX, link.toY, link.toZ);
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1) return;
  const dx = (x1 - x0) / length, dy = (y1 - y0) / length, short = Math.min(layout.cell * 0.34, length / 3);
  [x0, y0, x1, y1] = [x0 + dx * short, y0 + dy * short, x1 - dx * short, y1 - dy * short];
  [x1, y1] = [x0 + (x1 - x0) * reach, y0 + (y1 - y0) * reach];
  const thick = Math.max(2, layout.cell / 14), head = Math.max(6, layout.cell / 4.5);
  to.lineCap = "round";
  for (const [width, ink] of [[thick + 3, "rgb(0 0 0 / 0.35)"], [thick, colour]] as const) {
    to.strokeStyle = to.fillStyle = ink;
    to.lineWidth = width;
    to.beginPath();
    to.moveTo(x0, y0);
    to.lineTo(x1 - dx * head * 0.6, y1 - dy * head * 0.6);
    to.stroke();
  }
  to.beginPath();
  to.moveTo(x1, y1);
  to.lineTo(x1 - dx * head - dy * head * 0.55, y1 - dy * head + dx * head * 0.55);
  to.lineTo(x1 - dx * head + dy * head * 0.55, y1 - dy * head - dx * head * 0.55);
  to.fill();
}
