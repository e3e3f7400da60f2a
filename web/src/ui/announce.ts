/** What is told to those who listen: one line for each turn, after a moment of rest. */

import { h } from "./dom";

export class Announcer {
  readonly element = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
  private timer = 0;

  say(text: string, wait = 250): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.element.textContent = text;
    }, wait);
  }
}
