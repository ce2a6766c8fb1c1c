/* Places for labels so that none covers another, or the point it speaks of. */

export type Box = { x: number; y: number; width: number; height: number };
export type Wanted = { x: number; y: number; width: number; height: number; reach?: number };
export type Placed = Box & { line: { x1: number; y1: number; x2: number; y2: number } | null };

function meet(a: Box, b: Box, gap: number): boolean {
  return (
    a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap
  );
}

function covered(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/* Where a label may stand around its point, the best first; farther rings follow. */
const directions: [number, number][] = [
  [1, -0.6], [-1, -0.6], [1, 0.6], [-1, 0.6], [0, -1], [0, 1], [1, 0], [-1, 0],
];
const RINGS = [10, 26, 46, 72, 104];

function at(wanted: Wanted, direction: [number, number], away: number): Box {
  const [dx, dy] = direction;
  const x = wanted.x + dx * away - (dx > 0 ? 0 : dx < 0 ? wanted.width : wanted.width / 2);
  const y = wanted.y + dy * away - (dy > 0 ? 0 : dy < 0 ? wanted.height : wanted.height / 2);
  return { x, y, width: wanted.width, height: wanted.height };
}

function leader(wanted: Wanted, box: Box): Placed['line'] {
  const x = Math.min(Math.max(wanted.x, box.x), box.x + box.width);
  const y = Math.min(Math.max(wanted.y, box.y), box.y + box.height);
  const far = Math.hypot(x - wanted.x, y - wanted.y);
  if (far < 16) return null;
  const start = 7 / far;
  return { x1: wanted.x + (x - wanted.x) * start, y1: wanted.y + (y - wanted.y) * start, x2: x, y2: y };
}

type Line = NonNullable<Placed['line']>;

/* Does a line go through a box? Cut at its four sides (Liang and Barsky). */
export function crosses(line: Line, box: Box): boolean {
  const dx = line.x2 - line.x1;
  const dy = line.y2 - line.y1;
  let from = 0;
  let to = 1;
  for (const [slope, room] of [
    [-dx, line.x1 - box.x], [dx, box.x + box.width - line.x1],
    [-dy, line.y1 - box.y], [dy, box.y + box.height - line.y1],
  ] as [number, number][]) {
    if (slope === 0 && room < 0) return false;
    if (slope < 0) from = Math.max(from, room / slope);
    else if (slope > 0) to = Math.min(to, room / slope);
  }
  return from <= to;
}

/* In their order: the first has the first choice. `avoid`: what should not be covered, such as other
   points; a label may cover one if nothing else is left, but never another label. null: there is no
   place; its point is still there, and what it says stands in the text beside the picture. */
export function placeLabels(labels: Wanted[], avoid: Box[], width: number, height: number): (Placed | null)[] {
  const taken: Box[] = [];
  const drawn: Line[] = [];
  return labels.map((wanted) => {
    if (wanted.x < 0 || wanted.y < 0 || wanted.x > width || wanted.y > height) return null;
    let best: Box | null = null;
    let least = Infinity;
    for (const [ring, away] of RINGS.entries()) {
      for (const [rank, direction] of directions.entries()) {
        const box = at(wanted, direction, away);
        if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height) continue;
        if (taken.some((other) => meet(box, other, 3)) || drawn.some((line) => crosses(line, box))) continue;
        const line = leader(wanted, box);
        if (line && taken.some((other) => crosses(line, other))) continue;
        const cost = avoid.reduce((sum, other) => sum + covered(box, other), 0) + ring * 40 + rank;
        if (cost < least) {
          least = cost;
          best = box;
        }
      }
    }
    if (!best) return null;
    taken.push(best);
    const line = leader(wanted, best);
    if (line) drawn.push(line);
    return { ...best, line };
  });
}

let measuring: CanvasRenderingContext2D | null = null;

/* How wide a text is, about. */
export function textWidth(text: string, font: string): number {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (!measuring) return text.length * 7;
  measuring.font = font;
  return measuring.measureText(text).width;
}
