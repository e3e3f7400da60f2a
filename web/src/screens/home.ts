/** The first screen: open a record, or choose a game. */

import type { App, Screen } from "../app";
import { counted, h, sign } from "../ui/dom";
import { Preview } from "./preview";

const PREVIEW_DECISIONS = 60;

export function homeScreen(app: App): Screen {
  const previews: Preview[] = [];
  const cards = app.envelope.games.map((entry, index) => {
    const picture = h("div", { class: "picture" });
    const about = h("p", { class: "about" });
    const card = h("button", { type: "button", class: "gamecard", onclick: () => app.setup(index) },
      picture, h("h3", {}, entry.title), about, h("span", { class: "go" }, sign("play", 16), "Play"));
    void app.envelope.load(index).then((loaded) => {
      const preview = new Preview(loaded, PREVIEW_DECISIONS);
      previews.push(preview);
      picture.append(preview.element);
      const { seats, bots, hidden, simultaneous } = loaded.about;
      about.textContent = [counted(seats.length, "seat"), counted(bots.length, "bot"), hidden ? "hidden" : "open", simultaneous ? "simultaneous" : ""].filter(Boolean).join(" · ");
    }).catch((error: Error) => (about.textContent = error.message));
    return card;
  });
  const drop = h("button", { type: "button", class: "dropzone", onclick: () => app.pickFile() },
    sign("open", 34), h("strong", {}, "Open a record"),
    h("span", {}, "Drop a .json or .json.gz here, or click. It is run again by the rules, and every turn is checked."));
  const element = h("div", { class: "home" },
    h("section", { class: "hero" }, h("h2", {}, "Watch and play"), h("p", {}, "The same rules that run on a CPU and a GPU, here in your browser. Nothing leaves this page."), drop),
    cards.length ? h("section", { class: "gamegrid", "aria-label": "games" }, ...cards) : null);
  return { title: "", element, end: () => previews.forEach((preview) => preview.end()) };
}
