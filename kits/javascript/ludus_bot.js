"use strict";
// Speak the wire protocol of Ludus: one JSON object a line, questions on stdin, answers on stdout.

const readline = require("node:readline");

// What a bot prints must not get between the answers.
console.log = console.info = console.debug = console.error;

/**
 * Play until stdin closes.
 *
 * `choose(game, view, legal)` returns one of the legal actions (its text), or an array of them for a whole turn.
 * `game` is the hello message of this game; game.act is the message that asks, with the clock. `start(game)` is called
 * at each hello.
 */
function run(name, choose, start = () => {}) {
  const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
  let game = {};

  readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") {
      game = message;
      start(game);
      send({ type: "ready", name, version: "1" });
    } else if (message.type === "act") {
      game.act = message;
      const chosen = choose(game, message.view, message.legal);
      send(Array.isArray(chosen) ? { actions: chosen } : { action: chosen });
    }
    // Every other message, end among them, is news that needs no answer.
  });
}

module.exports = { run };
