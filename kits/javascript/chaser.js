"use strict";
// Play Chase by looking ahead: the runner wants room, the chasers take it away.

const { run } = require("./ludus_bot.js");

const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const SEATS = ["runner", "chaser1", "chaser2"];
const CAUGHT = 1_000_000;
const FAR = 1_000; // no way leads there
const PLIES = 6; // moves that are looked ahead after the own one

// The board of a game, its cells by number; what does not change in it is worked out once.
let steps = []; // from each cell where one can go; who can go nowhere stays
let distance = []; // between any two cells

// Forget the board of the last game; the walls come with the first view.
function start() {
  steps = [];
}

// Return the move after which the best play of all leaves the own side best off.
function choose(game, view, legal) {
  const { size, walls } = view;
  if (!steps.length) lookAt(size, walls);
  const cells = SEATS.map((seat) => view.cells[seat][1] * size + view.cells[seat][0]);
  const me = SEATS.indexOf(view.me);
  let [best, low, high] = [legal[0], -2 * CAUGHT, 2 * CAUGHT];
  for (const name of legal) {
    const [x, y] = STEPS[name] ?? [0, 0];
    const next = [...cells];
    next[me] += y * size + x;
    const worth = value(next, (me + 1) % 3, PLIES, low, high);
    if (me === 0 && worth > low) [best, low] = [name, worth];
    if (me > 0 && worth < high) [best, high] = [name, worth];
  }
  return best;
}

// Work out where steps lead, and all distances.
function lookAt(size, walls) {
  const blocked = new Set(walls.map(([x, y]) => y * size + x));
  const isOpen = ([x, y]) => x >= 0 && x < size && y >= 0 && y < size && !blocked.has(y * size + x);
  for (let cell = 0; cell < size * size; cell++) {
    const near = Object.values(STEPS).map(([a, b]) => [(cell % size) + a, Math.floor(cell / size) + b]);
    const open = near.filter(isOpen).map(([x, y]) => y * size + x);
    steps.push(open.length ? open : [cell]);
  }
  distance = steps.map((_, cell) => distancesFrom(cell));
}

// Return how many steps each cell is away: a flood.
function distancesFrom(begin) {
  const away = new Int32Array(steps.length).fill(FAR);
  const queue = [begin];
  away[begin] = 0;
  for (const here of queue) {
    for (const cell of steps[here]) {
      if (away[cell] === FAR) {
        away[cell] = away[here] + 1;
        queue.push(cell);
      }
    }
  }
  return away;
}

// Return what a position is worth to the runner after the best play of the next plies.
function value(cells, mover, plies, low, high) {
  if (cells[0] === cells[1] || cells[0] === cells[2]) return -CAUGHT - plies; // the later the better
  if (plies === 0) return room(cells);
  const here = cells[mover];
  for (const cell of steps[here]) {
    cells[mover] = cell;
    const worth = value(cells, (mover + 1) % 3, plies - 1, low, high);
    if (mover === 0) low = Math.max(low, worth);
    else high = Math.min(high, worth);
    if (low >= high) break;
  }
  cells[mover] = here;
  return mover === 0 ? low : high;
}

// Judge a position for the runner: the cells that it reaches first, and how far off the chasers are.
function room(cells) {
  const [mine, first, second] = cells.map((cell) => distance[cell]);
  let won = 0;
  for (let k = 0; k < mine.length; k++) won += mine[k] < first[k] && mine[k] < second[k];
  const [one, two] = [mine[cells[1]], mine[cells[2]]];
  return won + 4 * Math.min(one, two) + Math.max(one, two) + steps[cells[0]].length;
}

run("chaser", choose, start);
