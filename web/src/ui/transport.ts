/** Play, pause, step, speed, and the bar on which one goes anywhere, with marks for what happened. */

import { colourOf, css } from "../draw/palette";
import { fill, h, iconButton, sign } from "./dom";
import { SPEEDS, settings } from "./settings";

export interface Mark { at: number; kind: string; isFault: boolean }
export interface Deck { go(k: number): void; step(by: number): void; toggle(): void; faster(by: number): void }

const FIERCE = new Set(["shot", "hit", "kill", "fight", "penalty", "bomb", "spray"]);

export class Transport {
  private readonly range = h("input", { type: "range", min: 0, max: 1, value: 0, step: 1, "aria-label": "turn" });
  private readonly marks = h("canvas", { class: "marks", "aria-hidden": "true" });
  private readonly done = h("div", { class: "done" });
  private readonly bubble = h("div", { class: "bubble", hidden: true, "aria-hidden": "true" });
  private readonly play: HTMLButtonElement;
  private readonly count = h("output", { class: "count" });
  private readonly speed = h("select", { class: "speed", "aria-label": "speed" });
  readonly element: HTMLElement;
  private drawn: Mark[] = [];
  private length = 1;
  describe: (k: number) => string = (k) => String(k);

  constructor(deck: Deck) {
    this.play = h("button", { type: "button", class: "play", "aria-label": "play", onclick: () => deck.toggle() }, sign("play", 24));
    for (const speed of SPEEDS) this.speed.append(h("option", { value: speed }, `${speed}×`));
    this.speed.addEventListener("change", () => settings.set({ speed: Number(this.speed.value) }));
    this.range.addEventListener("input", () => deck.go(Number(this.range.value)));
    const track = h("div", { class: "track" }, h("div", { class: "rail" }, this.done), this.marks, this.range, this.bubble);
    track.addEventListener("pointermove", (event) => this.peek(track, event.clientX));
    track.addEventListener("pointerleave", () => (this.bubble.hidden = true));
    this.element = h(
      "div", { class: "transport", role: "group", "aria-label": "replay controls" },
      h("div", { class: "buttons" },
        iconButton("first", "to the start (Home)", () => deck.go(0)),
        iconButton("back", "a step back (left arrow)", () => deck.step(-1)),
        this.play,
        iconButton("forward", "a step forward (right arrow)", () => deck.step(1)),
        iconButton("last", "to the end (End)", () => deck.go(Infinity))),
      track,
      h("div", { class: "ends" }, this.count, h("label", { class: "speeds", title: "turns a second (+ and −)" }, this.speed)),
    );
    new ResizeObserver(() => this.draw()).observe(this.marks);
  }

  update(at: number, length: number, isPlaying: boolean): void {
    this.length = length;
    this.range.max = String(Math.max(1, length - 1));
    this.range.value = String(at);
    this.range.setAttribute("aria-valuetext", this.describe(at));
    this.done.style.width = `${(100 * at) / Math.max(1, length - 1)}%`;
    this.count.textContent = `${at} / ${length - 1}`;
    this.speed.value = String(settings.speed);
    const name = isPlaying ? "pause" : "play";
    if (this.play.getAttribute("aria-label") !== name) {
      this.play.setAttribute("aria-label", name);
      this.play.title = `${name} (space)`;
      fill(this.play, sign(name, 24));
    }
  }

  mark(marks: Mark[]): void {
    this.drawn = marks;
    this.draw();
  }

  private peek(track: HTMLElement, x: number): void {
    const box = track.getBoundingClientRect(), share = Math.max(0, Math.min(1, (x - box.left) / box.width));
    const k = Math.round(share * (this.length - 1));
    this.bubble.hidden = false;
    this.bubble.textContent = this.describe(k);
    this.bubble.style.left = `${Math.max(10, Math.min(90, share * 100))}%`;
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.marks;
    if (!width) return;
    const scale = Math.min(2, devicePixelRatio || 1), { theme } = settings;
    this.marks.width = width * scale;
    this.marks.height = height * scale;
    const to = this.marks.getContext("2d")!;
    to.scale(scale, scale);
    for (const { at, kind, isFault } of this.drawn) {
      const x = 8 + ((width - 16) * at) / Math.max(1, this.length - 1);
      to.fillStyle = css(isFault || FIERCE.has(kind) ? colourOf(theme, "danger") : kind === "end" ? colourOf(theme, "goal") : theme.dim);
      if (isFault) { // a tip that points down
        to.beginPath();
        to.moveTo(x - 4, 0);
        to.lineTo(x + 4, 0);
        to.lineTo(x, 7);
        to.fill();
      } else if (kind === "end") to.fillRect(x - 1.5, 0, 3, height);
      else to.fillRect(x - 0.75, FIERCE.has(kind) ? 1 : 4, 1.5, FIERCE.has(kind) ? 8 : 5);
    }
  }
}
