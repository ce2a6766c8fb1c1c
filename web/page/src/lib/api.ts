/* Requests to the server, and jobs. Everything that can go wrong is one of two things: the server
   answered with an error (Refused, with its ApiError), or there is no server (Gone). */
import type { ApiError, Job } from './types';

export type { ApiError, Job, Progress } from './types';

export class Refused extends Error {
  readonly error: ApiError;
  readonly http: number;

  constructor(error: ApiError, http: number) {
    super(error.message);
    this.error = error;
    this.http = http;
  }
}

export class Gone extends Error {
  constructor() {
    super('the server does not answer');
  }
}

/* Told whenever a request was answered (true) or nobody answered (false). */
let hear: (answered: boolean) => void = () => {};
export function whenAnswered(listener: (answered: boolean) => void): void {
  hear = listener;
}

async function request(method: string, path: string, body?: BodyInit, type?: string, signal?: AbortSignal): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      body,
      signal,
      cache: 'no-store',
      credentials: 'same-origin',
      headers: type === undefined ? undefined : { 'Content-Type': type },
    });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    hear(false);
    throw new Gone();
  }
  hear(true);
  let document: unknown = null;
  try {
    document = await answer.json();
  } catch (failure) {
    if (signal?.aborted) throw failure;
    if (answer.ok && answer.status !== 204) {
      throw new Refused({ status: 'internal', message: 'the answer of the server cannot be read' }, answer.status);
    }
  }
  if (!answer.ok) {
    const error = (document as { error?: ApiError } | null)?.error;
    throw new Refused(error ?? { status: 'internal', message: `the server answered ${answer.status}` }, answer.status);
  }
  return document;
}

/* Where there are too many connections (many tabs, say), there will soon be fewer. */
const PATIENCE = [200, 500, 1000];

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  for (const wait of PATIENCE) {
    try {
      return (await request('GET', path, undefined, undefined, signal)) as T;
    } catch (failure) {
      if (!(failure instanceof Refused) || failure.http !== 503 || signal?.aborted) throw failure;
      await pause(wait);
    }
  }
  return request('GET', path, undefined, undefined, signal) as Promise<T>;
}

export function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return request('POST', path, JSON.stringify(body), 'application/json', signal) as Promise<T>;
}

export function remove<T>(path: string): Promise<T> {
  return request('DELETE', path) as Promise<T>;
}

/* A file of another folder: an attacker's table, a release of another tool. */
export function upload(file: File): Promise<{ upload: string; name: string; bytes: number }> {
  const path = `/api/uploads?name=${encodeURIComponent(file.name)}`;
  return request('POST', path, file, 'application/octet-stream') as Promise<{ upload: string; name: string; bytes: number }>;
}

/* What went wrong, whatever was thrown. */
export function errorOf(failure: unknown): ApiError {
  if (failure instanceof Refused) return failure.error;
  if (failure instanceof Gone) return { status: 'gone', message: 'The server does not answer.' };
  return { status: 'internal', message: failure instanceof Error ? failure.message : String(failure) };
}

/* ---- jobs ---- */

export type Running<T> = {
  /* the job as it ended, however; rejects only if the server is gone or refused to start it */
  done: Promise<Job<T>>;
  /* asks it to stop; what it has found so far is its result */
  cancel(): void;
  /* stops listening, says nothing to the server: a newer job of the channel has replaced it */
  forget(): void;
};

export type RunOptions<T> = { channel?: string; onUpdate?: (job: Job<T>) => void };

/* Several pages on one server: the channels of each are its own. */
const page = Math.random().toString(36).slice(2, 10);
let unnamed = 0;

export function ended(job: Job<unknown>): boolean {
  return job.state === 'done' || job.state === 'failed' || job.state === 'cancelled';
}

/* A browser keeps six connections to a server, those of all its tabs together. So few jobs wait for
   news with a request that stays open; the others ask now and then. */
const MOST_OPEN = 2;
let open = 0;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function news<T>(job: Job<T>, signal: AbortSignal): Promise<Job<T>> {
  const path = `/api/jobs/${job.job}`;
  if (open >= MOST_OPEN) {
    await pause(200);
    return get<Job<T>>(path, signal);
  }
  open++;
  try {
    return await get<Job<T>>(`${path}?since=${job.version}`, signal);
  } finally {
    open--;
  }
}

export function run<T>(kind: string, params: object, options: RunOptions<T> = {}): Running<T> {
  const channel = `${page}/${options.channel ?? `once-${++unnamed}`}`;
  const listening = new AbortController();
  let number: number | null = null;
  let wanted = true;

  async function stop(): Promise<void> {
    if (number === null) return;
    try {
      await remove(`/api/jobs/${number}`);
    } catch {
      /* it has ended, or the server has: either way it has stopped */
    }
  }

  async function follow(): Promise<Job<T>> {
    let job = await post<Job<T>>('/api/jobs', { kind, channel, params }, listening.signal);
    number = job.job;
    if (!wanted) void stop();
    options.onUpdate?.(job);
    let misses = 0;
    while (!ended(job)) {
      try {
        job = await news(job, listening.signal);
        misses = 0;
        if (!listening.signal.aborted) options.onUpdate?.(job);
      } catch (failure) {
        /* A connection that breaks is no answer: the job may well go on. */
        if (!(failure instanceof Gone) || ++misses > 3) throw failure;
        await pause(300 * misses);
      }
    }
    return job;
  }

  return {
    done: follow(),
    cancel() {
      wanted = false;
      void stop();
    },
    forget() {
      listening.abort();
    },
  };
}

export type CommandOptions = Record<string, string | number | boolean | string[]>;

/* Most commands are about the plan, and about nothing else. */
export function commandParams(name: string, options: CommandOptions, operands: string[] = ['plan']): object {
  return { command: name, options, operands };
}

export function command<T>(
  name: string,
  options: CommandOptions,
  more: { operands?: string[] } & RunOptions<T> = {},
): Running<T> {
  return run<T>('command', commandParams(name, options, more.operands), more);
}
