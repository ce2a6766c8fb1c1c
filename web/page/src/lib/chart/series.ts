/* What a picture of points shows besides the cloud. */
import type { Plane } from './plane.svelte';

export type MarkShape = 'square' | 'diamond' | 'circle' | 'triangle';
export type Tone = 'levels' | 'cuts' | 'local' | 'after' | 'soft';

/* `below`: down to where it is proven that nothing is. */
export type Dot = { x: number; y: number; name: string; below?: number | null; faint?: boolean };

export type Series = {
  id: string;
  name: string;
  shape: MarkShape;
  tone: Tone;
  line: 'stairs' | 'straight' | 'none';
  dots: Dot[];
};

/* A point with a name of its own. */
export type Flag = {
  id: string;
  x: number;
  y: number;
  text: string;
  note?: string;
  shape: 'ring' | 'diamond' | 'star' | 'pin' | 'none';
  quiet?: boolean; /* only a name in the picture */
};

export type Hit = { series: string; index: number };
export const CLOUD = 'cloud';

export function sameHit(a: Hit | null, b: Hit | null): boolean {
  return a === b || (a !== null && b !== null && a.series === b.series && a.index === b.index);
}

const shapes: Record<MarkShape, (r: number) => string> = {
  square: (r) => `M${-r},${-r}H${r}V${r}H${-r}Z`,
  diamond: (r) => `M0,${-1.4 * r}L${1.4 * r},0L0,${1.4 * r}L${-1.4 * r},0Z`,
  triangle: (r) => `M0,${-1.3 * r}L${1.25 * r},${r}L${-1.25 * r},${r}Z`,
  circle: (r) => `M${-r},0A${r},${r} 0 1 1 ${r},0A${r},${r} 0 1 1 ${-r},0Z`,
};

export function shapePath(shape: MarkShape, size: number): string {
  return shapes[shape](size);
}

export function starPath(size: number): string {
  const parts: string[] = [];
  for (let i = 0; i < 10; i++) {
    const r = i % 2 === 0 ? size : size * 0.45;
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    parts.push(`${(r * Math.cos(angle)).toFixed(2)},${(r * Math.sin(angle)).toFixed(2)}`);
  }
  return `M${parts.join('L')}Z`;
}

/* The line of a series. Between two points of a front the nearer demand costs what the next point
   costs: stairs. */
export function linePath(series: Series, plane: Plane): string {
  if (series.line === 'none') return '';
  const sorted = series.dots.filter((dot) => !dot.faint).sort((a, b) => a.x - b.x || a.y - b.y);
  const more = plane.axes.x.more;
  let path = '';
  for (const dot of sorted) {
    const x = plane.px(dot.x).toFixed(1);
    const y = plane.py(dot.y).toFixed(1);
    if (path === '') path = `M${x},${y}`;
    else if (series.line === 'straight') path += `L${x},${y}`;
    else path += more ? `V${y}H${x}` : `H${x}V${y}`;
  }
  return path;
}
