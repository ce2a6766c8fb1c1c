/* The cloud as the picture needs it. */
import type { Cloud, Front } from '../../lib/types';
import { unitsOf, type Point } from './points';

const BASE = 36; /* levels are written as digits of this base */

/* One objective of all schemes, in the units of the picture; null if the cloud does not have it. */
export function cloudValues(cloud: Cloud, front: Front, objective: string): Float64Array | null {
  const at = cloud.objectives.indexOf(objective);
  const raw = cloud.values[at];
  if (at < 0 || !raw) return null;
  const unit = unitsOf(front)[objective] ?? 1;
  const values = new Float64Array(raw.length);
  for (let i = 0; i < raw.length; i++) values[i] = (raw[i] as number) * unit;
  return values;
}

/* "5220030" or, with two digits for each level, "05020200". */
export function levelsOf(cloud: Cloud, index: number): number[] {
  const text = cloud.levels[index] ?? '';
  if (text.includes(',')) return text.split(',').map(Number);
  const digits = (cloud as Cloud & { digits?: number }).digits ?? 1;
  const levels: number[] = [];
  for (let i = 0; i < text.length; i += digits) levels.push(parseInt(text.slice(i, i + digits), BASE));
  return levels;
}

/* A scheme of the cloud as a point. What it suppresses is known when it is looked at. */
export function cloudPoint(cloud: Cloud, front: Front, index: number, besides: string, budget: string): Point {
  const units = unitsOf(front);
  const values: Record<string, number> = {};
  cloud.objectives.forEach((objective, at) => {
    values[objective] = (cloud.values[at]?.[index] ?? NaN) * (units[objective] ?? 1);
  });
  const k = Math.round(values.k ?? 1);
  const levels = levelsOf(cloud, index);
  const require = [...(k > 1 ? [`k=${k}`] : []), ...(besides === '' ? [] : [besides])].join(',');
  const spec = { scheme: 'levels' as const, levels, ...(require === '' ? {} : { require }), suppression: budget };
  return {
    kind: 'levels', index, k, values, suppressed: NaN, bound: null, gap: null, proven: null, levels, cuts: null, spec, line: null,
  };
}
