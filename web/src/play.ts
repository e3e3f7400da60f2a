/** A game that is played in the page, by people and by bots that think beside it. It is a reel, too: one may look back any time. */

import { type About, completeOptions } from "./engine/about";
import { freshSeed } from "./engine/chance";
import type { NetFile } from "./engine/net";
import type { GameRecord } from "./engine/record";
import { type Snapshot, Table } from "./engine/table";
import { Thinker } from "./engine/thinker";
import type { Loaded } from "./envelope";
import { type Reel, type Told, Kept, sceneOfTurn } from "./reel";
import { EVERYTHING, type Figure, type Scene } from "./scene/types";

export const PERSON = "human";
const MOST_UNDO = 500;

/** How a game begins: dealt, or as a record that is played on from a turn. */
export interface Beginning {
  options: Record<string, number>;
  seats: string[]; // by seat: PERSON, or the name of a bot or a network
  seed?: bigint;
  start?: Uint8Array | null;
  position?: string;
  decisions?: [number, number][];
}

interface Before { game: Snapshot; decisions: number }

export class Play implements Reel {
  readonly table: Table;
  readonly thinker: Thinker;
  readonly people: Set<number>;
  readonly trouble = "";
  readonly decisions: [number, number][] = [];
  digests: bigint[] = [];
  onmove: (isTurn: boolean) => void = () => {};
  onask: () => void = () => {};
  onthink: (seat: number) => void = () => {};
  private positions: { game: Snapshot; decisions: number }[] = []; // as turns ended, the start first
  private readonly undos: Before[] = [];
  private readonly kept = new Kept();
  private readonly drafts = new Kept(); // turns in the making, by how many decisions were taken
  private readonly seed: bigint;
  private isEnded = false;
  private epoch = 0; // bots that were asked before something was taken back are not heard
  readonly about: About;
  private readonly nets: NetFile[];

  constructor({ about, module, nets }: Loaded, private readonly begun: Beginning) {
    this.about = about;
    this.nets = nets;
    this.table = new Table(about, module);
    this.thinker = new Thinker(about, module);
    this.people = new Set(begun.seats.flatMap((name, seat) => (name === PERSON ? [seat] : [])));
    this.seed = begun.seed ?? freshSeed();
    this.table.begin(this.seed, begun.options, begun.start ?? null);
    this.keep();
    for (const [, action] of begun.decisions ?? []) this.decide(action);
  }

  get title(): string { return this.about.title; }
  get seats(): string[] { return this.about.seats; }
  get sides(): number[] { return this.about.sides; }
  get names(): string[] { return this.begun.seats.map((name) => (name === PERSON ? "you" : name)); }
  get isDone(): boolean { return this.table.isOver; }
  get canUndo(): boolean { return this.undos.length > 0; }
  /** Whether the turn that is in the making has a position of its own. */
  private get hasDraft(): boolean { return this.decisions.length > this.positions.at(-1)!.decisions; }
  get length(): number { return this.positions.length + (this.hasDraft ? 1 : 0); }
  /** Whether people who must not see each other's side share this page. */
  get isShared(): boolean { return this.about.hidden && this.people.size > 1; }

  /** Whoever plays a game that hides something sees its own side until the end. */
  get eyes(): number[] {
    const all = [EVERYTHING, ...(this.about.hidden ? this.seats.keys() : [])];
    if (!this.about.hidden || !this.people.size || this.isDone) return all;
    return [this.isShared && this.people.has(this.table.seat) ? this.table.seat : Math.min(...this.people)];
  }

  private keep(): void {
    this.positions.push({ game: this.table.save(false), decisions: this.decisions.length });
  }

  private at<T>(k: number, look: (table: Table) => T): T {
    if (k >= this.positions.length) return look(this.table);
    const now = this.table.save();
    this.table.restore(this.positions[k].game);
    try {
      return look(this.table);
    } finally {
      this.table.restore(now);
    }
  }

  scene(k: number, eyes: number): Scene {
    if (k < this.positions.length) return this.kept.get(k, eyes, () => this.made(k, eyes));
    return this.drafts.get(this.decisions.length, eyes, () => this.table.scene(eyes)); // the same one until something is decided
  }

  private made(k: number, eyes: number): Scene {
    if (k === 0 || this.about.simultaneous) return this.at(k, (table) => table.scene(eyes));
    const decisions = this.decisions.slice(this.positions[k - 1].decisions, this.positions[k].decisions);
    return this.at(k - 1, (table) => sceneOfTurn(table, decisions, eyes));
  }

  sketch(k: number): { figures: Figure[]; kinds: string[] } {
    return this.at(k, (table) => table.sketch(this.eyes[0]));
  }

  told(k: number): Told[] {
    if (k === 0 || (this.about.hidden && this.people.size && !this.isDone)) return [];
    const first = this.positions[k - 1].decisions, last = this.positions[k]?.decisions ?? this.decisions.length;
    return this.decisions.slice(first, last).map(([seat, action]) => ({ seat, name: this.about.names[action] ?? String(action) }));
  }

  faults(): [] {
    return [];
  }

  outcome(): { outcome: number[]; points: number[]; how: string } | null {
    if (!this.isDone) return null;
    return { ...this.table.result(), how: this.table.scene(EVERYTHING).status };
  }

  /** Let bots play until a person is to decide, or the game is over. */
  async run(): Promise<void> {
    const { epoch } = this;
    while (!this.isEnded && epoch === this.epoch && !this.table.isOver) {
      const { seat } = this.table, name = this.begun.seats[seat];
      if (name === PERSON) {
        this.onthink(-1);
        this.onask();
        return;
      }
      this.onthink(seat);
      const { action, game } = await this.answer(name);
      if (epoch !== this.epoch || this.isEnded) return;
      if (!this.table.takes(action)) throw new Error(`the bot ${name} of ${this.seats[seat]} answered an action that is not legal`);
      if (game) this.table.restore(game);
      const hasTurned = this.decide(action);
      if (hasTurned) {
        this.onmove(true);
        await new Promise((done) => setTimeout(done, this.people.size ? 40 : 0));
      }
    }
    this.onthink(-1);
    if (!this.isEnded && epoch === this.epoch) this.onmove(true);
  }

  /** Ask a bot or a network for its choice; a bot's memory and chance go on with the game. */
  private async answer(name: string): Promise<{ action: number; game?: Snapshot }> {
    const bot = this.about.bots.indexOf(name);
    if (bot >= 0) return this.thinker.choose(this.table.save(), bot);
    const net = this.nets.find((one) => one.name === name);
    if (!net) throw new Error(`there is no bot ${name} here`);
    return { action: await (await net.open()).choose(this.table) };
  }

  /** Play a person's action and let the others answer. */
  act(action: number): Promise<void> {
    this.undos.push({ game: this.table.save(), decisions: this.decisions.length });
    if (this.undos.length > MOST_UNDO) this.undos.shift();
    this.onmove(this.decide(action));
    return this.run();
  }

  /** Take a person's last decision back, with all that came after it. */
  undo(): void {
    const before = this.undos.pop();
    if (!before) return;
    this.epoch++;
    this.table.restore(before.game);
    this.decisions.length = before.decisions;
    this.positions = this.positions.filter(({ decisions }) => decisions <= before.decisions);
    this.digests.length = Math.min(this.digests.length, this.positions.length - 1);
    this.kept.drop();
    this.drafts.drop();
    void this.run();
  }

  private decide(action: number): boolean {
    const { table } = this, { turn, seat } = table;
    table.play(action);
    this.decisions.push([seat, action]);
    if (table.turn === turn && !table.isOver) return false;
    this.digests.push(table.digest());
    this.keep();
    return true;
  }

  /** Return the game as a record. */
  record(): GameRecord {
    const { about, begun } = this;
    return {
      game: about.game, rules: about.rules, options: completeOptions(about, begun.options), seed: this.seed, seats: about.seats,
      agents: begun.seats, result: this.table.result(), decisions: this.decisions, times: [], digests: this.digests, faults: [],
      forfeit: null, position: begun.position ?? "",
    };
  }

  end(): void {
    this.isEnded = true;
    this.thinker.end();
  }
}
