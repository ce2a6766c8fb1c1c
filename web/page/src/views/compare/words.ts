/* The properties and indices of a comparison in words, and rankings as one writes them. */
import { number, share } from '../../lib/format';
import type { Compare, Tournament } from '../../lib/types';

type Property = { label: string; summary: string; share?: boolean };

const properties: Record<string, Property> = {
  'class-size': { label: 'how many look alike', summary: 'people who look alike in the release, oneself included' },
  'own-count': { label: 'who shares the own value', summary: 'people in the class with the same sensitive value' },
  distinct: { label: 'how various', summary: 'different sensitive values in the class' },
  't-distance': { label: 'how far from everyone', summary: 'how far the sensitive values of the class are from everyone’s' },
  risk: { label: 'risk', summary: 'chance to be picked out by somebody who knows the quasi-identifiers', share: true },
  'leaf-utility': { label: 'detail kept', summary: 'share of the domain that is excluded, summed over attributes' },
  glm: { label: 'detail lost', summary: 'share of the domain that is covered, summed over attributes' },
  nwp: { label: 'detail lost, weighted', summary: 'detail lost with the weights of the attributes, between 0 and 1', share: true },
};

export function propertyLabel(name: string): string {
  return properties[name]?.label ?? name.replace(/^-?column:/, 'column ');
}
export function propertySummary(name: string): string {
  return properties[name]?.summary ?? 'a column of the releases';
}
export function propertyText(name: string): (value: number | null | undefined) => string {
  return properties[name]?.share ? share : number;
}

export const indices: { name: string; label: string; summary: string }[] = [
  { name: 'min', label: 'the worst off', summary: 'whose worst off person is better off' },
  { name: 'rank', label: 'near the best', summary: 'whose people are nearer to the best that each has in any of the releases' },
  { name: 'cov', label: 'how many', summary: 'for how many people it is at least as good' },
  { name: 'spr', label: 'how much', summary: 'how much better, summed over the people who are better off' },
  { name: 'hv', label: 'alone', summary: 'the volume that only it covers, all people multiplied' },
];

type Named = { name: string; letter: string };

export function letterOf(name: string, releases: readonly Named[]): string {
  return releases.find((one) => one.name === name)?.letter ?? name;
}

/* "C > A = B"; in a circle "A > B > C > A". */
export function rankingText(t: Tournament, releases: readonly Named[]): string {
  const letters = (names: readonly string[]): string[] => names.map((name) => letterOf(name, releases));
  if (t.cycle && t.cycle.length > 0) {
    const round = letters(t.cycle);
    return `${round.join(' > ')} > ${round[0]}`;
  }
  return letters(t.ranking)
    .map((one, i) => (i === 0 ? one : `${t.wins[i] === t.wins[i - 1] ? '=' : '>'} ${one}`))
    .join(' ');
}

/* An index that says nothing of any pair, such as a volume where somebody has 0. */
export function isSilent(c: Compare, property: string, index: string): boolean {
  return c.pairs.filter((p) => p.property === property && p.index === index).every((p) => p.ab === null && p.ba === null);
}

export function isGood(c: Compare): boolean {
  const first = c.overall[0];
  if (first) return first.best !== null;
  const best = c.releases.find((one) => one.name === c.advice?.best);
  return best !== undefined && (best.smallest_class ?? 0) >= c.advice.enough;
}
