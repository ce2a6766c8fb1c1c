// Numbers in words, differences of texts, suggestions for columns, demands.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from './load.mjs';

const format = await load('lib/format.ts');
const { diffLines } = await load('lib/diff.ts');
const names = await load('lib/names.ts');
const roles = await load('views/data/roles.ts');

test('shares never round to all or nothing', () => {
  assert.equal(format.share(0), '0%');
  assert.equal(format.share(0.00001), 'under 0.01%');
  assert.equal(format.share(0.99999), 'over 99.9%');
  assert.equal(format.share(1), '100%');
  assert.equal(format.share(0.1234), '12.3%');
  assert.equal(format.share(null), '–');
});

test('numbers keep what means something', () => {
  assert.equal(format.number(29033), '29,033');
  assert.equal(format.number(0.0123456), '0.0123');
  assert.equal(format.number(-1.5), '−1.5');
  assert.equal(format.counted(1, 'row'), '1 row');
  assert.equal(format.counted(2000, 'row'), '2,000 rows');
  assert.equal(format.list(['a', 'b', 'c']), 'a, b and c');
  assert.equal(format.list(['a', 'b', 'c', 'd'], 3), 'a, b and 2 more');
});

test('a difference has what goes and what comes, and nothing else', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  const lines = diffLines(before, before.replace('d\n', 'D\nE\n'), 1);
  assert.deepEqual(
    lines.map(({ kind, text }) => `${kind} ${text}`),
    ['skip 2 unchanged lines', 'same c', 'gone d', 'new D', 'new E', 'same e', 'skip 3 unchanged lines'],
  );
  assert.deepEqual(diffLines('a\n', 'a\n'), [{ kind: 'skip', text: '1 unchanged line', number: 0 }]);
});

const column = (more) => ({
  name: 'x', type: 'text', role: 'other', why: null, question: null, named: true, values: 100, missing: 0, unique: 0,
  hidden: false, bins: [], others: 0, hierarchy: null, height: null, ...more,
});

test('a new quasi-identifier gets a hierarchy that fits its type', () => {
  const age = column({ type: 'integer', bins: [{ label: '0-4', from: 0, to: 4, rows: 1 }, { label: '95-99', from: 95, to: 99, rows: 1 }] });
  assert.deepEqual(roles.suggestHierarchy(age), { intervals: [5, 10, 20, 40, 80] });
  assert.deepEqual(roles.suggestHierarchy(column({ name: 'zip', type: 'integer' })), { mask: 'right' });
  assert.deepEqual(roles.suggestHierarchy(column({ bins: [{ label: '10115', rows: 3 }, { label: '80331', rows: 2 }] })), { mask: 'right' });
  assert.deepEqual(roles.suggestHierarchy(column({ type: 'date' })), { date: ['month', 'year', 'decade'] });
  assert.equal(roles.suggestHierarchy(column({ bins: [{ label: 'red', rows: 3 }, { label: 'blue', rows: 2 }] })), null);
});

test('widths are multiples of each other', () => {
  for (const [least, most, whole] of [[0, 99, true], [17, 90, true], [0, 3, true], [0, 1, false], [-5e6, 5e6, false], [0.001, 0.002, false]]) {
    const widths = roles.suggestIntervals(least, most, whole);
    assert.ok(widths.length > 0);
    widths.reduce((before, width) => {
      assert.ok(Math.abs(width / before - Math.round(width / before)) < 1e-9);
      return width;
    });
    if (whole) widths.forEach((width) => assert.ok(Number.isInteger(width)));
  }
});

test('with a role goes what has no meaning for the next one', () => {
  const edits = roles.roleEdits(column({ role: 'quasi' }), 'sensitive', null);
  const removed = edits.filter((edit) => edit.remove).map((edit) => edit.path.at(-1));
  assert.ok(removed.includes('weight') && removed.includes('hierarchy') && !removed.includes('require'));
  assert.deepEqual(edits.at(-1), { path: ['attributes', 'x', 'role'], value: 'sensitive' });
  assert.deepEqual(roles.roleEdits(column({ named: false }), 'quasi', { mask: 'right' }), [
    { path: ['attributes', 'x'], value: { role: 'quasi', hierarchy: { mask: 'right' } } },
  ]);
  assert.deepEqual(roles.roleEdits(column({}), 'drop', null), [{ path: ['attributes', 'x'], remove: true }]);
});

test('measures and schemes have plain names, and keep their columns', () => {
  assert.equal(names.plain('necd'), 'spread of class sizes');
  assert.equal(names.plain('l-distinct(diagnosis)'), 'different sensitive values (diagnosis)');
  assert.equal(names.plain('something-new'), 'something-new');
  assert.equal(names.both('glm'), 'detail lost (glm)');
  for (const word of ['glm', 'nwp', 'necd', 'knee', 'cuts', 'levels', 'local recoding']) assert.ok(names.isNamed(word), word);
});

test('what is left of a column is said in one of three ways', () => {
  assert.equal(names.fateOf(90, 90, true), 'kept');
  assert.equal(names.fateOf(90, 5, false), 'groups');
  assert.equal(names.fateOf(90, 1, false), 'hidden');
  assert.equal(names.fateOf(1, 1, true), 'kept');
});
