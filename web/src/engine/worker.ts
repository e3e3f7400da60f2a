/** What takes long is done beside the page: bots think, and games are played out many at a time. */

import type { About } from "./about";
import { freshSeed } from "./chance";
import { Room, type Snapshot, Table } from "./table";

export type Request =
  | { kind: "module"; about: About; module: WebAssembly.Module }
  | { kind: "choose"; id: number; game: Snapshot; bot: number }
  | { kind: "rollouts"; id: number; game: Snapshot; bot: number; seat: number }
  | { kind: "stop" };
export type Answer =
  | { kind: "chosen"; id: number; action: number; game: Snapshot }
  | { kind: "counted"; id: number; games: number; outcomes: number[]; wins: number[]; draws: number; decisions: number; seconds: number }
  | { kind: "failed"; id: number; text: string };

const MOST_BYTES = 96 << 20;
const CHUNK_MS = 80; // the page hears of new results so often
const MOST_GAMES = 256;
const KERNELS = ["seed", "observe", "sample", "bot_game"];

let about: About, module: WebAssembly.Module;
let table: Table | null = null, room: Room | null = null;
let running = 0; // the rollouts that are wanted
const post = (answer: Answer): void => postMessage(answer);

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  if (data.kind === "module") {
    ({ about, module } = data);
    table = room = null;
  } else if (data.kind === "stop") running = 0;
  else {
    try {
      if (data.kind === "choose") choose(data.id, data.game, data.bot);
      else rollouts(data.id, data.game, data.bot, data.seat);
    } catch (error) {
      post({ kind: "failed", id: data.id, text: String(error) });
    }
  }
});

function choose(id: number, game: Snapshot, bot: number): void {
  table ??= new Table(about, module);
  table.restore(game);
  const action = table.choose(bot);
  post({ kind: "chosen", id, action, game: table.save() });
}

/** Play a position out again and again, in as many games at once as take a moment, until something else is asked for. */
function rollouts(id: number, game: Snapshot, bot: number, seat: number): void {
  running = id;
  if (!room) {
    const needed = new Set(KERNELS.flatMap((kernel) => about.kernels[kernel] ?? []));
    const each = about.buffers.reduce((sum, buffer) => sum + (buffer.each && !buffer.same && needed.has(buffer.name) ? buffer.stride : 0), 0);
    room = new Room(about, module, Math.max(1, Math.min(MOST_GAMES, Math.floor(MOST_BYTES / each))), KERNELS);
  }
  const seats = about.seats.length;
  const sums = { games: 0, outcomes: Array<number>(seats).fill(0), wins: Array<number>(seats).fill(0), draws: 0, decisions: 0, seconds: 0 };
  let games = 1;
  const chunk = (): void => {
    if (running !== id) return;
    const start = performance.now();
    playOut(room!, game, bot, seat, games);
    const outcomes = room!.numbers<Float32Array>("outcomes"), tally = room!.numbers<BigInt64Array>("tally"), each = tally.length / room!.games;
    for (let k = 0; k < games; k++) {
      let best = 0;
      for (let n = 0; n < seats; n++) {
        const outcome = outcomes[k * seats + n];
        sums.outcomes[n] += outcome;
        if (outcome > 0) sums.wins[n]++;
        best = Math.max(best, outcome);
      }
      if (best <= 0) sums.draws++;
      sums.decisions += Number(tally[k * each]);
    }
    const took = performance.now() - start;
    sums.games += games;
    sums.seconds += took / 1000;
    post({ kind: "counted", id, ...sums });
    games = Math.max(1, Math.min(room!.games, Math.round((games * CHUNK_MS) / Math.max(1, took))));
    setTimeout(chunk, 0);
  };
  chunk();
}

function playOut(room: Room, game: Snapshot, bot: number, seat: number, games: number): void {
  const size = about.rows.State.size, states = room.bytes("states"), row = game.subarray(0, size);
  for (let k = 0; k < games; k++) states.set(row, k * size);
  const seeds = room.numbers<BigUint64Array>("seeds"), each = seeds.length / room.games;
  for (let k = 0; k < games; k++) seeds[k * each] = freshSeed();
  room.call("seed", games);
  if (about.hidden && seat >= 0) { // whoever plays may use no more than its seat knows
    room.plan("seat", seat);
    room.call("observe", games);
    room.call("sample", games);
  }
  room.numbers("bots").fill(bot);
  room.plan("steps", about.longestGame);
  for (const name of ["scratch", "tally", "bad"]) if (room.knows(name)) room.bytes(name).fill(0);
  room.call("bot_game", games);
}
