/** A row in a module's memory, read by the layout of its dtype. */

export type Field = [name: string, type: string, offset: number, shape: number[]];
export interface RowLayout { size: number; fields: Field[] }
export type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;
type Plain = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

const KINDS: Record<string, new (buffer: ArrayBuffer, at: number, count: number) => Numbers> = {
  i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array,
  f4: Float32Array, f8: Float64Array, i8: BigInt64Array, u8: BigUint64Array,
};

/** Views of one row; they are made anew where the memory has grown. */
export class Row {
  private readonly places = new Map<string, Field>();
  private views = new Map<string, Numbers>();
  private buffer: ArrayBuffer | null = null;

  constructor(private readonly memory: WebAssembly.Memory, readonly layout: RowLayout, readonly address: number) {
    for (const field of layout.fields) this.places.set(field[0], field);
  }

  has(name: string): boolean {
    return this.places.has(name);
  }

  /** Return a field as an array, in the order of memory; one of 64-bit numbers has none. */
  array(name: string): Plain {
    return this.view(name) as Plain;
  }

  /** Return the first number of a field. */
  number(name: string): number {
    return Number(this.view(name)[0]);
  }

  set(name: string, value: number): void {
    const view = this.view(name);
    if (view instanceof BigInt64Array || view instanceof BigUint64Array) view[0] = BigInt(value);
    else view[0] = value;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer, this.address, this.layout.size);
  }

  clear(): void {
    this.bytes().fill(0);
  }

  private view(name: string): Numbers {
    if (this.buffer !== this.memory.buffer) {
      this.buffer = this.memory.buffer;
      this.views = new Map();
    }
    let view = this.views.get(name);
    if (!view) {
      const place = this.places.get(name);
      if (!place) throw new Error(`this row has no field ${name}`);
      const [, type, offset, shape] = place;
      const count = shape.reduce((product, length) => product * length, 1);
      view = new KINDS[type](this.memory.buffer, this.address + offset, count);
      this.views.set(name, view);
    }
    return view;
  }
}
