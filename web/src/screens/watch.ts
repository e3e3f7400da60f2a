/** A replay: a record that was run again, or scenes of a file. From any turn of a record one may play on. */

import type { App, Screen } from "../app";
import type { Loaded } from "../envelope";
import { PERSON } from "../play";
import type { Reel, ReplayReel } from "../reel";
import { Analysis } from "../ui/analysis";
import { counted, h, iconButton, sign } from "../ui/dom";
import { Viewer } from "../ui/viewer";
import { Who } from "../ui/who";
import { toggle3d } from "./three";

export function watchReplay(app: App, reel: ReplayReel, loaded: Loaded, file: string, start: Uint8Array | null): Screen {
  const { about, module } = loaded, { replay } = reel;
  const hasLayers = about.board.layers > 1;
  const viewer: Viewer = new Viewer(reel, { verdicts: app.envelope.verdicts, load3d: hasLayers ? () => toggle3d(app, viewer) : undefined });
  const analysis = new Analysis(about, module, () => {
    const table = replay.go(viewer.at);
    return { game: table.save(), seat: -1, isOver: table.isOver };
  });
  let shown = viewer.at;
  viewer.onchange = () => {
    if (viewer.at !== shown) analysis.moved();
    shown = viewer.at;
  };
  if (about.bots.length) viewer.addTab({ name: "Chances", element: analysis.element });
  const takeOver = takeOverDialog(app, reel, loaded, (seats) => {
    const { record } = replay, decisions = record.decisions.slice(0, replay.played[viewer.at]);
    app.play(loaded, { options: record.options, seats, seed: record.seed, start, position: record.position, decisions });
  });
  viewer.element.append(takeOver);
  const keys = viewer.keys.bind(viewer);
  viewer.keys = () => ({ ...keys(), p: () => takeOver.showModal() });
  const button = h("button", { type: "button", class: "main", onclick: () => takeOver.showModal(), title: "play on from here (p)", "aria-label": "Take over: play on from here" }, sign("hand", 18), h("span", {}, "Take over"));
  const checked = h("p", { class: "checked" }, `${file} · ${counted(record(reel), "decision")} run again${reel.trouble ? "" : ", every turn compared"}`);
  viewer.side.append(checked);
  return {
    element: viewer.element, viewer, title: about.title, buttons: [button],
    end: () => {
      viewer.end();
      analysis.end();
    },
  };
}

function record(reel: ReplayReel): number {
  return reel.replay.record.decisions.length;
}

/** Scenes that come without rules. */
export function watchReel(app: App, reel: Reel, file: string): Screen {
  const hasLayers = reel.scene(0, -1).board.layers > 1;
  const viewer: Viewer = new Viewer(reel, { load3d: hasLayers ? () => toggle3d(app, viewer) : undefined });
  viewer.side.append(h("p", { class: "checked" }, `${file} · shown as it was written`));
  return { element: viewer.element, viewer, title: reel.title, end: () => viewer.end() };
}

/** Ask who sits where when a game is played on. */
function takeOverDialog(app: App, reel: ReplayReel, loaded: Loaded, go: (seats: string[]) => void): HTMLDialogElement {
  const { bots } = loaded.about, known = [...bots, ...loaded.nets.map(({ name }) => name)], strongest = bots.at(-1) ?? PERSON;
  const who = new Who(app, loaded, (k) => (k === 0 ? PERSON : known.includes(reel.names[k]) ? reel.names[k] : strongest));
  const dialog: HTMLDialogElement = h("dialog", { class: "takeover", "aria-label": "play on from here" },
    h("header", {}, h("h2", {}, "Play on from here"), iconButton("close", "close", () => dialog.close())),
    h("p", {}, "Who sits where from now on?"),
    ...who.lines(),
    h("button", {
      type: "button", class: "main", onclick: () => {
        dialog.close();
        go(who.names);
      },
    }, "Play"));
  return dialog;
}
