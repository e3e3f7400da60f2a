/** Keys and help, and the question for a turn. */

import { h, iconButton } from "./dom";

const KEYS: [string, string][] = [
  ["space", "play, pause; at the end once more"], ["← →", "a step back, forward"], ["Home End", "first, last"], ["Page ↑ ↓", "ten steps"],
  ["+ −", "faster, slower: 0.25 to 8 turns a second"], ["g", "go to a turn; #t=123 in the address does the same"], ["f", "whose eyes: all, or a seat's"],
  ["z x, wheel", "zoom"], ["w a s d, drag", "pan"], ["r", "fit the board"], ["3", "flat or in three dimensions, where a board has layers"],
  ["t", "dark or light"], ["c", "colours or lightness alone"], ["o", "open a record"], ["p", "play on from here"],
  ["u", "take a move back, while you play"], ["arrows, while you play", "moves of those names"], ["? h", "this help"], ["Escape", "close"],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = h("dialog", { class: "help", "aria-label": "keys and help" },
    h("header", {}, h("h2", {}, "Keys"), iconButton("close", "close", () => dialog.close())),
    h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, ...key.split(" ").flatMap((word) => (/^[,a-z]{2,}/i.test(word) && !/^(space|Home|End|Page|Escape|wheel|drag)/.test(word) ? [`${word} `] : [h("kbd", {}, word.replace(",", "")), " "]))), h("dd", {}, what)])),
    h("p", {}, "Drop a record anywhere on this page, plain or gzipped: it is run again by the rules themselves, and every turn is compared with what was recorded. Nothing leaves your computer."));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}

export function goToDialog(): HTMLDialogElement {
  return h("dialog", { id: "go-to", class: "goto", "aria-label": "go to a turn" },
    h("form", { method: "dialog" }, h("label", {}, "Go to ", h("input", { type: "number", min: 0, step: 1, inputmode: "numeric" })),
      h("button", { value: "go" }, "Go"), h("button", { value: "", formnovalidate: true }, "Stay")));
}
