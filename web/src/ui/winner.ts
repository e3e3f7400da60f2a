/** The panel at the end of a game: who won, how, and what each had. */

import type { Reel } from "../reel";
import type { Scene } from "../scene/types";
import { seatChip } from "./chips";
import { fill, h, iconButton, sign } from "./dom";
import { settings } from "./settings";

const MOST_COLUMNS = 4;

type Outcome = { outcome: number[]; points: number[]; how: string };

export class Winner {
  readonly element = h("section", { class: "winner", hidden: true, "aria-label": "result" });
  private isDismissed = false;

  constructor(private readonly again: () => void) {}

  hide(): void {
    this.isDismissed = true;
    this.element.hidden = true;
  }

  /** Show who won; without an outcome the panel goes, and may come again. */
  update(outcome: Outcome | null, scene: Scene, reel: Reel): void {
    if (!outcome) this.isDismissed = false;
    this.element.hidden = !outcome || this.isDismissed;
    if (!outcome || this.isDismissed) return;
    const won = reel.seats.map((_, k) => k).filter((k) => outcome.outcome[k] > 0);
    const title = won.length ? `${won.map((k) => reel.seats[k]).join(" and ")} ${won.length > 1 ? "win" : "wins"}` : "A draw";
    const agents = won.map((k) => reel.names[k]).filter(Boolean).join(", ");
    fill(this.element,
      iconButton("close", "go on looking (Escape)", () => this.hide()),
      h("div", { class: "cup" }, won.length ? seatChip(won[0], settings.theme, 40) : sign("cup", 40)),
      h("div", { class: "who" }, h("h2", {}, title), agents ? h("p", { class: "agent" }, agents) : null, h("p", { class: "how" }, outcome.how)),
      table(outcome, scene, reel),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => this.hide() }, "Go on looking"),
        h("button", { type: "button", onclick: () => this.again() }, "Watch again")));
  }
}

function table(outcome: Outcome, scene: Scene, reel: Reel): HTMLElement {
  const written = outcome.points.map((points) => String(Number(points.toFixed(2))));
  const columns = new Map<string, string[]>(written.length ? [["points", written]] : []);
  for (const number of scene.numbers) {
    if (number.seat < 0 || !number.isCurve) continue;
    const name = bare(number.name, reel.seats[number.seat]);
    columns.set(name, columns.get(name) ?? reel.seats.map(() => "–"));
    columns.get(name)![number.seat] = number.text.replace(/\/.*/, "");
  }
  const chosen = [...columns].filter(([name, texts]) => name === "points" || texts.join() !== written.join()).slice(0, MOST_COLUMNS);
  const head = h("tr", {}, h("th", {}, "seat"), ...chosen.map(([name]) => h("th", {}, name)));
  const rows = reel.seats.map((seat, k) =>
    h("tr", {}, h("th", { scope: "row" }, seatChip(k, settings.theme, 12), " ", seat), ...chosen.map(([, texts]) => h("td", {}, texts[k]))));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
}

function bare(name: string, seat: string): string {
  return name.replace(`${seat} `, "").replace(`${seat}'s `, "");
}
