"use strict";
// Play every game: any of the legal actions.

const { run } = require("./ludus_bot.js");

let state = 0;

// Draw the same in every game of one seed: Math.random cannot be told a seed.
function start(game) {
  state = game.seed % 2 ** 32;
}

function choose(game, view, legal) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return legal[Math.floor((state / 2 ** 32) * legal.length)];
}

run("any", choose, start);
