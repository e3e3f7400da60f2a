/** Who sits where: a person, a bot, or a network, which may come from a file. */

import type { App } from "../app";
import { NetFile } from "../engine/net";
import type { Loaded } from "../envelope";
import { PERSON } from "../play";
import { seatChip } from "./chips";
import { h } from "./dom";
import { settings } from "./settings";

const FILE = "file:"; // no bot has such a name

export class Who {
  readonly selects: HTMLSelectElement[];
  private readonly file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-label": "network", accept: ".onnx" });
  private asking: HTMLSelectElement;
  private before: string[];

  constructor(private readonly app: App, private readonly loaded: Loaded, wanted: (seat: number) => string) {
    this.selects = loaded.about.seats.map((seat, k) => h("select", { name: `seat${k}`, "aria-label": `who plays ${seat}` }));
    this.asking = this.selects[0];
    for (const select of this.selects) select.addEventListener("change", () => this.chosen(select));
    this.file.addEventListener("change", () => {
      if (this.file.files?.[0]) void this.take(this.file.files[0]);
      this.file.value = "";
    });
    this.list();
    this.before = this.selects.map((select, k) => (select.value = wanted(k)));
  }

  /** By seat the name of who sits there. */
  get names(): string[] {
    return this.selects.map((select) => select.value);
  }

  /** A line for each seat. */
  lines(): HTMLElement[] {
    const seats = this.loaded.about.seats.map((seat, k) => h("label", { class: "seatline" }, seatChip(k, settings.theme, 20), h("span", {}, seat), this.selects[k]));
    return this.app.envelope.isAlone ? seats : [...seats, this.file];
  }

  private list(): void {
    const { about, nets } = this.loaded;
    for (const select of this.selects) {
      const { value } = select;
      select.replaceChildren(h("option", { value: PERSON }, "you"), ...[...about.bots, ...nets.map(({ name }) => name)].map((name) => h("option", { value: name }, name)));
      if (!this.app.envelope.isAlone) select.append(h("option", { value: FILE }, "a network from a file …"));
      if (value) select.value = value;
    }
  }

  private chosen(select: HTMLSelectElement): void {
    const seat = this.selects.indexOf(select);
    if (select.value !== FILE) {
      this.before[seat] = select.value;
      return;
    }
    this.asking = select;
    select.value = this.before[seat]; // until a file is picked and fits
    this.file.click();
  }

  /** Let a network sit down, if it is one for this game. */
  private take(file: File): Promise<void> {
    return this.app.guarded("", async () => {
      const { nets, about } = this.loaded, name = `net:${file.name}`;
      const net = new NetFile(name, about, () => file.arrayBuffer());
      await net.open();
      const known = nets.findIndex((one) => one.name === name);
      if (known >= 0) nets[known] = net;
      else nets.push(net);
      this.list();
      this.asking.value = this.before[this.selects.indexOf(this.asking)] = name;
    });
  }
}
