/* The three searches of the picture and the cloud behind them. They go on while other views are
   looked at. They begin in this order: levels (soon complete), the cloud, cuts, local recoding. */
import type { CommandOptions } from '../../lib/api';
import { app } from '../../lib/state.svelte';
import { Task } from '../../lib/task.svelte';
import type { Cloud, Front, Ladder } from '../../lib/types';
import { demands } from './demands.svelte';
import type { Kind } from './points';

export const MOST_POINTS = 200000;
const USUAL_KS = [2, 5, 10, 25, 50, 100];

class Curves {
  levels = new Task<Front>('front-levels', { keep: true });
  cuts = new Task<Front>('front-cuts', { keep: true });
  local = new Task<Ladder>('front-local', { keep: true });
  cloud = new Task<Cloud>('front-cloud', { keep: true });

  objectives: string[] = $state.raw(['k', 'glm']);
  method: string = $state('auto');
  /* bounds on the points: --where */
  where: string = $state('');
  ks: string = $state('');
  on: Record<Kind | 'cloud', boolean> = $state({ levels: true, cuts: true, local: true, cloud: true });

  /* what each was begun for; a search for something else is out of date */
  begun: Record<Kind | 'cloud', string> = $state({ levels: '', cuts: '', local: '', cloud: '' });

  /* Is the picture one of k and a loss that the other two searches know, too? */
  loss: string = $derived(this.objectives[1] ?? 'glm');
  simple: boolean = $derived(
    this.objectives.length === 2 && this.objectives[0] === 'k' && (this.loss === 'glm' || this.loss === 'nwp'),
  );
  /* Cuts are measured by nwp, which is the share of glm if all attributes count alike. */
  evenly: boolean = $derived(new Set((app.state?.study.quasi ?? []).map((attribute) => attribute.weight)).size <= 1);
  cutsFit: boolean = $derived(this.simple && (this.loss === 'nwp' || this.evenly));

  shownKs: string = $derived(
    this.ks.trim() === '' ? USUAL_KS.filter((k) => k === 2 || k <= app.rows / 2).join(',') : this.ks.replace(/\s+/g, ''),
  );

  keys: Record<Kind | 'cloud', string> = $derived({
    levels: JSON.stringify([app.version, this.objectives, this.method, demands.besides, demands.budget, this.where]),
    cloud: JSON.stringify([app.version, this.objectives, demands.besides, demands.budget]),
    cuts: JSON.stringify([app.version]),
    local: JSON.stringify([app.version, this.loss, this.shownKs, demands.besides, demands.budget]),
  });

  late(kind: Kind | 'cloud'): boolean {
    return this.begun[kind] !== '' && this.begun[kind] !== this.keys[kind];
  }

  start(kind: Kind | 'cloud'): void {
    this.begun[kind] = this.keys[kind];
    const common: CommandOptions = { suppression: demands.budget };
    if (demands.besides !== '') common.require = demands.besides;
    if (kind === 'levels') {
      const options: CommandOptions = { objectives: this.objectives.join(','), ...common };
      if (this.method !== 'auto') options.method = this.method;
      if (this.where !== '') options.where = this.where;
      this.levels.startCommand('front', options, ['plan']);
    } else if (kind === 'cuts') {
      this.cuts.startCommand('front', { scheme: 'cuts' }, ['plan']);
    } else if (kind === 'local') {
      this.local.startCommand('front', { scheme: 'local', k: this.shownKs, minimize: this.loss, ...common }, ['plan']);
    } else {
      this.cloud.start('cloud', { objectives: this.objectives, ...common, most: MOST_POINTS });
    }
  }

  /* What is due next; called whenever something changes. Cuts and local recoding take long: once they
     have been searched for a plan, other demands make them late, and whoever looks decides. */
  follow(): void {
    if (!app.open) return;
    if (this.begun.levels !== this.keys.levels) {
      this.start('levels');
      return;
    }
    if (this.levels.busy) return;
    if (this.on.cloud && this.begun.cloud !== this.keys.cloud) this.start('cloud');
    if (!this.simple) return;
    if (this.on.cuts && this.cutsFit && this.isNew('cuts')) {
      this.start('cuts');
      return;
    }
    if (!this.cuts.busy && this.on.local && this.isNew('local')) this.start('local');
  }

  /* Never searched for this version of the plan, and this loss? */
  isNew(kind: 'cuts' | 'local'): boolean {
    if (this.begun[kind] === '') return true;
    const before = JSON.parse(this.begun[kind]) as unknown[];
    return before[0] !== app.version || (kind === 'local' && before[1] !== this.loss);
  }
}

export const curves = new Curves();
