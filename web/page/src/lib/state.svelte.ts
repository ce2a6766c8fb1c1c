/* The server's state, kept up to date, and what changes it. `app.state` is replaced as a whole with
   every news; effects should look at the values derived from it (`app.version`, `app.open`, ...),
   which change only when their value does. */
import { errorOf, get, Gone, post, Refused, remove, whenAnswered } from './api';
import { toast } from './toasts.svelte';
import type { ApiError, Edit, Pinned, PlanChange, Spec, State, Study } from './types';

export const viewNames = ['data', 'front', 'prefer', 'people', 'compare', 'records', 'release'] as const;
export type ViewName = (typeof viewNames)[number];

export class App {
  state: State | null = $state.raw(null);
  /* nobody answers; the page goes on asking */
  gone: boolean = $state(false);
  /* the server does not know this page: it was started again, with another token */
  locked: boolean = $state(false);
  view: ViewName = $state('data');
  /* what follows the view in the address: #/data/age has ['age'] */
  rest: string[] = $state.raw([]);
  /* views that were looked at since the page was loaded */
  seen: ViewName[] = $state.raw([]);
  /* what People, Compare and Release look at */
  candidate: Spec | null = $state.raw(null);

  version: number = $derived(this.state?.plan.version ?? 0);
  open: boolean = $derived(this.state?.study.state === 'open');
  /* the table as it was last open: shown while it is opened again after a change, so that nothing jumps */
  study: Study | null = $state.raw(null);
  opened: boolean = $derived(this.study !== null);
  rows: number = $derived(this.state?.study.rows ?? this.study?.rows ?? 0);
  questions: string[] = $derived(this.state?.plan.questions ?? []);
  pinned: Pinned[] = $derived(this.state?.candidates ?? []);
  /* how often the table was read: once more after its file was changed */
  reading: number = $derived(this.study?.reading ?? 0);
  /* files that the plan names and that somebody has changed since */
  changedFiles: string[] = $derived(this.state?.study.changed_files ?? []);
  /* "1" while the table of this plan is there: what jobs on the table depend on, as one value */
  ready: string = $derived(this.open ? `open ${this.version} ${this.reading}` : '');
}

export const app = new App();

function take(news: State): void {
  /* An answer that comes late is older than what is known. */
  if (app.state && news.state < app.state.state) return;
  app.state = news;
  if (news.study.state === 'open') app.study = news.study;
}

/* ---- keeping up to date ---- */

let hidden: AbortController | null = null;

function visible(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function watch(): Promise<never> {
  let wait = 250;
  for (;;) {
    /* A page that nobody sees needs no connection of the few that a browser has. */
    await visible();
    hidden = new AbortController();
    try {
      const since = app.state && !app.gone ? `?since=${app.state.state}` : '';
      const news = await get<State>(`/api/state${since}`, hidden.signal);
      if (app.gone) app.state = null; /* another server counts anew */
      take(news);
      app.gone = app.locked = false;
      wait = 250;
    } catch (failure) {
      if (hidden.signal.aborted) continue;
      if (failure instanceof Refused && failure.http === 403) app.locked = true;
      else app.gone = true;
      await pause(wait);
      wait = Math.min(wait * 1.6, 3000);
    }
  }
}

/* What the server says right now; after a change, so that whoever made it sees it. */
async function refresh(): Promise<void> {
  take(await get<State>('/api/state'));
}

/* ---- where we are ---- */

function readAddress(): void {
  const parts = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decode);
  const view = viewNames.find((name) => name === parts[0]);
  app.view = view ?? 'data';
  app.rest = view ? parts.slice(1) : [];
  if (!app.seen.includes(app.view)) app.seen = [...app.seen, app.view];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function addressOf(view: ViewName, ...rest: string[]): string {
  return `#/${[view, ...rest.map(encodeURIComponent)].join('/')}`;
}

export function go(view: ViewName, ...rest: string[]): void {
  const address = addressOf(view, ...rest);
  if (location.hash !== address) location.hash = address;
}

const CANDIDATE = 'paravent-candidate';

function keepCandidate(spec: Spec | null): void {
  try {
    if (spec) sessionStorage.setItem(CANDIDATE, JSON.stringify(spec));
    else sessionStorage.removeItem(CANDIDATE);
  } catch {
    /* it holds until the page is loaded again */
  }
}

function recallCandidate(): void {
  try {
    const text = sessionStorage.getItem(CANDIDATE);
    if (text) app.candidate = JSON.parse(text) as Spec;
  } catch {
    app.candidate = null;
  }
}

export function begin(): void {
  recallCandidate();
  readAddress();
  addEventListener('hashchange', readAddress);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hidden?.abort();
  });
  whenAnswered((answered) => {
    if (answered || app.gone) return;
    app.gone = true;
    hidden?.abort(); /* the request that waits for news may wait for nothing: ask again */
  });
  void watch();
}

/* Reads the data and the hierarchies anew. */
export function reread(): Promise<boolean> {
  return asked(() => post('/api/reread', {}));
}

/* ---- candidates ---- */

export function sameSpec(a: Spec | null | undefined, b: Spec | null | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function choose(spec: Spec): void {
  app.candidate = spec;
  keepCandidate(spec);
}

export function look(spec: Spec, view: ViewName = 'people'): void {
  choose(spec);
  go(view);
}

async function asked(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    await refresh();
    return true;
  } catch (failure) {
    if (!(failure instanceof Gone)) toast(errorOf(failure).message, { bad: true });
    return false;
  }
}

/* Who pins the first one wants to go on with it: People and Release then look at it. */
export async function pin(name: string, spec: Spec): Promise<boolean> {
  const done = await asked(() => post('/api/candidates', { name, spec }));
  if (done && !app.candidate) choose(spec);
  return done;
}

export function rename(id: number, name: string): Promise<boolean> {
  return asked(() => post(`/api/candidates/${id}`, { name }));
}

export async function unpin(id: number): Promise<boolean> {
  const lost = app.pinned.find((candidate) => candidate.id === id);
  const done = await asked(() => remove(`/api/candidates/${id}`));
  if (done && lost) {
    toast(`“${lost.name}” is forgotten.`, { act: { label: 'Pin it again', run: () => void pin(lost.name, lost.spec) } });
  }
  return done;
}

/* ---- the plan ---- */

type Change = Edit[] | { text: string };

async function sendChange(what: string, change: Change, dry: boolean): Promise<PlanChange> {
  const body = Array.isArray(change) ? { edits: change } : change;
  return post<PlanChange>('/api/plan', { version: app.version, what, dry, ...body });
}

/* Changes the plan, or (dry) says what it would be. What was wrong is in `error` of the answer; a
   plan that was written has a new version. A plan that somebody else changed meanwhile is no
   obstacle for edits of single keys, which are then made to the new one; a whole text is refused. */
export async function changePlan(what: string, change: Change, options: { dry?: boolean } = {}): Promise<PlanChange> {
  const dry = options.dry ?? false;
  const refused = (error: ApiError): PlanChange => {
    const text = app.state?.plan.text ?? '';
    return { version: app.version, text, before: text, error };
  };
  const before = app.version;
  let answer: PlanChange;
  try {
    try {
      answer = await sendChange(what, change, dry);
    } catch (failure) {
      if (!(failure instanceof Refused) || failure.http !== 409 || !Array.isArray(change)) throw failure;
      await refresh();
      answer = await sendChange(what, change, dry);
    }
    if (!dry) await refresh();
  } catch (failure) {
    return refused(errorOf(failure));
  }
  if (!dry && answer.version > before && answer.text !== answer.before) {
    toast(`Changed: ${what}.`, { act: { label: 'Undo', run: () => void undo() } });
  }
  return answer;
}

async function step(direction: 'undo' | 'redo'): Promise<void> {
  const what = app.state?.plan[direction];
  if (!what) return;
  const done = await asked(() => post(`/api/plan/${direction}`, { version: app.version }));
  if (!done) return;
  if (direction === 'undo') toast(`Undone: ${what}.`, { act: { label: 'Redo', run: () => void redo() } });
  else toast(`Done again: ${what}.`, { act: { label: 'Undo', run: () => void undo() } });
}

export function undo(): Promise<void> {
  return step('undo');
}

export function redo(): Promise<void> {
  return step('redo');
}

/* Was it written? */
export function written(change: PlanChange): boolean {
  return change.version === app.version && (change.error === null || change.text !== change.before);
}
