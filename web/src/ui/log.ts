/** What happened, in words: the turn that is shown and those before it, the newest first. */

import type { Reel } from "../reel";
import { EVERYTHING } from "../scene/types";
import { seatChip } from "./chips";
import { counted, fill, h, sign } from "./dom";
import { settings } from "./settings";

const MOST_TURNS = 40;
const MOST_LINES = 12; // of one turn

export class Log {
  readonly element = h("ol", { class: "log", "aria-label": "what happened" });
  private entries = new Map<number, HTMLElement>();
  private eyes = EVERYTHING;
  private look = "";

  constructor(private readonly reel: Reel, private readonly verdicts: Record<string, string>, private readonly go: (k: number) => void) {}

  update(at: number, eyes: number): void {
    const look = `${settings.theme.name} ${settings.palette}`;
    if (eyes !== this.eyes || look !== this.look) this.entries.clear();
    this.eyes = eyes;
    this.look = look;
    const shown: HTMLElement[] = [];
    for (let k = at; k >= Math.max(0, at - MOST_TURNS + 1); k--) {
      let entry = this.entries.get(k);
      if (!entry) this.entries.set(k, (entry = this.entry(k)));
      entry.classList.toggle("now", k === at);
      shown.push(entry);
    }
    const earlier = at - MOST_TURNS + 1;
    fill(this.element, ...shown, earlier > 0 ? h("li", { class: "more" }, `… ${counted(earlier, "earlier turn")}`) : null);
  }

  /** Forget what is no longer true, as after taking a move back. */
  drop(): void {
    this.entries.clear();
  }

  private entry(k: number): HTMLElement {
    const scene = this.reel.scene(k, this.eyes);
    const lines = scene.events.filter((event) => event.text);
    const items: HTMLElement[] = lines.slice(0, MOST_LINES).map((event) =>
      h("li", { class: event.kind === "end" ? "end" : "" }, event.seat >= 0 ? seatChip(event.seat, settings.theme, 12) : h("i", { class: "dot" }), h("span", {}, event.text)));
    if (lines.length > MOST_LINES) items.push(h("li", { class: "more" }, `and ${lines.length - MOST_LINES} more`));
    if (!lines.length && this.eyes === EVERYTHING) items.push(...this.told(k));
    if (!items.length) items.push(h("li", { class: "more" }, k === 0 ? "the game begins" : "nothing to be seen"));
    const faults = this.reel.faults(k).map((fault) =>
      h("li", { class: "fault" }, sign("alert", 14), h("div", {},
        h("strong", {}, `${this.reel.seats[fault.seat] ?? "?"}: ${fault.kind}`), " ", fault.text,
        this.verdicts[fault.kind] ? h("em", {}, ` ${this.verdicts[fault.kind]}`) : null,
        fault.stderr.length ? h("pre", {}, fault.stderr.join("\n")) : null)));
    return h("li", {}, h("button", { type: "button", class: "turn", onclick: () => this.go(k), title: `go to ${k}` }, String(k)), h("ul", {}, ...faults, ...items));
  }

  private told(k: number): HTMLElement[] {
    return this.reel.told(k).slice(0, MOST_LINES).map(({ seat, name }) =>
      h("li", {}, seatChip(seat, settings.theme, 12), h("span", {}, `${this.reel.seats[seat]}: ${name}`)));
  }
}
