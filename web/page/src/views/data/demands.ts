/* Demands as a plan has them. The server says what is demanded, not where it is written: under
   `require`, with the column it is about, or as `target-k`. Asking what would change tells. */
import { changePlan } from '../../lib/state.svelte';
import type { Demand, Edit, Measure, Path } from '../../lib/types';

export function keyOf(demand: Demand): string {
  return demand.constraint.replace(/\s*[<>]=?\s*[^<>=]*$/, '');
}

/* "t-closeness(pay)" without its column, as it stands with the column's own demands */
function bare(demand: Demand): string {
  const inside = /\((.*)\)$/.exec(keyOf(demand))?.[1] ?? '';
  const rest = inside
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part.replace(/^(['"])(.*)\1$/, '$2') !== demand.column);
  return rest.length > 0 ? `${demand.measure}(${rest.join(';')})` : demand.measure;
}

export async function placeOf(demand: Demand): Promise<Path> {
  const usual: Path = ['require', keyOf(demand)];
  const places: Path[] = [usual];
  if (demand.column) places.push(['attributes', demand.column, 'require', bare(demand)]);
  if (keyOf(demand) !== bare(demand) && !demand.column) places.push(['require', bare(demand)]);
  if (keyOf(demand) !== demand.measure) places.push(['require', demand.measure]);
  if (demand.measure === 'k') places.push(['target-k']);
  for (const path of places) {
    const edits: Edit[] = [{ path, remove: true }];
    const dry = await changePlan('', edits, { dry: true });
    if (dry.text !== dry.before) return path;
  }
  return usual;
}

/* How a demand of one column is written: a name with signs that mean something is quoted. */
export function newKey(measure: string, column: string | null): string {
  if (column === null) return measure;
  const odd = /[;,=()'"]/.test(column) || column.trim() !== column || /^[-+]?[\d.]+$/.test(column);
  return `${measure}(${odd ? `"${column.replaceAll('"', '""')}"` : column})`;
}

export function usualBound(measure: Measure): number {
  if (measure.name === 'k') return 5;
  if (measure.name === 't-closeness') return 0.2;
  if (measure.name === 'risk' || measure.name === 'risk-mean') return 0.2;
  return measure.more_is_better ? 3 : 0.2;
}
