/** Read a frame, which is a row in a module's memory, as a scene in a game's words. */

import type { Row } from "../engine/row";
import { say, written } from "./say";
import {
  type Bar, type Board, type Cell, type Figure, type Happening, type Link, type Mark, type Piece, type Place, type Scene, type Words,
  FACINGS, ROLES, SEAT_ROLE,
} from "./types";

export function roleName(role: number): string {
  return role >= SEAT_ROLE ? `seat${role - SEAT_ROLE}` : ROLES[role];
}

export function readScene(title: string, seats: string[], board: Board, words: Words, frame: Row): Scene {
  const reading = new Reading(seats, board, words, frame);
  const pieces = reading.pieces(); // first: events name them
  return {
    title, board, seats, status: reading.status(), seat: frame.number("seat"), turn: frame.number("turn"),
    cells: reading.cells(), pieces, marks: reading.marks(), links: reading.links(),
    numbers: readFigures(words, frame), events: reading.events(), legend: words.legend,
  };
}

/** Read the numbers of the side panel alone: curves need those of every turn. */
export function readFigures(words: Words, frame: Row): Figure[] {
  const values = frame.array("number"), limits = frame.array("number_limit"), shown = frame.array("number_shown");
  const found: Figure[] = [];
  for (let k = 0; k < Math.min(words.numbers.length, values.length); k++) {
    if (!shown[k]) continue;
    const word = words.numbers[k];
    const limit = limits[k] ? `/${written(limits[k], word.how, words)}` : "";
    const text = written(values[k], word.how, words) + limit + word.unit;
    found.push({ name: word.name, text, value: values[k] / (words.scales[word.how] ?? 1), seat: word.seat, isCurve: word.isCurve });
  }
  return found;
}

class Reading {
  private readonly called = new Map<number, string>(); // pieces by id, as sentences name them

  constructor(
    private readonly seats: string[], private readonly board: Board, private readonly words: Words, private readonly frame: Row,
  ) {}

  private say(sentence: string, slots: Parameters<typeof say>[1]): string {
    return say(sentence, slots, this.seats, this.board, this.words);
  }

  status(): string {
    const [a, b, c] = this.frame.array("status_value");
    const sentence = this.words.status[this.frame.number("status")];
    return this.say(sentence, { seat: this.frame.number("seat"), turn: this.frame.number("turn"), a, b, c });
  }

  cells(): Cell[] {
    const { board, words, frame } = this;
    const roles = frame.array("role"), texts = frame.array("text"), has = frame.array("has_amount"), amounts = frame.array("amount");
    const found: Cell[] = [];
    let k = 0;
    for (let z = 0; z < board.layers; z++) {
      for (let y = 0; y < board.height; y++) {
        for (let x = 0; x < board.width; x++, k++) {
          if (roles[k] || texts[k] || has[k]) {
            const amount = has[k] ? written(amounts[k], words.amounts, words) : "";
            found.push({ x, y, z, role: roleName(roles[k]), text: words.texts[texts[k]], amount });
          }
        }
      }
    }
    return found;
  }

  pieces(): Piece[] {
    const { frame, words, seats } = this;
    const part = (name: string) => frame.array(`piece_${name}`);
    const ids = part("id"), kinds = part("kind"), owners = part("seat"), xs = part("x"), ys = part("y"), zs = part("z");
    const facings = part("facing"), amounts = part("amount"), pasts = part("past"), bar = part("bar"), full = part("full");
    const each = bar.length / ids.length;
    const found: Piece[] = [];
    for (let k = 0; k < frame.number("pieces"); k++) {
      const word = words.pieces[kinds[k]], seat = owners[k];
      const x = xs[k], y = ys[k], z = zs[k];
      const slots = {
        seat, name: word.name, id: ids[k], x, y, z, at: [x, y, z] as const, amount: amounts[k], facing: FACINGS[facings[k]],
      };
      const bars: Bar[] = [];
      words.bars.forEach((name, n) => {
        const most = full[k * each + n], scale = words.barScales[n] ?? 1;
        if (most) bars.push({ name, value: bar[k * each + n] / scale, full: most / scale });
      });
      this.called.set(ids[k], seat >= 0 ? `${seats[seat]}'s ${word.name}` : word.name);
      found.push({
        id: ids[k], x, y, z, role: seat >= 0 ? `seat${seat}` : word.role, text: this.say(word.text, slots), kind: word.name,
        icon: word.icon, seat, amount: amounts[k], facing: FACINGS[facings[k]], isPast: pasts[k] !== 0, bars,
        about: this.say(word.about, slots),
      });
    }
    return found;
  }

  marks(): Mark[] {
    const { frame } = this;
    const xs = frame.array("mark_x"), ys = frame.array("mark_y"), zs = frame.array("mark_z"), roles = frame.array("mark_role");
    return Array.from({ length: frame.number("marks") }, (_, k) => ({ x: xs[k], y: ys[k], z: zs[k], role: roleName(roles[k]) }));
  }

  links(): Link[] {
    const { frame } = this;
    const xs = frame.array("link_x"), ys = frame.array("link_y"), zs = frame.array("link_z"), roles = frame.array("link_role");
    return Array.from({ length: frame.number("links") }, (_, k) => ({
      x: xs[2 * k], y: ys[2 * k], z: zs[2 * k], toX: xs[2 * k + 1], toY: ys[2 * k + 1], toZ: zs[2 * k + 1], role: roleName(roles[k]),
    }));
  }

  events(): Happening[] {
    const { frame, words } = this;
    const part = (name: string) => frame.array(`event_${name}`);
    const kinds = part("kind"), seats = part("seat"), whos = part("who"), amounts = part("amount"), values = part("value");
    const xs = part("x"), ys = part("y"), zs = part("z");
    const found: Happening[] = [];
    for (let k = 0; k < frame.number("events"); k++) {
      const word = words.events[kinds[k]];
      const ends = [2 * k, 2 * k + 1].map((n): Place => [xs[n], ys[n], zs[n]]);
      const text = this.say(word.text, {
        seat: seats[k], who: this.called.get(whos[k]) ?? "", amount: amounts[k], a: values[2 * k], b: values[2 * k + 1],
        at: ends[0], to: ends[1],
      });
      const [from, to] = ends.map((place) => (place[0] < 0 || place[1] < 0 ? null : place));
      found.push({ kind: word.kind, text, who: whos[k], seat: seats[k], from, to, amount: amounts[k] });
    }
    return found;
  }
}
