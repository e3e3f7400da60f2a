/** Who will win from here? Games are played out by a bot, and their ends are counted, live. */

import type { About } from "../engine/about";
import type { Snapshot } from "../engine/table";
import { type Counted, Thinker } from "../engine/thinker";
import { colourOf, css } from "../draw/palette";
import { seatChip } from "./chips";
import { counted, fill, h } from "./dom";
import { settings } from "./settings";

export class Analysis {
  private readonly bot = h("select", { "aria-label": "bot that plays on" });
  private readonly run = h("button", { type: "button", class: "main", onclick: () => this.toggle() }, "Count");
  private readonly result = h("div", { class: "chances", "aria-live": "off" });
  private readonly note = h("p", { class: "note" });
  readonly element: HTMLElement;
  private thinker: Thinker | null = null;
  private isOn = false;

  /** `position` gives the game that is shown, and the seat whose knowledge alone may be used, or -1. */
  constructor(private readonly about: About, private readonly module: WebAssembly.Module, private readonly position: () => { game: Snapshot; seat: number; isOver: boolean }) {
    about.bots.forEach((name, k) => this.bot.append(h("option", { value: k }, name)));
    this.bot.value = String(Math.min(1, about.bots.length - 1));
    this.bot.addEventListener("change", () => this.isOn && this.start());
    this.element = h("div", { class: "analysis" },
      h("p", { class: "lead" }, "Play this position out to the end, again and again, and count who wins."),
      h("div", { class: "row" }, h("label", {}, "all seats by ", this.bot), this.run), this.result, this.note);
  }

  /** Another position is shown. */
  moved(): void {
    if (this.isOn) this.start();
    else fill(this.result);
  }

  private toggle(): void {
    this.isOn = !this.isOn;
    this.run.textContent = this.isOn ? "Stop" : "Count";
    if (this.isOn) this.start();
    else this.thinker?.stop();
  }

  private start(): void {
    const { game, seat, isOver } = this.position();
    this.thinker ??= new Thinker(this.about, this.module);
    this.thinker.stop();
    fill(this.result);
    this.note.textContent = isOver ? "The game is over here." : "playing …";
    if (!isOver) this.thinker.rollouts(game, Number(this.bot.value), seat, (found) => this.show(found));
  }

  private show(found: Counted): void {
    const { about } = this, { games } = found;
    const sides = [...new Set(about.sides)];
    const rows = sides.map((side) => {
      const seats = about.seats.map((_, k) => k).filter((k) => about.sides[k] === side);
      return this.bar(seats.map((k) => about.seats[k]).join(", "), found.wins[seats[0]] / games, games, seats[0]);
    });
    if (found.draws) rows.push(this.bar("a draw", found.draws / games, games, -1));
    fill(this.result, ...rows);
    const speed = games / Math.max(0.001, found.seconds);
    this.note.textContent = `${counted(games, "game")} played out, ${speed >= 10 ? Math.round(speed).toLocaleString("en") : speed.toFixed(1)} a second`;
  }

  private bar(name: string, share: number, games: number, seat: number): HTMLElement {
    const half = 1.96 * Math.sqrt(Math.max(share * (1 - share), 0.25 / games) / games);
    const inner = h("div", { class: "fill" });
    inner.style.width = `${100 * share}%`;
    inner.style.background = css(seat < 0 ? settings.theme.dim : colourOf(settings.theme, `seat${seat}`));
    return h("div", { class: "chance" },
      h("span", { class: "name" }, seat >= 0 ? seatChip(seat, settings.theme, 14) : null, name),
      h("div", { class: "rail" }, inner),
      h("strong", {}, `${(100 * share).toFixed(share > 0.1 && share < 0.9 && games < 400 ? 0 : 1)} %`), h("small", {}, `± ${(100 * half).toFixed(1)}`));
  }

  end(): void {
    this.thinker?.end();
    this.thinker = null;
    this.isOn = false;
  }
}
