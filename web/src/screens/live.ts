/** A game that is played elsewhere and shown here as it goes; a person may sit in. */

import type { App, Screen } from "../app";
import { type Choice, choicesOf, placesNamed } from "../engine/choices";
import { type Fault, recordFrom } from "../engine/record";
import { Table } from "../engine/table";
import { type Loaded, bytesOf } from "../envelope";
import { Kept, type Reel, type Told } from "../reel";
import { EVERYTHING, type Figure, type Place, type Scene } from "../scene/types";
import { fill, h } from "../ui/dom";
import { MovePanel } from "../ui/move";
import { Viewer } from "../ui/viewer";
import { toggle3d } from "./three";

const LATER = 1e9; // beyond the last turn: a replay begins with its end

type Json = Record<string, any>;
interface Position { bytes: Uint8Array; eyes: number; told: Told[]; isDraft: boolean }

class LiveReel implements Reel {
  readonly trouble = "";
  isDone = false;
  readonly positions: Position[] = [];
  private readonly kept = new Kept();
  private readonly table: Table;

  constructor(private readonly loaded: Loaded, public names: string[]) {
    this.table = new Table(loaded.about, loaded.module);
  }

  /** Begin with another game. */
  restart(names: string[]): void {
    this.names = names;
    this.positions.length = 0;
    this.kept.drop();
  }

  get title(): string { return this.loaded.about.title; }
  get seats(): string[] { return this.loaded.about.seats; }
  get sides(): number[] { return this.loaded.about.sides; }
  get length(): number { return this.positions.length; }
  get eyes(): number[] {
    if (this.positions.some(({ eyes }) => eyes !== EVERYTHING)) return [this.positions.at(-1)!.eyes];
    return [EVERYTHING, ...(this.loaded.about.hidden ? this.seats.keys() : [])];
  }

  add(position: Position): void {
    if (this.positions.at(-1)?.isDraft) this.positions.pop();
    this.positions.push(position);
    this.kept.drop(this.positions.length - 1);
  }

  scene(k: number, eyes: number): Scene {
    return this.kept.get(k, eyes, () => {
      const position = this.positions[k];
      if (position.eyes !== EVERYTHING) return this.table.sceneOfView(position.bytes);
      const scene = this.table.sceneOfRow(position.bytes);
      return eyes === EVERYTHING ? scene : this.table.scene(eyes);
    });
  }

  /** Return by action which places it touches, where the whole position is known. */
  tried(): Map<number, Place[]> {
    const last = this.positions.at(-1)!;
    if (last.eyes !== EVERYTHING) return new Map();
    this.table.sceneOfRow(last.bytes);
    return new Map(choicesOf(this.table).map((choice) => [choice.action, choice.places]));
  }

  sketch(k: number): { figures: Figure[]; kinds: string[] } {
    const scene = this.scene(k, EVERYTHING);
    return { figures: scene.numbers, kinds: scene.events.map((event) => event.kind) };
  }

  told(k: number): Told[] {
    return this.positions[k].told;
  }

  faults(): Fault[] {
    return [];
  }

  outcome(): null {
    return null;
  }
}

export function liveScreen(app: App): Screen {
  const element = h("div", { class: "live" }, h("p", { class: "waiting" }, "waiting for the game …"));
  const source = new EventSource("alive"); // stays open as long as the page is there
  const waiting: Json[] = [];
  let live: Live | null = null, isLeft = false;
  source.addEventListener("message", ({ data }) => {
    const message: Json = JSON.parse(data);
    if (isLeft) return; // somebody who comes back after a break is told all of it again
    if (message.kind === "start") {
      void app.envelope.load(message.game).then((loaded) => {
        live?.end();
        live = new Live(app, loaded, message);
        fill(element, live.viewer.element);
        document.title = `${loaded.about.title} · Ludus`;
        for (const late of waiting.splice(0)) live.hear(late);
      });
      live = null;
    } else if (live) live.hear(message);
    else waiting.push(message);
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) app.say("The program behind this page has ended.");
  });
  return {
    title: "live", element, end: () => {
      isLeft = true;
      live?.end();
    },
  };
}

export class Live {
  readonly viewer: Viewer;
  private readonly reel: LiveReel;
  private readonly panel: MovePanel;
  private readonly notes = h("ol", { class: "prints", "aria-label": "what bots print" });
  private readonly curtain = h("button", { type: "button", class: "curtain", hidden: true, onclick: () => (this.curtain.hidden = true) });
  private question = -1;
  private picture = 0; // the next one, if it is to show what was told since the last
  private follows = true; // whoever looks at the end of the game is taken along

  constructor(private readonly app: App, private readonly loaded: Loaded, start: Json) {
    this.reel = new LiveReel(loaded, start.names);
    this.panel = new MovePanel({ choose: (choice) => void this.answer({ action: choice.action }), typed: (text) => (void this.answer({ text }), ""), undo: () => void this.answer({ undo: true }) });
    const self = this;
    this.viewer = new Viewer(waitingReel(this.reel, loaded), { isLive: true, keepsHash: false, verdicts: app.envelope.verdicts, load3d: loaded.about.board.layers > 1 ? () => toggle3d(app, self.viewer) : undefined });
    this.viewer.side.prepend(this.panel.element);
    this.viewer.stage.element.append(this.curtain);
    this.viewer.addTab({ name: "Prints", element: this.notes });
    this.panel.onhighlight = (targets, picked, pointed) => this.viewer.highlight({ targets, picked, pointed });
    this.viewer.onpick((place) => this.panel.pick(place));
    this.viewer.isPlaying = true;
  }

  hear(message: Json): void {
    const { reel, viewer } = this;
    if (message.kind === "position") {
      if (!this.picture) { // positions may come faster than they can be drawn
        this.follows = viewer.at >= reel.length - 1;
        this.picture = requestAnimationFrame(() => this.show());
      }
      const told = (message.decisions ?? []).map(([seat, , name]: [number, number, string]): Told => ({ seat, name }));
      const bytes = bytesOf(message.row ?? message.view);
      reel.add({ bytes, eyes: message.row ? EVERYTHING : message.eyes, told, isDraft: message.draft === true });
    } else if (message.kind === "ask") this.ask(message);
    else if (message.kind === "fault" || message.kind === "print") this.note(message);
    else if (message.kind === "end") this.over(message);
  }

  /** Draw what was told since the last picture. */
  private show(): void {
    if (!this.picture) return;
    this.forget();
    this.viewer.grow(this.follows);
  }

  private forget(): void {
    cancelAnimationFrame(this.picture);
    this.picture = 0;
  }

  /** Show another game in the place of this one. */
  again(start: Json): void {
    this.forget();
    this.reel.restart(start.names);
    waitingReel(this.reel, this.loaded);
    fill(this.notes);
    this.viewer.shrink();
    this.viewer.isPlaying = true;
  }

  private hide(seat: number): void {
    this.curtain.hidden = false;
    this.curtain.textContent = `${this.reel.seats[seat]}: click when nobody else looks`;
  }

  private ask(message: Json): void {
    const { about } = this.loaded;
    this.show();
    this.question = message.number;
    if (message.curtain) this.hide(message.seat);
    const tried = this.reel.tried();
    const choices = (message.legal as number[]).map((action, k): Choice => {
      const name: string = message.names?.[k] ?? about.names[action];
      return { action, name, verb: name.split(" ")[0], places: tried.get(action) ?? placesNamed(about.board, name) };
    });
    this.panel.ask({ seat: message.seat, seatName: about.seats[message.seat], choices, canUndo: message.can_undo, help: about.help, forms: about.forms });
  }

  private async answer(answer: Json): Promise<void> {
    const number = this.question;
    try {
      const body = JSON.stringify({ number, ...answer });
      const heard = await fetch("move", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const said = await heard.json();
      if (number !== this.question) return; // the next question has come already
      if (said.error) this.panel.refuse(said.error);
      else this.panel.ask(null);
    } catch {
      this.app.say("The program behind this page does not answer.");
    }
  }

  private note({ kind, seat, text }: Json): void {
    const who = this.reel.seats[seat] ? `${this.reel.seats[seat]}: ` : "";
    this.notes.append(h("li", { class: kind }, h("strong", {}, who), String(text)));
    if (kind === "fault") this.app.say(`${who}${text}`);
  }

  private over(message: Json): void {
    this.show();
    this.panel.ask(null);
    this.reel.isDone = true;
    this.viewer.announcer.say(String(message.text ?? "the game is over"));
    if (!message.record) return this.app.say(String(message.text ?? "The game was stopped."));
    history.replaceState(null, "", `#t=${LATER}`);
    void this.app.guarded("", async () => {
      this.app.replay("this game", recordFrom(message.record), this.loaded, message.start ? bytesOf(message.start) : null, null);
    });
  }

  end(): void {
    this.forget();
    this.viewer.end();
  }
}

/** Before the first position a live game shows an empty board. */
function waitingReel(reel: LiveReel, { about }: Loaded): LiveReel {
  if (!reel.length) reel.add({ bytes: new Uint8Array(about.rows.State.size), eyes: EVERYTHING, told: [], isDraft: true });
  return reel;
}
