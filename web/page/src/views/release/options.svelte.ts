/* How the release shall be written. It stays while the page does. */
import type { CommandOptions } from '../../lib/api';
import { app } from '../../lib/state.svelte';
import { Task } from '../../lib/task.svelte';
import type { Release } from '../../lib/types';

export type Order = 'sorted' | 'shuffle' | 'keep-order';

/* As a shell needs it. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function stem(): string {
  const data = app.state?.study.data ?? app.state?.plan.path ?? 'table';
  return (data.split(/[\\/]/).pop() ?? data).replace(/\.(gz|zst)$/, '').replace(/\.[^.]*$/, '') || 'table';
}

class Options {
  /* empty: the name that the command would choose */
  name: string = $state('');
  order: Order = $state('sorted');
  map: boolean = $state(false);
  mapName: string = $state('');
  drop: boolean = $state(false);
  escape: boolean = $state(false);
  force: boolean = $state(false);

  suggested: string = $derived(`${stem()}.release.csv`);
  output: string = $derived(this.name.trim() || this.suggested);
  suggestedMap: string = $derived(`${this.output.replace(/\.(gz|zst)$/, '').replace(/\.[^./]*$/, '')}.map`);
  all: CommandOptions = $derived({
    ...(this.order === 'sorted' ? {} : { [this.order]: true }),
    ...(this.map ? { 'row-map': this.mapName.trim() || this.suggestedMap } : {}),
    ...(this.drop ? { 'drop-suppressed': true } : {}),
    ...(this.escape ? { 'escape-formulas': true } : {}),
    ...(this.force ? { force: true } : {}),
  });

  /* What is added to the command line of the candidate. */
  flags: string = $derived(
    [`-o ${quoted(this.output)}`, ...Object.entries(this.all).map(([name, value]) => (value === true ? `--${name}` : `--${name} ${quoted(String(value))}`))].join(' '),
  );
}

export const options = new Options();

/* Writing goes on when another view is looked at, and is told of when one comes back. */
export const writing = new Task<Release>('release-write', { keep: true });
