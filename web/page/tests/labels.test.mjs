/* Labels of a picture: none covers another, no line to a point goes through one, all are inside. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { crosses, placeLabels } = await load('lib/chart/labels.ts');

let seed = 7;
const random = () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};

test('whatever the points: nothing overlaps', () => {
  const [width, height] = [620, 380];
  let placed = 0;
  let lines = 0;
  for (let round = 0; round < 300; round++) {
    const crowd = 40 + 200 * random(); /* all in a corner, or spread */
    const wanted = Array.from({ length: 1 + Math.floor(random() * 12) }, () => ({
      x: random() * crowd, y: random() * crowd, width: 30 + random() * 120, height: random() < 0.5 ? 15 : 29,
    }));
    const avoid = Array.from({ length: 30 }, () => ({ x: random() * crowd, y: random() * crowd, width: 10, height: 10 }));
    const labels = placeLabels(wanted, avoid, width, height);
    assert.equal(labels.length, wanted.length);
    const there = labels.filter((one) => one !== null);
    placed += there.length;
    for (const [i, one] of there.entries()) {
      assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height, 'inside');
      for (const other of there.slice(i + 1)) {
        const apart = one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
        assert.ok(apart, `${JSON.stringify(one)} covers ${JSON.stringify(other)}`);
      }
      for (const other of there) {
        if (one === other || !other.line) continue;
        lines++;
        assert.ok(!crosses(other.line, one), `a line crosses ${JSON.stringify(one)}`);
      }
    }
  }
  assert.ok(placed > 1000 && lines > 500);
});

test('a line and a box', () => {
  const box = { x: 10, y: 10, width: 20, height: 10 };
  assert.ok(crosses({ x1: 0, y1: 0, x2: 40, y2: 30 }, box));
  assert.ok(crosses({ x1: 15, y1: 12, x2: 16, y2: 13 }, box), 'within');
  assert.ok(crosses({ x1: 20, y1: 0, x2: 20, y2: 40 }, box), 'upright');
  assert.ok(!crosses({ x1: 0, y1: 0, x2: 40, y2: 5 }, box));
  assert.ok(!crosses({ x1: 0, y1: 15, x2: 9, y2: 15 }, box), 'ends before it');
  assert.ok(!crosses({ x1: 31, y1: 0, x2: 31, y2: 40 }, box));
});
