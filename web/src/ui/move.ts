/** What a person may do, as a list, as places of the board, and as words to type. */

import type { Choice } from "../engine/choices";
import { type Place, key } from "../scene/types";
import { seatChip } from "./chips";
import { counted, fill, h, iconButton } from "./dom";
import { settings } from "./settings";

const MOST_LISTED = 120;
const MOST_TARGETS = 60; // outlines on half a board tell nothing

export interface Question { seat: number; seatName: string; choices: Choice[]; canUndo: boolean; help: string; forms: Record<string, string> }
export interface Answers { choose(choice: Choice): void; typed(text: string): string; undo(): void }

export class MovePanel {
  readonly element = h("section", { class: "move", "aria-label": "your move", hidden: true });
  private readonly title = h("h2", {});
  private readonly verbs = h("div", { class: "verbs", role: "group", "aria-label": "kind of action" });
  private readonly list = h("ul", { class: "choices" });
  private readonly input = h("input", { type: "text", placeholder: "or type a move", "aria-label": "type a move", autocomplete: "off", spellcheck: "false", enterkeyhint: "go" });
  private readonly refusal = h("p", { class: "refusal", role: "alert" });
  private readonly undoButton = iconButton("undo", "take back (u)", () => this.answers.undo());
  private question: Question | null = null;
  private verb = "";
  private picked: Place | null = null;
  onhighlight: (targets: Place[], picked: Place | null, pointed: Place[]) => void = () => {};

  constructor(private readonly answers: Answers) {
    const form = h("form", { onsubmit: (event: Event) => this.submit(event) }, this.input, h("button", { type: "submit" }, "Play"));
    this.input.addEventListener("input", () => this.draw());
    this.element.append(h("header", {}, this.title, this.undoButton), this.verbs, this.list, form, this.refusal);
  }

  ask(question: Question | null): void {
    this.question = question;
    this.picked = null;
    this.verb = "";
    this.input.value = "";
    this.refusal.textContent = "";
    this.element.hidden = !question;
    this.draw();
  }

  get choices(): Choice[] {
    return this.question?.choices ?? [];
  }

  /** Say in words why something is refused. */
  refuse(text: string): void {
    this.refusal.textContent = text;
  }

  /** Keep the actions that touch a place; a second click on it, or a place with one action, plays it. */
  pick(place: Place): void {
    if (!this.question) return;
    const here = key(...place), touching = this.choices.filter((choice) => choice.places.some((one) => key(...one) === here));
    const isSecond = this.picked !== null && key(...this.picked) === here;
    const narrowed = this.shown().filter((choice) => touching.includes(choice));
    const ends = narrowed.filter((choice) => choice.places.length && key(...choice.places.at(-1)!) === here);
    if (this.picked && !isSecond && ends.length === 1) return this.answers.choose(ends[0]); // from there to here
    if (touching.length === 1 && (isSecond || touching[0].places.length <= 2)) return this.answers.choose(touching[0]);
    this.refusal.textContent = touching.length ? "" : "Nothing can be done there now.";
    this.picked = touching.length && !isSecond ? place : null;
    this.verb = "";
    this.draw();
  }

  private shown(): Choice[] {
    const typed = this.input.value.trim().toLowerCase();
    const found = this.choices.filter((choice) =>
      (!this.verb || choice.verb === this.verb) && (!this.picked || choice.places.some((one) => key(...one) === key(...this.picked!))));
    const named = found.filter((choice) => choice.name.toLowerCase().includes(typed));
    return named.length ? named : found; // what means nothing hides nothing
  }

  private draw(): void {
    const { question } = this;
    if (!question) return this.onhighlight([], null, []);
    const shown = this.shown();
    fill(this.title, seatChip(question.seat, settings.theme, 18), ` ${question.seatName}, your move`);
    this.undoButton.disabled = !question.canUndo;
    this.drawVerbs();
    fill(this.list, ...shown.slice(0, MOST_LISTED).map((choice) => h("li", {}, h("button", {
      type: "button", onclick: () => this.answers.choose(choice), title: question.forms[choice.verb] ?? "",
      onpointerenter: () => this.point(choice), onfocus: () => this.point(choice), onpointerleave: () => this.point(null), onblur: () => this.point(null),
    }, choice.name))));
    if (shown.length > MOST_LISTED) this.list.append(h("li", { class: "more" }, `and ${counted(shown.length - MOST_LISTED, "more")}: pick a place, a kind, or type`.replace("mores", "more")));
    this.point(null);
  }

  private drawVerbs(): void {
    const verbs = [...new Set(this.choices.map((choice) => choice.verb))];
    this.verbs.hidden = verbs.length < 2 || verbs.length === this.choices.length;
    fill(this.verbs, ...verbs.map((verb) => h("button", {
      type: "button", "aria-pressed": String(verb === this.verb),
      onclick: () => {
        this.verb = verb === this.verb ? "" : verb;
        this.draw();
      },
    }, verb, h("small", {}, ` ${this.choices.filter((choice) => choice.verb === verb).length}`))),
      this.picked ? h("button", { type: "button", class: "clear", onclick: () => { this.picked = null; this.draw(); } }, "all places") : null);
  }

  private point(choice: Choice | null): void {
    const shown = this.shown(), found = new Map<number, { place: Place; count: number }>();
    for (const place of shown.flatMap((one) => one.places)) {
      const known = found.get(key(...place));
      if (known) known.count++;
      else found.set(key(...place), { place, count: 1 });
    }
    // What every action touches, such as the mover's own place, tells none from the others.
    const targets = [...found.values()].filter(({ count }) => shown.length < 2 || count < shown.length).map(({ place }) => place);
    this.onhighlight(targets.length > MOST_TARGETS ? [] : targets, this.picked, choice?.places ?? []);
  }

  private submit(event: Event): void {
    event.preventDefault();
    const typed = this.input.value.trim();
    if (!typed) return;
    this.refusal.textContent = this.answers.typed(typed);
    if (!this.refusal.textContent) this.input.value = "";
  }
}

/** Return the choice that a typed text means, or why there is none. */
export function meant(text: string, choices: Choice[], names: string[], help: string): Choice | string {
  const word = plain(text);
  const exact = choices.find((choice) => plain(choice.name) === word);
  if (exact) return exact;
  // A name means what it names, and neither another one that begins like it nor the action of that number.
  if (names.some((name) => plain(name) === word)) return `${text} is no legal move now. ${some(choices)}`;
  const numbered = choices.find((choice) => String(choice.action) === word);
  if (numbered) return numbered;
  const close = choices.filter((choice) => plain(choice.name).startsWith(word) || initials(choice.name) === word);
  if (close.length === 1) return close[0];
  if (close.length > 1) return `${text} may be ${close.slice(0, 4).map((choice) => choice.name).join(", ")}${close.length > 4 ? ", …" : ""}: say which.`;
  return `There is no move ${text}. ${help || some(choices)}`;
}

function some(choices: Choice[]): string {
  return `Legal are: ${choices.slice(0, 8).map((choice) => choice.name).join(", ")}${choices.length > 8 ? ", …" : ""}.`;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/->|[,\s]+/g, " ").replace(/\s+/g, " ").trim();
}

function initials(name: string): string {
  return name.split(" ").map((word) => (/^[a-z]/i.test(word) ? word[0] : word)).join(" ").toLowerCase();
}
