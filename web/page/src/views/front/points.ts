/* The points of the three searches as one kind of thing: where they stand in the picture, what they
   are, and how they are released. */
import type { AxisSpec } from '../../lib/chart/plane.svelte';
import { count, number, share, short } from '../../lib/format';
import { both, fateNames, fateOf, plain, type Fate } from '../../lib/names';
import { app } from '../../lib/state.svelte';
import type { Cuts, CutsOfAttribute, Front, FrontPoint, Ladder, LadderPoint, Measure, Spec } from '../../lib/types';

export type Kind = 'levels' | 'cuts' | 'local';
export const kinds: Kind[] = ['levels', 'cuts', 'local'];
export const kindNames: Record<Kind, string> = { levels: plain('levels'), cuts: plain('cuts'), local: plain('local') };

export type Point = {
  kind: Kind;
  index: number; /* in the document it is from */
  k: number;
  /* by the name of the measure; losses as shares */
  values: Record<string, number>;
  suppressed: number;
  bound: number | null; /* proven: no less of the loss */
  gap: number | null;
  proven: boolean | null;
  levels: number[] | null;
  cuts: Cuts | null;
  spec: Spec;
  line: string | null;
};

export function measureOf(objective: string): Measure | undefined {
  const name = objective.replace(/\(.*$/, '');
  return app.state?.measures.find((measure) => measure.name === name);
}

/* "k=5,l-distinct=3": what a point was found for, and what is demanded besides. Where both say
   something of one measure, the stricter is what the point keeps anyway. */
function requireOf(k: number, besides: string, extra: string[] = []): string | undefined {
  const parts = [...(k > 1 ? [`k=${k}`] : []), ...extra, ...(besides === '' ? [] : [besides])];
  return parts.length > 0 ? parts.join(',') : undefined;
}

function spec(scheme: object, require: string | undefined, suppression: string): Spec {
  return { ...scheme, ...(require === undefined ? {} : { require }), suppression } as Spec;
}

/* How each objective of a document turns into what is shown: by what it is multiplied. */
export function unitsOf(front: Front): Record<string, number> {
  const units: Record<string, number> = {};
  for (const objective of front.objectives) {
    const sample = front.front.find((point) => Number(point[objective]) > 0 && point.shares[objective] !== undefined);
    const shown = front.front.some((point) => point.shares[objective] !== undefined);
    units[objective] = sample ? (sample.shares[objective] as number) / Number(sample[objective]) : shown ? 1 : 1;
  }
  return units;
}

export function isShare(front: Front | null, objective: string): boolean {
  return front?.front.some((point) => point.shares[objective] !== undefined) ?? measureOf(objective)?.share ?? false;
}

function valuesOf(point: FrontPoint, objectives: string[]): Record<string, number> {
  const values: Record<string, number> = { k: point.k };
  for (const objective of objectives) values[objective] = point.shares[objective] ?? Number(point[objective]);
  return values;
}

/* Suppressed classes are those under a threshold of k, or of another number that is an objective. */
function thresholds(point: FrontPoint, objectives: string[]): string[] {
  return objectives
    .filter((objective) => objective !== 'k' && measureOf(objective)?.rule === 'sensitive' && measureOf(objective)?.counts)
    .filter((objective) => Number.isInteger(Number(point[objective])) && Number(point[objective]) > 1)
    .map((objective) => `${objective}=${Number(point[objective])}`);
}

export function pointsOfLevels(front: Front, besides: string, budget: string): Point[] {
  return front.front.map((point, index) => ({
    kind: 'levels',
    index,
    k: point.k,
    values: valuesOf(point, front.objectives),
    suppressed: point.suppressed,
    bound: null,
    gap: null,
    proven: null,
    levels: point.levels ?? [],
    cuts: null,
    spec: spec(
      { scheme: 'levels', levels: point.levels ?? [] },
      requireOf(point.k, besides, thresholds(point, front.objectives)),
      budget,
    ),
    line: null,
  }));
}

/* Cuts suppress nobody. nwp is called by the name of the loss in the picture: where all weights are
   equal, both are the same share. */
export function pointsOfCuts(front: Front, loss: string): Point[] {
  return front.front.map((point, index) => {
    const lost = point.shares.nwp ?? Number(point.nwp);
    return {
      kind: 'cuts',
      index,
      k: point.k,
      values: { k: point.k, [loss]: lost },
      suppressed: 0,
      bound: point.bound ?? null,
      gap: point.bound || point.proven ? (point.gap ?? null) : null,
      proven: point.proven ?? null,
      levels: null,
      cuts: point.cuts ?? {},
      spec: spec({ scheme: 'cuts', cuts: point.cuts ?? {} }, requireOf(point.k, ''), '0'),
      line: null,
    };
  });
}

export function pointsOfLocal(ladder: Ladder, besides: string, budget: string): Point[] {
  const found = ladder.ladder.filter((step) => step.scheme === 'local' && step.found && step.share !== null);
  return found.map((step) => ({
    kind: 'local',
    index: ladder.ladder.indexOf(step),
    k: step.k,
    values: { k: step.k, [ladder.measure]: step.share as number },
    suppressed: step.suppressed ?? 0,
    bound: boundShare(step),
    gap: step.gap,
    proven: step.proven,
    levels: null,
    cuts: null,
    spec: spec({ scheme: 'local', minimize: ladder.measure }, requireOf(step.found_for ?? step.k, besides), budget),
    line: step.release,
  }));
}

function boundShare(step: LadderPoint): number | null {
  if (step.bound === null || step.value === null || step.share === null || step.value <= 0) return null;
  return (step.share * step.bound) / step.value;
}

/* Windows on the objectives, from the smaller value to the larger. */
export type Ranges = Record<string, [number, number]>;

export function isInside(point: Point, ranges: Ranges): boolean {
  return Object.entries(ranges).every(([name, [low, high]]) => {
    const value = point.values[name] ?? NaN;
    return value >= low && value <= high;
  });
}

/* ---- words ---- */

/* A value of an objective as people read it: losses and risks as shares. */
export function shown(objective: string, value: number, asShare: boolean): string {
  if (asShare) return share(value);
  return measureOf(objective)?.counts ? count(Math.round(value)) : number(value);
}

/* What happens to each attribute: "age: in 5 groups". `left`: how much of its detail, as bits. */
export type Treatment = { name: string; fate: Fate; words: string; exact: string; left: number };

function treatmentOf(name: string, before: number, after: number, asItIs: boolean, exact: string): Treatment {
  const fate = fateOf(before, after, asItIs);
  const words = fate === 'groups' ? `in ${count(after)} groups` : fateNames[fate];
  const left = fate === 'kept' ? 1 : fate === 'hidden' || before <= 1 ? 0 : Math.log(after) / Math.log(Math.max(before, after));
  return { name, fate, words, exact, left };
}

function groupsOf(cut: CutsOfAttribute, values: number): number {
  return cut === 'raw' ? values : cut === '*' ? 1 : 'breaks' in cut ? cut.breaks.length + 1 : cut.groups.length;
}

export function cutWords(cut: CutsOfAttribute | undefined): string {
  if (cut === undefined || cut === 'raw') return fateNames.kept;
  const groups = groupsOf(cut, 0);
  return groups <= 1 ? fateNames.hidden : `in ${groups} groups`;
}

/* None where every row has levels of its own. */
export function treatmentsOf(levels: number[] | null, cuts: Cuts | null): Treatment[] {
  const quasi = app.study?.quasi ?? [];
  if (levels) {
    return quasi.map((attribute, i) => {
      const level = levels[i] ?? 0;
      const before = attribute.groups[0] ?? attribute.values;
      const after = attribute.groups[level] ?? 1;
      return treatmentOf(attribute.name, before, after, level === 0, `level ${level} of ${attribute.height}: ${count(after)} of ${count(before)} values are told apart`);
    });
  }
  return Object.entries(cuts ?? {}).map(([name, cut]) => {
    const values = quasi.find((attribute) => attribute.name === name)?.values ?? 0;
    const after = groupsOf(cut, values);
    return treatmentOf(name, values, after, cut === 'raw', `${count(after)} of ${count(values)} values are told apart`);
  });
}

export function treatments(point: Point): Treatment[] {
  return treatmentsOf(point.levels, point.cuts);
}

export function proofWords(point: { gap: number | null; proven: boolean | null }, absolute: boolean): string {
  if (point.proven) return 'proven: nothing of its kind loses less';
  if (point.gap === null || point.gap <= 0) return '';
  return absolute
    ? `proven: at most ${share(point.gap)} of the detail more than the best`
    : `proven: at most ${share(point.gap)} above the best`;
}

/* One line for screen readers and titles. */
export function pointWords(point: Point, objectives: string[], front: Front | null): string {
  const named = objectives.filter((objective) => point.values[objective] !== undefined);
  const values = named.map((objective) => {
    const asShare = objective !== 'k' && (point.kind !== 'levels' || isShare(front, objective));
    return `${objective === 'k' ? 'k' : plain(objective)} ${shown(objective, point.values[objective] as number, asShare)}`;
  });
  const hidden = point.suppressed > 0 ? `, ${count(point.suppressed)} rows suppressed` : '';
  return `${kindNames[point.kind]}: ${values.join(', ')}${hidden}`;
}

/* ---- axes ---- */

export function axisOf(objective: string, values: Iterable<number>, asShare: boolean): AxisSpec {
  const measure = measureOf(objective);
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most) [least, most] = asShare ? [0, 1] : [1, 100];
  const more = measure?.more_is_better ?? false;
  const whole = measure?.counts ?? false;
  const wide = !asShare && least > 0 && (measure?.rule === 'size' || (more && whole && most / least > 40));
  const base = { name: objective, more, whole: whole && !asShare };
  const better = `${more ? 'more' : 'less'} is better`;
  if (wide) {
    return { ...base, kind: 'log', from: least * 0.88, to: most * 1.2, title: `${both(objective)}, logarithmic, ${better}`, format: short };
  }
  const room = (most - least) * 0.04 || Math.abs(most) * 0.1 || 0.1;
  if (asShare) {
    const to = Math.min(1.02, most + Math.max(room, 0.01));
    return { ...base, kind: 'share', from: 0, to, title: `${both(objective)}, as a share, ${better}`, format: share };
  }
  const from = least >= 0 ? Math.max(0, least - room) : least - room;
  return { ...base, kind: 'linear', from, to: most + room, title: `${both(objective)}, ${better}`, format: short };
}
