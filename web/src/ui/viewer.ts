/** The screen on which a reel is watched: the board, what stands around it, and the keys. Replays, live games and play share it. */

import type { Highlights } from "../draw/painter";
import type { Reel } from "../reel";
import { EVERYTHING, type Place, type Scene } from "../scene/types";
import { Announcer } from "./announce";
import { Cards } from "./cards";
import { seatChip } from "./chips";
import { Curves } from "./curves";
import { fill, h, iconButton } from "./dom";
import { Legend } from "./legend";
import { Log } from "./log";
import { SPEEDS, settings } from "./settings";
import { Stage } from "./stage";
import { type Mark, Transport } from "./transport";
import { Winner } from "./winner";

const MOVE_SHARE = 0.6; // of a turn's time that pieces take to move
const LONGEST_MOVE = 0.7; // seconds
const SLICE_MS = 10; // of reading ahead between two pictures
const COMMON_SHARE = 0.34; // kinds of events that happen more often than this are no news
const QUIET = new Set(["move", "turn", "stay", "blocked"]);

export interface Tab { name: string; element: HTMLElement; onshow?: () => void }
export interface Extras { verdicts?: Record<string, string>; load3d?: () => Promise<void>; isLive?: boolean; keepsHash?: boolean }

export class Viewer {
  readonly stage = new Stage();
  readonly side = h("aside", { class: "side" });
  readonly announcer = new Announcer();
  readonly tools = h("div", { class: "tools", role: "group", "aria-label": "view" });
  readonly element: HTMLElement;
  at = 0;
  isPlaying = false;
  eyes: number;
  thinking = -1;
  highlights: Highlights | null = null;
  onchange: () => void = () => {};
  private readonly status = h("p", { class: "status" });
  private readonly trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  private readonly cards = new Cards();
  private readonly legend = new Legend();
  private readonly log: Log;
  private readonly curves: Curves;
  private readonly transport: Transport;
  private readonly winner: Winner;
  private readonly eyesBar = h("div", { class: "eyes", role: "group", "aria-label": "whose eyes" });
  private readonly tabs: Tab[];
  private readonly tabBar = h("div", { class: "tabbar", role: "tablist" });
  private readonly tabBody = h("div", { class: "tabbody", role: "tabpanel", tabindex: 0, "aria-label": "details" });
  private tab = "";
  private t = 1;
  private before: Scene | null = null;
  private waited = 0;
  private last = 0;
  private frame = 0;
  private read = 0;
  private grown = 0; // how long the reel was when it was looked at last
  private kinds: string[][] = [];
  private readonly unlisten: () => void;

  constructor(readonly reel: Reel, private readonly extras: Extras = {}) {
    this.eyes = reel.eyes[0];
    this.log = new Log(reel, extras.verdicts ?? {}, (k) => this.go(k));
    this.curves = new Curves(reel.seats, (k) => this.go(k));
    this.transport = new Transport({
      go: (k) => this.go(k), step: (by) => this.step(by), toggle: () => this.toggle(), faster: (by) => this.faster(by),
    });
    this.transport.describe = (k) => this.describe(k);
    this.winner = new Winner(() => this.again());
    this.tabs = [
      { name: "Events", element: this.log.element },
      { name: "Curves", element: this.curves.element, onshow: () => this.curves.show(this.at) },
      { name: "Legend", element: this.legend.element },
    ];
    this.tools.append(
      iconButton("plus", "zoom in (z)", () => this.stage.zoom(1.25), { class: "icon zoom" }),
      iconButton("minus", "zoom out (x)", () => this.stage.zoom(0.8), { class: "icon zoom" }),
      iconButton("fit", "fit the board (r)", () => this.stage.fit()),
    );
    if (extras.load3d) this.tools.append(iconButton("cube", "flat or in three dimensions (3)", () => void extras.load3d!(), { class: "icon cube" }));
    const head = h("div", { class: "head" }, this.status, this.eyesBar, this.tools);
    const board = h("section", { class: "boardside", "aria-label": "board" }, head, this.trouble, this.stage.element);
    this.side.append(this.winner.element, this.cards.common, this.cards.element, h("div", { class: "tabs" }, this.tabBar, this.tabBody));
    this.element = h("div", { class: "viewer" }, board, this.side, this.transport.element, this.announcer.element);
    this.select("Events");
    this.unlisten = settings.on(() => this.recolour());
    document.addEventListener("keydown", this.onkey);
    addEventListener("hashchange", this.onhash);
    this.jump(extras.keepsHash === false ? 0 : turnOfHash() ?? 0);
    this.frame = requestAnimationFrame(this.tick);
  }

  addTab(tab: Tab, isFirst = false): void {
    if (isFirst) this.tabs.unshift(tab);
    else this.tabs.push(tab);
    this.drawTabs();
    if (isFirst) this.select(tab.name);
  }

  select(name: string): void {
    this.tab = name;
    const tab = this.tabs.find((one) => one.name === name)!;
    fill(this.tabBody, tab.element);
    this.drawTabs();
    tab.onshow?.();
  }

  private drawTabs(): void {
    fill(this.tabBar, ...this.tabs.map((tab) => h("button", {
      type: "button", role: "tab", "aria-selected": String(tab.name === this.tab), onclick: () => this.select(tab.name),
    }, tab.name)));
  }

  /** The scene that is shown. */
  get scene(): Scene {
    return this.reel.scene(this.at, this.eyes);
  }

  /** Go somewhere and stay there. */
  go(k: number): void {
    this.isPlaying = false;
    this.jump(k);
  }

  private jump(k: number): void {
    const to = Math.max(0, Math.min(this.reel.length - 1, k));
    this.place(to, to === this.at + 1);
  }

  step(by: number): void {
    this.isPlaying = false;
    this.jump(this.at + by);
  }

  toggle(): void {
    if (!this.isPlaying && this.at >= this.reel.length - 1 && this.reel.isDone) this.jump(0);
    this.isPlaying = !this.isPlaying;
    this.waited = 0;
    this.wake();
    this.update();
  }

  again(): void {
    this.jump(0);
    this.isPlaying = true;
    this.update();
    this.wake();
  }

  faster(by: number): void {
    const now = SPEEDS.indexOf(settings.speed);
    settings.set({ speed: SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, now + by))] });
  }

  look(eyes: number): void {
    this.eyes = eyes;
    this.before = null;
    this.t = 1;
    this.update();
  }

  private place(k: number, isSmooth: boolean): void {
    this.before = isSmooth && !settings.isStill ? this.reel.scene(this.at, this.eyes) : null;
    this.at = k;
    this.t = this.before ? 0 : 1;
    this.waited = 0;
    this.update();
    this.wake();
  }

  /** Show what was added to the reel; whoever looks at its end is taken along. */
  grow(follows: boolean): void {
    const known = Math.max(0, Math.min(this.grown, this.reel.length) - 2); // the last ones may have changed
    this.grown = this.reel.length;
    this.log.drop(known);
    if (!this.reel.eyes.includes(this.eyes)) this.eyes = this.reel.eyes[0];
    this.read = Math.min(this.read, known);
    if (follows) this.place(this.reel.length - 1, this.at < this.reel.length);
    else this.update();
  }

  /** Read numbers and events of all positions again: more of them may be seen now. */
  reread(): void {
    this.log.drop();
    this.read = 0;
    this.wake();
  }

  /** Take away what is no longer part of the reel. */
  shrink(): void {
    this.log.drop();
    this.grown = this.reel.length;
    this.read = Math.min(this.read, this.reel.length);
    this.curves.cut(this.reel.length);
    this.kinds.length = Math.min(this.kinds.length, this.reel.length);
    this.before = null;
    this.place(Math.min(this.at, this.reel.length - 1), false);
  }

  /** Draw everything anew. */
  update(): void {
    const { scene, reel } = this;
    const isLast = this.at === reel.length - 1, isEnd = isLast && reel.isDone;
    const outcome = isLast ? reel.outcome() : null;
    fill(this.status, scene.seat >= 0 ? seatChip(scene.seat, settings.theme, 18) : null, h("span", {}, scene.status));
    this.stage.canvas.setAttribute("aria-label", `${scene.title}: ${this.describe(this.at)}`);
    this.cards.update(scene, reel, this.thinking, outcome?.outcome ?? null);
    this.legend.update(scene, settings.theme);
    this.log.update(this.at, this.eyes);
    this.drawEyes();
    this.transport.update(this.at, reel.length, this.isPlaying);
    if (this.tab === "Curves") this.curves.show(this.at);
    this.trouble.hidden = !(reel.trouble && isLast);
    this.trouble.textContent = reel.trouble ? `This record is not the game that was played. It ends here: ${reel.trouble}.` : "";
    this.winner.update(isEnd && this.t >= 1 ? outcome : null, scene, reel);
    this.paint();
    this.announcer.say(this.spoken(scene));
    if (this.extras.keepsHash !== false && !this.isPlaying) writeHash(this.at);
    this.onchange();
  }

  private spoken(scene: Scene): string {
    const events = scene.events.map((event) => event.text).filter(Boolean).slice(0, 6);
    return [this.describe(this.at), ...events].join(". ");
  }

  describe(k: number): string {
    return k < this.reel.length && (k === this.at || !this.isPlaying) ? `${k}: ${this.reel.scene(k, this.eyes).status}` : String(k);
  }

  private drawEyes(): void {
    const { eyes } = this.reel;
    this.eyesBar.hidden = eyes.length < 2;
    if (this.eyesBar.childElementCount !== eyes.length) {
      fill(this.eyesBar, ...eyes.map((eye) => h("button", { type: "button", onclick: () => this.look(eye), title: "whose eyes (f)" },
        eye === EVERYTHING ? "all" : this.reel.seats[eye])));
    }
    [...this.eyesBar.children].forEach((button, k) => button.setAttribute("aria-pressed", String(eyes[k] === this.eyes)));
  }

  paint(): void {
    this.stage.show(this.scene, this.before, this.t, this.highlights);
  }

  private readonly tick = (now: number): void => {
    this.frame = 0;
    const seconds = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    const turn = 1 / settings.speed;
    this.waited += seconds;
    if (this.t < 1) {
      this.t = Math.min(1, this.t + seconds / Math.min(LONGEST_MOVE, turn * MOVE_SHARE));
      if (this.t >= 1 && this.at === this.reel.length - 1) this.update();
      else this.paint();
    }
    if (this.isPlaying && this.waited >= turn) {
      if (this.at < this.reel.length - 1) this.jump(this.at + 1);
      else if (this.reel.isDone) {
        this.isPlaying = false;
        this.update();
      }
    }
    const isReading = this.readAhead();
    if (this.isPlaying || this.t < 1 || isReading) this.wake();
  };

  private wake(): void {
    if (this.frame) return;
    if (!this.isPlaying && this.t >= 1) this.last = performance.now();
    this.frame = requestAnimationFrame(this.tick);
  }

  /** Read numbers and events of all positions, a little between two pictures; return whether some are left. */
  private readAhead(): boolean {
    if (this.read >= this.reel.length) return false;
    const until = performance.now() + SLICE_MS;
    while (this.read < this.reel.length && performance.now() < until) {
      const { figures, kinds } = this.reel.sketch(this.read);
      this.curves.add(this.read, figures);
      this.kinds[this.read++] = kinds;
    }
    if (this.read < this.reel.length) return true;
    this.transport.mark(this.news());
    if (this.tab === "Curves") this.curves.show(this.at);
    return false;
  }

  /** Return what is worth a mark: kinds of events that are not common, and what went wrong. */
  private news(): Mark[] {
    const counts = new Map<string, number>();
    for (const kinds of this.kinds) for (const kind of new Set(kinds)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const isNews = (kind: string) => kind === "end" || (!QUIET.has(kind) && counts.get(kind)! <= COMMON_SHARE * this.kinds.length);
    const found: Mark[] = [];
    this.kinds.forEach((kinds, at) => {
      if (this.reel.faults(at).length) found.push({ at, kind: "", isFault: true });
      const kind = kinds.filter(isNews).at(-1);
      if (kind) found.push({ at, kind, isFault: false });
    });
    return found;
  }

  private recolour(): void {
    this.stage.recolour();
    this.transport.draw();
    this.update();
  }

  private readonly onhash = (): void => {
    const turn = turnOfHash();
    if (turn !== null && turn !== this.at) this.go(turn);
  };

  private readonly onkey = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !(target instanceof HTMLInputElement && target.type === "range" && event.key === " ")) return;
    if (event.key === " " && (target.tagName === "BUTTON" || target.tagName === "A")) return;
    const act = this.keys()[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  /** What a key does; a screen that plays puts its own before these. */
  keys(): Record<string, () => void> {
    const { eyes } = this.reel;
    return {
      " ": () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0), End: () => this.go(Infinity),
      PageUp: () => this.step(-10), PageDown: () => this.step(10),
      "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1), ".": () => this.faster(1), ",": () => this.faster(-1),
      z: () => this.stage.zoom(1.25), x: () => this.stage.zoom(0.8), r: () => this.stage.fit(), "0": () => this.stage.fit(),
      w: () => this.stage.pan(0, 60), s: () => this.stage.pan(0, -60), a: () => this.stage.pan(60, 0), d: () => this.stage.pan(-60, 0),
      f: () => this.look(eyes[(eyes.indexOf(this.eyes) + 1) % eyes.length]),
      t: () => settings.switchColours(), c: () => settings.switchPalette(),
      g: () => this.askTurn(), "3": () => void this.extras.load3d?.(), Escape: () => this.winner.hide(),
    };
  }

  private askTurn(): void {
    const dialog = document.getElementById("go-to") as HTMLDialogElement | null;
    if (!dialog) return;
    const input = dialog.querySelector("input")!;
    input.max = String(this.reel.length - 1);
    input.value = String(this.at);
    dialog.onclose = () => {
      if (dialog.returnValue === "go" && input.value !== "") this.go(Number(input.value));
    };
    dialog.showModal();
    input.select();
  }

  /** Outline places, or none. */
  highlight(highlights: Highlights | null): void {
    this.highlights = highlights;
    if (this.t >= 1) this.paint();
  }

  onpick(listener: (place: Place) => void): void {
    this.stage.onpick = listener;
  }

  end(): void {
    cancelAnimationFrame(this.frame);
    this.unlisten();
    document.removeEventListener("keydown", this.onkey);
    removeEventListener("hashchange", this.onhash);
    this.stage.use(null);
  }
}

function turnOfHash(): number | null {
  const found = /[#&]t=(\d+)/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

function writeHash(turn: number): void {
  if (turnOfHash() === turn) return;
  history.replaceState(null, "", `#t=${turn}`);
}
