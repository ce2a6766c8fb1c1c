// Hierarchies that are edited by hand.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './load.mjs';

const g = await load('views/data/hierarchy/groups.ts');

const paths = {
  Bachelors: ['Undergraduate', 'Higher'],
  Masters: ['Graduate', 'Higher'],
  Doctorate: ['Graduate', 'Higher'],
  '11th': ['Secondary', 'School'],
  '12th': ['Secondary', 'School'],
  Preschool: ['Preschool', 'School'],
  Unknown: ['*', '*'],
};
const start = () =>
  g.groupsOf({
    height: 3,
    leaves: Object.entries(paths).map(([value, path], i) => ({ value, rows: i + 1, path: [...path, '*'] })),
  });
const find = (groups, label) => {
  let found = null;
  g.each(g.treeOf(groups), (one) => {
    if (one.label === label && (found === null || one.level > found.level)) found = one;
  });
  assert.ok(found, label);
  return found;
};
const rowOf = (groups, value) => g.rowsOf(groups).find((row) => row[0] === value);

/* What a plan demands: a label is one group, so that it has the same group above it wherever it stands; and
   the tree that is shown has every value once. */
function sound(groups) {
  const above = new Map();
  for (const [value, ...path] of g.rowsOf(groups)) {
    const labels = [value, ...path, '*'];
    for (let i = 0; i + 1 < labels.length; i++) {
      if (labels[i] === labels[i + 1]) continue;
      const before = above.get(labels[i]);
      assert.ok(before === undefined || before === labels[i + 1], `${labels[i]} is in ${before} and ${labels[i + 1]}`);
      above.set(labels[i], labels[i + 1]);
    }
  }
  const seen = [];
  g.each(g.treeOf(groups), (one) => one.level === 0 && seen.push(...one.leaves));
  assert.deepEqual(seen.sort((a, b) => a - b), groups.leaves.map((_, i) => i));
  groups.paths.forEach((path) => assert.equal(path.length, groups.depth));
}

test('what is read is written again', () => {
  const groups = start();
  sound(groups);
  assert.deepEqual(rowOf(groups, 'Masters'), ['Masters', 'Graduate', 'Higher']);
  assert.deepEqual(rowOf(groups, 'Preschool'), ['Preschool', 'Preschool', 'School']);
  assert.deepEqual(rowOf(groups, 'Unknown'), ['Unknown']);
});

test('the tree shows a group once, on the level where it begins', () => {
  const root = g.treeOf(start());
  assert.deepEqual(root.children.map((one) => [one.label, one.level]), [['Higher', 2], ['School', 2], ['*', 1]]);
  assert.deepEqual(root.children[1].children.map((one) => [one.label, one.level]), [['Secondary', 1], ['Preschool', 0]]);
});

test('a value moves to a group, and to a coarser one by itself', () => {
  const groups = start();
  const moved = g.move(groups, [find(groups, 'Bachelors')], find(groups, 'Graduate'));
  sound(moved);
  assert.deepEqual(rowOf(moved, 'Bachelors'), ['Bachelors', 'Graduate', 'Higher']);
  const alone = g.move(groups, [find(groups, 'Masters')], find(groups, 'School'));
  sound(alone);
  assert.deepEqual(rowOf(alone, 'Masters'), ['Masters', 'Masters', 'School']);
  const out = g.move(groups, [find(groups, '11th')], g.treeOf(groups));
  sound(out);
  assert.deepEqual(rowOf(out, '11th'), ['11th', '11th', '11th']);
});

test('a group moves with all that is in it; one of the same level is dissolved', () => {
  const groups = start();
  const moved = g.move(groups, [find(groups, 'Secondary')], find(groups, 'Higher'));
  sound(moved);
  assert.deepEqual(rowOf(moved, '12th'), ['12th', 'Secondary', 'Higher']);
  const joined = g.move(groups, [find(groups, 'Higher')], find(groups, 'School'));
  sound(joined);
  assert.deepEqual(rowOf(joined, 'Doctorate'), ['Doctorate', 'Graduate', 'School']);
});

test('nothing moves into itself or to where it is', () => {
  const groups = start();
  assert.equal(g.canMove([find(groups, 'Higher')], find(groups, 'Graduate')), false);
  assert.equal(g.canMove([find(groups, 'Masters')], find(groups, 'Graduate')), false);
  assert.equal(g.canMove([find(groups, 'Masters')], find(groups, 'Bachelors')), false);
  assert.equal(g.canMove([find(groups, 'Masters')], find(groups, 'School')), true);
});

test('several become one group; a level is added if there is none between', () => {
  const groups = start();
  const two = g.gather(groups, [find(groups, 'Bachelors'), find(groups, 'Masters')], 'Some degree');
  sound(two);
  assert.deepEqual(rowOf(two, 'Bachelors'), ['Bachelors', 'Some degree', 'Higher']);
  const inside = g.gather(groups, [find(groups, '11th'), find(groups, '12th')], 'Late');
  sound(inside);
  assert.equal(inside.depth, 3);
  assert.deepEqual(rowOf(inside, '11th'), ['11th', 'Late', 'Secondary', 'School']);
  assert.deepEqual(rowOf(inside, 'Masters'), ['Masters', 'Masters', 'Graduate', 'Higher']);
  const large = g.gather(groups, [find(groups, 'Higher'), find(groups, 'School')], 'Known');
  sound(large);
  assert.deepEqual(rowOf(large, '11th'), ['11th', 'Secondary', 'School', 'Known']);
});

test('names, levels, and groups that go', () => {
  const groups = start();
  assert.equal(g.nameTaken(groups, 'Higher', find(groups, 'School')), true);
  assert.equal(g.nameTaken(groups, 'Basic', find(groups, 'School')), false);
  const renamed = g.rename(groups, find(groups, 'School'), 'Basic');
  sound(renamed);
  assert.deepEqual(rowOf(renamed, '12th'), ['12th', 'Secondary', 'Basic']);
  const gone = g.dissolve(groups, find(groups, 'Secondary'));
  sound(gone);
  assert.deepEqual(rowOf(gone, '12th'), ['12th', '12th', 'School']);
  const top = g.dissolve(groups, find(groups, 'School'));
  sound(top);
  assert.deepEqual(rowOf(top, '12th'), ['12th', 'Secondary', 'Secondary']);
  const longer = g.addLevel(groups, 2);
  sound(longer);
  assert.deepEqual(g.levelsOf(longer).map((level) => level.same), [false, true, false]);
  const shorter = g.removeLevel(longer, 2);
  assert.deepEqual(shorter.paths, groups.paths);
});

test('whatever is done in whatever order, the result is a hierarchy', () => {
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 300; round++) {
    let groups = start();
    for (let step = 0; step < 8; step++) {
      const all = [];
      g.each(g.treeOf(groups), (one) => all.push(one));
      const one = all[random(all.length)];
      const other = all[random(all.length)];
      const act = random(5);
      if (act === 0 && one.parent && g.canMove([one], other)) groups = g.move(groups, [one], other);
      else if (act === 1 && one.parent) groups = g.gather(groups, [one], `new ${round} ${step}`);
      else if (act === 2 && one.parent && one.level > 0 && one.label !== '*') groups = g.rename(groups, one, `name ${round} ${step}`);
      else if (act === 3 && one.parent && one.level > 0) groups = g.dissolve(groups, one);
      else if (act === 4 && groups.depth < 6) groups = g.addLevel(groups, 1 + random(groups.depth + 1));
      sound(groups);
    }
  }
});
