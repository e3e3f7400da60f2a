/** A worker as something to ask. */

import type { About } from "./about";
import type { Snapshot } from "./table";
import type { Answer, Request } from "./worker";
import ThinkerWorker from "./worker?worker&inline";

export type Counted = Extract<Answer, { kind: "counted" }>;

export class Thinker {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, { done: (answer: Answer) => void; failed: (error: Error) => void }>();
  private onCount: ((counted: Counted) => void) | null = null;
  private last = 0;

  constructor(about: About, module: WebAssembly.Module) {
    this.worker = new ThinkerWorker();
    this.worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.heard(data));
    this.send({ kind: "module", about, module });
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
  }

  private heard(answer: Answer): void {
    if (answer.kind === "counted") {
      if (answer.id === this.last) this.onCount?.(answer);
      return;
    }
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.kind === "failed") waiting?.failed(new Error(answer.text));
    else waiting?.done(answer);
  }

  /** Ask a bot for its choice; the game comes back with what the bot remembers. */
  choose(game: Snapshot, bot: number): Promise<{ action: number; game: Snapshot }> {
    const id = ++this.last;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done: (answer) => done(answer as Extract<Answer, { kind: "chosen" }>), failed });
      this.send({ kind: "choose", id, game, bot });
    });
  }

  /** Play a position out until `stop`, and hear of the results as they come. */
  rollouts(game: Snapshot, bot: number, seat: number, onCount: (counted: Counted) => void): void {
    this.onCount = onCount;
    this.send({ kind: "rollouts", id: ++this.last, game, bot, seat });
  }

  stop(): void {
    this.send({ kind: "stop" });
  }

  end(): void {
    this.worker.terminate();
  }
}
