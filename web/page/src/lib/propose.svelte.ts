/* A change of the plan that is shown before it is written. The frame has the window (frame/Proposal);
   a view calls propose() and gets what came of it, null if it was not wanted. Whoever wants to see
   every change beforehand says so once (`review.all`). */
import { changePlan } from './state.svelte';
import { toast } from './toasts.svelte';
import type { Edit, PlanChange } from './types';

export type Proposal = {
  what: string;
  why: string | null;
  edits: Edit[];
  dry: PlanChange;
  finish: (change: PlanChange | null) => void;
};

const KEY = 'paravent-review';

class Review {
  all: boolean = $state(false);
  open: Proposal | null = $state.raw(null);
}

export const review = new Review();

try {
  review.all = localStorage.getItem(KEY) === 'all';
} catch {
  /* not remembered */
}

export function reviewAll(all: boolean): void {
  review.all = all;
  try {
    if (all) localStorage.setItem(KEY, 'all');
    else localStorage.removeItem(KEY);
  } catch {
    /* it holds until the page is closed */
  }
}

/* Does an error keep the plan from being written? Open questions do not: they are answered one by one. */
export function prevents(change: PlanChange): boolean {
  return change.error !== null && !/open question/.test(change.error.message);
}

/* `show`: this change takes something away or is large, so it is always shown; `why` says so. What is
   refused without a window is told in a message, unless the caller shows it. */
export async function propose(
  what: string,
  edits: Edit[],
  options: { show?: boolean; why?: string; quiet?: boolean } = {},
): Promise<PlanChange | null> {
  if (!options.show && !review.all) {
    const change = await changePlan(what, edits);
    if (prevents(change) && !options.quiet) toast(change.error?.message ?? '', { bad: true });
    return change;
  }
  const dry = await changePlan(what, edits, { dry: true });
  return new Promise((finish) => {
    review.open = { what, why: options.why ?? null, edits, dry, finish };
  });
}

export function decline(): void {
  review.open?.finish(null);
  review.open = null;
}

export async function accept(): Promise<void> {
  const proposal = review.open;
  if (!proposal) return;
  const change = await changePlan(proposal.what, proposal.edits);
  if (prevents(change)) {
    review.open = { ...proposal, dry: change };
    return;
  }
  review.open = null;
  proposal.finish(change);
}
