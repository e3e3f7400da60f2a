/** What a person may do: every legal action by name, and the places of the board that it touches. */

import { placeNames } from "../scene/say";
import { type Board, type Place, type Scene, key } from "../scene/types";
import { gridsOf } from "../draw/layout";
import type { Table } from "./table";

export interface Choice { action: number; name: string; verb: string; places: Place[] }

const MOST_TRIED = 120;
const MOST_OTHERS = 300; // decisions of others until a turn is over

/** Return the legal actions of the seat to move. An action touches what its name names; else it is tried on a copy. */
export function choicesOf(table: Table): Choice[] {
  const { about } = table, legal = table.legal();
  const found = legal.map((action): Choice => {
    const name = about.names[action] ?? String(action);
    return { action, name, verb: name.split(" ")[0], places: placesNamed(about.board, name) };
  });
  const unnamed = found.filter((choice) => !choice.places.length);
  if (unnamed.length && unnamed.length <= MOST_TRIED) tryOut(table, unnamed);
  return found;
}

const patterns = new WeakMap<Board, { pattern: RegExp; places: Map<string, Place> }>();

/** Return the places that a text names. */
export function placesNamed(board: Board, name: string): Place[] {
  let known = patterns.get(board);
  if (!known) {
    const { holes } = gridsOf(board), places = new Map<string, Place>();
    for (const [place, written] of placeNames(board)) {
      if (!holes.has(place) && written) places.set(plain(written), [place % 4096, Math.floor(place / 4096) % 4096, Math.floor(place / 4096 / 4096)]);
    }
    // "3, 4" and "3 4" are written for "3,4", too.
    const words = [...places.keys()].sort((one, other) => other.length - one.length).map((word) => word.split(",").map(escaped).join("[,\\s]+"));
    known = { pattern: new RegExp(`(?<![\\w,.])(?:${words.join("|")})(?![\\w,.])`, "g"), places };
    patterns.set(board, known);
  }
  return (name.match(known.pattern) ?? []).map((word) => known.places.get(plain(word))!);
}

function plain(word: string): string {
  return word.replace(/[,\s]+/g, ",");
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Try actions on a position that the seat's view could come from, and compare what the seat sees. */
function tryOut(table: Table, choices: Choice[]): void {
  const game = table.save(), { seat } = table;
  try {
    table.imagine(seat);
    const world = table.save(), before = table.scene(seat);
    const after = (choice: Choice, idle: number): Place[] => {
      table.restore(world);
      if (!table.takes(choice.action)) return [];
      playTurn(table, choice.action, idle);
      return touched(before, table.scene(seat), seat);
    };
    const idle = table.about.simultaneous ? quietest(choices, after) : -1;
    for (const choice of choices) choice.places = after(choice, idle);
    keepTelling(choices);
  } finally {
    table.restore(game);
  }
}

/** Keep of each action the places that tell it from most others: not those from which every move sets out, nor what merely shifts. */
function keepTelling(choices: Choice[]): void {
  const counts = new Map<number, number>();
  for (const place of choices.flatMap((choice) => choice.places)) counts.set(key(...place), (counts.get(key(...place)) ?? 0) + 1);
  for (const choice of choices) {
    const fewest = Math.min(...choice.places.map((place) => counts.get(key(...place))!));
    choice.places = choice.places.filter((place) => counts.get(key(...place)) === fewest);
  }
}

/** Return the action with which least happens if all who are asked in this turn choose it: what the others do meanwhile. */
function quietest(choices: Choice[], after: (choice: Choice, idle: number) => Place[]): number {
  let found = choices[0].action, least = Infinity;
  for (const choice of choices) {
    const count = after(choice, choice.action).length;
    if (count < least) [found, least] = [choice.action, count];
    if (!count) break;
  }
  return found;
}

/** Play an action; where seats commit before anything happens, let the others choose `idle` until it has. */
function playTurn(table: Table, action: number, idle: number): void {
  const { turn } = table;
  table.play(action);
  for (let k = 0; k < MOST_OTHERS && table.about.simultaneous && !table.isOver && table.turn === turn; k++) {
    table.play(table.legal().includes(idle) ? idle : table.legal().at(-1)!);
  }
}

/** Return the places where two scenes differ in pieces, and those of what the seat did. */
function touched(before: Scene, after: Scene, seat: number): Place[] {
  const then = new Map(before.pieces.map((piece) => [piece.id, piece])), now = new Map(after.pieces.map((piece) => [piece.id, piece]));
  const places = new Map<number, Place>();
  const add = (...[x, y, z]: Place) => places.set(key(x, y, z), [x, y, z]);
  for (const id of new Set([...then.keys(), ...now.keys()])) {
    const old = then.get(id), fresh = now.get(id);
    if (old && fresh && key(old.x, old.y, old.z) === key(fresh.x, fresh.y, fresh.z)) continue;
    for (const piece of [old, fresh]) if (piece) add(piece.x, piece.y, piece.z);
  }
  for (const event of after.events) {
    if (event.seat !== seat) continue;
    if (event.from) add(...event.from);
    if (event.to) add(...event.to);
  }
  return [...places.values()];
}
