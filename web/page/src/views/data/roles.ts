/* What a column can be for, and what has to change in the plan with its role. A key that has no meaning
   for a role is an error in a plan, so that it goes with the role it belonged to. */
import type { Column, Edit, Hierarchy, Json, Role } from '../../lib/types';

export type Choice = Role | 'drop';

export const roles: { value: Choice; label: string; title: string }[] = [
  { value: 'identifier', label: 'identifier', title: 'Names a person: it is left out of the release' },
  { value: 'quasi', label: 'quasi', title: 'Others may know it: it is made coarser' },
  { value: 'sensitive', label: 'sensitive', title: 'Nobody shall learn it of a person: released as it is' },
  { value: 'label', label: 'label', title: 'What the release shall help to predict: released as it is' },
  { value: 'other', label: 'other', title: 'Says nothing about a person: released as it is' },
  { value: 'drop', label: 'drop', title: 'Not needed: it is taken out of the plan and of the release' },
];

/* The answers to "what is it?", in the words of someone who reads this for the first time. */
export const answers: { value: Choice; label: string; then: string }[] = [
  { value: 'quasi', label: 'Others may know it', then: 'it is made coarser' },
  { value: 'sensitive', label: 'Nobody shall learn it', then: 'it is released as it is' },
  { value: 'identifier', label: 'It names the person, or is not needed', then: 'it is left out' },
  { value: 'other', label: 'It says nothing about a person', then: 'it is released as it is' },
];

const meaning: Record<string, readonly Role[]> = {
  hierarchy: ['quasi'],
  weight: ['quasi'],
  granularity: ['quasi'],
  sensitivity: ['quasi'],
  level: ['quasi'],
  'max-level': ['quasi'],
  domain: ['quasi'],
  unknown: ['quasi'],
  distance: ['sensitive'],
  require: ['sensitive'],
  unique: ['other', 'sensitive', 'label'],
};

/* 1, 2 or 5 times a power of ten, at least x */
function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  for (const step of [1, 2, 5]) if (step * power >= x * 0.999) return Number((step * power).toPrecision(6));
  return Number((10 * power).toPrecision(6));
}

export function suggestIntervals(least: number, most: number, whole: boolean): number[] {
  const span = most - least;
  if (!(span > 0)) return [1];
  let width = round(span / 20);
  if (whole) width = Math.max(width, span > 20 ? 2 : 1);
  const widths: number[] = [];
  for (; width < span && widths.length < 5; width *= 2) widths.push(Number(width.toPrecision(6)));
  return widths.length > 0 ? widths : [round(span)];
}

function range(column: Column): [number, number] | null {
  const ends = column.bins.flatMap((bin) => [bin.from, bin.to]).filter((x): x is number => typeof x === 'number');
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : null;
}

/* Codes of one length, such as postcodes: whoever is near has the same beginning. */
function looksLikeCode(column: Column): boolean {
  if (/zip|post.?code|postal|\bplz\b/i.test(column.name)) return true;
  if (column.type !== 'text' || column.values < 20 || column.bins.length === 0) return false;
  const length = column.bins[0]?.label.length ?? 0;
  return length >= 3 && length <= 10 && column.bins.every(({ label }) => label.length === length && /^[A-Z]{0,3}\d+$/.test(label));
}

/* A hierarchy to begin with; null = the value, then * */
export function suggestHierarchy(column: Column): Hierarchy | null {
  if (looksLikeCode(column)) return { mask: 'right' };
  if (column.type === 'date') return { date: ['month', 'year', 'decade'] };
  const ends = range(column);
  if ((column.type === 'integer' || column.type === 'decimal') && column.values > 12 && ends) {
    return { intervals: suggestIntervals(ends[0], ends[1], column.type === 'integer') };
  }
  return null;
}

export function roleEdits(column: Column, to: Choice, hierarchy: Hierarchy | null): Edit[] {
  const at = ['attributes', column.name];
  if (to === 'drop') return [{ path: at, remove: true }];
  const fresh: { [key: string]: Json } = { role: to };
  if (to === 'quasi' && hierarchy) fresh['hierarchy'] = hierarchy as Json;
  if (!column.named) return [{ path: at, value: fresh }];
  const gone: Edit[] = Object.keys(meaning)
    .filter((key) => !(meaning[key] as readonly Role[]).includes(to))
    .map((key) => ({ path: [...at, key], remove: true }));
  const made: Edit[] = Object.entries(fresh).map(([key, value]) => ({ path: [...at, key], value }));
  return [...gone, ...made];
}

export function roleOf(column: Column): Choice | null {
  if (column.role === '?') return null;
  return column.role ?? 'drop';
}

/* Is there anything between the value and *? */
export function hasLevels(column: Column): boolean {
  return column.hierarchy !== null && column.hierarchy !== 'suppress';
}

/* The kind of a hierarchy as one would call it. */
export function treeName(kind: string): string {
  const names: Record<string, string> = { rows: 'groups', breaks: 'ranges', date: 'calendar', order: 'neighbours', rare: 'rare values' };
  return names[kind] ?? kind;
}
