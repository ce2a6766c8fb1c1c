/* What is demanded: sliders on one side, the words of --require on the other. They begin with what
   the plan demands and stay as they are while other views are looked at. */
import { app } from '../../lib/state.svelte';
import type { Demand, Edit, Json, Measure } from '../../lib/types';

/* One bound; `column` is the sensitive column of which alone it is demanded. */
export type Wanted = {
  key: string;
  measure: string;
  column: string | null;
  parameter: number | null;
  bound: number;
  on: boolean;
};

/* A name in parentheses: quoted where the command would not understand it otherwise. */
export function quoted(name: string): string {
  const plain = !/[;,=()"']/.test(name) && name.trim() === name && !/^[-+\d.]/.test(name);
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}

/* The measure as --require and plans write it: l-recursive(diagnosis;2). */
export function written(wanted: { measure: string; column: string | null; parameter: number | null }): string {
  const inside: string[] = [];
  if (wanted.column !== null) inside.push(quoted(wanted.column));
  if (wanted.parameter !== null) inside.push(String(wanted.parameter));
  return inside.length > 0 ? `${wanted.measure}(${inside.join(';')})` : wanted.measure;
}

/* "l-recursive(2) >= 3" has the parameter in its text only. */
function parameterOf(demand: Demand): number | null {
  const inside = /\(([^)]*)\)/.exec(demand.constraint)?.[1];
  const last = inside?.split(';').pop()?.trim();
  return last !== undefined && /^[\d.]+$/.test(last) ? Number(last) : null;
}

function wantedOf(demand: Demand): Wanted {
  const parts = { measure: demand.measure, column: demand.column ?? null, parameter: parameterOf(demand) };
  return { key: written(parts), ...parts, bound: demand.bound, on: true };
}

/* Where a slider ends; a number can be written beyond. */
export type Range = { from: number; to: number; step: number; most: number };

export function rangeOf(measure: Measure | undefined, rows: number): Range {
  if (!measure) return { from: 0, to: 1, step: 0.01, most: 1 };
  if (measure.rule === 'size') return { from: 2, to: Math.max(3, Math.min(rows, 1000)), step: 1, most: Infinity };
  if (measure.rule !== null && measure.more_is_better) {
    return { from: 1, to: 20, step: measure.name === 'l-distinct' || measure.parameter ? 1 : 0.1, most: Infinity };
  }
  if (measure.counts) return { from: 0, to: Math.max(1, rows), step: 1, most: Infinity };
  return { from: 0, to: 1, step: 0.01, most: 1 };
}

class Demands {
  list: Wanted[] = $state([]);
  /* share of the rows that may be suppressed */
  suppression: number = $state(0);
  /* the plan's own is a number of rows: it stays one until somebody moves the slider */
  #budget: string = $state('0');
  #moved = $state(false);
  #version = 0;

  /* Begins with the plan; after a change of the plan again. */
  read(): void {
    const study = app.state?.study;
    if (!study || study.state !== 'open' || this.#version === app.version) return;
    this.#version = app.version;
    const fromPlan = (study.demands ?? []).map(wantedOf);
    this.list = this.#offered(fromPlan);
    this.#budget = study.suppression ?? '0';
    this.#moved = false;
    const percent = /^([\d.]+)%$/.exec(this.#budget)?.[1];
    const counted = study.rows ? (study.budget ?? 0) / study.rows : 0;
    this.suppression = percent !== undefined ? Number(percent) / 100 : counted;
  }

  /* What is always there: k, and l-distinct of every sensitive column; off until somebody wants it. */
  #offered(fromPlan: Wanted[]): Wanted[] {
    const list = [...fromPlan];
    const add = (measure: string, column: string | null, bound: number, on: boolean) => {
      if (list.some((wanted) => wanted.measure === measure && wanted.column === column)) return;
      list.push({ key: written({ measure, column, parameter: null }), measure, column, parameter: null, bound, on });
    };
    const sensitive = app.state?.study.sensitive ?? [];
    add('k', null, 5, true);
    const forAll = list.some((wanted) => wanted.measure === 'l-distinct' && wanted.column === null);
    if (sensitive.length === 1 && !forAll) {
      if (!list.some((wanted) => wanted.measure === 'l-distinct')) add('l-distinct', null, 2, false);
    } else if (!forAll) {
      for (const column of sensitive) add('l-distinct', column, 2, false);
    }
    const order = (wanted: Wanted) => (wanted.measure === 'k' ? 0 : wanted.measure === 'l-distinct' ? 1 : 2);
    return list.sort((a, b) => order(a) - order(b));
  }

  add(measure: Measure, column: string | null): void {
    const parts = { measure: measure.name, column, parameter: null };
    const key = written(parts);
    const there = this.list.find((wanted) => wanted.key === key);
    if (there) {
      there.on = true;
      return;
    }
    const range = rangeOf(measure, app.rows);
    const bound = measure.more_is_better ? Math.max(2, range.from) : Math.min(range.to, 0.5);
    this.list.push({ key, ...parts, bound, on: true });
  }

  suppress(share: number): void {
    this.suppression = share;
    this.#moved = true;
  }

  /* "k=5,l-distinct=3" */
  require: string = $derived(
    this.list
      .filter((wanted) => wanted.on)
      .map((wanted) => `${written(wanted)}=${wanted.bound}`)
      .join(','),
  );
  /* ... without k: what every point of a curve has to keep */
  besides: string = $derived(
    this.list
      .filter((wanted) => wanted.on && wanted.measure !== 'k')
      .map((wanted) => `${written(wanted)}=${wanted.bound}`)
      .join(','),
  );
  k: number = $derived(this.list.find((wanted) => wanted.measure === 'k' && wanted.on)?.bound ?? 1);
  /* as --suppression takes it */
  budget: string = $derived(this.#moved ? `${Number((this.suppression * 100).toFixed(3))}%` : this.#budget);

  /* Does it differ from the plan? */
  changed: boolean = $derived.by(() => {
    const study = app.state?.study;
    if (!study) return false;
    const before = (study.demands ?? []).map(wantedOf).map((wanted) => `${wanted.key}=${wanted.bound}`);
    const now = this.list.filter((wanted) => wanted.on).map((wanted) => `${wanted.key}=${wanted.bound}`);
    return this.#moved || before.length !== now.length || now.some((demand) => !before.includes(demand));
  });

  /* What the plan demands and the sliders do not: searches keep it all the same. */
  kept: Demand[] = $derived(
    (app.state?.study.demands ?? []).filter((demand) => {
      const wanted = this.list.find((one) => one.key === wantedOf(demand).key);
      if (!wanted?.on) return true;
      const more = app.state?.measures.find((measure) => measure.name === demand.measure)?.more_is_better ?? true;
      return more ? wanted.bound < demand.bound : wanted.bound > demand.bound;
    }),
  );

  /* The plan with these demands. They all stand under `require`: `target-k` says the same as k there,
     and a column's own key the same as its name in parentheses. */
  edits(): Edit[] {
    const on = this.list.filter((wanted) => wanted.on);
    const value: Record<string, Json> = Object.fromEntries(on.map((wanted) => [written(wanted), wanted.bound]));
    const text = app.state?.plan.text ?? '';
    const edits: Edit[] = [];
    if (/^target-k\s*:/m.test(text)) edits.push({ path: ['target-k'], remove: true });
    for (const demand of app.state?.study.demands ?? []) {
      if (demand.column && !new RegExp(`^require\\s*:`, 'm').test(text)) {
        edits.push({ path: ['attributes', demand.column, 'require'], remove: true });
      }
    }
    if (on.length > 0) edits.push({ path: ['require'], value });
    else if (/^require\s*:/m.test(text)) edits.push({ path: ['require'], remove: true });
    if (this.#moved) edits.push({ path: ['suppression'], value: this.budget });
    return edits;
  }
}

export const demands = new Demands();
