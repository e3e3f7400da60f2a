/** What all charts share: axes, colours and dashes of lines. */

import type uPlot from "uplot";
import { BLACK, colourOf, css, mixed } from "../draw/palette";
import { settings } from "./settings";

export const HEIGHT = 118;
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3]];

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export interface Line { name: string; seat: number } // seat -1 is nobody's

/** Return the colour of a seat's line, or of one that is nobody's. */
export function inkOf(seat: number): string {
  const { theme } = settings, colour = colourOf(theme, seat < 0 ? "path" : `seat${seat}`);
  return css(theme.name === "light" ? mixed(colour, BLACK, 0.2) : colour);
}

/** Return how a chart of lines looks; those with one `sync` share a cursor. */
export function chartOptions(width: number, lines: Line[], sync: string): uPlot.Options {
  const { theme } = settings, dim = css(theme.dim), faint = css(theme.dim, 0.18);
  const axis = { stroke: dim, font: "11px Inter Variable, sans-serif", grid: { stroke: faint, width: 1 }, ticks: { show: false } };
  return {
    width, height: HEIGHT, legend: { show: false }, padding: [6, 16, 0, 0],
    cursor: { sync: { key: sync }, y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { x: { time: false } },
    axes: [{ ...axis, size: 22, space: 60 }, { ...axis, size: 44, space: 26, values: (_, ticks) => ticks.map((tick) => compact.format(tick)) }],
    series: [{}, ...lines.map(({ name, seat }) => (
      { label: name, stroke: inkOf(seat), width: 2, dash: DASHES[Math.max(0, seat) % DASHES.length], points: { show: false }, spanGaps: true }
    ))],
  };
}
