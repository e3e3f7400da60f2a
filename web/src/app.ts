/** The frame around all screens: the bar above, dialogs, files that are dropped, and which screen is shown. */

import { BadRecord, type GameRecord, readRecords, textOf } from "./engine/record";
import { Replay } from "./engine/replay";
import { Envelope, type Loaded, type Opened, bytesOf, originalReel, recordOf } from "./envelope";
import type { Beginning } from "./play";
import { ReplayReel } from "./reel";
import { homeScreen } from "./screens/home";
import { liveScreen } from "./screens/live";
import { playScreen } from "./screens/play";
import { runScreen } from "./screens/run";
import { setupScreen } from "./screens/setup";
import { watchReel, watchReplay } from "./screens/watch";
import { goToDialog, helpDialog } from "./ui/dialogs";
import { fill, h, iconButton } from "./ui/dom";
import { logo } from "./ui/logo";
import { settings } from "./ui/settings";
import type { Viewer } from "./ui/viewer";

export interface Screen { element: HTMLElement; title: string; buttons?: HTMLElement[]; viewer?: Viewer; end?: () => void }

export class App {
  envelope = new Envelope(false, [], null, false);
  private readonly main = h("main", {});
  private readonly title = h("h1", {});
  private readonly buttons = h("div", { class: "own" });
  private readonly error = h("div", { class: "error", role: "alert", hidden: true });
  private readonly busy = h("div", { class: "busy", role: "status", hidden: true }, h("i", { class: "spinner" }), h("span", {}, "reading …"));
  private readonly file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-label": "record", accept: ".json,.gz,.jsonl,application/json,application/gzip" });
  private readonly help = helpDialog();
  screen: Screen | null = null;

  constructor(root: HTMLElement) {
    const bar = h("header", { class: "bar" },
      h("button", { type: "button", class: "brand", "aria-label": "Ludus: to the start page", onclick: () => this.home() }, logo(), h("span", {}, "Ludus")),
      this.title, this.buttons,
      h("div", { class: "always" },
        iconButton("open", "open a record (o)", () => this.file.click()),
        iconButton("contrast", "colours or lightness (c)", () => settings.switchPalette()),
        iconButton("sun", "dark or light (t)", () => settings.switchColours(), { class: "icon lamp" }),
        iconButton("help", "keys and help (?)", () => this.help.showModal())));
    root.append(bar, this.error, this.main, this.busy, this.file, this.help, goToDialog());
    this.file.addEventListener("change", () => {
      if (this.file.files?.[0]) void this.take(this.file.files[0]);
      this.file.value = "";
    });
    this.listen(root);
  }

  private listen(root: HTMLElement): void {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      root.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && root.classList.remove("dropping"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      root.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (file) void this.take(file);
    });
    document.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
      if (event.key === "?" || event.key === "h") this.help.open ? this.help.close() : this.help.showModal();
      else if (event.key === "o") this.file.click();
      else if (!this.screen?.element.classList.contains("viewer") && event.key === "t") settings.switchColours();
    });
  }

  async start(envelope: Envelope): Promise<void> {
    this.envelope = envelope;
    if (envelope.run) this.show(runScreen(this));
    else if (envelope.isLive) this.show(liveScreen(this));
    else if (envelope.open) await this.guarded(envelope.open.file, () => this.opened(envelope.open!));
    else this.show(homeScreen(this));
    if (envelope.hasServer && !envelope.isLive && !envelope.run) new EventSource("alive"); // the program ends some seconds after the page has gone
  }

  show(screen: Screen): void {
    this.screen?.end?.();
    this.screen = screen;
    this.error.hidden = true;
    fill(this.main, screen.element);
    fill(this.title, screen.title);
    fill(this.buttons, ...(screen.buttons ?? []));
    document.title = screen.title ? `${screen.title} · Ludus` : "Ludus";
    scrollTo(0, 0);
  }

  home(trouble = ""): void {
    history.replaceState(null, "", location.pathname + location.search);
    this.show(homeScreen(this));
    if (trouble) this.say(trouble);
  }

  setup(index: number): void {
    void this.guarded("", async () => this.show(setupScreen(this, await this.envelope.load(index))));
  }

  play(loaded: Loaded, beginning: Beginning): void {
    history.replaceState(null, "", location.pathname + location.search);
    this.show(playScreen(this, loaded, beginning));
  }

  pickFile(): void {
    this.file.click();
  }

  /** Say what went wrong, in a sentence. */
  say(text: string): void {
    this.error.hidden = false;
    fill(this.error, h("span", {}, text), iconButton("close", "close", () => (this.error.hidden = true)));
  }

  /** Do what may fail, and say so; a wheel turns meanwhile. */
  async guarded(name: string, work: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => (this.busy.hidden = false), 150);
    try {
      await work();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!this.screen) this.home();
      this.say(name ? `${name} ${text}` : text);
    } finally {
      clearTimeout(timer);
      this.busy.hidden = true;
    }
  }

  /** Open a file that was dropped or picked. */
  take(file: File): Promise<void> {
    return this.guarded(file.name, async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      let records: GameRecord[] | null = null;
      try {
        records = readRecords(await textOf(bytes));
        if (records.length === 1 && !records[0].position) {
          return this.replay(file.name, records[0], await this.envelope.forRecord(records[0]), null, null);
        }
      } catch (error) {
        if (!this.envelope.hasServer) throw error;
      }
      if (this.envelope.hasServer) return this.opened(await this.envelope.ask(file.name, bytes));
      if (records!.length > 1) return this.choose(file.name, records!);
      throw new BadRecord("begins from a position of its own, which only Ludus itself reads: open it with `ludus replay FILE`");
    });
  }

  /** Several games in one file: let one be picked. */
  private choose(file: string, records: GameRecord[]): void {
    const list = h("ol", { class: "games" }, ...records.slice(0, 500).map((record, k) => h("li", {}, h("button", {
      type: "button", onclick: () => void this.guarded(file, async () => this.replay(`${file} ${k + 1}`, record, await this.envelope.forRecord(record), null, null)),
    }, `${record.game}: ${record.agents.join(" – ")}, ${record.decisions.length} decisions`))));
    this.show({ title: file, element: h("div", { class: "plain" }, h("h2", {}, `${file} holds ${records.length} games`), list) });
  }

  private async opened(opened: Opened): Promise<void> {
    if (opened.error) throw new Error(opened.error.startsWith(opened.file) ? opened.error.slice(opened.file.length).replace(/^[:\s]+/, "") : opened.error);
    if (opened.original) return this.show(watchReel(this, originalReel(opened.original), opened.file));
    const record = recordOf(opened);
    const loaded = opened.game === undefined ? await this.envelope.forRecord(record) : await this.envelope.load(opened.game);
    this.replay(opened.file, record, loaded, opened.start ? bytesOf(opened.start) : null, opened.names ?? null);
  }

  replay(file: string, record: GameRecord, loaded: Loaded, start: Uint8Array | null, names: string[] | null): void {
    const replay = new Replay(record, loaded.about, loaded.module, start);
    this.show(watchReplay(this, new ReplayReel(replay, names), loaded, file, start));
  }
}
