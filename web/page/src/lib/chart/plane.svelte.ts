/* The part of a picture that is seen: two axes, each from one number to another, and what happens to
   them when somebody zooms. Inside, an axis is measured in steps (the logarithm where it is
   logarithmic), so that everything between a point and its pixel is one multiplication and one sum. */
import { ticks as roundNumbers } from 'd3-array';

export type AxisSpec = {
  /* the measure, as the command calls it */
  name: string;
  title: string;
  kind: 'log' | 'linear' | 'share';
  more: boolean; /* is more better? */
  whole?: boolean; /* people, values: no fractions */
  /* the numbers at its ends while nothing is zoomed */
  from: number;
  to: number;
  format: (value: number) => string;
};

export type Tick = { value: number; at: number; text: string };

const DEEPEST = 4000; /* how far one can zoom */
const LEAST = 1e-9; /* what the logarithm of nothing is drawn as */

export function stepOf(axis: AxisSpec, value: number): number {
  return axis.kind === 'log' ? Math.log10(Math.max(value, LEAST)) : value;
}

export function valueAt(axis: AxisSpec, step: number): number {
  return axis.kind === 'log' ? 10 ** step : step;
}

type Window = { from: number; to: number };

function whole(axis: AxisSpec): Window {
  const from = stepOf(axis, axis.from);
  const to = stepOf(axis, axis.to);
  return to > from ? { from, to } : { from: from - 0.5, to: from + 0.5 };
}

/* A window inside another: first as long as it may be, then moved to where there is something. */
function inside(window: Window, all: Window): Window {
  const length = Math.min(window.to - window.from, all.to - all.from);
  const from = Math.min(Math.max(window.from, all.from), all.to - length);
  return { from, to: from + length };
}

function scaled(window: Window, all: Window, factor: number, at: number): Window {
  const least = (all.to - all.from) / DEEPEST;
  const length = Math.max((window.to - window.from) * factor, least);
  const middle = window.from + (window.to - window.from) * at;
  return inside({ from: middle - length * at, to: middle + length * (1 - at) }, all);
}

export class Plane {
  axes: { x: AxisSpec; y: AxisSpec } = $state.raw({ x: nothing, y: nothing });
  /* of the part where points are drawn, in pixels */
  width = $state(100);
  height = $state(100);
  x: Window = $state.raw({ from: 0, to: 1 });
  y: Window = $state.raw({ from: 0, to: 1 });
  zoomed: boolean = $derived(!same(this.x, whole(this.axes.x)) || !same(this.y, whole(this.axes.y)));

  /* Other axes. What is zoomed stays so if it is the same axis with other ends. */
  show(x: AxisSpec, y: AxisSpec): void {
    const before = this.axes;
    const zoomed = this.zoomed && before.x.name === x.name && before.y.name === y.name;
    this.axes = { x, y };
    this.x = zoomed ? inside(this.x, whole(x)) : whole(x);
    this.y = zoomed ? inside(this.y, whole(y)) : whole(y);
  }

  px(value: number): number {
    return this.pxStep(stepOf(this.axes.x, value));
  }
  py(value: number): number {
    return this.pyStep(stepOf(this.axes.y, value));
  }
  pxStep(step: number): number {
    return ((step - this.x.from) / (this.x.to - this.x.from)) * this.width;
  }
  pyStep(step: number): number {
    return this.height - ((step - this.y.from) / (this.y.to - this.y.from)) * this.height;
  }
  xAt(px: number): number {
    return valueAt(this.axes.x, this.x.from + (px / this.width) * (this.x.to - this.x.from));
  }
  yAt(py: number): number {
    return valueAt(this.axes.y, this.y.from + (1 - py / this.height) * (this.y.to - this.y.from));
  }

  /* Under one means closer. The place under the pointer stays where it is. */
  zoom(factor: number, px = this.width / 2, py = this.height / 2): void {
    this.x = scaled(this.x, whole(this.axes.x), factor, px / this.width);
    this.y = scaled(this.y, whole(this.axes.y), factor, 1 - py / this.height);
  }
  pan(dx: number, dy: number): void {
    const x = (dx / this.width) * (this.x.to - this.x.from);
    const y = (dy / this.height) * (this.y.to - this.y.from);
    this.x = inside({ from: this.x.from - x, to: this.x.to - x }, whole(this.axes.x));
    this.y = inside({ from: this.y.from + y, to: this.y.to + y }, whole(this.axes.y));
  }
  /* To a rectangle, in pixels. */
  frame(left: number, top: number, right: number, bottom: number): void {
    const x = (at: number) => this.x.from + (at / this.width) * (this.x.to - this.x.from);
    const y = (at: number) => this.y.from + (1 - at / this.height) * (this.y.to - this.y.from);
    const allX = whole(this.axes.x);
    const allY = whole(this.axes.y);
    const next = { x: { from: x(left), to: x(right) }, y: { from: y(bottom), to: y(top) } };
    if (next.x.to - next.x.from < (allX.to - allX.from) / DEEPEST) return;
    if (next.y.to - next.y.from < (allY.to - allY.from) / DEEPEST) return;
    this.x = inside(next.x, allX);
    this.y = inside(next.y, allY);
  }
  /* Moves to where a point is, if it is not seen. */
  reveal(xValue: number, yValue: number): void {
    const edge = 12;
    const px = this.px(xValue);
    const py = this.py(yValue);
    const dx = px < 0 ? edge - px : px > this.width ? this.width - edge - px : 0;
    const dy = py < 0 ? edge - py : py > this.height ? this.height - edge - py : 0;
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }
  reset(): void {
    this.x = whole(this.axes.x);
    this.y = whole(this.axes.y);
  }

  ticksX(): Tick[] {
    return ticksOf(this.axes.x, this.x, this.width, 56).map((value) => this.#tick(this.axes.x, value, this.px(value)));
  }
  ticksY(): Tick[] {
    return ticksOf(this.axes.y, this.y, this.height, 52).map((value) => this.#tick(this.axes.y, value, this.py(value)));
  }
  #tick(axis: AxisSpec, value: number, at: number): Tick {
    return { value, at, text: axis.format(value) };
  }
}

const nothing: AxisSpec = { name: '', title: '', kind: 'linear', more: true, from: 0, to: 1, format: String };

function same(a: Window, b: Window): boolean {
  const least = (b.to - b.from) * 1e-9;
  return Math.abs(a.from - b.from) <= least && Math.abs(a.to - b.to) <= least;
}

/* ---- round numbers along an axis ---- */

function decades(from: number, to: number, digits: number[]): number[] {
  const numbers: number[] = [];
  for (let power = Math.floor(from); power <= Math.ceil(to); power++) {
    for (const digit of digits) numbers.push(digit * 10 ** power);
  }
  return numbers.filter((value) => Math.log10(value) >= from - 1e-9 && Math.log10(value) <= to + 1e-9);
}

function apart(axis: AxisSpec, window: Window, pixels: number, numbers: number[]): number {
  let least = Infinity;
  for (let i = 1; i < numbers.length; i++) {
    const gap = stepOf(axis, numbers[i] as number) - stepOf(axis, numbers[i - 1] as number);
    least = Math.min(least, (gap / (window.to - window.from)) * pixels);
  }
  return least;
}

/* Of several sets of round numbers the one with the most that do not crowd. */
export function ticksOf(axis: AxisSpec, window: Window, pixels: number, space: number): number[] {
  const about = Math.max(2, Math.floor(pixels / space));
  const tries: number[][] = [];
  if (axis.kind === 'log') {
    for (const digits of [[1], [1, 3], [1, 2, 5], [1, 2, 3, 5, 7]]) tries.push(decades(window.from, window.to, digits));
    if (window.to - window.from < 1) tries.push(roundNumbers(10 ** window.from, 10 ** window.to, about));
  } else {
    tries.push(roundNumbers(window.from, window.to, about));
  }
  let best: number[] = [];
  for (const numbers of tries) {
    const kept = axis.whole ? numbers.filter((value) => Number.isInteger(Number(value.toFixed(6)))) : numbers;
    const fits = apart(axis, window, pixels, kept) >= space * 0.62;
    if (kept.length > best.length && (fits || best.length === 0)) best = kept;
  }
  return best;
}
