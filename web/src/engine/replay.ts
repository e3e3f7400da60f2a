/** Records run again: every decision is played by the rules and every turn is compared, so that a replay cannot lie. */

import { type About, misfit } from "./about";
import { BadRecord, type GameRecord } from "./record";
import { type Result, type Snapshot, Table } from "./table";

const MOST_BYTES = 96 << 20; // of kept positions; a longer game keeps every second one, and so on
const RUNNING = 0;

/** A record that was run again, and its positions as the turns ended. Where it is not what it says, it ends with `trouble`. */
export class Replay {
  readonly table: Table;
  trouble = "";
  /** How many decisions had been taken at each position; position 0 is the start. */
  readonly played: number[] = [0];
  private readonly kept: Snapshot[] = [];
  private stride = 1;
  private ends: Snapshot | null = null;

  constructor(readonly record: GameRecord, readonly about: About, module: WebAssembly.Module, start: Uint8Array | null) {
    checkHead(record, about);
    this.table = new Table(about, module);
    if (record.position && !start) throw new BadRecord("begins from a position of its own, which only Ludus itself reads: open it with `ludus replay FILE`");
    if (start && start.length !== about.rows.State.size) throw new BadRecord("begins from a position that is none of this game");
    this.table.begin(record.seed, record.options, start);
    if (start && !this.table.isSound()) throw new BadRecord(`begins from what cannot be a position of ${about.title}`);
    this.keep();
    try {
      this.run();
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      this.trouble = error.message;
    }
    this.ends = this.table.save(false);
  }

  get turns(): number {
    return this.played.length - 1;
  }

  private keep(): void {
    const at = this.played.length - 1;
    if (at % this.stride) return;
    this.kept.push(this.table.save(false));
    if (this.kept.length * this.kept[0].length > MOST_BYTES) {
      for (let k = 0; 2 * k < this.kept.length; k++) this.kept[k] = this.kept[2 * k];
      this.kept.length = Math.ceil(this.kept.length / 2);
      this.stride *= 2;
    }
  }

  private run(): void {
    const { table, record, about } = this;
    const hasDigests = record.digests.length > 0;
    let due = 0;
    record.decisions.forEach(([seat, action], number) => {
      const turn = table.turn, where = `turn ${turn}, decision ${number}`;
      if (table.isOver) throw new BadRecord(`${where}: the game is over, and the record goes on`);
      if (seat !== table.seat) {
        throw new BadRecord(`${where}: it is the move of ${about.seats[table.seat]}, not of ${about.seats[seat] ?? `a seat ${seat}`}`);
      }
      if (!table.takes(action)) throw new BadRecord(`${where}: ${about.names[action] ?? `action ${action}`} is refused by the rules`);
      table.play(action);
      if (table.turn !== turn || table.isOver) {
        const came = table.digest();
        if (hasDigests && record.digests[due] !== came) {
          const hex = (digest: bigint) => digest.toString(16).padStart(16, "0");
          const what = due < record.digests.length ? `ends in another position (${hex(came)}, not ${hex(record.digests[due])})` : "has no digest";
          throw new BadRecord(`turn ${turn} (decision ${number}) ${what}: this is not the game that was played`);
        }
        due++;
        this.played.push(number + 1);
        this.keep();
      }
    });
    if (this.played[this.turns] < record.decisions.length) this.played.push(record.decisions.length); // stopped within a turn
    if (hasDigests && due < record.digests.length) throw new BadRecord(`it has ${record.digests.length - due} digests of turns that were not played`);
    this.checkEnd();
  }

  private checkEnd(): void {
    const { table, record, about } = this;
    const seats = about.seats.length, isOver = table.isOver;
    let due: Result = table.result();
    if (record.forfeit !== null) {
      if (isOver) throw new BadRecord("the game was played to its end, and cannot be forfeited as well");
      return; // its points are the contest's own
    }
    if (record.result.status === RUNNING && !isOver) {
      const isVoid = [...record.result.outcome, ...record.result.points].every((value) => value === 0);
      if (isVoid) due = { status: RUNNING, outcome: Array(seats).fill(0), points: Array(seats).fill(0) };
    } else if (!isOver) {
      throw new BadRecord(`the record ends after ${record.decisions.length} decisions, and the game goes on`);
    }
    const same = (one: number[], other: number[]) => one.length === other.length && one.every((value, k) => Math.fround(value) === Math.fround(other[k]));
    const { status, outcome, points } = record.result;
    if (status !== due.status || !same(outcome, due.outcome) || !same(points, due.points)) {
      throw new BadRecord("the result is not the one that was played");
    }
  }

  /** Put the table where the game stood after so many turns. */
  go(turn: number): Table {
    const { table } = this;
    if (turn === this.turns && this.ends) {
      table.restore(this.ends);
      return table;
    }
    const from = Math.min(Math.floor(turn / this.stride), this.kept.length - 1);
    table.restore(this.kept[from]);
    for (let k = this.played[from * this.stride]; k < this.played[turn]; k++) table.play(this.record.decisions[k][1]);
    return table;
  }

  /** Return what was decided in the turn that led to this position: numbers of decisions, first and last + 1. */
  decided(turn: number): [number, number] {
    return turn > 0 ? [this.played[turn - 1], this.played[turn]] : [0, 0];
  }
}

/** Hold what a record says of itself against the module. */
function checkHead(record: GameRecord, about: About): void {
  if (record.rules !== about.rules) {
    throw new BadRecord(
      `was played by version ${record.rules} of the rules of ${about.title}, and this page has version ${about.rules}`,
    );
  }
  const known = new Set(about.options.map((option) => option.name));
  for (const name of Object.keys(record.options)) {
    if (!known.has(name)) throw new BadRecord(`names an option ${name}, which ${about.title} does not have`);
  }
  for (const { name, low, high } of about.options) {
    const value = record.options[name];
    if (value !== undefined && (!Number.isInteger(value) || value < low || value > high)) {
      throw new BadRecord(`sets option ${name} to ${value}; it is from ${low} to ${high}`);
    }
  }
  const wrong = misfit(about, record.options);
  if (wrong) throw new BadRecord(`cannot be run here: ${wrong}. Open it with \`ludus replay FILE\``);
  const seats = about.seats.length;
  if (record.seats.length && record.seats.join("\n") !== about.seats.join("\n")) {
    throw new BadRecord(`has the seats ${record.seats.join(", ")}; ${about.title} has ${about.seats.join(", ")}`);
  }
  const lists = { agents: record.agents, outcomes: record.result.outcome, points: record.result.points };
  for (const [what, values] of Object.entries(lists)) {
    if (values.length !== seats) throw new BadRecord(`has ${values.length} ${what} for ${seats} seats`);
  }
  for (const fault of record.faults) {
    if (fault.seat >= seats || fault.decision > record.decisions.length) {
      throw new BadRecord(`tells a fault of seat ${fault.seat} at decision ${fault.decision}, which are not there`);
    }
  }
  if (record.forfeit !== null && record.forfeit >= seats) throw new BadRecord(`names a seat ${record.forfeit} which forfeits; there are ${seats}`);
}
