/** What runs networks: onnxruntime in a worker of its own, a script that is loaded when the first network is chosen. */

import * as ort from "onnxruntime-web/wasm";
import { PbfReader } from "pbf";

export type Shown = Float32Array | Uint8Array | Int8Array | Int16Array | Int32Array;
export type NetRequest = { id: number; open: ArrayBuffer } | { id: number; net: number; shown: Shown; shape: number[] };
export type NetAnswer =
  | { id: number; net: number; head: string; inputs: string[] }
  | { id: number; logits: Float32Array }
  | { id: number; failed: string };

const KEY = "ludus"; // of the head, in the metadata of a network
const METADATA = 14; // the field of an ONNX model that holds it
const KINDS: [new (length: number) => Shown, "float32" | "uint8" | "int8" | "int16" | "int32"][] = [
  [Float32Array, "float32"], [Uint8Array, "uint8"], [Int8Array, "int8"], [Int16Array, "int16"], [Int32Array, "int32"],
];
const sessions: ort.InferenceSession[] = [];
let runtime: Promise<void> | null = null;

addEventListener("message", async ({ data }: MessageEvent<NetRequest>) => {
  try {
    postMessage("open" in data ? await open(data.id, data.open) : await ask(data.id, data.net, data.shown, data.shape));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    postMessage({ id: data.id, failed: text.split("\n")[0].slice(0, 200) } satisfies NetAnswer);
  }
});

/** Fetch the runtime itself, which is kept packed: some file hosts unpack it on the way. */
async function load(): Promise<void> {
  const answer = await fetch(new URL("net.wasm.gz", self.location.href));
  if (!answer.ok) throw new Error(`what runs networks cannot be read: ${answer.status} ${answer.statusText}`);
  const bytes = await answer.arrayBuffer(), [first, second] = new Uint8Array(bytes);
  const isPacked = first === 0x1f && second === 0x8b;
  const stream = new Blob([bytes]).stream();
  ort.env.wasm.wasmBinary = isPacked ? await new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes;
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
}

async function open(id: number, model: ArrayBuffer): Promise<NetAnswer> {
  const head = headOf(new Uint8Array(model));
  await (runtime ??= load());
  const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"], logSeverityLevel: 3 });
  sessions.push(session);
  return { id, net: sessions.length - 1, head, inputs: [...session.inputNames] };
}

async function ask(id: number, net: number, shown: Shown, shape: number[]): Promise<NetAnswer> {
  const [, kind] = KINDS.find(([array]) => shown instanceof array)!;
  const found = await sessions[net].run({ shown: new ort.Tensor(kind, shown as never, [1, ...shape]) }, ["logits"]);
  return { id, logits: found.logits.data as Float32Array };
}

/** Return what a network says of itself, or "". */
function headOf(model: Uint8Array): string {
  const pairs = new Map<string, string>();
  new PbfReader(model).readFields((field, _, model) => {
    if (field !== METADATA) return;
    const pair = model.readMessage((part, found: string[], entry) => void (found[part] = part <= 2 ? entry.readString() : ""), []);
    pairs.set(pair[1], pair[2]);
  }, null);
  return pairs.get(KEY) ?? "";
}
