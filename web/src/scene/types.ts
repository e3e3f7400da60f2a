/** A scene is a position as something to draw. The names are those of `core/scene.py`; nothing here knows a game. */

export const ROLES = ["floor", "wall", "goal", "resource", "danger", "safe", "fog", "path", "neutral"] as const;
export const SEAT_ROLE = 16;
export const FACINGS = ["", "up", "down", "left", "right"] as const;
export const NOBODY = -1;
export const EVERYTHING = -1; // the eyes of a spectator

export type Place = readonly [x: number, y: number, z: number];

export interface Link {
  x: number; y: number; z: number;
  toX: number; toY: number; toZ: number;
  role: string;
}

export interface Board {
  width: number;
  height: number;
  layers: number;
  columns: string[];
  rows: string[];
  point: string;
  places: [number, number, number, string][];
  holes: [number, number, number][];
  links: Link[];
}

export interface PieceWord { name: string; text: string; icon: string; about: string; role: string }
export interface NumberWord { name: string; seat: number; how: string; unit: string; isCurve: boolean }
export interface EventWord { kind: string; text: string }

export interface Words {
  status: string[];
  pieces: PieceWord[];
  bars: string[];
  barScales: number[];
  numbers: NumberWord[];
  events: EventWord[];
  texts: string[];
  amounts: string;
  lists: Record<string, string[]>;
  flags: string[];
  scales: Record<string, number>;
  legend: [string, string][];
}

export interface Cell { x: number; y: number; z: number; role: string; text: string; amount: string }
export interface Bar { name: string; value: number; full: number }

export interface Piece {
  id: number;
  x: number; y: number; z: number;
  role: string;
  text: string;
  kind: string;
  icon: string;
  seat: number;
  amount: number;
  facing: string;
  isPast: boolean;
  bars: Bar[];
  about: string;
}

export interface Mark { x: number; y: number; z: number; role: string }
export interface Figure { name: string; text: string; value: number; seat: number; isCurve: boolean }

export interface Happening {
  kind: string;
  text: string;
  who: number;
  seat: number;
  from: Place | null;
  to: Place | null;
  amount: number;
}

export interface Scene {
  title: string;
  board: Board;
  status: string;
  seats: string[];
  seat: number;
  turn: number;
  cells: Cell[];
  pieces: Piece[];
  marks: Mark[];
  links: Link[];
  numbers: Figure[];
  events: Happening[];
  legend: [string, string][];
}

/** One key for a place, for sets and maps. */
export function key(x: number, y: number, z: number): number {
  return (z * 4096 + y) * 4096 + x;
}

export function seatRole(seat: number): string {
  return `seat${seat}`;
}

/** The seat of a role such as "seat1", or -1. */
export function seatOfRole(role: string): number {
  return role.startsWith("seat") ? Number(role.slice(4)) : NOBODY;
}
