/* What the frame says of the state of each view, and of the table. */
import type { App } from './state.svelte';
import { count, share } from './format';
import type { IconName } from './ui/Icon.svelte';

export type ViewState = { text: string; kind: 'todo' | 'none' | 'done' | 'wait' };

export const views: { name: App['view']; title: string; icon: IconName; what: string }[] = [
  { name: 'data', title: 'Data', icon: 'data', what: 'what the columns are' },
  { name: 'front', title: 'Front', icon: 'front', what: 'what is possible' },
  { name: 'prefer', title: 'Prefer', icon: 'prefer', what: 'what you would like' },
  { name: 'people', title: 'People', icon: 'people', what: 'what it does to each person' },
  { name: 'compare', title: 'Compare', icon: 'compare', what: 'which is better' },
  { name: 'records', title: 'Records', icon: 'records', what: 'record by record' },
  { name: 'release', title: 'Release', icon: 'release', what: 'write it' },
];

export function stateOf(view: App['view'], app: App): ViewState {
  const questions = app.questions.length;
  if (view === 'data') {
    if (questions > 0) return { text: questions === 1 ? '1 open question' : `${questions} open questions`, kind: 'todo' };
    if (app.state?.study.state === 'refused') return { text: 'the plan has a mistake', kind: 'todo' };
    const demands = app.study?.demands?.length ?? 0;
    if (!app.open && !app.opened) return { text: 'opening', kind: 'wait' };
    return { text: demands > 0 ? `${count(app.study?.quasi?.length ?? 0)} quasi-identifiers` : 'nothing demanded yet', kind: demands > 0 ? 'done' : 'none' };
  }
  const opening = app.state?.study.state === 'opening' && app.opened;
  if (!app.open && !opening) return { text: questions > 0 ? 'after the questions' : 'needs the table', kind: 'wait' };
  if (view === 'people' || view === 'release') {
    if (app.candidate) return { text: 'a candidate is chosen', kind: 'done' };
    return { text: app.pinned.length > 0 ? 'choose a candidate' : 'no candidate yet', kind: 'none' };
  }
  if (view === 'compare') {
    const pinned = app.pinned.length;
    return pinned === 0
      ? { text: 'nothing pinned', kind: 'none' }
      : { text: `${pinned} pinned`, kind: pinned > 1 ? 'done' : 'none' };
  }
  return app.seen.includes(view) ? { text: 'looked at', kind: 'done' } : { text: 'not looked at yet', kind: 'none' };
}

/* Of the losses of a candidate the one that people ask about first. */
export function lossOf(shares: Record<string, number | null> | undefined): string {
  const value = shares?.['glm'] ?? shares?.['nwp'] ?? Object.values(shares ?? {}).find((one) => one !== null);
  return value === null || value === undefined ? '' : `${share(value)} lost`;
}
