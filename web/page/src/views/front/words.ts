/* What a search has proven, in sentences. */
import { count, counted, number, seconds, share } from '../../lib/format';
import type { Best, Front, Job, Ladder } from '../../lib/types';

function about(n: number | null): string {
  if (n === null) return 'countless';
  return n < 1e6 ? count(n) : n < 1e15 ? number(n) : `about 10^${Math.floor(Math.log10(n))}`;
}

function nodes(front: Front): number {
  const extra = front as Front & { proof_nodes?: number };
  return extra.proof_nodes ?? 0;
}

function work(front: Front): string {
  const proof = nodes(front) > 0 ? ` and ${counted(nodes(front), 'node')} of branch and bound` : '';
  return `${counted(front.evaluated, 'scheme')}${proof}`;
}

function stopped(front: Front, job: Job<unknown> | null): string | null {
  if (job?.state === 'cancelled' || front.stop === 'cancelled') return 'You stopped it';
  if (front.stop === 'time') return 'The time was up';
  if (front.stop === 'evaluations') return 'As many schemes as allowed were looked at';
  if (front.stop === 'stalled') return 'Nothing new had come up for a while';
  return null;
}

/* Of levels: "Complete among all 17,920 level schemes with ...: ..." */
export function levelsAccount(front: Front, job: Job<unknown> | null): string {
  const all = front.lattice?.nodes ?? null;
  const time = `It took ${seconds(front.seconds)}.`;
  if (front.complete) {
    const others = (all ?? front.evaluated) - front.evaluated;
    const rest =
      others > 0
        ? `${count(front.evaluated)} were grouped and measured; the other ${about(others)} cannot be on the front, which is proven.`
        : 'every one of them was grouped and measured.';
    return `Complete among all ${about(all)} ${front.family}: ${rest} ${time}`;
  }
  const why = stopped(front, job) ?? `${front.method} proves nothing`;
  return `Not complete. ${why}: of ${about(all)} ${front.family}, ${count(front.evaluated)} were looked at; others may be better. ${time}`;
}

export function cutsAccount(front: Front, job: Job<unknown> | null): string {
  const time = `It took ${seconds(front.seconds)}.`;
  if (front.complete) {
    return `Complete among all ${about(front.cuts?.schemes ?? null)} ${front.family}: it is proven that every point is optimal and that none is missing, by ${work(front)}. ${time}`;
  }
  const proven = front.front.filter((point) => point.proven).length;
  /* a bound of 0 is none: nothing loses less than nothing */
  const gaps = front.front.map((point) => (point.bound ? (point.gap ?? Infinity) : point.proven ? 0 : Infinity)).filter((gap) => gap > 0);
  const worst = gaps.length > 0 ? Math.max(...gaps) : 0;
  const rest =
    gaps.length === 0 ? 'but others may lie between them' : Number.isFinite(worst) ? `the others lose at most ${share(worst)} of the detail more than they must` : 'of some nothing is proven';
  const why = stopped(front, job) ?? 'The time for proofs was up';
  return `Not proven complete. ${why}: ${proven} of ${counted(front.front.length, 'point')} are proven optimal, ${rest}; ${work(front)} were looked at. ${time}`;
}

export function localAccount(ladder: Ladder, job: Job<unknown> | null): string {
  const found = ladder.ladder.filter((point) => point.found);
  const gaps = found.map((point) => point.gap ?? Infinity);
  const worst = gaps.length > 0 ? Math.max(...gaps) : Infinity;
  const proof =
    found.length === 0
      ? 'Nothing was found yet.'
      : Number.isFinite(worst)
        ? `No local recoding loses less than what is shown by more than ${share(worst)}: this is proven (the line under each mark goes down to what nothing can lose less than).`
        : 'What could be better is not known for every point.';
  const missing = ladder.ladder.filter((point) => !point.found).map((point) => point.k);
  const none = missing.length > 0 ? ` For k = ${missing.join(', ')} nothing was found within the budget.` : '';
  const end = job?.state === 'cancelled' || ladder.stop === 'cancelled' ? ' You stopped it: the other k were not reached.' : '';
  return `${proof}${none}${end} It took ${seconds(ladder.seconds)}.`;
}

/* ---- the best for given demands ---- */

/* `loss` as a share, if it is known. */
export function bestWords(best: Best, still: boolean): string {
  const kind = best.scheme === 'cuts' ? 'schemes of free ranges' : 'schemes of whole levels';
  if (best.proven) return `proven: nothing among ${about(best.schemes)} ${kind} is better`;
  if (best.gap !== null && best.gap > 0) {
    const better = `no scheme can be better by more than ${share(best.gap)}, which is proven`;
    return still ? `${better} so far; still searching` : better;
  }
  return still ? 'still searching for a proof' : 'how much better others could be is not known';
}
