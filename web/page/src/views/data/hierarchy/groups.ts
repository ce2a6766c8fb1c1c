/* A hierarchy that is edited by hand: for every value the labels of the groups it belongs to, from the
   finest level to the coarsest, without the * at the top. As in a plan a label is one group wherever it
   stands, and a group that stays alone on the next level keeps its name there:

       value      level 1      level 2
       11th       Secondary    School
       Masters    Graduate     Higher education
       Preschool  Preschool    School            <- stays by itself at level 1

   Everything is changed by giving leaves other labels; the tree that is shown is made from them. Each
   change makes a new Groups, so that undoing is taking an old one. */
import type { Tree } from '../../../lib/types';

export type Leaf = { value: string; rows: number };
export type Groups = { leaves: Leaf[]; paths: string[][]; depth: number };

export type Branch = {
  key: string;
  label: string;
  /* the first level on which it is; 0 is a value */
  level: number;
  /* the first level of what it is in */
  above: number;
  leaves: number[];
  rows: number;
  children: Branch[];
  parent: Branch | null;
};

/* The missing value has no row of its own in a plan. */
export function groupsOf(tree: Tree): Groups {
  const depth = Math.max(0, tree.height - 1);
  const leaves = tree.leaves.filter((leaf) => !leaf.missing);
  return {
    leaves: leaves.map(({ value, rows }) => ({ value, rows })),
    paths: leaves.map(({ path }) => Array.from({ length: depth }, (_, i) => path[i] ?? '*')),
    depth,
  };
}

/* As a plan has it. What is * from some level on ends there. */
export function rowsOf(groups: Groups): string[][] {
  return groups.leaves.map((leaf, i) => {
    const path = [...(groups.paths[i] as string[])];
    while (path.at(-1) === '*') path.pop();
    return [leaf.value, ...path];
  });
}

/* The label of a leaf on a level, 0 being itself and depth + 1 the top. */
function labelAt(groups: Groups, leaf: number, level: number): string {
  if (level === 0) return (groups.leaves[leaf] as Leaf).value;
  return level > groups.depth ? '*' : ((groups.paths[leaf] as string[])[level - 1] as string);
}

export function treeOf(groups: Groups): Branch {
  const every = groups.leaves.map((_, i) => i);
  return branch(groups, every, groups.depth + 1, '*', null, groups.depth + 2);
}

function branch(groups: Groups, leaves: number[], level: number, label: string, parent: Branch | null, above: number): Branch {
  /* A group that has all of its name on the level below, too, begins there. */
  let first = level;
  while (first > 0 && label !== '*' && leaves.every((leaf) => labelAt(groups, leaf, first - 1) === label)) first--;
  if (label === '*' && level <= groups.depth) {
    while (first > 1 && leaves.every((leaf) => labelAt(groups, leaf, first - 1) === '*')) first--;
  }
  const rows = leaves.reduce((sum, leaf) => sum + (groups.leaves[leaf] as Leaf).rows, 0);
  const made: Branch = { key: `${first}\n${label}`, label, level: first, above, leaves, rows, children: [], parent };
  if (first === 0) return made;
  const parts = new Map<string, number[]>();
  for (const leaf of leaves) {
    const name = labelAt(groups, leaf, first - 1);
    const part = parts.get(name);
    if (part) part.push(leaf);
    else parts.set(name, [leaf]);
  }
  made.children = [...parts].map(([name, part]) => branch(groups, part, first - 1, name, made, first));
  return made;
}

/* Groups that are values only: what a row of the tree shows is its branch. */
export function isValue(one: Branch): boolean {
  return one.level === 0;
}

export function each(root: Branch, tell: (one: Branch) => void): void {
  tell(root);
  for (const child of root.children) each(child, tell);
}

function changed(groups: Groups, change: (path: string[], leaf: number) => void): Groups {
  const paths = groups.paths.map((path) => [...path]);
  paths.forEach(change);
  return { ...groups, paths };
}

/* May these be moved there? Not into themselves, and not where they are. */
export function canMove(branches: Branch[], to: Branch): boolean {
  if (to.level === 0) return false;
  for (let at: Branch | null = to; at; at = at.parent) if (branches.some((one) => one.key === at?.key)) return false;
  return branches.some((one) => one.parent?.key !== to.key);
}

/* Puts branches into a group: on its levels and above they get its labels, between theirs and its levels
   they stay by themselves. A group of the same or a higher level is dissolved into it. */
export function move(groups: Groups, branches: Branch[], to: Branch): Groups {
  const from = new Map<number, Branch>();
  for (const one of branches) for (const leaf of one.leaves) from.set(leaf, one);
  const model = to.leaves[0];
  return changed(groups, (path, leaf) => {
    const one = from.get(leaf);
    if (!one) return;
    for (let level = 1; level <= groups.depth; level++) {
      if (level >= to.level) path[level - 1] = model === undefined ? '*' : labelAt(groups, model, level);
      else if (level > one.level) path[level - 1] = one.level < to.level ? one.label : (path[level - 1] as string);
    }
  });
}

/* Levels are added below everything (at 1) or above a level. On the new one everything is as below it. */
export function addLevel(groups: Groups, at: number): Groups {
  const paths = groups.paths.map((path, leaf) => {
    const longer = [...path];
    longer.splice(at - 1, 0, labelAt(groups, leaf, at - 1));
    return longer;
  });
  return { ...groups, paths, depth: groups.depth + 1 };
}

export function removeLevel(groups: Groups, at: number): Groups {
  const paths = groups.paths.map((path) => path.filter((_, i) => i !== at - 1));
  return { ...groups, paths, depth: groups.depth - 1 };
}

function common(branches: Branch[]): Branch | null {
  const first = branches[0];
  if (!first) return null;
  for (let at: Branch | null = first.parent; at; at = at.parent) {
    const holds = new Set(at.leaves);
    if (branches.every((one) => one.leaves.every((leaf) => holds.has(leaf)))) return at;
  }
  return null;
}

/* One new group of several branches, inside what they have in common. If there is no level for it
   between them, there is one now. */
export function gather(groups: Groups, branches: Branch[], name: string): Groups {
  const inside = common(branches);
  const level = Math.max(...branches.map((one) => one.level)) + 1;
  const top = inside?.level ?? groups.depth + 1;
  const roomy = level < top ? groups : addLevel(groups, level);
  const last = level < top ? top - 1 : level;
  const from = new Map<number, Branch>();
  for (const one of branches) for (const leaf of one.leaves) from.set(leaf, one);
  return changed(roomy, (path, leaf) => {
    const one = from.get(leaf);
    if (!one) return;
    for (let at = one.level + 1; at < level; at++) path[at - 1] = one.label;
    for (let at = level; at <= last; at++) path[at - 1] = name;
    if (inside && inside.level <= groups.depth) {
      const model = inside.leaves[0] as number;
      for (let at = last + 1; at <= roomy.depth; at++) path[at - 1] = labelAt(roomy, model, at);
    } else for (let at = last + 1; at <= roomy.depth; at++) path[at - 1] = '*';
  });
}

/* Is there another group of this name? One label is one group. */
export function nameTaken(groups: Groups, label: string, except: Branch | null): boolean {
  const own = new Set(except?.leaves ?? []);
  return groups.paths.some((path, leaf) => !own.has(leaf) && path.includes(label)) || label === '*';
}

export function rename(groups: Groups, one: Branch, label: string): Groups {
  const inside = new Set(one.leaves);
  return changed(groups, (path, leaf) => {
    if (!inside.has(leaf)) return;
    for (let level = one.level; level < one.above && level <= groups.depth; level++) path[level - 1] = label;
  });
}

/* A group goes, what is in it stays where the group was. */
export function dissolve(groups: Groups, one: Branch): Groups {
  const from = new Map<number, Branch>();
  for (const child of one.children) for (const leaf of child.leaves) from.set(leaf, child);
  return changed(groups, (path, leaf) => {
    const child = from.get(leaf);
    if (!child) return;
    for (let level = one.level; level < one.above && level <= groups.depth; level++) path[level - 1] = child.label;
  });
}

/* How many groups a level has, and whether it groups as the level below does. */
export function levelsOf(groups: Groups): { level: number; groups: number; same: boolean }[] {
  const counts: number[] = [];
  for (let level = 0; level <= groups.depth; level++) {
    counts.push(new Set(groups.leaves.map((_, leaf) => labelAt(groups, leaf, level))).size);
  }
  return counts.slice(1).map((n, i) => ({ level: i + 1, groups: n, same: n === counts[i] }));
}
