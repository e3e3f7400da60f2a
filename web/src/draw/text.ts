/** Letters on a canvas. */

export const FONT = '"Inter Variable", ui-sans-serif, system-ui, sans-serif';

export type Context = CanvasRenderingContext2D;

export function fontOf(size: number, weight = 500): string {
  return `${weight} ${size}px ${FONT}`;
}

/** Write a text around a dot, no wider than there is room for. */
export function write(
  to: Context, text: string, x: number, y: number, size: number, colour: string,
  align: CanvasTextAlign = "center", weight = 600, most = Infinity,
): void {
  to.font = fontOf(size, weight);
  to.textAlign = align;
  to.textBaseline = "middle";
  to.fillStyle = colour;
  const wide = most < Infinity ? to.measureText(text).width : 0;
  if (wide > most) to.font = fontOf(Math.max(5, (size * most) / wide), weight);
  to.fillText(text, x, y + size * 0.04);
}
