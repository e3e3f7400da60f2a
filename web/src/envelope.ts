/** What is handed to the page besides itself: the games it has, and what it shows at once. */

import { type About, aboutFrom, misfit } from "./engine/about";
import { NetFile } from "./engine/net";
import { type GameRecord, recordFrom, unzipped } from "./engine/record";
import { sceneFrom, boardFrom } from "./scene/json";
import { SceneReel } from "./reel";

type Json = Record<string, any>;
export interface Opened { file: string; record?: Json; start?: string | null; game?: number; names?: string[] | null; original?: Json; error?: string }
export interface Loaded { about: About; module: WebAssembly.Module; nets: NetFile[] }

interface Entry { game: string; title: string; about: Json | string; module: string; nets: { name: string; file: string }[] }

export class Envelope {
  private readonly loaded = new Map<number, Promise<Loaded>>();

  constructor(
    readonly hasServer: boolean, public games: Entry[], readonly open: Opened | null, readonly isLive: boolean,
    readonly chunks: Record<string, string> = {}, readonly verdicts: Record<string, string> = {},
    readonly run = "", // the name of a training run that is watched
  ) {}

  static async find(): Promise<Envelope> {
    const text = document.getElementById("ludus")?.textContent?.trim();
    let json: Json = text ? JSON.parse(text) : {};
    if (!text && location.protocol !== "file:") {
      const answer = await fetch("ludus.json");
      if (!answer.ok) throw new Error(`the list of games cannot be read: ${answer.status} ${answer.statusText}`);
      json = await answer.json();
    }
    return new Envelope(json.server === true, entries(json.games), json.open ?? null, json.live === true, json.chunks, json.verdicts, json.run);
  }

  /** Load a game's description and its module, once. */
  load(index: number): Promise<Loaded> {
    let found = this.loaded.get(index);
    if (!found) this.loaded.set(index, (found = this.fetch(this.games[index])));
    return found;
  }

  private async fetch(entry: Entry): Promise<Loaded> {
    const isInline = typeof entry.about !== "string";
    const about = aboutFrom(isInline ? (entry.about as Json) : await (await got(entry.about as string)).json());
    const bytes = isInline ? await unpacked(entry.module) : await (await got(entry.module)).arrayBuffer();
    const nets = entry.nets.filter(({ name }) => !about.bots.includes(name));
    return {
      about, module: await WebAssembly.compile(bytes),
      nets: nets.map(({ name, file }) => new NetFile(name, about, async () => (await got(file)).arrayBuffer())),
    };
  }

  /** Whether the page is one file, which can load nothing more. */
  get isAlone(): boolean {
    return this.games.some(({ about }) => typeof about !== "string");
  }

  /** Return the game for a record, or say why there is none. */
  async forRecord(record: GameRecord): Promise<Loaded> {
    let why = "";
    for (const [index, entry] of this.games.entries()) {
      if (entry.game !== record.game) continue;
      const loaded = await this.load(index);
      why = misfit(loaded.about, record.options);
      if (!why) return loaded;
    }
    if (why) throw new Error(`cannot be run here: ${why}. Open it with \`ludus replay FILE\``);
    const there = [...new Set(this.games.map((entry) => entry.title))].join(", ");
    throw new Error(`is a game of ${JSON.stringify(record.game.slice(0, 60))}, and this page has ${there || "no games"}`);
  }

  /** Give a dropped file to the program behind the page, which reads more kinds of them. */
  async ask(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Opened> {
    const answer = await fetch("open", { method: "POST", body: bytes, headers: { "X-Name": encodeURIComponent(name) } });
    if (!answer.ok) throw new Error(`cannot be opened: the program behind this page answers ${answer.status}`);
    const json = await answer.json();
    if (json.games) this.extend(entries(json.games));
    return json.open;
  }

  private extend(games: Entry[]): void {
    for (const [index, entry] of games.entries()) if (JSON.stringify(entry) !== JSON.stringify(this.games[index])) this.loaded.delete(index);
    this.games = games;
  }
}

function entries(json: Json[] | undefined): Entry[] {
  return (json ?? []).map((entry) => ({
    game: entry.game ?? entry.about.game, title: entry.title ?? entry.about.title, about: entry.about, module: entry.module, nets: entry.nets ?? [],
  }));
}

async function got(address: string): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} cannot be read: ${answer.status} ${answer.statusText}`);
  return answer;
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Return what is packed as base64 of gzip. */
export function unpacked(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  return unzipped(bytesOf(base64));
}

/** Return a file of a game's original program, which brings its own scenes. */
export function originalReel(original: Json): SceneReel {
  const board = original.board ? boardFrom(original.board) : undefined;
  const scenes = (original.scenes as Json[]).map((scene) => sceneFrom(scene, board));
  const [first] = scenes;
  for (const scene of scenes) { // boards are compared as objects
    scene.board = first.board;
    scene.title ||= original.title;
    if (!scene.seats.length) scene.seats = original.seats;
    if (!scene.legend.length && original.legend) scene.legend = original.legend;
  }
  return new SceneReel(original.title, original.seats, original.names ?? [], scenes);
}

export function recordOf(opened: Opened): GameRecord {
  return recordFrom(opened.record);
}
