/** Elements without markup: whatever comes from outside is text. */

type Child = Node | string | null | undefined | false;
type Props = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

/** Make an element; `onclick` and the like are listeners, `class` is its class, everything else is an attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

const NS = "http://www.w3.org/2000/svg";
const SIGNS: Record<string, string> = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  back: "M16 5v14l-9.5-7zM5 5h1.8v14H5z",
  forward: "M8 5v14l9.5-7zM17.2 5H19v14h-1.800z",
  first: "M19 5v14l-7.500-7zM11.500 5v14l-7.500-7z",
  last: "M5 5v14l7.500-7zM12.500 5v14l7.500-7z",
  open: "M3 6.500a2 2 0 0 1 2-2h4.200l2 2.500H19a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM5 9.500V18h14V9.500z",
  home: "M12 3.200 2.800 11h2.700v9h5v-6h3v6h5v-9h2.700z",
  sun: "M12 7.200a4.800 4.800 0 1 0 0 9.600 4.800 4.800 0 0 0 0-9.600zM11 1.800h2v3.400h-2zM11 18.800h2v3.400h-2zM1.800 11h3.400v2H1.800zM18.800 11h3.400v2h-3.400zM4 5.400 5.400 4l2.400 2.400-1.400 1.400zM16.200 17.600l1.400-1.400L20 18.600 18.600 20zM4 18.600l2.400-2.400 1.400 1.400L5.400 20zM16.200 6.400 18.600 4 20 5.400l-2.400 2.400z",
  moon: "M20.500 14.400A8.600 8.600 0 0 1 9.600 3.500a8.700 8.700 0 1 0 10.900 10.900z",
  contrast: "M12 2.500a9.500 9.500 0 1 0 0 19 9.500 9.500 0 0 0 0-19zm0 2v15a7.500 7.500 0 0 1 0-15z",
  help: "M12 2.500a9.500 9.500 0 1 0 0 19 9.500 9.500 0 0 0 0-19zm-1.100 14.200h2.200v2.100h-2.200zm1.100-11c2.400 0 4 1.400 4 3.400 0 1.600-.9 2.400-1.900 3.100-.8.600-1 .9-1 1.700v.6h-2.200v-.9c0-1.600.7-2.300 1.700-3 .8-.6 1.200-.9 1.200-1.500 0-.8-.7-1.300-1.700-1.300s-1.800.5-2 1.700H7.900c.2-2.400 1.800-3.800 4.100-3.800z",
  plus: "M10.800 4h2.400v6.800H20v2.400h-6.800V20h-2.400v-6.800H4v-2.400h6.800z",
  minus: "M4 10.800h16v2.400H4z",
  fit: "M4 4h6v2.200H6.200V10H4zM14 4h6v6h-2.200V6.200H14zM4 14h2.200v3.800H10V20H4zM17.800 14H20v6h-6v-2.200h3.800z",
  cube: "M12 2.300 3.500 7v10l8.500 4.700 8.500-4.700V7zm0 2.300 5.500 3-5.500 3.100-5.500-3.100zM5.500 9.300l5.500 3v6.500l-5.500-3zm13 0v6.500l-5.500 3v-6.500z",
  undo: "M9 4 3.500 9.500 9 15v-3.800h5a3.400 3.400 0 0 1 0 6.800h-4v2.200h4a5.600 5.600 0 0 0 0-11.200H9z",
  save: "M11 3h2v9l3.300-3.300 1.400 1.400L12 15.800l-5.700-5.700 1.400-1.400L11 12zM4 16h2v3h12v-3h2v5H4z",
  hand: "M7 11V6a1.500 1.500 0 0 1 3 0V4a1.500 1.500 0 0 1 3 0v1a1.500 1.500 0 0 1 3 0v2a1.500 1.500 0 0 1 3 0v8.500A6.500 6.500 0 0 1 12.500 22h-.7a6 6 0 0 1-4.600-2.100L3 14.800A1.600 1.600 0 0 1 5.400 12.700z",
  close: "m5.400 4 6.600 6.600L18.600 4 20 5.400 13.400 12l6.600 6.600-1.400 1.400-6.600-6.600L5.400 20 4 18.600l6.600-6.600L4 5.400z",
  eye: "M12 5C6.500 5 2.700 9.300 1.500 12c1.200 2.700 5 7 10.500 7s9.300-4.300 10.500-7C21.300 9.300 17.500 5 12 5zm0 11.500a4.500 4.500 0 1 1 0-9 4.500 4.500 0 0 1 0 9zm0-2.300a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400z",
  cup: "M7 3h10v2h3.500v3.500a4 4 0 0 1-4 4h-.2A5 5 0 0 1 13 15v3h3.500v3h-9v-3H11v-3a5 5 0 0 1-3.300-2.500h-.2a4 4 0 0 1-4-4V5H7zm-1.500 4v1.500c0 1 .6 1.800 1.500 2V7zm11.500 0v3.500c.9-.2 1.500-1 1.500-2V7z",
  alert: "M12 2.500 1.500 21h21zm-1.100 7h2.200v6h-2.200zm0 7.500h2.200v2.200h-2.200z",
  dice: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm2.500 3a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm9 9a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zM12 10.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z",
};

/** Return a sign as a picture that screen readers pass over. */
export function sign(name: string, size = 20): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true", fill: "currentColor" })) {
    svg.setAttribute(key, String(value));
  }
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", SIGNS[name] ?? "");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

export function iconButton(name: string, label: string, onclick: () => void, extra: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...extra }, sign(name));
}

/** Return seconds, bytes or counts in a form that people read. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
