/** Records as they stand in files: formats 1 and 2 of docs/records.md, plain or gzipped. What is wrong is said in a sentence. */

import type { Result } from "./table";

export interface Fault {
  seat: number;
  decision: number;
  kind: string;
  text: string;
  turn: number;
  ends: boolean;
  stderr: string[];
}

export interface GameRecord {
  game: string;
  rules: number;
  options: Record<string, number>;
  seed: bigint;
  seats: string[];
  agents: string[];
  result: Result;
  decisions: [seat: number, action: number][];
  times: number[]; // by run of decisions of one seat
  digests: bigint[];
  faults: Fault[];
  forfeit: number | null;
  position: string;
}

export class BadRecord extends Error {}

const LARGEST = 16 << 20;
const NEWEST = 2;

/** Return the text of a file, unpacked if its first bytes say that it is gzipped. */
export async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  let data = bytes;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      data = await unzipped(bytes, LARGEST);
    } catch (error) {
      throw error instanceof BadRecord ? error : new BadRecord("is cut off: its gzip data cannot be unpacked");
    }
  }
  if (data.length > LARGEST) throw new BadRecord("is too large for a record: it holds more than 16 MiB");
  if (data.length === 0) throw new BadRecord("is empty");
  return new TextDecoder().decode(data);
}

/** Unpack gzip. */
export async function unzipped(bytes: Uint8Array<ArrayBuffer>, most = Infinity): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    if (size > most) throw new BadRecord("is too large for a record: it holds more than 16 MiB");
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Read the records of a text: one, or several, a line each. */
export function readRecords(text: string): GameRecord[] {
  const whole = parsed(text);
  if (whole !== undefined) return [recordFrom(whole)];
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.length < 2 || parsed(lines[0]) === undefined) throw new BadRecord("is cut off, or no JSON");
  return lines.map((line, k) => {
    const json = parsed(line);
    if (json === undefined) throw new BadRecord(`is cut off, or no JSON, in line ${k + 1}`);
    return recordFrom(json);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exact as never);
  } catch {
    return undefined;
  }
}

/** Keep whole numbers beyond 2^53 as they are written, where the browser says how. */
function exact(_: string, value: unknown, context?: { source?: string }): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source ? BigInt(context.source) : value;
}

type Json = Record<string, any>;

/** Read one record from its JSON object. */
export function recordFrom(json: unknown): GameRecord {
  if (!isObject(json) || typeof json.game !== "string" || !("result" in json)) throw new BadRecord("is no record of a game");
  const format = json.format ?? 1;
  if (format !== 1 && format !== 2) {
    throw new BadRecord(`is of format ${String(format)}, and this page reads 1 to ${NEWEST}: get a newer one`);
  }
  try {
    return format === 2 ? format2(json) : format1(json);
  } catch (error) {
    throw new BadRecord(`is no sound record: ${error instanceof BadRecord ? error.message : "something in it is of the wrong kind"}`);
  }
}

function format2(json: Json): GameRecord {
  const decisions: [number, number][] = [];
  let last = -1;
  for (const run of list(json.decisions ?? [], "decisions")) {
    const [seat, ...actions] = list(run, "a run of decisions").map(whole);
    if (!actions.length) throw new BadRecord("a run of decisions is empty");
    if (seat === last) throw new BadRecord("two runs of one seat follow each other");
    last = seat;
    for (const action of actions) decisions.push([seat, action]);
  }
  const digests = String(json.digests ?? "");
  if (!/^([0-9a-f]{16})*$/.test(digests)) throw new BadRecord("its digests are no hexadecimal numbers of 16 digits");
  if (!/^[0-9]{1,19}$/.test(String(json.seed))) throw new BadRecord("its seed is no whole number");
  return {
    ...common(json), decisions, seed: BigInt(json.seed), times: list(json.times ?? [], "times").map(Number),
    digests: (digests.match(/.{16}/g) ?? []).map((word) => BigInt(`0x${word}`)), seats: list(json.seats, "seats").map(oneLine),
  };
}

/** The first format has its 64-bit numbers as numbers. */
function format1(json: Json): GameRecord {
  const decisions = list(json.decisions ?? [], "decisions").map((pair): [number, number] => {
    const [seat, action] = list(pair, "a decision");
    return [whole(seat), whole(action)];
  });
  const digests = list(json.digests ?? [], "digests").map(big);
  return { ...common(json), decisions, seed: big(json.seed), times: [], digests, seats: [] };
}

function big(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw new BadRecord("it is of format 1, whose numbers this browser would round; open it with `ludus replay FILE`");
}

function common(json: Json): Omit<GameRecord, "decisions" | "seed" | "times" | "digests" | "seats"> {
  const result = json.result;
  if (!isObject(result)) throw new BadRecord("it has no result");
  if (!Number.isInteger(json.rules)) throw new BadRecord("it does not say which version of the rules it was played by");
  const options: Record<string, number> = {};
  for (const [name, value] of Object.entries(json.options ?? {})) options[name] = number(value);
  return {
    game: json.game, rules: json.rules, options, agents: list(json.agents, "agents").map(oneLine),
    result: {
      status: whole(result.status), outcome: list(result.outcome, "outcomes").map(number), points: list(result.points, "points").map(number),
    },
    faults: list(json.faults ?? [], "faults").map(faultFrom),
    forfeit: json.forfeit == null ? null : whole(json.forfeit), position: String(json.position ?? ""),
  };
}

function faultFrom(json: any): Fault {
  return {
    seat: whole(json.seat), decision: whole(json.decision), kind: oneLine(json.kind), text: oneLine(json.text), turn: Number(json.turn ?? 0),
    ends: json.ends === true, stderr: list(json.stderr ?? [], "stderr").map(oneLine),
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown, what: string): any[] {
  if (!Array.isArray(value)) throw new BadRecord(`${what} are missing`);
  return value;
}

function number(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new BadRecord("a number is missing");
  return value;
}

function whole(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 0) throw new BadRecord("a whole number is missing");
  return value as number;
}

/** What comes from outside is shown as one line of bounded length. */
export function oneLine(value: unknown): string {
  return String(value).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").slice(0, 500);
}

/** Return a record as JSON in the newest format. */
export function written(record: GameRecord): string {
  const runs: number[][] = [];
  let last = -1;
  for (const [seat, action] of record.decisions) {
    if (seat === last) runs[runs.length - 1].push(action);
    else runs.push([seat, action]);
    last = seat;
  }
  return JSON.stringify({
    format: NEWEST, game: record.game, rules: record.rules, options: record.options, seed: String(record.seed), seats: record.seats,
    agents: record.agents, result: record.result, decisions: runs,
    digests: record.digests.map((digest) => digest.toString(16).padStart(16, "0")).join(""),
    ...(record.position ? { position: record.position } : {}),
  });
}
