/** Numbers over time, a small chart for each kind, a line for each seat; a click goes there. */

import uPlot from "uplot";
import { colourOf, css } from "../draw/palette";
import type { Figure } from "../scene/types";
import { HEIGHT, type Line as Plain, chartOptions } from "./chart";
import { h } from "./dom";
import { settings } from "./settings";

interface Line extends Plain { values: (number | null)[] }

export class Curves {
  readonly element = h("div", { class: "curves" });
  private plots: uPlot[] = [];
  private lines = new Map<string, Line[]>();
  private count = 0;
  private at = 0;
  private drawn = "";

  constructor(private readonly seats: string[], private readonly go: (k: number) => void) {
    new ResizeObserver(() => this.size()).observe(this.element);
  }

  /** Take the numbers of a position, in their order. */
  add(k: number, figures: Figure[]): void {
    if (k < this.count) this.cut(k);
    this.count = k + 1;
    for (const figure of figures) {
      if (!figure.isCurve) continue;
      const seat = this.seats[figure.seat] ?? "";
      const name = figure.name.replace(`${seat} `, "").replace(`${seat}'s `, "");
      const group = this.lines.get(name) ?? [];
      this.lines.set(name, group);
      let line = group.find((one) => one.seat === figure.seat);
      if (!line) group.push((line = { name: seat || name, seat: figure.seat, values: [] }));
      while (line.values.length < k) line.values.push(null);
      line.values[k] = figure.value;
    }
  }

  cut(count: number): void {
    this.count = Math.min(this.count, count);
    for (const group of this.lines.values()) for (const line of group) line.values.length = Math.min(line.values.length, count);
  }

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  /** Draw, if the charts are to be seen. */
  show(at: number): void {
    this.at = at;
    if (!this.element.clientWidth) return;
    const look = `${settings.theme.name} ${settings.palette} ${[...this.lines.keys()]} ${[...this.lines.values()].map((group) => group.length)}`;
    if (look !== this.drawn) this.build(look);
    else this.plots.forEach((plot) => (plot.data[0].length === this.count ? plot.redraw(false) : plot.setData(this.dataOf(plot))));
  }

  private dataOf(plot: uPlot): uPlot.AlignedData {
    const group = this.lines.get(plot.root.dataset.name!)!;
    const xs = Array.from({ length: this.count }, (_, k) => k);
    return [xs, ...group.map((line) => xs.map((k) => line.values[k] ?? null))] as uPlot.AlignedData;
  }

  private build(look: string): void {
    this.drawn = look;
    for (const plot of this.plots) plot.destroy();
    this.element.replaceChildren();
    this.plots = [...this.lines].map(([name, group]) => {
      const holder = h("figure", {}, h("figcaption", {}, name));
      this.element.append(holder);
      const plot = new uPlot(this.options(group), [[], ...group.map(() => [])] as never, holder);
      plot.root.dataset.name = name;
      plot.setData(this.dataOf(plot));
      plot.over.addEventListener("click", () => plot.cursor.idx != null && this.go(plot.cursor.idx));
      return plot;
    });
  }

  private options(group: Line[]): uPlot.Options {
    return { ...chartOptions(this.element.clientWidth, group, "turns"), hooks: { draw: [(plot) => this.now(plot)] } };
  }

  /** Draw a line where the game is looked at. */
  private now(plot: uPlot): void {
    const x = plot.valToPos(this.at, "x", true), to = plot.ctx;
    to.save();
    to.fillStyle = css(colourOf(settings.theme, "goal"));
    to.fillRect(x - 1, plot.bbox.top, 2 * devicePixelRatio, plot.bbox.height);
    to.restore();
  }

  private size(): void {
    const width = this.element.clientWidth;
    if (width && !this.plots.length) this.show(this.at);
    for (const plot of this.plots) if (width && plot.width !== width) plot.setSize({ width, height: HEIGHT });
  }
}
