/** Play: people by clicks or words, bots beside the page; the game so far can be looked back at, and saved as a record. */

import type { App, Screen } from "../app";
import { choicesOf } from "../engine/choices";
import { written } from "../engine/record";
import type { Loaded } from "../envelope";
import { type Beginning, Play } from "../play";
import { EVERYTHING } from "../scene/types";
import { Analysis } from "../ui/analysis";
import { h, sign } from "../ui/dom";
import { MovePanel, meant } from "../ui/move";
import { Viewer } from "../ui/viewer";
import { toggle3d } from "./three";

const ARROWS: Record<string, string> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

export function playScreen(app: App, loaded: Loaded, beginning: Beginning): Screen {
  const { about, module } = loaded;
  const play = new Play(loaded, beginning);
  const viewer: Viewer = new Viewer(play, {
    isLive: true, keepsHash: false, load3d: about.board.layers > 1 ? () => toggle3d(app, viewer) : undefined,
  });
  const session = new Session(app, play, viewer);
  const again = h("button", { type: "button", onclick: () => app.play(loaded, { options: beginning.options, seats: beginning.seats }) }, "New game");
  const save = h("button", { type: "button", class: "main", "aria-label": "Save record", onclick: () => session.save() }, sign("save", 18), h("span", {}, "Save record"));
  const analysis = new Analysis(about, module, () => ({
    game: play.table.save(), seat: play.eyes.includes(EVERYTHING) ? EVERYTHING : play.eyes[0], isOver: play.isDone,
  }));
  session.onposition = () => analysis.moved();
  viewer.addTab({ name: "Chances", element: analysis.element });
  session.begin();
  return {
    element: viewer.element, viewer, title: about.title, buttons: [again, save],
    end: () => {
      play.end();
      analysis.end();
      viewer.end();
    },
  };
}

class Session {
  onposition: () => void = () => {};
  private readonly panel: MovePanel;
  private readonly curtain = h("button", { type: "button", class: "curtain", hidden: true, onclick: () => this.lift() });
  private lastPerson = -1;

  constructor(private readonly app: App, private readonly play: Play, private readonly viewer: Viewer) {
    this.panel = new MovePanel({ choose: (choice) => this.act(choice.action), typed: (text) => this.typed(text), undo: () => this.undo() });
    viewer.side.prepend(this.panel.element);
    viewer.stage.element.append(this.curtain);
    this.panel.onhighlight = (targets, picked, pointed) => viewer.highlight(this.isAtEnd ? { targets, picked, pointed } : null);
    viewer.onpick((place) => this.isAtEnd && this.panel.pick(place));
    const keys = viewer.keys.bind(viewer);
    viewer.keys = () => ({ ...keys(), u: () => this.undo(), ...this.arrows() });
    viewer.onchange = () => {
      if (!this.isAtEnd) viewer.highlights = null;
    };
    play.onthink = (seat) => {
      if (viewer.thinking === seat) return;
      viewer.thinking = seat;
      if (seat < 0 || play.people.size) viewer.update();
    };
    play.onmove = (isTurn) => this.moved(isTurn);
    play.onask = () => this.ask();
  }

  private get isAtEnd(): boolean {
    return this.viewer.at === this.play.length - 1;
  }

  begin(): void {
    this.viewer.go(Infinity);
    this.viewer.isPlaying = this.play.people.size === 0; // who only watches sees it at the speed of replays
    this.run(this.play.run());
  }

  private run(work: Promise<void>): void {
    work.catch((error: Error) => this.app.say(error.message));
  }

  private moved(isTurn: boolean): void {
    const { viewer, play } = this;
    if (play.isDone) {
      this.panel.ask(null);
      viewer.reread();
      if (play.about.hidden) viewer.eyes = EVERYTHING;
    }
    viewer.grow(play.people.size > 0);
    if (isTurn) this.onposition();
  }

  private ask(): void {
    const { play, viewer } = this, { seat } = play.table;
    if (play.isShared && this.lastPerson !== seat) {
      this.curtain.hidden = false;
      this.curtain.textContent = `${play.seats[seat]}: click when nobody else looks`;
      this.panel.ask(null);
      return;
    }
    viewer.eyes = play.eyes[0];
    viewer.grow(true);
    this.panel.ask({
      seat, seatName: play.seats[seat], choices: choicesOf(play.table), canUndo: play.canUndo, help: play.about.help, forms: play.about.forms,
    });
  }

  private lift(): void {
    this.curtain.hidden = true;
    this.lastPerson = this.play.table.seat;
    this.ask();
  }

  private act(action: number): void {
    if (!this.isAtEnd) this.viewer.go(Infinity);
    if (!this.play.table.takes(action)) return this.panel.refuse(`${this.play.about.names[action]} is no legal move now.`);
    this.panel.ask(null);
    if (this.play.isShared && this.play.table.seat !== this.lastPerson) this.lastPerson = -1;
    this.run(this.play.act(action));
  }

  /** Play what was typed, or return why not. */
  private typed(text: string): string {
    const found = meant(text, this.panel.choices, this.play.about.names, this.play.about.help);
    if (typeof found === "string") return found;
    this.act(found.action);
    return "";
  }

  private undo(): void {
    if (!this.play.canUndo) return;
    this.play.undo();
    this.viewer.shrink();
    this.viewer.go(Infinity);
    this.onposition();
  }

  /** Arrow keys play moves of those names while a person is asked. */
  private arrows(): Record<string, () => void> {
    const found: Record<string, () => void> = {};
    for (const [key, name] of Object.entries(ARROWS)) {
      const choice = this.panel.choices.find((one) => one.name === name || one.name === `move ${name}`);
      if (choice && this.isAtEnd) found[key] = () => this.act(choice.action);
    }
    return found;
  }

  save(): void {
    const link = h("a", { href: URL.createObjectURL(new Blob([`${written(this.play.record())}\n`], { type: "application/json" })), download: `${this.play.about.game}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
