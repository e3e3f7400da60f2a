/** Scenes, boards and words as Python writes them in JSON, where defaults are left out. */

import type { Board, Cell, Figure, Happening, Link, Mark, Piece, Place, Scene, Words } from "./types";

type Json = Record<string, any>;

export function boardFrom(json: Json): Board {
  return {
    width: json.width, height: json.height, layers: json.layers ?? 1,
    columns: json.columns ?? [], rows: json.rows ?? [], point: json.point ?? "{x},{y}",
    places: json.places ?? [], holes: json.holes ?? [], links: (json.links ?? []).map(linkFrom),
  };
}

export function wordsFrom(json: Json): Words {
  return {
    status: json.status ?? ["{seat} to move"],
    pieces: (json.pieces ?? []).map((word: Json) => ({
      name: word.name, text: word.text, icon: word.icon ?? "", about: word.about ?? "{seat} {name} on {at}", role: word.role ?? "neutral",
    })),
    bars: json.bars ?? [],
    barScales: json.bar_scales ?? [],
    numbers: (json.numbers ?? []).map((word: Json) => ({
      name: word.name, seat: word.seat ?? -1, how: word.how ?? "", unit: word.unit ?? "", isCurve: word.is_curve ?? true,
    })),
    events: (json.events ?? []).map((word: Json) => ({ kind: word.kind, text: word.text })),
    texts: json.texts ?? [""],
    amounts: json.amounts ?? "",
    lists: json.lists ?? {},
    flags: json.flags ?? [],
    scales: json.scales ?? {},
    legend: json.legend ?? [],
  };
}

export function linkFrom(json: Json): Link {
  return { x: json.x, y: json.y, z: json.z ?? 0, toX: json.to_x, toY: json.to_y, toZ: json.to_z ?? 0, role: json.role };
}

/** Read a scene; `board` stands in where the scene itself leaves it out. */
export function sceneFrom(json: Json, board?: Board): Scene {
  return {
    title: json.title ?? "", board: json.board ? boardFrom(json.board) : board!, status: json.status ?? "",
    seats: json.seats ?? [], seat: json.seat ?? -1, turn: json.turn ?? 0,
    cells: (json.cells ?? []).map(cellFrom), pieces: (json.pieces ?? []).map(pieceFrom),
    marks: (json.marks ?? []).map((mark: Json): Mark => ({ x: mark.x, y: mark.y, z: mark.z ?? 0, role: mark.role })),
    links: (json.links ?? []).map(linkFrom), numbers: (json.numbers ?? []).map(figureFrom),
    events: (json.events ?? []).map(happeningFrom), legend: json.legend ?? [],
  };
}

function cellFrom(json: Json): Cell {
  return { x: json.x, y: json.y, z: json.z ?? 0, role: json.role, text: json.text ?? "", amount: json.amount ?? "" };
}

function pieceFrom(json: Json): Piece {
  return {
    id: json.id, x: json.x, y: json.y, z: json.z ?? 0, role: json.role, text: json.text, kind: json.kind ?? "",
    icon: json.icon ?? "", seat: json.seat ?? -1, amount: json.amount ?? 0, facing: json.facing ?? "",
    isPast: json.is_past ?? false, bars: json.bars ?? [], about: json.about ?? "",
  };
}

function figureFrom(json: Json): Figure {
  return { name: json.name, text: json.text, value: json.value, seat: json.seat ?? -1, isCurve: json.is_curve ?? true };
}

function happeningFrom(json: Json): Happening {
  const from: Place | null = json.x == null || json.y == null ? null : [json.x, json.y, json.z ?? 0];
  const to: Place | null = json.to_x == null || json.to_y == null ? null : [json.to_x, json.to_y, json.to_z ?? 0];
  return { kind: json.kind, text: json.text, who: json.who ?? -1, seat: json.seat ?? -1, from, to, amount: json.amount ?? 0 };
}
