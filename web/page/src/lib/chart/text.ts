/* How wide a text is in a picture: fonts differ between systems by a fifth. */
const context = document.createElement('canvas').getContext('2d');
const known = new Map<string, number>();
const FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

export function textWidth(text: string, size = 12.5): number {
  const key = `${size} ${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (!context) return text.length * size * 0.62;
  context.font = `${size}px ${FAMILY}`;
  const width = context.measureText(text).width;
  if (known.size > 5000) known.clear();
  known.set(key, width);
  return width;
}

export function widest(texts: readonly string[], size = 12.5): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text, size)), 0);
}

/* As much of it as there is room for, with an ellipsis for the rest. */
export function fitted(text: string, room: number, size = 12.5): string {
  if (textWidth(text, size) <= room) return text;
  let n = text.length;
  while (n > 1 && textWidth(`${text.slice(0, n)}…`, size) > room) n--;
  return `${text.slice(0, n)}…`;
}
