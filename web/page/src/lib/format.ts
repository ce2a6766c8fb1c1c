/* Numbers and counts in words, everywhere alike. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function count(n: number): string {
  return whole.format(n);
}

/* 1,234 rows; 1 row */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function people(n: number): string {
  return counted(n, 'person', 'people');
}

/* A number with about three digits that mean something. */
export function number(x: number | null | undefined): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (Number.isInteger(x)) return sign(count(x));
  const size = Math.abs(x);
  if (size >= 1000) return sign(count(x));
  if (size < 0.0001) return sign(x.toExponential(1));
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
  return sign(String(Number(x.toFixed(Math.min(digits, 6)))));
}

function sign(text: string): string {
  return text.startsWith('-') ? `−${text.slice(1)}` : text;
}

/* 12.3%, 0.04%, under 0.01%; never 0% or 100% of something that is not */
export function share(x: number | null | undefined): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x === 0) return '0%';
  const percent = x * 100;
  if (x < 0) return `−${share(-x)}`;
  if (percent < 0.01) return 'under 0.01%';
  if (x < 1 && percent > 99.95) return 'over 99.9%';
  if (percent < 1) return `${Number(percent.toPrecision(2))}%`;
  return `${Number(percent.toFixed(1))}%`;
}

export function shareOf(part: number, all: number): string {
  return all > 0 ? share(part / all) : '–';
}

/* A bound in words: one in five */
export function oneIn(risk: number): string {
  if (risk <= 0) return 'none';
  if (risk >= 1) return 'certain';
  return `1 in ${number(Math.round(1 / risk))}`;
}

export function seconds(s: number): string {
  if (s < 0.1) return `${Math.max(1, Math.round(s * 1000))} ms`;
  if (s < 10) return `${s.toFixed(1)} s`;
  if (s < 90) return `${Math.round(s)} s`;
  return `${Math.round(s / 60)} min`;
}

/* k by its logarithm: 5, 12, 1.2k, 3M for the labels of axes */
export function short(n: number): string {
  const size = Math.abs(n);
  if (size >= 1e6) return `${Number((n / 1e6).toPrecision(2))}M`;
  if (size >= 1e4) return `${Number((n / 1e3).toPrecision(2))}k`;
  return number(n);
}

/* a, b and c */
export function list(words: readonly string[], most = 6): string {
  const shown = words.length > most ? words.slice(0, most - 1) : words;
  const rest = words.length - shown.length;
  const last = rest > 0 ? `${count(rest)} more` : shown[shown.length - 1];
  const first = rest > 0 ? shown : shown.slice(0, -1);
  if (last === undefined) return '';
  return first.length === 0 ? last : `${first.join(', ')} and ${last}`;
}

/* the value of a cell as one sees it: nothing and blanks show */
export function cell(value: string): string {
  return value === '' ? '(empty)' : value;
}

export function clock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

export function initial(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
