/** Before a game: its options, and who sits where. */

import type { App, Screen } from "../app";
import type { Loaded } from "../envelope";
import { PERSON } from "../play";
import { h } from "../ui/dom";
import { Who } from "../ui/who";
import { Preview } from "./preview";

export function setupScreen(app: App, loaded: Loaded): Screen {
  const { about } = loaded;
  const preview = new Preview(loaded);
  const middling = about.bots[Math.min(about.bots.length - 1, 1 + Math.floor(about.bots.length / 3))] ?? PERSON;
  const who = new Who(app, loaded, (seat) => (seat === 0 ? PERSON : middling));
  const fields = about.options.filter((option) => !option.structural).map((option) => {
    const input = h("input", { type: "number", name: option.name, min: option.low, max: option.high, value: option.default, step: 1, required: true });
    return { option, input };
  });
  const fixed = Object.entries(about.sizes).map(([name, size]) => `${name} ${size}`).join(", ");
  const seed = h("input", { type: "text", name: "seed", inputmode: "numeric", pattern: "[0-9]{0,15}", placeholder: "any", title: "a whole number; the same seed deals the same game" });
  const values = () => Object.fromEntries(fields.map(({ option, input }) => [option.name, Number(input.value)]));
  for (const { input } of fields) input.addEventListener("change", () => input.validity.valid && preview.deal(values()));
  const form = h("form", {
    class: "setup", onsubmit: (event: Event) => {
      event.preventDefault();
      app.play(loaded, { options: { ...about.sizes, ...values() }, seats: who.names, ...(seed.value ? { seed: BigInt(seed.value) } : {}) });
    },
  },
    h("h2", {}, about.title),
    h("fieldset", {}, h("legend", {}, "Who sits where"),
      ...who.lines(),
      about.bots.length > 1 ? h("p", { class: "note" }, `Bots from weak to strong: ${about.bots.join(", ")}.`) : null,
      app.envelope.isAlone ? h("p", { class: "note" }, "Trained networks sit in the page that `ludus replay` opens: what runs them is too large for one file.") : null),
    h("fieldset", {}, h("legend", {}, "Options"),
      ...fields.map(({ option, input }) => h("label", { class: "option" }, h("span", {}, option.name.replaceAll("_", " "), h("small", {}, option.about)), input)),
      h("label", { class: "option" }, h("span", {}, "seed", h("small", {}, "fixes all chance; leave it empty for a new game")), seed),
      fixed ? h("p", { class: "note" }, `These rules are built for ${fixed}. Other sizes: ludus play … --view browser.`) : null),
    h("div", { class: "row" }, h("button", { type: "submit", class: "main large" }, "Play"), h("button", { type: "button", onclick: () => app.home() }, "Back")));
  return { title: about.title, element: h("div", { class: "setupscreen" }, form, preview.element), end: () => preview.end() };
}
