/* A wish and what answers it: a glance while it is dragged, a search with a proof when it rests, the
   steps of a direction, and every wish before, to go back to. */
import { errorOf, run } from '../../lib/api';
import { app, pin } from '../../lib/state.svelte';
import { Task } from '../../lib/task.svelte';
import { toast } from '../../lib/toasts.svelte';
import type { Prefer, Solution, Spec } from '../../lib/types';
import { demands } from '../front/demands.svelte';

export type LogEntry = {
  time: string;
  kind: 'opened' | 'wish' | 'accepted' | 'weights';
  aspiration: Record<string, number> | null;
  k: number | null;
  bound: number | null;
  proven: boolean | null;
  note: string | null;
  [measure: string]: unknown;
};
export type Answer = Prefer & {
  /* what is best of everything known: bias, loss, k */
  known?: [number, number, number][];
  log?: LogEntry[];
};
export type Place = { bias: number; loss: number };

/* One wish of this page, or of an earlier session. */
export type Step = {
  time: string;
  wish: Place;
  k: number;
  besides: string;
  measures: { bias: string; loss: string };
  weights: Record<string, number> | null;
  answer: (Place & { k: number }) | null;
  proven: boolean;
  accepted: boolean;
};

export const biasMeasures = ['necd', 'gini'];
export const lossMeasures = ['nwp', 'glm', 'leaf-utility', 'entropy', 'dcn', 'cm', 'aecs'];

const PROVE = 10; /* seconds when the wish rests */
const REST = 450; /* ms */
const MOST_STEPS = 100;
const KEEP = 'paravent-wishes';

class Wishes {
  task = new Task<Answer>('prefer', { keep: true });
  walk = new Task<Answer>('prefer-walk', { keep: true });

  bias: string = $state('necd');
  loss: string = $state('nwp');
  wish: Place = $state.raw({ bias: 0.1, loss: 0.3 });
  freeGroups: boolean = $state(false);
  weights: Record<string, number> | null = $state.raw(null);
  nSteps: number = $state(8);
  /* where on the walk */
  at: number = $state(0);
  history: Step[] = $state.raw([]);
  dragging: boolean = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;

  /* The last answer that belongs to these measures: another one would stand in the wrong place. */
  answer: Answer | null = $derived.by(() => {
    const answer = this.task.result;
    return answer?.solution && answer.bias === this.bias && answer.loss === this.loss ? answer : null;
  });
  direction: { aspiration: Record<string, number>; solution: Solution }[] = $derived.by(() => {
    const answer = this.walk.result;
    const fits = answer && answer.bias === this.bias && answer.loss === this.loss && this.walked === this.question;
    return fits ? (answer.direction ?? []) : [];
  });
  known: [number, number, number][] = $state.raw([]);
  /* the question the walk was for */
  walked: string = $state('');

  k: number = $derived(Math.max(1, demands.k));
  weighted: boolean = $derived(this.loss === 'nwp');
  /* all but the time */
  question: string = $derived(
    JSON.stringify([app.ready, this.k, demands.besides, this.bias, this.loss, this.wish, this.weights, this.freeGroups]),
  );
  /* what the known points belong to */
  ground: string = $derived(JSON.stringify([app.ready, this.k, demands.besides, this.bias, this.loss, this.weights, this.freeGroups]));

  planWeights: Record<string, number> = $derived(
    Object.fromEntries((app.state?.study.quasi ?? []).map((attribute) => [attribute.name, attribute.weight])),
  );

  params(wish: Place | null = this.wish): Record<string, unknown> {
    const params: Record<string, unknown> = { k: this.k, bias: this.bias, loss: this.loss };
    if (demands.besides !== '') params.require = demands.besides;
    if (this.weighted && this.weights) params.weights = this.weights;
    if (this.freeGroups) params.free_groups = true;
    if (wish) params.wish = wish;
    return params;
  }

  /* Something has changed: an answer at once, a proof when it rests. */
  ask(): void {
    clearTimeout(this.#timer);
    this.task.start('prefer', { ...this.params(), prove: 0 });
    this.#timer = setTimeout(() => this.prove(), REST);
  }
  prove(): void {
    clearTimeout(this.#timer);
    if (this.dragging) {
      this.#timer = setTimeout(() => this.prove(), REST);
      return;
    }
    this.task.start('prefer', { ...this.params(), prove: PROVE, log: true });
  }

  /* From the current answer to the wish. */
  go(from: Place): void {
    this.at = 0;
    this.walked = this.question;
    this.walk.start('prefer', { ...this.params(), from, steps: Math.min(this.nSteps, MOST_STEPS), prove: 0 });
  }

  /* A proof has come, or was stopped: the wish is one of those to go back to. */
  note(answer: Answer): void {
    if (!answer.solution) return;
    this.known = answer.known ?? this.known;
    const wish = { bias: answer.aspiration[answer.bias] ?? 0, loss: answer.aspiration[answer.loss] ?? 0 };
    const step: Step = {
      time: new Date().toISOString(),
      wish,
      k: answer.k,
      besides: demands.besides,
      measures: { bias: answer.bias, loss: answer.loss },
      weights: this.weighted ? this.weights : null,
      answer: { ...this.placeOf(answer.solution), k: answer.solution.k },
      proven: answer.proven,
      accepted: false,
    };
    const last = this.history[this.history.length - 1];
    if (last && sameWish(last, step)) this.#set([...this.history.slice(0, -1), { ...step, accepted: last.accepted }]);
    else this.#set([...this.history, step]);
  }

  back(step: Step): void {
    this.bias = step.measures.bias;
    this.loss = step.measures.loss;
    this.weights = step.weights;
    const k = demands.list.find((wanted) => wanted.measure === 'k');
    if (k) {
      k.bound = step.k;
      k.on = true;
    }
    this.wish = step.wish;
  }

  /* Pins it, and notes in the session that it was accepted. `number`: which one of the answer. */
  async accept(name: string, spec: Spec | undefined, number: number, ofWalk: boolean): Promise<void> {
    if (!spec || !(await pin(name, spec))) return;
    toast(`“${name}” is pinned.`);
    const last = this.history[this.history.length - 1];
    if (last && sameWish(last, { ...last, wish: this.wish })) this.#set([...this.history.slice(0, -1), { ...last, accepted: true }]);
    /* the number is one of the last answer that the server gave to this wish: if the last was the other
       kind, it is asked for once more */
    if (ofWalk !== (this.direction.length > 0)) return;
    const job = await run('prefer', { ...this.params(), accept: number }).done.catch((failure: unknown) => ({ error: errorOf(failure) }));
    if (job.error && job.error.status !== 'argument') toast(job.error.message, { bad: true });
  }

  placeOf(solution: Solution): Place {
    return { bias: Number(solution[this.bias]), loss: Number(solution[this.loss]) };
  }

  /* The first look at this plan: the wishes of earlier sessions, and the last one to go on with. */
  async begin(): Promise<void> {
    if (!app.open || this.#version === app.version) return;
    const first = this.#version === 0;
    this.#version = app.version;
    this.known = [];
    if (!first) return;
    this.#recall();
    if (this.history.length === 0) await this.#read();
    const last = this.history[this.history.length - 1];
    if (last) this.back(last);
  }

  async #read(): Promise<void> {
    try {
      const job = await run<{ log?: LogEntry[] }>('prefer', { ...this.params(null), log: true }).done;
      const log = job.result?.log ?? [];
      this.#set(log.filter((entry) => entry.kind === 'wish' && entry.aspiration).map((entry) => this.#stepOf(entry)));
    } catch {
      /* no session is no obstacle: the first wish begins one */
    }
  }
  #stepOf(entry: LogEntry): Step {
    return {
      time: entry.time,
      wish: { bias: entry.aspiration?.[this.bias] ?? 1, loss: entry.aspiration?.[this.loss] ?? 0 },
      k: this.k,
      besides: demands.besides,
      measures: { bias: this.bias, loss: this.loss },
      weights: null,
      answer: entry.k === null ? null : { bias: Number(entry[this.bias]), loss: Number(entry[this.loss]), k: entry.k },
      proven: entry.proven ?? false,
      accepted: false,
    };
  }

  #key(): string {
    return `${KEEP} ${app.state?.plan.folder}/${app.state?.plan.path}`;
  }
  #set(history: Step[]): void {
    this.history = history.slice(-60);
    try {
      sessionStorage.setItem(this.#key(), JSON.stringify(this.history));
    } catch {
      /* they are there until the page is closed */
    }
  }
  #recall(): void {
    try {
      const text = sessionStorage.getItem(this.#key());
      if (text) this.history = JSON.parse(text) as Step[];
    } catch {
      this.history = [];
    }
  }
}

export function sameWish(a: Step, b: Step): boolean {
  const say = (step: Step) => JSON.stringify([step.wish, step.k, step.besides, step.measures, step.weights]);
  return say(a) === say(b);
}

export const wishes = new Wishes();
