/* The kinds of hierarchies that can be made here, and what each begins with. */
import type { Column, Hierarchy, Tree } from '../../../lib/types';
import { suggestIntervals } from '../roles';

export type Kind = 'intervals' | 'breaks' | 'rows' | 'mask' | 'date' | 'order' | 'rare' | 'suppress' | 'file';

export const kinds: Record<Kind, { label: string; what: string }> = {
  intervals: { label: 'Intervals', what: 'Numbers into intervals: wider from level to level.' },
  breaks: { label: 'Ranges', what: 'Numbers into ranges of your own. One level, then *.' },
  rows: { label: 'By hand', what: 'Values into groups, groups into larger groups.' },
  mask: { label: 'Mask', what: 'Characters replaced by * one by one: 81521, 8152*, 815**.' },
  date: { label: 'Calendar', what: 'Days into months, quarters, years, decades.' },
  order: { label: 'Neighbours', what: 'Ordered values into groups of so many neighbours.' },
  rare: { label: 'Rare values', what: 'Values that are rare become one group.' },
  suppress: { label: 'All or nothing', what: 'The value, then *.' },
  file: { label: 'File', what: 'From a file beside the plan.' },
};

export function kindOf(spec: Hierarchy | null | undefined): Kind {
  if (spec === null || spec === undefined) return 'suppress';
  if (typeof spec === 'string') return 'file';
  return (Object.keys(kinds) as Kind[]).find((kind) => kind in spec) ?? 'suppress';
}

export function kindsFor(column: Column, spec: Hierarchy | null): Kind[] {
  const numeric = column.type === 'integer' || column.type === 'decimal';
  const list: Kind[] = numeric
    ? ['intervals', 'breaks', 'rows', 'mask', 'suppress']
    : column.type === 'date'
      ? ['date', 'rows', 'suppress']
      : ['rows', 'mask', 'rare', 'order', 'suppress'];
  const now = kindOf(spec);
  return list.includes(now) ? list : [now, ...list];
}

export function fileOf(spec: Hierarchy | null): string {
  if (typeof spec === 'string') return spec;
  return spec && 'file' in spec ? spec.file : '';
}

export type Range = { from: number; to: number; rows: number };

export function numericBins(tree: Tree): Range[] {
  return (tree.bins ?? []).flatMap(({ from, to, rows }) => (typeof from === 'number' && typeof to === 'number' ? [{ from, to, rows }] : []));
}

/* The three inner quartiles, as round as the bins are. */
function quartiles(bins: Range[]): number[] {
  const all = bins.reduce((sum, bin) => sum + bin.rows, 0);
  const breaks: number[] = [];
  let sum = 0;
  for (const bin of bins) {
    if (sum >= ((breaks.length + 1) * all) / 4 && breaks.length < 3) breaks.push(bin.from);
    sum += bin.rows;
  }
  return breaks.length > 0 ? breaks : [bins[Math.floor(bins.length / 2)]?.from ?? 0];
}

export function beginning(kind: Kind, column: Column, tree: Tree): Hierarchy {
  const bins = numericBins(tree);
  switch (kind) {
    case 'intervals': {
      const least = Math.min(...bins.map((bin) => bin.from));
      const most = Math.max(...bins.map((bin) => bin.to));
      return { intervals: suggestIntervals(least, most, column.type === 'integer') };
    }
    case 'breaks':
      return { breaks: quartiles(bins) };
    case 'mask':
      return { mask: 'right' };
    case 'date':
      return { date: ['month', 'year', 'decade'] };
    case 'order':
      return { order: [2, 4] };
    case 'rare':
      return { rare: '1%' };
    case 'rows':
      return { rows: tree.rows ?? [] };
    default:
      return { suppress: true };
  }
}

export const units = ['day', 'month', 'quarter', 'year', 'lustrum', 'decade', 'century'];
