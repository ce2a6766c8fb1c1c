/* Who takes part in a comparison: pinned candidates, and files of other tools. It stays while the page
   does, whatever view is looked at. */
import { app } from '../../lib/state.svelte';
import type { Spec } from '../../lib/types';

export type Match = 'order' | 'map' | 'key';

export type FileEntrant = {
  id: number;
  name: string;
  path: string;
  match: Match;
  row_map: string;
  map_name: string;
  key: string;
  on: boolean;
};

export type Entrant = { name: string; spec: Spec | null; file: FileEntrant | null };

class Entrants {
  /* candidates that were taken out, by their number: new ones take part at once */
  out: number[] = $state([]);
  files: FileEntrant[] = $state([]);
  by: string = $state('');
  #last = 0;

  addFile(name: string, path: string): void {
    if (this.files.some((one) => one.path === path)) return;
    this.files.push({ id: ++this.#last, name, path, match: 'order', row_map: '', map_name: '', key: '', on: true });
  }
  removeFile(id: number): void {
    this.files = this.files.filter((one) => one.id !== id);
  }
  toggle(id: number): void {
    this.out = this.out.includes(id) ? this.out.filter((one) => one !== id) : [...this.out, id];
  }

  /* In the order of the letters that they get. */
  list: Entrant[] = $derived([
    ...app.pinned.filter((one) => !this.out.includes(one.id)).map((one) => ({ name: one.name, spec: one.spec, file: null })),
    ...this.files.filter((one) => one.on).map((one) => ({ name: one.name, spec: null, file: one })),
  ]);
  /* What a file still lacks. */
  lacking: string[] = $derived(
    this.files
      .filter((one) => one.on)
      .flatMap((one) =>
        one.match === 'map' && !one.row_map
          ? [`the row map of ${one.name}`]
          : one.match === 'key' && !one.key
            ? [`the key column of ${one.name}`]
            : [],
      ),
  );
}

export const entrants = new Entrants();

export function letter(index: number): string {
  return String.fromCharCode(65 + (index % 26));
}

/* Where a file is, and how its rows are matched. */
export function matchOf(file: FileEntrant): { path: string; row_map?: string; key?: string } {
  return {
    path: file.path,
    ...(file.match === 'map' ? { row_map: file.row_map } : {}),
    ...(file.match === 'key' ? { key: file.key } : {}),
  };
}

/* What the server is asked; null if there is nothing to compare yet. */
export function question(): { specs: Spec[]; names: string[]; files: object[]; by?: string } | null {
  const { list, lacking, by } = entrants;
  if (list.length < 2 || lacking.length > 0) return null;
  const specs = list.flatMap((one) => (one.spec ? [one.spec] : []));
  const files = list.flatMap((one) => (one.file ? [matchOf(one.file)] : []));
  return { specs, names: list.map((one) => one.name), files, ...(by ? { by } : {}) };
}
