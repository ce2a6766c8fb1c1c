/* The answer to a wish in words: those of `paravent prefer`. */
import { count, number, share } from '../../lib/format';
import type { Answer, Place } from './wishes.svelte';

const LEAST = 1e-9; /* the rounding of a distance is less */
const ALL = 1; /* all there is of a bias or a loss: wished for, it is any */

export function wishOf(answer: Answer): Place {
  return { bias: answer.aspiration[answer.bias] ?? ALL, loss: answer.aspiration[answer.loss] ?? 0 };
}
export function pointOf(answer: Answer): Place {
  return { bias: Number(answer.solution[answer.bias]), loss: Number(answer.solution[answer.loss]) };
}

/* How far below the wish the scale of distances begins. The distance of the wish itself, `ach`, is
   1 / (1 / (bias + b) + 1 / (loss + b)) for a tiny b, which follows from it. */
function beyond(wish: Place, ach: number): number {
  const half = (wish.bias + wish.loss - 2 * ach) / 2;
  const rest = wish.bias * wish.loss - ach * (wish.bias + wish.loss);
  return Math.max(0, -half + Math.sqrt(Math.max(0, half * half - rest)));
}

/* The upper right corner of what is proven to be empty: nothing has less of both. */
export function provenCorner(answer: Answer): Place | null {
  const { ach } = answer.aspiration;
  if (answer.bound === null || answer.bound <= LEAST || !(ach > 0)) return null;
  const wish = wishOf(answer);
  const b = beyond(wish, ach);
  const scale = answer.bound / ach;
  const corner = { bias: scale * (wish.bias + b) - b, loss: scale * (wish.loss + b) - b };
  return corner.bias > LEAST && corner.loss > LEAST ? corner : null;
}

function sizes(answer: Answer): string {
  const { k, largest } = answer.solution;
  return k === largest ? `${count(k)} people` : `${count(k)} to ${count(largest)} people`;
}

function verdict(wish: Place, point: Place): string {
  const bias = wish.bias > 0 && point.bias > wish.bias + LEAST;
  const loss = wish.loss > 0 && point.loss > wish.loss + LEAST;
  if (bias && loss) return `: ${number(point.bias - wish.bias)} more spread and ${share(point.loss - wish.loss)} more loss than wished for`;
  if (bias) return `: ${number(point.bias - wish.bias)} more spread than wished for`;
  if (loss) return `: ${share(point.loss - wish.loss)} more loss than wished for`;
  return wish.bias > 0 && wish.loss > 0 ? ', which fulfils the wish' : '';
}

export function fulfils(answer: Answer): boolean {
  const wish = wishOf(answer);
  const point = pointOf(answer);
  return point.bias <= wish.bias + LEAST && point.loss <= wish.loss + LEAST;
}

export function answerWords(answer: Answer): string {
  const point = pointOf(answer);
  const who = answer.stopped ? 'The best release so far (you stopped the search)' : 'The best release';
  return `${who} has classes of ${sizes(answer)}, a spread of class sizes of ${number(point.bias)} and a loss of ${share(point.loss)}${verdict(wishOf(answer), point)}.`;
}

export function proofWords(answer: Answer, short: boolean): string {
  const wish = wishOf(answer);
  const least = wish.loss <= 0 && wish.bias >= ALL;
  const better = least ? 'loses less with such classes' : fulfils(answer) ? 'does better' : 'comes nearer to the wish';
  const cannot =
    answer.unreachable && wish.bias > 0 && wish.loss > 0
      ? wish.bias >= ALL
        ? ', and that none can lose as little as wished for'
        : wish.loss >= ALL
          ? ', and that none can have as little spread as wished for'
          : ', and that none can fulfil both wishes'
      : '';
  if (answer.proven) return `It is proven that no release ${better}${cannot}.`;
  if (!answer.provable) return `Whether any release ${better} is not known: of the loss ${answer.loss} nothing can be proven.`;
  if (short) return 'The proof follows when the wish rests.';
  if (answer.bound !== null && answer.bound > LEAST) {
    return `It is proven that no release ${better} by more than ${share(1 - answer.bound / answer.solution.ach)}${cannot}.`;
  }
  return `Whether any release ${better} has not been proven.`;
}

export function efficiencyWords(efficiency: string): string {
  if (efficiency === 'weak') return 'Another release has as much spread and less loss, or as much loss and less spread.';
  if (efficiency === 'none') return 'Others that are known have less of both: it is here for its larger classes.';
  return '';
}
