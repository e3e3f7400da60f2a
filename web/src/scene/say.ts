/** Sentences with slots, such as "{seat} drives {a:directions} to {to}", and how places and numbers are written. */

import { type Board, type Words, key } from "./types";

export type Slots = Record<string, number | string | readonly [number, number, number]>;
type Part = { text: string; name: string; how: string };

const cut = new Map<string, Part[]>();
const named = new WeakMap<Board, Map<number, string>>();

/** Cut a sentence into text, the slot after it, and how that is written. */
export function split(sentence: string): Part[] {
  let parts = cut.get(sentence);
  if (!parts) {
    parts = [];
    const pattern = /\{(\w+)(?::([\w+]+))?\}/g;
    let at = 0;
    for (const found of sentence.matchAll(pattern)) {
      parts.push({ text: sentence.slice(at, found.index), name: found[1], how: found[2] ?? "" });
      at = found.index + found[0].length;
    }
    parts.push({ text: sentence.slice(at), name: "", how: "" });
    cut.set(sentence, parts);
  }
  return parts;
}

/** Return how every place of a board is written, by key. */
export function placeNames(board: Board): Map<number, string> {
  let names = named.get(board);
  if (!names) {
    names = new Map();
    for (let z = 0; z < board.layers; z++) {
      for (let y = 0; y < board.height; y++) {
        for (let x = 0; x < board.width; x++) {
          const slots: Record<string, string> = {
            x: String(x), y: String(y), z: String(z), column: board.columns[x] ?? String(x), row: board.rows[y] ?? String(y),
          };
          names.set(key(x, y, z), board.point.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? ""));
        }
      }
    }
    for (const [x, y, z, name] of board.places) names.set(key(x, y, z), name);
    named.set(board, names);
  }
  return names;
}

/** Write a number as a slot says. */
export function written(value: number, how: string, words: Words): string {
  if (!how) return String(value);
  if (how === "+") return value < 0 ? String(value) : `+${value}`;
  if (words.flags.includes(how)) {
    return words.lists[how].filter((_, bit) => (value >> bit) & 1).join(" ") || "none";
  }
  if (how in words.lists) return words.lists[how][value < 0 ? words.lists[how].length + value : value] ?? "?";
  return hundredths(value, words.scales[how] ?? 1);
}

/** Divide whole numbers, rounded to two places as Python does: half goes to the even one. */
function hundredths(value: number, scale: number): string {
  const whole = Math.floor((value * 100) / scale);
  const rest = 2 * (value * 100 - whole * scale);
  const rounded = rest > scale || (rest === scale && whole % 2 !== 0) ? whole + 1 : whole;
  return String(rounded / 100);
}

/** Fill the slots of a sentence. */
export function say(sentence: string, slots: Slots, seats: readonly string[], board: Board, words: Words): string {
  const names = placeNames(board);
  let said = "";
  for (const { text, name, how } of split(sentence)) {
    said += text;
    if (!name) continue;
    const value = slots[name];
    if (name === "seat" && !how) said += (value as number) >= 0 ? seats[value as number] : "nobody";
    else if (name === "at" || name === "to") said += names.get(key(...(value as [number, number, number]))) ?? "?";
    else if (typeof value === "string") said += value;
    else said += written(value as number, how, words);
  }
  return said;
}
