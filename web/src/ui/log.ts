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
  private readonly more = h("li", { class: "more" });
  private eyes = EVERYTHING;
  private look = "";
  private at = -1; // the turn that is listed first

  constructor(private readonly reel: Reel, private readonly verdicts: Record<string, string>, private readonly go: (k: number) => void) {}

  update(at: number, eyes: number): void {
    const look = `${settings.theme.name} ${settings.palette}`;
    if (eyes !== this.eyes || look !== this.look) this.drop();
    this.eyes = eyes;
    this.look = look;
    if (at === this.at) return;
    const earlier = at - MOST_TURNS + 1;
    this.more.textContent = `… ${counted(Math.max(1, earlier), "earlier turn")}`;
    this.more.hidden = earlier <= 0;
    this.entries.get(this.at)?.classList.remove("now");
    if (at === this.at + 1 && this.at >= 0) { // the others stay where they are
      this.element.prepend(this.entryAt(at));
      this.entries.get(earlier - 1)?.remove();
    } else {
      const shown: HTMLElement[] = [];
      for (let k = at; k >= Math.max(0, earlier); k--) shown.push(this.entryAt(k));
      fill(this.element, ...shown, this.more);
    }
    this.entries.get(at)!.classList.add("now");
    this.at = at;
  }

  private entryAt(k: number): HTMLElement {
    let entry = this.entries.get(k);
    if (!entry) this.entries.set(k, (entry = this.entry(k)));
    return entry;
  }

  /** Forget what is no longer true from a turn on, as after taking a move back. */
  drop(from = 0): void {
    for (const k of this.entries.keys()) if (k >= from) this.entries.delete(k);
    this.at = -1;
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
