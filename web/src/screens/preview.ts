/** A game as a picture: a position that bots have come to, for cards and before a game. */

import { Painter } from "../draw/painter";
import { freshSeed } from "../engine/chance";
import { Table } from "../engine/table";
import type { Loaded } from "../envelope";
import { EVERYTHING, type Scene } from "../scene/types";
import { h } from "../ui/dom";
import { settings } from "../ui/settings";

export class Preview {
  readonly canvas = h("canvas", { class: "preview", role: "img" });
  readonly element = h("div", { class: "previewbox" }, this.canvas);
  private readonly painter = new Painter(this.canvas, settings.theme);
  private readonly table: Table;
  private scene: Scene | null = null;
  private readonly unlisten: () => void;
  private readonly watcher = new ResizeObserver(() => this.paint());

  constructor(loaded: Loaded, private readonly decisions = 0) {
    this.table = new Table(loaded.about, loaded.module);
    this.canvas.setAttribute("aria-label", `a position of ${loaded.about.title}`);
    this.unlisten = settings.on(() => this.paint());
    this.watcher.observe(this.element);
    if (!loaded.about.noSetup) this.deal({});
  }

  /** Deal a game, and let a quick bot play on for some decisions: half as many where it would be over by then. */
  deal(options: Record<string, number>, seed = freshSeed()): void {
    const { table } = this, bot = Math.min(1, table.about.bots.length - 1), until = performance.now() + 60;
    for (let most = this.decisions, isOver = true; isOver; most >>= 1) {
      table.begin(seed, options);
      for (let k = 0; k < most && !table.isOver && performance.now() < until; k++) table.play(table.choose(bot));
      isOver = table.isOver && most > 0;
    }
    this.scene = table.scene(EVERYTHING);
    this.paint();
  }

  private paint(): void {
    const { clientWidth, clientHeight } = this.element;
    if (!this.scene || !clientWidth) return;
    this.painter.theme = settings.theme;
    this.painter.resize(clientWidth, clientHeight, Math.min(2, devicePixelRatio || 1));
    this.painter.paint(this.scene, null, 1, null);
  }

  end(): void {
    this.unlisten();
    this.watcher.disconnect();
  }
}
