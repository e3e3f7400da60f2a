/** The curves of a training run: a chart for each number that was measured, one for all that it scores against bots. */

import uPlot from "uplot";
import { HEIGHT, chartOptions, inkOf } from "./chart";
import { fill, h } from "./dom";
import { settings } from "./settings";

const TOGETHER = "evaluate"; // shares of games: they fit into one chart
const ORDER = [TOGETHER, "gate", "charts"];

export type Point = { step: number } & Record<string, number>;
interface Chart { name: string; tags: string[]; plot: uPlot | null }

export class Learning {
  readonly element: HTMLElement;
  private readonly head = h("p", { class: "lead" });
  private readonly body = h("div", { class: "curves" });
  private points: Point[] = [];
  private charts: Chart[] = [];
  private drawn = "";

  constructor(private readonly run: string) {
    this.element = h("div", { class: "learning" }, this.head, this.body);
    new ResizeObserver(() => this.show()).observe(this.element);
    settings.on(() => this.show());
  }

  /** Take what was measured; all of it, or what was added. */
  take(points: Point[], isFresh: boolean): void {
    this.points = isFresh ? points : [...this.points, ...points];
    this.show();
  }

  show(): void {
    const last: Point = { step: 0 };
    for (const point of this.points) Object.assign(last, point);
    const decisions = last["charts/decisions"], pace = last["charts/SPS"];
    this.head.textContent = this.points.length
      ? [this.run, `step ${last.step.toLocaleString("en")}`, decisions && `${decisions.toLocaleString("en")} decisions`, pace && `${Math.round(pace).toLocaleString("en")} a second`].filter(Boolean).join(" · ")
      : `${this.run} has measured nothing yet`;
    const width = this.body.clientWidth;
    if (!width) return;
    const tags = [...new Set(this.points.flatMap((point) => Object.keys(point)))].filter((tag) => tag !== "step");
    const look = `${settings.theme.name} ${settings.palette} ${tags}`;
    if (look !== this.drawn) this.build(look, tags, width);
    for (const { plot, tags: own } of this.charts) {
      if (plot!.width !== width) plot!.setSize({ width, height: HEIGHT });
      plot!.setData(this.dataOf(own));
    }
  }

  private dataOf(tags: string[]): uPlot.AlignedData {
    const found = new Map<number, (number | null)[]>();
    for (const point of this.points) {
      tags.forEach((tag, k) => {
        if (typeof point[tag] !== "number") return;
        if (!found.has(point.step)) found.set(point.step, tags.map(() => null));
        found.get(point.step)![k] = point[tag];
      });
    }
    const steps = [...found.keys()].sort((one, other) => one - other);
    return [steps, ...tags.map((_, k) => steps.map((step) => found.get(step)![k]))] as uPlot.AlignedData;
  }

  private build(look: string, tags: string[], width: number): void {
    this.drawn = look;
    for (const { plot } of this.charts) plot?.destroy();
    const scores = tags.filter((tag) => tag.startsWith(`${TOGETHER}/`)), others = tags.filter((tag) => !scores.includes(tag));
    const rank = (tag: string): number => (ORDER.indexOf(tag.split("/")[0]) + ORDER.length + 1) % (ORDER.length + 1);
    this.charts = others.sort((one, other) => rank(one) - rank(other) || one.localeCompare(other)).map((tag) => ({ name: tag, tags: [tag], plot: null }));
    if (scores.length) this.charts.unshift({ name: "score against bots", tags: scores, plot: null });
    fill(this.body, ...this.charts.map((chart) => {
      const names = chart.tags.map((tag) => tag.slice(tag.indexOf("/") + 1)), isOne = chart.tags.length === 1 && chart.tags !== scores;
      const lines = names.map((name, k) => ({ name, seat: isOne ? -1 : k }));
      const holder = h("figure", {}, h("figcaption", {}, chart.name), isOne ? null : h("ul", { class: "lines" }, ...lines.map(({ name, seat }) => {
        const item = h("li", {}, name);
        item.style.setProperty("--ink", inkOf(seat));
        return item;
      })));
      const options = chartOptions(width, lines, "steps");
      if (chart.tags === scores) options.scales!.y = { range: [0, 1] };
      chart.plot = new uPlot(options, [[], ...lines.map(() => [])] as never, holder);
      return holder;
    }));
  }
}
