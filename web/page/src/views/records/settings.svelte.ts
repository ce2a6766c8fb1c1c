/* What is asked of the record-by-record disclosure. It stays while the page does. */
import type { CommandOptions } from '../../lib/api';
import { Task } from '../../lib/task.svelte';
import type { Disclose, Release } from '../../lib/types';

export type Model = 'I' | 'II' | 'III';
export type Aim = 'utility' | 'max-risk';

class Settings {
  aim: Aim = $state('utility');
  utility: number = $state(0.5);
  maxRisk: number = $state(0.05);
  model: Model = $state('I');
  measure: string = $state('log-leaves');
  /* what the attacker has; null is the table itself */
  attacker: { name: string; path: string } | null = $state(null);
  ignore: string = $state('');
  alike: boolean = $state(false);
  similarity: number = $state(0.8);

  /* What the curves and the single answer have in common. */
  common: CommandOptions = $derived({
    risk: this.model,
    measure: this.measure,
    ...(this.attacker ? { dictionary: this.attacker.path } : {}),
    ...(this.attacker && this.ignore.trim() ? { ignore: this.ignore.trim() } : {}),
    ...(this.attacker && this.alike ? { similarity: this.similarity } : {}),
  });
  asked: CommandOptions = $derived({
    ...this.common,
    ...(this.aim === 'utility' ? { utility: this.utility } : { 'max-risk': this.maxRisk }),
  });
}

export const settings = new Settings();

export type Written = Disclose & { released: (Release & { enforced?: Enforced }) | null };
export type Enforced = { changed: number; finer: number; merged: number; risk_chosen: number };

/* Writing goes on when another view is looked at. */
export const writing = new Task<Written>('records-release', { keep: true });

export const models: { value: Model; label: string; summary: string; unit: string }[] = [
  {
    value: 'I',
    label: 'I: sensitivity per person',
    summary: 'How sensitive the shown values are, divided by the number of people they fit.',
    unit: 'sensitivity per person who fits: no probability, it can be above 1',
  },
  { value: 'II', label: 'II: one in how many', summary: 'One divided by the number of people the shown values fit.', unit: 'the chance to pick the right person' },
  {
    value: 'III',
    label: 'III: by logarithm',
    summary: 'Minus the sensitivity times the logarithm of the people who fit. Not monotone: hiding more can raise it, and with nothing shown it is 0.',
    unit: 'a score, below 0 where somebody fits',
  },
];

export const measures: { value: string; label: string; summary: string }[] = [
  { value: 'log-leaves', label: 'log-leaves', summary: 'ln(m/n), where a shown value may stand for n of m values' },
  { value: 'leaves', label: 'leaves', summary: '1/n, where a shown value may stand for n values' },
  { value: 'depth', label: 'depth', summary: 'levels left between the shown value and *' },
  { value: 'xt', label: 'xt', summary: 'what the loss (n−1)/m leaves' },
  { value: 'lm', label: 'lm', summary: 'what the loss (n−1)/(m−1) leaves' },
];
