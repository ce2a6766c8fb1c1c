/* The changes of a column, as what the plan is told. */
import { run } from '../../lib/api';
import { propose } from '../../lib/propose.svelte';
import { app } from '../../lib/state.svelte';
import type { Column, Edit, Hierarchy, PlanChange, Tree } from '../../lib/types';
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

function editsOf(column: Column, to: Choice): Edit[] {
  const hierarchy = column.role === '?' && hasLevels(column) ? null : (kept.get(column.name) ?? suggestHierarchy(column));
  const edits = roleEdits(column, to, hierarchy);
  /* An open question may already have the hierarchy that it would have. */
  return to === 'quasi' ? edits.filter((edit) => !('remove' in edit && edit.path.at(-1) === 'hierarchy')) : edits;
}

/* One answer for many columns, in one step: it is shown before it is written. */
export function changeRoles(columns: Column[], to: Choice): Promise<PlanChange | null> {
  return propose(
    `role of ${columns.length} columns`,
    columns.flatMap((column) => editsOf(column, to)),
    { show: true, why: `${columns.length} columns get the same role. Any of them can be changed afterwards.` },
  );
}

export async function changeRole(column: Column, to: Choice): Promise<PlanChange | null> {
  await keep(column);
  const edits = editsOf(column, to);
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
