/* What a candidate is called, and how it treats an attribute, in words. */
import { count, counted } from '../../lib/format';
import { fateNames, fateOf, plain, type Fate } from '../../lib/names';
import { sameSpec } from '../../lib/state.svelte';
import type { Candidate, Pinned, Spec } from '../../lib/types';

/* Of one nobody has named: "levels 5,2,2,0 with k=5". */
export function specWords(spec: Spec): string {
  if (spec.scheme === 'file') return spec.path;
  const levels = spec.scheme === 'levels' && spec.levels.length <= 12 ? ` ${spec.levels.join(',')}` : '';
  const demand = spec.require ? ` with ${spec.require}` : '';
  return `${plain(spec.scheme)}${levels}${demand}`;
}

export function nameOf(spec: Spec, pinned: readonly Pinned[]): string {
  return pinned.find((one) => sameSpec(one.spec, spec))?.name ?? specWords(spec);
}

/* A name to pin it by: what tells it from others at once. */
export function pinName(candidate: Candidate): string {
  return `k ${count(candidate.k)}, ${plain(candidate.spec.scheme)}`;
}

export type Attribute = Candidate['attributes'][number];

export function treatmentWords(a: Attribute): string {
  const fate = fateOfAttribute(a);
  if (fate !== 'groups') return fateNames[fate];
  return `in ${counted(a.after, 'group')} (${a.treatment.endsWith('groups') ? 'free ranges' : a.treatment})`;
}

/* Kept as it is, in groups, or hidden: the words of all views. */
export function fateOfAttribute(a: Attribute): Fate {
  return fateOf(a.before, a.treatment === 'one group: *' ? 1 : Math.max(2, a.after), isAsItWas(a));
}

export function isAsItWas(a: Attribute): boolean {
  return a.treatment === 'as it is';
}

export function demandWords(constraint: string): string {
  return constraint.replace('>=', '≥').replace('<=', '≤');
}

/* What a demand is about, for whoever does not know the word. */
export function demandMeaning(constraint: string): string {
  const name = constraint.split(/[\s(><=]/)[0] ?? '';
  const meanings: Record<string, string> = {
    k: 'people who look alike, at least',
    'l-distinct': 'different sensitive values in every class',
    'l-entropy': 'sensitive values in every class, weighed by how even they are',
    'l-recursive': 'sensitive values in every class, the most frequent one held in check',
    't-closeness': 'how far the sensitive values of a class are from those of everyone',
    risk: 'the highest risk of being picked out',
    'risk-mean': 'the mean risk of being picked out',
  };
  return meanings[name] ?? '';
}

export function classWords(size: number): string {
  return size === 1 ? 'alone: nobody else looks like them' : `${counted(size - 1, 'other')} look${size === 2 ? 's' : ''} like them`;
}
