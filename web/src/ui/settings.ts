/** What the reader chose: colours, speed. Kept where the browser allows it. */

import { PALETTES, type Palette, type Theme, theme } from "../draw/palette";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const KEPT_AS = "ludus-page";

class Settings {
  colours: "dark" | "light" | "" = ""; // "" = as the system has it
  palette: Palette = "okabe";
  speed = 1;
  private readonly listeners = new Set<() => void>();
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}");
      if (kept.colours === "dark" || kept.colours === "light") this.colours = kept.colours;
      if (PALETTES.includes(kept.palette)) this.palette = kept.palette;
      if (SPEEDS.includes(kept.speed)) this.speed = kept.speed;
    } catch {
      // files on disk may have no storage; the choice then lasts as long as the page
    }
    this.dark.addEventListener("change", () => this.changed());
    this.changed();
  }

  get isDark(): boolean {
    return this.colours ? this.colours === "dark" : this.dark.matches;
  }

  get isStill(): boolean {
    return this.still.matches;
  }

  get theme(): Theme {
    return theme(this.isDark ? "dark" : "light", this.palette);
  }

  set(change: Partial<Pick<Settings, "colours" | "palette" | "speed">>): void {
    Object.assign(this, change);
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify({ colours: this.colours, palette: this.palette, speed: this.speed }));
    } catch {
      // as above
    }
    this.changed();
  }

  switchColours(): void {
    this.set({ colours: this.isDark ? "light" : "dark" });
  }

  switchPalette(): void {
    this.set({ palette: PALETTES[(PALETTES.indexOf(this.palette) + 1) % PALETTES.length] });
  }

  on(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    document.documentElement.dataset.palette = this.palette;
    for (const listener of this.listeners) listener();
  }
}

export const settings = new Settings();
