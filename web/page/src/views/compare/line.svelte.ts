/* The command lines that do the same. Candidates are no files yet: each is released with its row map
   first, and what is compared are the releases. */
import { run } from '../../lib/api';
import { app } from '../../lib/state.svelte';
import type { Candidate, Spec } from '../../lib/types';
import { quoted } from '../release/options.svelte';
import type { Entrant } from './entrants.svelte';

/* by plan and spec; null while it is asked for */
const known: Record<string, string | null> = $state({});

function keyOf(spec: Spec): string {
  return `${app.version} ${JSON.stringify(spec)}`;
}

export function askForLines(entrants: readonly Entrant[]): void {
  for (const one of entrants) {
    if (!one.spec || keyOf(one.spec) in known) continue;
    const key = keyOf(one.spec);
    known[key] = null;
    run<Candidate>('candidate', { spec: one.spec }).done.then(
      (job) => {
        if (job.result) known[key] = job.result.line;
        else delete known[key];
      },
      () => delete known[key],
    );
  }
}

function fileOf(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'release';
}

export function compareLine(entrants: readonly Entrant[], by: string): string | null {
  const lines: string[] = [];
  const paths: string[] = [];
  const maps: string[] = [];
  let key = '';
  for (const one of entrants) {
    if (one.file) {
      /* a file that was dropped here has its own name there */
      paths.push(one.file.path.startsWith('upload:') ? one.file.name : one.file.path);
      if (one.file.match === 'map') maps.push(one.file.map_name || one.file.row_map);
      if (one.file.match === 'key') key = one.file.key;
      continue;
    }
    const line = one.spec ? known[keyOf(one.spec)] : null;
    if (!line) return null;
    const stem = fileOf(one.name);
    lines.push(`${line} -o ${stem}.csv --row-map ${stem}.map`);
    paths.push(`${stem}.csv`);
    maps.push(`${stem}.map`);
  }
  const options = [
    `--plan ${quoted(app.state?.plan.path ?? 'plan.yaml')}`,
    ...(maps.length > 0 ? [`--row-map ${quoted(maps.join(','))}`] : []),
    ...(key ? [`--key ${quoted(key)}`] : []),
    ...(by ? [`--by ${quoted(by)}`] : []),
  ];
  return [...lines, `paravent compare ${paths.map(quoted).join(' ')} ${options.join(' ')}`].join(' &&\n');
}
