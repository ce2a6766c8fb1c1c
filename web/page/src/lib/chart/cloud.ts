/* Very many points: where they are, which one is near the pointer, and how they are painted.

   Coordinates are kept in steps of their axes (plane.svelte.ts) as 32-bit numbers, one array for each
   axis. A picture counts in one pass how many points fall on each pixel and writes the pixels
   itself: 100,000 points take about two milliseconds, so every frame of a zoom is drawn anew. */
import { stepOf, type AxisSpec, type Plane } from './plane.svelte';

export type Points = { n: number; x: Float32Array; y: Float32Array };

export function pointsOf(xs: ArrayLike<number>, ys: ArrayLike<number>, x: AxisSpec, y: AxisSpec): Points {
  const n = Math.min(xs.length, ys.length);
  const points = { n, x: new Float32Array(n), y: new Float32Array(n) };
  for (let i = 0; i < n; i++) {
    points.x[i] = stepOf(x, xs[i] as number);
    points.y[i] = stepOf(y, ys[i] as number);
  }
  return points;
}

/* ---- which one is it? ----

   A grid of equal cells; the points of a cell stand together in `order`, from start[c] to
   start[c + 1]. */
const CELLS = 256;

export class Grid {
  readonly points: Points;
  #start = new Uint32Array(CELLS * CELLS + 1);
  #order: Uint32Array;
  #left = Infinity;
  #bottom = Infinity;
  #width = 1;
  #height = 1;

  constructor(points: Points) {
    const { n, x, y } = points;
    let right = -Infinity;
    let top = -Infinity;
    for (let i = 0; i < n; i++) {
      const px = x[i] as number;
      const py = y[i] as number;
      if (px < this.#left) this.#left = px;
      if (px > right) right = px;
      if (py < this.#bottom) this.#bottom = py;
      if (py > top) top = py;
    }
    this.points = points;
    this.#width = Math.max(right - this.#left, 1e-12);
    this.#height = Math.max(top - this.#bottom, 1e-12);
    this.#order = new Uint32Array(n);
    this.#sort();
  }

  #column(x: number): number {
    return Math.min(CELLS - 1, Math.max(0, Math.floor(((x - this.#left) / this.#width) * CELLS)));
  }
  #row(y: number): number {
    return Math.min(CELLS - 1, Math.max(0, Math.floor(((y - this.#bottom) / this.#height) * CELLS)));
  }
  #cell(i: number): number {
    return this.#row(this.points.y[i] as number) * CELLS + this.#column(this.points.x[i] as number);
  }

  /* Counts the points of each cell, then puts each where its cell begins. */
  #sort(): void {
    const start = this.#start;
    for (let i = 0; i < this.points.n; i++) (start[this.#cell(i) + 1] as number)++;
    for (let c = 1; c < start.length; c++) (start[c] as number) += start[c - 1] as number;
    const next = start.slice();
    for (let i = 0; i < this.points.n; i++) this.#order[(next[this.#cell(i)] as number)++] = i;
  }

  /* The point nearest to a place of the picture, at most so many pixels away; -1 if there is none. */
  nearest(plane: Plane, px: number, py: number, reach: number): number {
    const perX = (plane.x.to - plane.x.from) / plane.width;
    const perY = (plane.y.to - plane.y.from) / plane.height;
    const atX = plane.x.from + px * perX;
    const atY = plane.y.from + (plane.height - py) * perY;
    const { x, y } = this.points;
    let best = -1;
    let closest = reach * reach;
    if (this.points.n === 0) return best;
    for (let row = this.#row(atY - reach * perY); row <= this.#row(atY + reach * perY); row++) {
      const first = this.#start[row * CELLS + this.#column(atX - reach * perX)] as number;
      const last = this.#start[row * CELLS + this.#column(atX + reach * perX) + 1] as number;
      for (let at = first; at < last; at++) {
        const i = this.#order[at] as number;
        const dx = ((x[i] as number) - atX) / perX;
        const dy = ((y[i] as number) - atY) / perY;
        const distance = dx * dx + dy * dy;
        if (distance < closest) {
          closest = distance;
          best = i;
        }
      }
    }
    return best;
  }
}

/* ---- painting ---- */

const MOST = 64; /* as many points on one pixel are as dark as it gets */

/* Colours by the number of points on a pixel. The first is seen; more differ by their logarithm. */
function shades(red: number, green: number, blue: number): Uint32Array {
  const table = new Uint32Array(MOST + 1);
  for (let n = 1; n <= MOST; n++) {
    const alpha = Math.round(255 * (0.3 + 0.5 * (Math.log(n) / Math.log(MOST))));
    table[n] = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }
  return table;
}

/* What a colour of the style sheets is in red, green and blue: the browser knows. */
function channels(color: string): [number, number, number] {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return [128, 128, 128];
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const pixel = context.getImageData(0, 0, 1, 1).data;
  return [pixel[0] as number, pixel[1] as number, pixel[2] as number];
}

export class Painter {
  #canvas: HTMLCanvasElement;
  #context: CanvasRenderingContext2D | null;
  #image: ImageData | null = null;
  #pixels = new Uint32Array(0);
  #color = '';
  #shades: Uint32Array = new Uint32Array(MOST + 1);

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    /* its pixels come from here in every frame: kept in memory, they need not go there and back */
    this.#context = canvas.getContext('2d', { willReadFrequently: true });
  }

  #fit(width: number, height: number): void {
    if (this.#image && this.#canvas.width === width && this.#canvas.height === height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  /* `shown`: one byte for each point, 0 = left out; null = all. Dots have the size of `dot` pixels of
     the screen. */
  paint(points: Points | null, plane: Plane, color: string, shown: Uint8Array | null = null, dot = 2): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(plane.width * ratio));
    const height = Math.max(1, Math.round(plane.height * ratio));
    this.#fit(width, height);
    if (color !== this.#color) {
      this.#color = color;
      this.#shades = shades(...channels(color));
    }
    this.#pixels.fill(0);
    if (points) this.#count(points, plane, width, height, shown, Math.max(1, Math.round(dot * ratio)));
    if (this.#image) this.#context?.putImageData(this.#image, 0, 0);
  }

  #count(points: Points, plane: Plane, width: number, height: number, shown: Uint8Array | null, size: number): void {
    const pixels = this.#pixels;
    const { n, x, y } = points;
    const scaleX = width / (plane.x.to - plane.x.from);
    const scaleY = height / (plane.y.to - plane.y.from);
    const baseX = -plane.x.from * scaleX - size / 2 + 0.5;
    const baseY = height + plane.y.from * scaleY - size / 2 + 0.5;
    const lastX = width - size;
    const lastY = height - size;
    for (let i = 0; i < n; i++) {
      if (shown !== null && shown[i] === 0) continue;
      const left = Math.floor((x[i] as number) * scaleX + baseX);
      const top = Math.floor(baseY - (y[i] as number) * scaleY);
      if (left < 0 || top < 0 || left > lastX || top > lastY) continue;
      for (let row = 0, at = top * width + left; row < size; row++, at += width) {
        for (let column = 0; column < size; column++) (pixels[at + column] as number)++;
      }
    }
    const table = this.#shades;
    for (let i = 0; i < pixels.length; i++) {
      const there = pixels[i] as number;
      if (there !== 0) pixels[i] = table[there > MOST ? MOST : there] as number;
    }
  }
}
