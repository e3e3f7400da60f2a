/** A card for each seat: who sits there, its numbers, whether it is to move, how it ended. */

import type { Reel } from "../reel";
import type { Figure, Scene } from "../scene/types";
import { seatChip } from "./chips";
import { fill, h } from "./dom";
import { settings } from "./settings";

export class Cards {
  readonly element = h("section", { class: "cards", "aria-label": "seats" });
  readonly common = h("dl", { class: "common" });
  private cards: HTMLElement[] = [];
  private readonly said = new Map<number, string>(); // by seat, -1 for what is common

  update(scene: Scene, reel: Reel, thinking: number, outcome: number[] | null): void {
    const common = scene.numbers.filter((number) => number.seat < 0);
    this.fill(-1, this.common, JSON.stringify(common), () => common.flatMap((number) => pair(number.name, number.text)));
    this.common.hidden = !common.length;
    if (this.cards.length !== reel.seats.length) {
      this.cards = reel.seats.map(() => h("article", {}));
      fill(this.element, ...this.cards);
      this.element.style.setProperty("--count", String(Math.min(3, this.cards.length)));
    }
    const look = `${settings.theme.name} ${settings.palette}`;
    reel.seats.forEach((name, seat) => {
      const numbers = scene.numbers.filter((number) => number.seat === seat), isNext = scene.seat === seat, agent = reel.names[seat];
      this.cards[seat].className = `card${isNext ? " next" : ""}`;
      this.fill(seat, this.cards[seat], JSON.stringify([look, numbers, isNext, thinking === seat, outcome?.[seat], agent]), () => [
        h("header", {}, seatChip(seat, settings.theme, 20), h("h3", {}, name), badge(isNext, thinking === seat, outcome?.[seat])),
        agent ? h("p", { class: "agent" }, agent) : null,
        numbers.length ? h("dl", {}, ...numbers.flatMap((number) => row(number, name))) : null,
      ]);
    });
  }

  /** Fill an element, unless it says so already. */
  private fill(place: number, element: Element, said: string, children: () => (HTMLElement | null)[]): void {
    if (this.said.get(place) === said) return;
    this.said.set(place, said);
    fill(element, ...children());
  }
}

function badge(isNext: boolean, isThinking: boolean, outcome: number | undefined): HTMLElement | null {
  if (outcome !== undefined) return h("span", { class: `tag ${outcome > 0 ? "won" : "ended"}` }, outcome > 0 ? "won" : outcome < 0 ? "lost" : "draw");
  if (isThinking) return h("span", { class: "tag thinking" }, "thinking");
  return isNext ? h("span", { class: "tag" }, "to move") : null;
}

function row(number: Figure, seat: string): HTMLElement[] {
  const name = number.name.replace(`${seat} `, "").replace(`${seat}'s `, "");
  const [dt, dd] = pair(name, number.text);
  const limit = /^(-?[\d.]+)\/([\d.]+)/.exec(number.text);
  if (limit && Number(limit[2]) > 0) {
    const share = h("i", { class: "meter" });
    share.style.setProperty("--share", String(Math.max(0, Math.min(1, Number(limit[1]) / Number(limit[2])))));
    dd.append(share);
  }
  return [dt, dd];
}

function pair(name: string, text: string): [HTMLElement, HTMLElement] {
  return [h("dt", {}, name), h("dd", {}, text)];
}
