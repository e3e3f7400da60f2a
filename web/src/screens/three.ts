/** The board in three dimensions is loaded when it is asked for. */

import type { App } from "../app";
import { unpacked } from "../envelope";
import type { Board3d } from "../ui/stage";
import type { Viewer } from "../ui/viewer";

let making: Promise<{ make: () => Board3d }> | null = null;

async function load(app: App): Promise<{ make: () => Board3d }> {
  const inline = app.envelope.chunks.board3d;
  if (inline) {
    const address = URL.createObjectURL(new Blob([await unpacked(inline)], { type: "text/javascript" }));
    try {
      return await import(/* @vite-ignore */ address);
    } finally {
      URL.revokeObjectURL(address);
    }
  }
  return import(/* @vite-ignore */ new URL("./board3d.js", import.meta.url).href);
}

/** Switch between the flat board and the one in three dimensions. */
export async function toggle3d(app: App, viewer: Viewer): Promise<void> {
  const { stage } = viewer;
  if (stage.is3d) {
    stage.use(null);
  } else {
    await app.guarded("", async () => {
      making ??= load(app);
      try {
        stage.use((await making).make());
      } catch {
        making = null;
        throw new Error("The board in three dimensions is not part of this page; it is flat here.");
      }
    });
  }
  viewer.paint();
}
