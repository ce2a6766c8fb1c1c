/* The best scheme for the demands of the sliders. While they move a short search answers; when they
   rest, a long one that also says what the neighbouring demands would cost. */
import { app } from '../../lib/state.svelte';
import { Task } from '../../lib/task.svelte';
import type { Best, Spec } from '../../lib/types';
import { curves } from './curves.svelte';
import { demands } from './demands.svelte';
import { unitsOf } from './points';

export type BestAnswer = {
  best: Best | null;
  spec: Spec | null;
  sentence: string;
  line?: string | null;
  impossible: { proven: boolean } | null;
};

/* A word as one types it in a shell. */
function typed(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const GLANCE = 0.07; /* seconds of a search while something is dragged */
const LONG = 10;
const REST = 350; /* ms without a change */

class BestForDemands {
  task = new Task<BestAnswer>('front-best', { keep: true });
  scheme: 'levels' | 'cuts' = $state('levels');
  /* nothing has moved for a moment */
  resting = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  answer: BestAnswer | null = $derived(this.task.result);
  rows: number = $derived(app.rows);
  loss: string = $derived(curves.simple ? curves.loss : 'glm');
  /* the command that releases it: the question, not the levels that answer it */
  line: string | null = $derived.by(() => {
    if (!this.answer?.spec) return null;
    if (this.answer.line) return this.answer.line;
    const parts = ['paravent', 'release', app.state?.plan.path ?? 'plan.yaml'];
    if (demands.require !== '') parts.push('--require', demands.require);
    parts.push('--suppression', demands.budget);
    if (this.scheme !== 'levels') parts.push('--scheme', this.scheme);
    if (this.loss !== 'glm') parts.push('--minimize', this.loss);
    return [...parts, '-o', 'release.csv'].map(typed).join(' ');
  });
  /* what the loss is divided by to be a share */
  #unit: number | null = $derived.by(() => {
    if (this.loss === 'nwp') return 1;
    const front = curves.levels.result;
    const known = front && front.objectives.includes(this.loss) ? unitsOf(front)[this.loss] : undefined;
    if (known !== undefined) return known;
    const cells = app.rows * (app.state?.study.quasi?.length ?? 0);
    return this.loss === 'glm' && cells > 0 ? 1 / cells : null;
  });
  share: number | null = $derived(this.answer?.best ? this.shareOf(this.answer.best.value) : null);

  shareOf(value: number | null): number | null {
    return value === null || this.#unit === null ? null : value * this.#unit;
  }

  /* The question as it is now. */
  #params(): object {
    const require = demands.require === '' ? {} : { require: demands.require };
    return { ...require, suppression: demands.budget, scheme: this.scheme, minimize: this.loss };
  }
  key: string = $derived(JSON.stringify([app.ready, demands.require, demands.budget, this.scheme, this.loss]));

  ask(): void {
    clearTimeout(this.#timer);
    this.resting = false;
    this.task.start('best', { ...this.#params(), seconds: GLANCE });
    this.#timer = setTimeout(() => {
      this.resting = true;
      this.task.start('best', { ...this.#params(), seconds: LONG, neighbours: true });
    }, REST);
  }
}

export const best = new BestForDemands();
