/** One game at a time on a module: rows lie in its memory, kernels work on them through a table of addresses. */

import { readFigures, readScene } from "../scene/read";
import { EVERYTHING, type Figure, type Scene } from "../scene/types";
import { type About, type Input, completeOptions } from "./about";
import type { Shown } from "../net/worker";
import { type Numbers, Row } from "./row";

const PAGE = 65536;
const KEPT = ["states", "rngs", "dice", "bot_dice", "scratch"]; // what is a game: all that has to be copied to go back to it
const KERNELS = [
  "new", "seed", "legal", "legal_ids", "sound", "digest", "observe", "sample", "result", "play_one", "bot_choice", "clear_frames", "show_all", "show",
  "show_view", "clear_planes", "encode", "features",
];
const WIDTH: Record<string, number> = { i1: 1, u1: 1, i2: 2, u2: 2, i4: 4, u4: 4, f4: 4, i8: 8, u8: 8, f8: 8 };
const ARRAYS: Record<string, new (buffer: ArrayBuffer, at: number, count: number) => Numbers> = {
  i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array,
  f4: Float32Array, f8: Float64Array, i8: BigInt64Array, u8: BigUint64Array,
};

export interface Result { status: number; outcome: number[]; points: number[] }
/** A game as bytes, in the order of KEPT. */
export type Snapshot = Uint8Array<ArrayBuffer>;

/** Room for so many games behind a module's own memory. */
export class Room {
  private readonly kernels: Record<string, (first: number, last: number, table: number) => void>;
  private readonly places = new Map<string, { at: number; bytes: number; type: string }>();
  private readonly addresses: number;
  readonly memory: WebAssembly.Memory;

  /** Make room for what these kernels need. */
  constructor(readonly about: About, module: WebAssembly.Module, readonly games: number, kernels: string[]) {
    const needed = new Set(kernels.flatMap((kernel) => about.kernels[kernel] ?? []));
    for (const buffer of about.buffers) if (buffer.same && needed.has(buffer.name)) needed.add(buffer.same);
    const exports = new WebAssembly.Instance(module, {}).exports;
    this.kernels = exports as never;
    this.memory = exports.memory as WebAssembly.Memory;
    let at = aligned((exports.__heap_base as WebAssembly.Global).value as number);
    this.addresses = at;
    at = aligned(at + 8 * about.buffers.length);
    for (const buffer of about.buffers) {
      if (buffer.same || !needed.has(buffer.name)) continue;
      const bytes = buffer.stride * (buffer.each ? games : buffer.shape.reduce((product, length) => product * length, 1));
      this.places.set(buffer.name, { at, bytes, type: buffer.type });
      at = aligned(at + bytes);
    }
    const missing = at - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    const table = new BigUint64Array(this.memory.buffer, this.addresses, about.buffers.length);
    about.buffers.forEach((buffer, k) => {
      const place = this.places.get(buffer.same ?? buffer.name);
      if (!place) return;
      if (buffer.same) this.places.set(buffer.name, { ...place, type: buffer.type });
      table[k] = BigInt(place.at);
    });
  }

  call(kernel: string, games = 1): void {
    this.kernels[kernel](0, games, this.addresses);
  }

  address(buffer: string): number {
    return this.places.get(buffer)!.at;
  }

  bytes(buffer: string): Uint8Array<ArrayBuffer> {
    const { at, bytes } = this.places.get(buffer)!;
    return new Uint8Array(this.memory.buffer as ArrayBuffer, at, bytes);
  }

  /** Return a buffer of numbers; take it anew in every call, as the memory may have grown. */
  numbers<T extends Numbers = Int32Array>(buffer: string): T {
    const { at, bytes, type } = this.places.get(buffer)!;
    return new ARRAYS[type](this.memory.buffer as ArrayBuffer, at, bytes / WIDTH[type]) as T;
  }

  knows(buffer: string): boolean {
    return this.places.has(buffer);
  }

  plan(name: string, value: number): void {
    this.numbers<BigInt64Array>("plan")[this.about.plan[name]] = BigInt(value);
  }
}

function aligned(at: number): number {
  return Math.ceil(at / 64) * 64;
}

/** One game that is being played; the twin of the Table in Python. */
export class Table {
  readonly s: Row;
  readonly frame: Row;
  private readonly room: Room;
  private readonly kept: string[];
  private marked = false;

  constructor(readonly about: About, readonly module: WebAssembly.Module) {
    this.room = new Room(about, module, 1, KERNELS);
    this.s = new Row(this.room.memory, about.rows.State, this.room.address("states"));
    this.frame = new Row(this.room.memory, about.rows.Frame, this.room.address("frames"));
    this.kept = KEPT.filter((name) => this.room.knows(name));
  }

  /** Begin a game: the seed, and the row of its start if it is not dealt, fix all chance. */
  begin(seed: bigint, options: Record<string, number>, start: Uint8Array | null = null): void {
    const { room, s, about } = this;
    s.clear();
    for (const [name, value] of Object.entries(completeOptions(about, options))) {
      if (s.has(`opt_${name}`)) s.set(`opt_${name}`, value);
    }
    room.numbers<BigUint64Array>("seeds")[0] = seed;
    room.call("seed");
    if (room.knows("scratch")) room.bytes("scratch").fill(0);
    if (start) s.bytes().set(start);
    else room.call("new");
    this.marked = false;
  }

  /** Whether the row that lies here may be played: rows from outside are asked. */
  isSound(): boolean {
    this.room.numbers<BigInt64Array>("bad")[0] = 0n;
    this.room.call("sound");
    return this.room.numbers<BigInt64Array>("bad")[0] === 0n;
  }

  get seat(): number {
    return this.s.number("seat");
  }

  get turn(): number {
    return this.s.number("turn");
  }

  get isOver(): boolean {
    this.mark();
    return this.room.numbers("counts")[0] === 0;
  }

  legal(): number[] {
    this.mark();
    return Array.from(this.room.numbers("ids").subarray(0, this.room.numbers("counts")[0]));
  }

  /** Whether the rules take this action now. */
  takes(action: number): boolean {
    if (this.isOver || !Number.isInteger(action) || action < 0 || action >= this.about.actions) return false;
    return !this.about.refuses || this.room.numbers<Int8Array>("masks")[action] !== 0;
  }

  private mark(): void {
    if (!this.marked) this.room.call("legal_ids");
    this.marked = true;
  }

  play(action: number): void {
    this.room.numbers("actions")[0] = action;
    this.room.call("play_one");
    this.marked = false;
  }

  digest(): bigint {
    this.room.call("digest");
    return this.room.numbers<BigUint64Array>("digests")[0];
  }

  result(): Result {
    this.room.call("result");
    const seats = this.about.seats.length;
    return {
      status: this.room.numbers("status")[0],
      outcome: Array.from(this.room.numbers<Float32Array>("outcomes").subarray(0, seats)),
      points: Array.from(this.room.numbers<Float64Array>("points").subarray(0, seats)),
    };
  }

  private fill(eyes: number): void {
    this.room.call("clear_frames");
    this.room.plan("seat", eyes);
    this.room.call(eyes === EVERYTHING ? "show_all" : "show");
  }

  /** Return the position as something to draw: all of it, or what a seat sees. */
  scene(eyes: number): Scene {
    this.fill(eyes);
    return this.read();
  }

  private read(): Scene {
    return readScene(this.about.title, this.about.seats, this.about.board, this.about.words, this.frame);
  }

  /** Return a row's scene without a game around it, as live games are told. */
  sceneOfRow(row: Uint8Array): Scene {
    this.s.bytes().set(row);
    this.marked = false;
    return this.scene(EVERYTHING);
  }

  /** Return the scene of a seat's view. */
  sceneOfView(view: Uint8Array): Scene {
    this.room.bytes("views").set(view);
    this.room.call("clear_frames");
    this.room.call("show_view");
    return this.read();
  }

  /** Return the numbers of the side panel and how many events of which kinds there are: what curves and marks are made of. */
  sketch(eyes: number): { figures: Figure[]; kinds: string[] } {
    this.fill(eyes);
    const kinds = Array.from(this.frame.array("event_kind").subarray(0, this.frame.number("events")));
    return { figures: readFigures(this.about.words, this.frame), kinds: kinds.map((kind) => this.about.words.events[kind].kind) };
  }

  /** Return what a bot of the seat to move chooses; its chance and memory go on. */
  choose(bot: number): number {
    const { room } = this;
    room.numbers("bots")[this.seat] = bot;
    room.call("legal");
    room.plan("seat", -1);
    room.call("observe");
    room.call("bot_choice");
    this.marked = false;
    return room.numbers("actions")[0];
  }

  /** Return what a network of the seat to move sees. */
  shown(input: Input): { shown: Shown; shape: number[] } {
    const { room, about } = this;
    room.plan("seat", -1);
    if (input !== "features") {
      room.call("clear_planes");
      room.call("encode");
    }
    if (input !== "planes") room.call("features");
    const shape = about.shapes[input]!;
    if (input !== "both") return { shown: room.numbers(input).slice() as Shown, shape };
    const features = room.numbers<Float32Array>("features"), planes = room.numbers<Float32Array>("planes");
    const shown = new Float32Array(shape[0]);
    shown.set(features);
    planes.forEach((value, k) => (shown[features.length + k] = value / about.planeHigh));
    return { shown, shape };
  }

  /** Return the game as it stands; without what bots remember it is a row and its chance. */
  save(hasMinds = true): Snapshot {
    const parts = (hasMinds ? this.kept : this.kept.slice(0, 2)).map((name) => this.room.bytes(name));
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  restore(snapshot: Snapshot): void {
    let at = 0;
    for (const name of this.kept) {
      const part = this.room.bytes(name);
      if (at < snapshot.length) part.set(snapshot.subarray(at, at + part.length));
      else if (name === "scratch") part.fill(0);
      at += part.length;
    }
    this.marked = false;
  }

  /** Become a position that could look as it does to a seat; chance is another one. */
  imagine(seat: number): void {
    const { room } = this;
    room.plan("seat", seat);
    room.call("observe");
    if (this.about.hidden) room.call("sample");
    room.numbers<BigUint64Array>("rngs")[0] = 1n;
    this.marked = false;
  }
}
