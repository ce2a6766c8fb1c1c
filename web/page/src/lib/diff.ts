/* Two texts line by line: what goes, what comes, and some lines around it. */
export type DiffLine = { kind: 'same' | 'gone' | 'new' | 'skip'; text: string; number: number };

/* The longest common subsequence of lines between the parts at both ends that are the same. */
export function diffLines(before: string, after: string, around = 3): DiffLine[] {
  const a = before.replace(/\n$/, '').split('\n');
  const b = after.replace(/\n$/, '').split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const all: DiffLine[] = a.slice(0, head).map((text, i) => ({ kind: 'same', text, number: i + 1 }));
  all.push(...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), head));
  for (let i = tail; i > 0; i--) all.push({ kind: 'same', text: b[b.length - i] as string, number: b.length - i + 1 });
  return shorten(all, around);
}

function middle(a: string[], b: string[], offset: number): DiffLine[] {
  const gone = (i: number): DiffLine => ({ kind: 'gone', text: a[i] as string, number: offset + i + 1 });
  const fresh = (j: number): DiffLine => ({ kind: 'new', text: b[j] as string, number: offset + j + 1 });
  if (a.length * b.length > 4e6) return [...a.map((_, i) => gone(i)), ...b.map((_, j) => fresh(j))];
  const wide = b.length + 1;
  const length = new Uint32Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * wide + j] =
        a[i] === b[j]
          ? (length[(i + 1) * wide + j + 1] as number) + 1
          : Math.max(length[(i + 1) * wide + j] as number, length[i * wide + j + 1] as number);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: b[j] as string, number: offset + j + 1 });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && (length[(i + 1) * wide + j] as number) >= (length[i * wide + j + 1] as number))) {
      lines.push(gone(i++));
    } else {
      lines.push(fresh(j++));
    }
  }
  return lines;
}

function shorten(all: DiffLine[], around: number): DiffLine[] {
  const keep = new Uint8Array(all.length);
  all.forEach((line, i) => {
    if (line.kind !== 'same') keep.fill(1, Math.max(0, i - around), Math.min(all.length, i + around + 1));
  });
  const lines: DiffLine[] = [];
  let skipped = 0;
  const close = (): void => {
    if (skipped > 0) lines.push({ kind: 'skip', text: `${skipped} unchanged ${skipped === 1 ? 'line' : 'lines'}`, number: 0 });
    skipped = 0;
  };
  all.forEach((line, i) => {
    if (!keep[i]) {
      skipped++;
      return;
    }
    close();
    lines.push(line);
  });
  close();
  return lines;
}
