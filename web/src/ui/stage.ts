/** The board on the page: a canvas with pan, zoom, tips and clicks; or the same scenes in three dimensions. */

import { type Camera, STRAIGHT, ZOOMS } from "../draw/layout";
import { type Highlights, Painter } from "../draw/painter";
import { placeNames } from "../scene/say";
import { type Place, type Scene, key } from "../scene/types";
import { fill, h } from "./dom";
import { settings } from "./settings";

/** What draws scenes in three dimensions, once it is loaded. */
export interface Board3d {
  readonly element: HTMLElement;
  show(scene: Scene, before: Scene | null, t: number, highlights: Highlights | null): void;
  resize(width: number, height: number): void;
  zoom(by: number): void;
  pan(dx: number, dy: number): void;
  fit(): void;
  onpick: (place: Place | null, x: number, y: number) => void;
  onhover: (place: Place | null, x: number, y: number) => void;
  theme(theme: Painter["theme"]): void;
  end(): void;
}

export class Stage {
  readonly canvas = h("canvas", { class: "board", tabindex: 0, role: "img", "aria-label": "board" });
  readonly tip = h("div", { class: "tip", hidden: true });
  readonly element = h("div", { class: "stage" }, this.canvas, this.tip);
  readonly painter: Painter;
  onpick: (place: Place) => void = () => {};
  private camera: Camera = STRAIGHT;
  private scene: Scene | null = null;
  private before: Scene | null = null;
  private t = 1;
  private highlights: Highlights | null = null;
  private board3d: Board3d | null = null;
  private readonly pointers = new Map<number, [number, number]>();
  private dragged = 0;

  constructor() {
    this.painter = new Painter(this.canvas, settings.theme);
    new ResizeObserver(() => this.resize()).observe(this.element);
    const { canvas } = this;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  show(scene: Scene, before: Scene | null, t: number, highlights: Highlights | null): void {
    Object.assign(this, { scene, before, t, highlights });
    this.paint();
  }

  recolour(): void {
    this.painter.theme = settings.theme;
    this.board3d?.theme(settings.theme);
    this.paint();
  }

  private paint(): void {
    if (!this.scene) return;
    if (this.board3d) this.board3d.show(this.scene, this.before, this.t, this.highlights);
    else this.painter.paint(this.scene, this.before, this.t, this.highlights);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (this.board3d) this.board3d.resize(clientWidth, clientHeight);
    this.painter.resize(clientWidth, clientHeight, Math.min(3, devicePixelRatio || 1));
    this.paint();
  }

  /** Lay the board in three dimensions over the flat one, or take it away again. */
  use(board: Board3d | null): void {
    this.board3d?.end();
    this.board3d?.element.remove();
    this.board3d = board;
    this.canvas.hidden = board !== null;
    if (board) {
      this.element.prepend(board.element);
      board.onpick = (place) => place && this.onpick(place);
      board.onhover = (place, x, y) => this.hover(place, x, y);
      board.theme(settings.theme);
    }
    this.resize();
  }

  get is3d(): boolean {
    return this.board3d !== null;
  }

  zoom(by: number, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2): void {
    if (this.board3d) return this.board3d.zoom(by);
    const zoom = Math.max(ZOOMS[0], Math.min(ZOOMS[1], this.camera.zoom * by)), ratio = zoom / this.camera.zoom;
    const dx = x - this.element.clientWidth / 2, dy = y - this.element.clientHeight / 2;
    this.look({ zoom, x: dx - (dx - this.camera.x) * ratio, y: dy - (dy - this.camera.y) * ratio });
  }

  pan(dx: number, dy: number): void {
    if (this.board3d) return this.board3d.pan(dx, dy);
    this.look({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy });
  }

  fit(): void {
    if (this.board3d) return this.board3d.fit();
    this.look(STRAIGHT);
  }

  private look(camera: Camera): void {
    this.camera = camera;
    this.painter.look(camera);
    this.canvas.classList.toggle("moved", camera !== STRAIGHT);
    requestAnimationFrame(() => this.paint());
  }

  private down(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.dragged = 0;
  }

  private move(event: PointerEvent): void {
    const was = this.pointers.get(event.pointerId), now: [number, number] = [event.offsetX, event.offsetY];
    if (!was) return this.hover(this.painter.layout?.placeAt(...now) ?? null, ...now);
    const dx = now[0] - was[0], dy = now[1] - was[1];
    this.dragged += Math.abs(dx) + Math.abs(dy);
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
      const ratio = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(was[0] - other[0], was[1] - other[1]));
      this.zoom(ratio, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (this.dragged > 6 && (event.pointerType === "mouse" || this.camera !== STRAIGHT)) {
      this.pan(dx, dy); // a finger scrolls the page unless the board was zoomed
    }
    this.pointers.set(event.pointerId, now);
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId) || this.dragged > 6) return;
    const place = this.painter.layout?.placeAt(event.offsetX, event.offsetY) ?? null;
    if (place) this.onpick(place);
    if (event.pointerType !== "mouse") this.hover(place, event.offsetX, event.offsetY);
  }

  /** Tell what stands on a place. */
  private hover(place: Place | null, x: number, y: number): void {
    const lines = place && this.scene ? aboutPlace(this.scene, place) : [];
    this.tip.hidden = !lines.length;
    if (!lines.length) return;
    fill(this.tip, ...lines.map((line, k) => h(k ? "div" : "strong", {}, line)));
    const { clientWidth, clientHeight } = this.element;
    const left = x + 16 + this.tip.offsetWidth > clientWidth ? x - 12 - this.tip.offsetWidth : x + 16;
    const top = y + 16 + this.tip.offsetHeight > clientHeight ? y - 12 - this.tip.offsetHeight : y + 16;
    this.tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }
}

const MOST_TOLD = 8;

/** Return what a tip says of a place: its name, its pieces with their bars, what the cell is. */
export function aboutPlace(scene: Scene, place: Place): string[] {
  const here = key(...place), said = new Map(scene.legend);
  const lines = [placeNames(scene.board).get(here) ?? ""];
  for (const piece of scene.pieces) {
    if (key(piece.x, piece.y, piece.z) !== here) continue;
    const bars = piece.bars.map((bar) => `${bar.name} ${Number(bar.value.toFixed(2))}/${Number(bar.full.toFixed(2))}`);
    lines.push([piece.about, ...bars].join(", "));
  }
  for (const cell of scene.cells) {
    if (key(cell.x, cell.y, cell.z) === here && (cell.role !== "floor" || cell.amount)) {
      lines.push([said.get(cell.text) ?? said.get(cell.role) ?? cell.role, cell.amount].filter(Boolean).join(": "));
    }
  }
  for (const mark of scene.marks) {
    if (key(mark.x, mark.y, mark.z) === here && said.has(mark.role) && !lines.includes(said.get(mark.role)!)) lines.push(said.get(mark.role)!);
  }
  return lines.length > MOST_TOLD ? [...lines.slice(0, MOST_TOLD), `and ${lines.length - MOST_TOLD} more`] : lines;
}
