/* The changes of a column, as what the plan is told. */
import { run } from '../../lib/api';
import { propose } from '../../lib/propose.svelte';
import { app } from '../../lib/state.svelte';
import type { Column, Hierarchy, PlanChange, Tree } from '../../lib/types';
import { hasLevels, roleEdits, suggestHierarchy, type Choice } from './roles';

/* Hierarchies of columns that were quasi-identifiers a moment ago: who changes a role and thinks better
   of it gets them back. */
const kept = new Map<string, Hierarchy>();

async function keep(column: Column): Promise<void> {
  if (column.role !== 'quasi' || !hasLevels(column) || !app.open) return;
  try {
    const { result } = await run<Tree>('tree', { attribute: column.name }).done;
    if (result?.spec) kept.set(column.name, result.spec);
  } catch {
    /* then a new one is suggested */
  }
}

export async function changeRole(column: Column, to: Choice): Promise<PlanChange | null> {
  await keep(column);
  const hierarchy = column.role === '?' && hasLevels(column) ? null : (kept.get(column.name) ?? suggestHierarchy(column));
  let edits = roleEdits(column, to, hierarchy);
  /* An open question may already have the hierarchy that it would have. */
  if (to === 'quasi') edits = edits.filter((edit) => !('remove' in edit && edit.path.at(-1) === 'hierarchy'));
  const what = to === 'drop' ? `${column.name} is left out` : `role of ${column.name}`;
  const handmade = column.role === 'quasi' && to !== 'quasi' && /rows|file|\.(csv|txt)/i.test(column.hierarchy ?? '');
  const drops = to === 'drop' && column.named;
  return propose(what, edits, {
    show: drops || handmade,
    why: drops
      ? `The column ${column.name} would be taken out of the plan, with all that is said of it there. It is then in no release.`
      : handmade
        ? `The hierarchy of ${column.name} has no meaning for its new role: it would be taken out of the plan.`
        : undefined,
  });
}
