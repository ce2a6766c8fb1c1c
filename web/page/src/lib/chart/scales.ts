/* The scales of all pictures: k by its logarithm (from 4 to 5 matters, from 400 to 401 does not), losses
   as shares, everything else as it is. Ticks are few and round. */
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { number, share, short } from '../format';

export type Scale = ScaleContinuousNumeric<number, number>;
export type Kind = 'log' | 'share' | 'linear';
export type Tick = { value: number; label: string };

/* From a little before the least to a little after the most; never empty. */
function room(least: number, most: number, part: number): [number, number] {
  if (!(most > least)) return [least - Math.abs(least || 1) * 0.1, least + Math.abs(least || 1) * 0.1];
  const by = (most - least) * part;
  return [least - by, most + by];
}

export function makeScale(kind: Kind, values: Iterable<number>, range: [number, number], margin = 0.04): Scale {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most) [least, most] = kind === 'log' ? [1, 100] : [0, 1];
  if (kind === 'log') {
    const [low, high] = room(Math.log(Math.max(least, 1)), Math.log(Math.max(most, 1)), margin);
    return scaleLog().domain([Math.exp(low), Math.exp(high)]).range(range);
  }
  const [low, high] = room(least, most, margin);
  if (kind === 'share') return scaleLinear().domain([Math.max(0, low), Math.min(1, high)]).range(range);
  return scaleLinear().domain([least >= 0 ? Math.max(0, low) : low, high]).range(range);
}

/* 1 2 5 10 20 50 ..., as many as there is room for */
function logTicks(low: number, high: number, most: number): number[] {
  const steps = [[1, 2, 5], [1, 3], [1]];
  for (const of of steps) {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const step of of) {
        const value = step * 10 ** power;
        if (value >= low && value <= high) ticks.push(value);
      }
    }
    if (ticks.length <= most && ticks.length >= 2) return ticks;
  }
  return scaleLinear().domain([low, high]).ticks(Math.max(2, Math.min(most, 4)));
}

export function ticksOf(kind: Kind, scale: Scale, most = 6): Tick[] {
  const [a, b] = scale.domain() as [number, number];
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  if (kind === 'log') return logTicks(low, high, most).map((value) => ({ value, label: short(value) }));
  const label = kind === 'share' ? share : (value: number) => (Math.abs(value) >= 1e4 ? short(value) : number(value));
  return scaleLinear().domain([low, high]).ticks(most).map((value) => ({ value, label: label(value) }));
}
