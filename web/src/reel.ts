/** A reel is what a screen walks through: scenes in a row, seen through somebody's eyes, and what is known of each. */

import type { Fault } from "./engine/record";
import type { Replay } from "./engine/replay";
import type { Table } from "./engine/table";
import { EVERYTHING, type Figure, type Happening, type Scene } from "./scene/types";

/** One decision that led to a position, in words. */
export interface Told { seat: number; name: string }

export interface Reel {
  readonly title: string;
  readonly seats: string[];
  readonly sides: number[];
  readonly names: string[]; // the agents, by seat
  readonly eyes: number[]; // whose eyes one may look through
  readonly length: number;
  readonly isDone: boolean; // nothing will be added
  readonly trouble: string; // why it ends where it does, if it should go on
  scene(k: number, eyes: number): Scene;
  sketch(k: number): { figures: Figure[]; kinds: string[] };
  told(k: number): Told[];
  faults(k: number): Fault[];
  /** Who won, by seat, -1 to 1, where it has ended. */
  outcome(): { outcome: number[]; points: number[]; how: string } | null;
}

const MOST_SCENES = 64;

/** Scenes that were made already; the last few are kept. */
export class Kept {
  private readonly scenes = new Map<string, Scene>();

  get(k: number, eyes: number, make: () => Scene): Scene {
    const name = `${k} ${eyes}`;
    let scene = this.scenes.get(name);
    if (!scene) {
      scene = make();
      this.scenes.set(name, scene);
      if (this.scenes.size > MOST_SCENES) this.scenes.delete(this.scenes.keys().next().value!);
    }
    return scene;
  }

  /** Forget the scenes from this one on. */
  drop(from = 0): void {
    for (const name of this.scenes.keys()) if (parseInt(name) >= from) this.scenes.delete(name);
  }
}

/** Play a turn and return a scene that tells what happened at each of its decisions, not at the last one alone. */
export function sceneOfTurn(table: Table, decisions: [seat: number, action: number][], eyes: number): Scene {
  const events: Happening[] = [];
  let before = "", scene: Scene | null = null;
  for (const [, action] of decisions) {
    table.play(action);
    scene = table.scene(eyes);
    const now = JSON.stringify(scene.events);
    if (now !== before) events.push(...scene.events);
    before = now;
  }
  return scene ? { ...scene, events } : table.scene(eyes);
}

/** What stands in a record. */
export class ReplayReel implements Reel {
  readonly isDone = true;
  private readonly kept = new Kept();

  constructor(readonly replay: Replay, private readonly decisionNames: string[] | null = null) {}

  get title(): string { return this.replay.about.title; }
  get seats(): string[] { return this.replay.about.seats; }
  get sides(): number[] { return this.replay.about.sides; }
  get names(): string[] { return this.replay.record.agents; }
  get eyes(): number[] { return [EVERYTHING, ...(this.replay.about.hidden ? this.seats.keys() : [])]; }
  get length(): number { return this.replay.turns + 1; }
  get trouble(): string { return this.replay.trouble; }

  scene(k: number, eyes: number): Scene {
    return this.kept.get(k, eyes, () => this.made(k, eyes));
  }

  private made(k: number, eyes: number): Scene {
    const { replay } = this, [first, last] = replay.decided(k);
    if (replay.about.simultaneous || first === last) return replay.go(k).scene(eyes);
    return sceneOfTurn(replay.go(k - 1), replay.record.decisions.slice(first, last), eyes);
  }

  sketch(k: number): { figures: Figure[]; kinds: string[] } {
    return this.replay.go(k).sketch(EVERYTHING);
  }

  told(k: number): Told[] {
    const [first, last] = this.replay.decided(k);
    const { decisions } = this.replay.record;
    return decisions.slice(first, last).map(([seat, action], n) => ({
      seat, name: this.decisionNames?.[first + n] ?? this.replay.about.names[action] ?? String(action),
    }));
  }

  faults(k: number): Fault[] {
    const [first, last] = this.replay.decided(k);
    const isLast = k === this.length - 1;
    return this.replay.record.faults.filter(({ decision }) => k > 0 && decision >= first && (decision < last || (isLast && decision >= last)));
  }

  outcome(): { outcome: number[]; points: number[]; how: string } | null {
    const { result, forfeit } = this.replay.record;
    if (this.trouble || (result.status === 0 && forfeit === null)) return null;
    const how = forfeit !== null ? `${this.seats[forfeit]} forfeits` : this.scene(this.length - 1, EVERYTHING).status;
    return { ...result, how };
  }
}

/** Scenes that come from elsewhere, such as files of a game's original program. */
export class SceneReel implements Reel {
  readonly isDone = true;
  readonly eyes = [EVERYTHING];
  readonly trouble = "";

  constructor(readonly title: string, readonly seats: string[], readonly names: string[], private readonly scenes: Scene[]) {}

  get sides(): number[] { return this.seats.map((_, k) => k); }
  get length(): number { return this.scenes.length; }

  scene(k: number): Scene {
    return this.scenes[k];
  }

  sketch(k: number): { figures: Figure[]; kinds: string[] } {
    return { figures: this.scenes[k].numbers, kinds: this.scenes[k].events.map((event) => event.kind) };
  }

  told(): Told[] {
    return [];
  }

  faults(): Fault[] {
    return [];
  }

  outcome(): { outcome: number[]; points: number[]; how: string } | null {
    const last = this.scenes[this.length - 1];
    if (last.seat >= 0) return null;
    const won = this.seats.findIndex((seat) => last.status.startsWith(`${seat} wins`) || last.status.includes(`: ${seat} wins`));
    return { outcome: this.seats.map((_, k) => (won < 0 ? 0 : k === won ? 1 : -1)), points: [], how: last.status };
  }
}
