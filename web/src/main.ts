/** The page: what it was handed decides which screen it begins with. */

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app";
import { Room, Table } from "./engine/table";
import { Envelope } from "./envelope";

async function begin(): Promise<void> {
  const app = new App(document.getElementById("app")!);
  Object.assign(window, { ludus: { app, Room, Table } }); // for the console, tests and measurements
  try {
    await app.start(await Envelope.find());
  } catch (error) {
    app.home(error instanceof Error ? error.message : String(error));
  }
}

void begin();
