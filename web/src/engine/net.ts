/** Networks as players: they see what the game's own kernels show the seat to move, and run in a worker of their own. */

import type { NetAnswer, NetRequest, Shown } from "../net/worker";
import type { About, Input } from "./about";
import type { Table } from "./table";

interface Head { game: string; rules: number; shown: number[]; actions: number; seats: number; sizes: { input: Input }; heat?: number }

/** A network that may sit at a game: it is fetched and opened when it is asked for the first time. */
export class NetFile {
  private opening: Promise<Net> | null = null;

  constructor(readonly name: string, private readonly about: About, private readonly bytes: () => Promise<ArrayBuffer>) {}

  /** Open it, once; what does not fit the game is refused in a sentence. */
  open(): Promise<Net> {
    this.opening ??= this.bytes().then((model) => Net.open(this.name, model, this.about)).catch((error) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }
}

export class Net {
  /** `heat` is by how much chance it plays: 0 = what it likes best, 1 = as likely as it says. */
  private constructor(private readonly number: number, private readonly input: Input, private readonly heat: number, private readonly about: About) {}

  static async open(name: string, model: ArrayBuffer, about: About): Promise<Net> {
    const opened = await ask({ open: model }).catch((error: Error) => {
      throw new Error(`${name} cannot be run as a network: ${error.message}`);
    }) as Extract<NetAnswer, { head: string }>;
    let head: Head;
    try {
      head = JSON.parse(opened.head);
    } catch {
      throw new Error(`${name} does not say what it is for: it is no network that Ludus exported`);
    }
    const why = misfit(head, opened.inputs, about);
    if (why) throw new Error(`${name} ${why}`);
    return new Net(opened.net, head.sizes.input, head.heat ?? 0, about);
  }

  /** Return what the network plays for the seat to move: an id of the rules. */
  async choose(table: Table): Promise<number> {
    const legal = table.legal(), own = this.about.ownIds[table.seat];
    if (legal.length === 1) return legal[0];
    const { shown, shape } = table.shown(this.input);
    const { logits } = await ask({ net: this.number, shown, shape }) as Extract<NetAnswer, { logits: Float32Array }>;
    const liked = new Float64Array(logits.length);
    logits.forEach((logit, k) => (liked[own ? own[k] : k] = this.heat ? logit / this.heat + gumbel() : logit));
    return legal.reduce((best, action) => (liked[action] > liked[best] ? action : best));
  }
}

/** Return noise with which the highest logit is drawn as likely as logits say. */
function gumbel(): number {
  return -Math.log(-Math.log(1 - Math.random()) || Number.MIN_VALUE);
}

/** Say what keeps a network from sitting at this game, or "". */
function misfit(head: Head, inputs: string[], about: About): string {
  if (head.game !== about.game) return `is a network for ${head.game}, not for ${about.game}`;
  if (head.rules !== about.rules) return `learned version ${head.rules} of the rules of ${about.title}, and this is version ${about.rules}`;
  const shape = about.shapes[head.sizes.input];
  if (!shape || String(head.shown) !== String(shape) || head.actions !== about.actions || head.seats !== about.seats.length) {
    return `is for boards of other sizes: it sees ${head.shown}, and this game shows ${shape ?? "nothing of that kind"}`;
  }
  return inputs.length === 1 ? "" : `wants to know more than a position: ${inputs.slice(1).join(", ")}`;
}

let worker: Worker | null = null, last = 0;
const waiting = new Map<number, { done: (answer: NetAnswer) => void; failed: (error: Error) => void }>();

/** Ask the worker, which is started when it is needed first. */
function ask(request: { open: ArrayBuffer } | { net: number; shown: Shown; shape: number[] }): Promise<NetAnswer> {
  const here = (worker ??= started()), id = ++last;
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed });
    here.postMessage({ id, ...request } satisfies NetRequest);
  });
}

function started(): Worker {
  const made = new Worker(new URL(/* @vite-ignore */ "./net.js", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<NetAnswer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ("failed" in data) asked?.failed(new Error(data.failed));
    else asked?.done(data);
  });
  made.addEventListener("error", () => {
    for (const asked of waiting.values()) asked.failed(new Error("what runs networks could not be started"));
    waiting.clear();
    worker = null;
  });
  return made;
}
