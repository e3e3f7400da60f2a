/** The mark of Ludus: the shapes of four seats. */

const NS = "http://www.w3.org/2000/svg";
const PARTS: [tag: string, given: Record<string, string>][] = [
  ["circle", { cx: "7", cy: "7", r: "4.900", fill: "#56b4e9" }],
  ["rect", { x: "13", y: "2.300", width: "9.200", height: "9.200", rx: "2", fill: "#d55e00" }],
  ["path", { d: "M7 12.200l5.200 5.200-5.200 5.200-5.200-5.200z", fill: "#009e73" }],
  ["path", { d: "M17.600 12.400l4.500 2.600v5.200l-4.500 2.600-4.500-2.600V15z", fill: "#cc79a7" }],
];

export function logo(size = 26): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" })) svg.setAttribute(name, String(value));
  for (const [tag, given] of PARTS) {
    const part = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(given)) part.setAttribute(name, value);
    svg.append(part);
  }
  return svg;
}
