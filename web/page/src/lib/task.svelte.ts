/* A job as state of a component. Starting again cancels the one before; the server does that by the
   channel. While something is dragged there is a new start with every frame: only the newest of
   those that arrive while a request is on its way is sent. Results are remembered for as long as the
   plan is the same, so that coming back to a view shows it at once. */
import { onDestroy, untrack } from 'svelte';
import { commandParams, ended, errorOf, run, type CommandOptions, type Running } from './api';
import { app } from './state.svelte';
import type { ApiError, Job } from './types';

const remembered = new Map<string, Job<unknown>>();
const MOST_REMEMBERED = 40;
const AT_MOST_EVERY = 80; /* ms between two requests of one task while none has been answered */

function remember(key: string, job: Job<unknown>): void {
  remembered.delete(key);
  remembered.set(key, job);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST_REMEMBERED) break;
    remembered.delete(oldest);
  }
}

/* `fresh`: work that leaves something behind is done every time, never remembered. */
type Wish = { kind: string; params: object; fresh: boolean };

export class Task<T> {
  /* the newest job as it is now */
  job: Job<T> | null = $state.raw(null);
  /* the last result there was; of a running job what it has found so far */
  result: T | null = $state.raw(null);
  /* true while the result is not that of the newest start */
  busy: boolean = $state(false);
  error: ApiError | null = $state.raw(null);

  readonly channel: string;
  #running: Running<T> | null = null;
  #waiting: Wish | null = null;
  #last: Wish | null = null;
  #asked = 0; /* when the request on its way was sent; 0 if none is */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #number = 0;
  #stopping = false; /* we asked for it */
  #overtaken = 0; /* how often a late request of ours has ended the newest job */

  /* Made while a component begins, it ends with the component. `keep` is for tasks that live on. */
  constructor(channel: string, options: { keep?: boolean } = {}) {
    this.channel = channel;
    if (options.keep) return;
    onDestroy(() => this.#end());
    /* What failed because nobody answered is asked again when somebody does. */
    $effect(() => {
      if (!app.gone && this.error?.status === 'gone') untrack(() => this.again());
    });
  }

  start(kind: string, params: object, fresh = false): void {
    this.#last = { kind, params, fresh };
    const key = this.#key(kind, params);
    const known = fresh ? undefined : (remembered.get(key) as Job<T> | undefined);
    if (known) {
      this.#drop();
      this.#show(known);
      this.busy = false;
      return;
    }
    this.busy = true;
    this.#waiting = { kind, params, fresh };
    const since = performance.now() - this.#asked;
    if (this.#asked === 0 || since >= AT_MOST_EVERY) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), AT_MOST_EVERY - since);
  }

  startCommand(name: string, options: CommandOptions, operands?: string[], fresh = false): void {
    this.start('command', commandParams(name, options, operands), fresh);
  }

  /* The same once more, perhaps after the server was gone. */
  again(): void {
    if (this.#last) this.start(this.#last.kind, this.#last.params, this.#last.fresh);
  }

  /* Asks the job to stop; what it has found so far is its result. */
  cancel(): void {
    this.#stopWaiting();
    this.#stopping = true;
    if (this.#running) this.#running.cancel();
    else this.busy = false;
  }

  #key(kind: string, params: object): string {
    return `${app.version} ${app.open} ${app.reading}\n${kind}\n${JSON.stringify(params)}`;
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = null;
  }

  /* Nobody wants the job that runs any more. */
  #drop(): void {
    this.#stopWaiting();
    this.#number++;
    this.#asked = 0;
    if (this.#running) {
      this.#running.cancel();
      /* cancel() needs to know the job's number: listening goes on until the server has told it */
      this.#running = null;
    }
  }

  #end(): void {
    this.#drop();
    this.busy = false;
  }

  #show(job: Job<T>): void {
    this.job = job;
    const found = job.result ?? job.partial;
    if (found !== null) this.result = found;
    this.error = job.state === 'failed' ? (job.error ?? { status: 'internal', message: 'it failed' }) : null;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const wish = this.#waiting;
    if (!wish) return;
    this.#waiting = null;
    this.#stopping = false;
    this.#asked = performance.now();
    const number = ++this.#number;
    const key = this.#key(wish.kind, wish.params);
    this.#running?.forget();
    const running = run<T>(wish.kind, wish.params, {
      channel: this.channel,
      onUpdate: (job) => {
        if (number !== this.#number) return;
        this.#asked = 0;
        this.#show(job);
        if (this.#waiting) this.#send();
      },
    });
    this.#running = running;
    running.done.then(
      (job) => {
        if (job.state === 'done' && !wish.fresh) remember(key, job);
        if (number === this.#number) this.#finish(job);
      },
      (failure: unknown) => {
        if (number !== this.#number) return;
        this.#running = null;
        this.#asked = 0;
        this.busy = this.#waiting !== null;
        this.error = errorOf(failure);
        if (this.#waiting) this.#send();
      },
    );
  }

  #finish(job: Job<T>): void {
    if (ended(job)) this.#running = null;
    this.#asked = 0;
    this.#show(job);
    /* Two requests of one channel can overtake each other on their way: the newest has to win. */
    if (job.state === 'cancelled' && !this.#stopping && this.#last && this.#overtaken++ < 3) {
      this.again();
      return;
    }
    if (job.state === 'done') this.#overtaken = 0;
    this.busy = this.#waiting !== null;
  }
}
