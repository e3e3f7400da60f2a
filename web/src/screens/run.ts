/** A training run: its curves as they grow, and game after game of its newest network. */

import type { App, Screen } from "../app";
import { fill, h } from "../ui/dom";
import { Learning } from "../ui/learning";
import { Live } from "./live";

type Json = Record<string, any>;

export function runScreen(app: App): Screen {
  const learning = new Learning(app.envelope.run);
  const waiting = h("div", { class: "plain" }, h("p", { class: "waiting" }, "waiting for the run's first network …"), learning.element);
  const element = h("div", { class: "live" }, waiting);
  const source = new EventSource("alive"); // stays open as long as the page is there
  const early: Json[] = []; // what is told of a game before its rules are there
  let live: Live | null = null, isLeft = false;
  source.addEventListener("message", ({ data }) => {
    const message: Json = JSON.parse(data);
    if (isLeft) return;
    if (message.kind === "curves") learning.take(message.points, message.fresh);
    else if (live && message.kind === "start") live.again(message);
    else if (live) live.hear(message);
    else if (early.push(message) === 1) void begin(message);
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) app.say("The program behind this page has ended.");
  });

  async function begin(start: Json): Promise<void> {
    live = new Live(app, await app.envelope.load(start.game), start);
    live.viewer.addTab({ name: "Learning", element: learning.element, onshow: () => learning.show() }, true);
    fill(element, live.viewer.element);
    for (const message of early.splice(0).slice(1)) message.kind === "start" ? live.again(message) : live.hear(message);
  }

  return {
    title: app.envelope.run, element, end: () => {
      isLeft = true;
      live?.end();
    },
  };
}
