/** What a game's JSON says of its module: see `ludus web build`. */

import { boardFrom, wordsFrom } from "../scene/json";
import type { Board, Words } from "../scene/types";
import type { RowLayout } from "./row";

export interface Option { name: string; default: number; low: number; high: number; about: string; structural: boolean }
export interface Buffer { name: string; type: string; shape: number[]; stride: number; each: boolean; same?: string }

export type Input = "planes" | "features" | "both"; // what a network sees: both are in one row, features first

export interface About {
  game: string;
  title: string;
  rules: number;
  sizes: Record<string, number>;
  options: Option[];
  seats: string[];
  sides: number[];
  simultaneous: boolean;
  hidden: boolean;
  refuses: boolean;
  noSetup: string;
  actions: number;
  names: string[];
  namesVary: boolean;
  help: string;
  forms: Record<string, string>;
  bots: string[];
  board: Board;
  words: Words;
  rows: Record<string, RowLayout>;
  buffers: Buffer[];
  kernels: Record<string, string[]>;
  plan: Record<string, number>;
  longestGame: number;
  ownIds: number[][]; // by seat: the rules' id of each action as a network calls it; none = the same
  shapes: Record<Input, number[] | undefined>; // of what networks see
  planeHigh: number;
}

type Json = Record<string, any>;

export function aboutFrom(json: Json): About {
  if (json.format !== 1) throw new Error(`this module's description is of format ${json.format}, and this page reads 1`);
  const rows: Record<string, RowLayout> = {};
  for (const [name, row] of Object.entries<Json>(json.rows)) {
    const fields = Object.entries<Json>(row.fields);
    rows[name] = { size: row.size, fields: fields.map(([field, is]) => [field, is.type, is.offset, is.shape]) };
  }
  const buffers = json.buffers as Buffer[];
  return {
    game: json.game, title: json.title, rules: json.rules, sizes: json.sizes ?? {}, options: json.options ?? [],
    seats: json.seats, sides: json.sides?.length ? json.sides : json.seats.map((_: string, k: number) => k),
    simultaneous: json.simultaneous ?? false, hidden: json.hidden ?? false, refuses: json.refuses ?? true, noSetup: json.no_setup ?? "",
    actions: json.actions, names: json.names, namesVary: json.names_vary ?? false, help: json.help ?? "", forms: json.forms ?? {},
    bots: json.bots ?? [], board: boardFrom(json.board), words: wordsFrom(json.words), rows, buffers,
    kernels: json.kernels, plan: json.plan, longestGame: json.longest_game ?? 1e7, ownIds: json.own_ids ?? [],
    shapes: shapesOf(json.planes?.shape, buffers.find((buffer) => buffer.name === "features")?.shape), planeHigh: json.planes?.high ?? 1,
  };
}

function shapesOf(planes?: number[], features?: number[]): About["shapes"] {
  const cells = planes?.reduce((product, length) => product * length, 1) ?? 0;
  return { planes, features, both: features && [features[0] + cells] };
}

/** The options of a record or of a game that begins, every one with its value. */
export function completeOptions(about: About, given: Record<string, number>): Record<string, number> {
  const options: Record<string, number> = {};
  for (const option of about.options) options[option.name] = given[option.name] ?? about.sizes[option.name] ?? option.default;
  return options;
}

/** Say what keeps a module from being the one for these options, or "". */
export function misfit(about: About, options: Record<string, number>): string {
  for (const [name, size] of Object.entries(about.sizes)) {
    if ((options[name] ?? size) !== size) {
      return `it was played with ${name} ${options[name]}, and the rules in this page are made for ${name} ${size}`;
    }
  }
  return "";
}
