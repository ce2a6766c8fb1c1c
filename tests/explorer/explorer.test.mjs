/* From a file nobody prepared to a verified release, with the mouse and by keyboard; what a page of another site can do; what
   is left when the server is killed. `node --test` runs it; harness.mjs says what it needs. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { axe, closeBrowser, coveredLabels, folderOf, missing, overflows, run, runLine, serve, start, theBrowser } from './harness.mjs';

const views = ['data', 'front', 'prefer', 'people', 'compare', 'records', 'release'];
const skip = missing ?? false;
let census = ''; /* the demo's table and plan */

before(async () => {
  if (skip) return;
  census = mkdtempSync(join(tmpdir(), 'paravent-census-'));
  const written = await run(census, 'demo', '--output', 'demo', '--quiet');
  assert.equal(written.code, 0, written.err);
});
after(async () => {
  if (census) rmSync(census, { recursive: true, force: true });
  await closeBrowser();
});

/* A folder with the table alone, under another name; its first rows, so that nothing takes long. */
function unprepared(rows = 4000) {
  const folder = folderOf();
  const lines = readFileSync(join(census, 'demo/census.csv'), 'utf8').split('\n');
  writeFileSync(join(folder, 'people.csv'), lines.slice(0, rows + 1).join('\n') + '\n');
  return folder;
}
function planned(rows = 4000) {
  const folder = folderOf();
  for (const name of readdirSync(join(census, 'demo'))) {
    if (/\.csv$|^plan\.yaml$/.test(name) && !/^(release|local)/.test(name)) copyFileSync(join(census, 'demo', name), join(folder, name));
  }
  const lines = readFileSync(join(folder, 'census.csv'), 'utf8').split('\n');
  writeFileSync(join(folder, 'census.csv'), lines.slice(0, rows + 1).join('\n') + '\n');
  return folder;
}
const at = (explorer, view) => `${new URL(explorer.address).origin}/#/${view}`;
/* The button of that name can be pressed. */
const ready = (page, name) =>
  page.waitForFunction((text) => [...document.querySelectorAll('button')].some((one) => one.textContent.trim() === text && !one.disabled), name, { timeout: 60000 });

test('from a file nobody prepared to a verified release, with the mouse', { skip }, async () => {
  const folder = unprepared();
  const explorer = await start({ folder, operand: 'people.csv' });
  const page = await explorer.open();
  assert.ok(existsSync(join(folder, 'plan.yaml')), 'a first plan is written');

  /* Data: what was guessed is there, and can be changed and taken back by a click. */
  await page.getByRole('heading', { name: 'diagnosis' }).waitFor();
  assert.ok(!(await page.locator('main').innerText()).includes('P00'), 'no value of an identifier is shown');
  const role = page.getByRole('radiogroup', { name: 'Role of workclass' });
  await role.getByRole('radio', { name: 'drop' }).click();
  await page.getByRole('button', { name: 'Write it to the plan' }).click(); /* after a look at what would change */
  await page.getByText('not in the plan: left out of the release').first().waitFor();
  assert.doesNotMatch(readFileSync(join(folder, 'plan.yaml'), 'utf8'), /^ {2}workclass:/m);
  await page.getByRole('button', { name: /^Undo: / }).click();
  await page.waitForFunction(() => document.querySelector('[aria-label="Role of workclass"] input:checked')?.value === 'quasi');
  assert.match(readFileSync(join(folder, 'plan.yaml'), 'utf8'), /^ {2}workclass:/m);

  /* Front: the best that keeps k = 5, pinned. */
  await page.getByRole('link', { name: /^Front/ }).click();
  const pin = page.getByRole('button', { name: 'Pin it' });
  await page.getByText(/of the detail lost/).first().waitFor();
  await ready(page, 'Pin it');
  await pin.click();
  await page.getByRole('button', { name: 'What it does to people' }).click();
  await page.getByText(/looks like at least 4 others/).first().waitFor();

  /* Release: written, verified, its certificate shown. */
  await page.getByRole('link', { name: /^Release/ }).click();
  const write = page.getByRole('button', { name: 'Write the release' });
  await write.waitFor();
  await ready(page, 'Write the release');
  const line = await page.locator('main code', { hasText: 'paravent release' }).first().innerText();
  await write.click();
  await page.getByRole('heading', { name: /^Verified/ }).waitFor({ timeout: 60000 });
  const certificate = page.frameLocator('iframe').first();
  await certificate.locator('h1').first().waitFor();

  /* What the page wrote is what the line writes, byte for byte. */
  const name = /--output (\S+)/.exec(line)[1];
  const written = readFileSync(join(folder, name));
  const again = folderOf(folder);
  for (const each of readdirSync(again)) if (each.includes('release')) rmSync(join(again, each), { recursive: true });
  const typed = await runLine(again, line.replace(/^\$\s*/, ''));
  assert.equal(typed.code, 0, typed.err);
  assert.ok(written.equals(readFileSync(join(again, name))), 'the table of the page and of the command line');
  rmSync(again, { recursive: true });
  const checked = await run(folder, 'check', name, '--require', 'k=5', '--quiet');
  assert.equal(checked.code, 0, checked.err);
  assert.deepEqual(page.problems, []);
  assert.equal((await explorer.stop()).code, 0);
});

test('the same by keyboard alone', { skip }, async () => {
  const folder = unprepared(2000);
  const explorer = await start({ folder, operand: 'people.csv' });
  const page = await explorer.open();
  await page.getByRole('heading', { name: 'diagnosis' }).waitFor();
  const focus = async (test) => {
    for (let i = 0; i < 400; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(test)) return;
    }
    assert.fail(`never reached: ${test}`);
  };
  await page.keyboard.press('Alt+2');
  await page.getByText(/of the detail lost/).first().waitFor();
  await ready(page, 'Pin it');
  await focus(() => document.activeElement?.textContent?.trim() === 'Pin it');
  await page.keyboard.press('Enter');
  await focus(() => document.activeElement?.textContent?.trim() === 'What it does to people');
  await page.keyboard.press('Enter');
  await page.getByText(/looks like at least 4 others/).first().waitFor();
  await page.keyboard.press('Alt+7');
  await ready(page, 'Write the release');
  await focus(() => document.activeElement?.textContent?.trim() === 'Write the release');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Verified/ }).waitFor({ timeout: 60000 });
  assert.ok(existsSync(join(folder, 'people.release.csv')));
  await explorer.stop();
});

test('each view does its work: points are pinned, wishes dragged, candidates compared, records disclosed', { skip }, async () => {
  const folder = planned();
  const other = await run(folder, 'release', 'plan.yaml', '--require', 'k=3', '--output', 'other.csv', '--row-map', 'other.map', '--quiet');
  assert.equal(other.code, 0, other.err);
  const explorer = await start({ folder, operand: 'plan.yaml' });
  const page = await explorer.open();

  /* Front: a point of the picture, by its card; a demand that is dragged */
  await page.goto(at(explorer, 'front'));
  await ready(page, 'Pin it');
  await page.getByRole('button', { name: 'Pin it' }).click();
  const point = page.getByRole('button', { name: /^whole levels: k \d+,/ }).nth(6);
  await point.waitFor();
  await point.focus();
  await page.keyboard.press('Enter');
  const card = page.getByRole('dialog', { name: 'the chosen point' });
  await card.getByText(/kept as it is|in \d+ groups|hidden/).first().waitFor(); /* what is left of each attribute */
  await card.getByRole('button', { name: 'Pin it' }).click();
  const kept = page.getByRole('region', { name: 'The best release that keeps this' });
  await kept.getByText(/^(Hidden altogether: |No attribute is hidden)/).waitFor();
  assert.equal(await kept.getByRole('listitem').count(), 9, 'one line for each quasi-identifier');
  const before = await page.getByRole('status').filter({ hasText: 'Keeps' }).innerText();
  const k = page.getByRole('slider', { name: 'k', exact: true });
  await k.scrollIntoViewIfNeeded();
  const box = await k.boundingBox();
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction((old) => [...document.querySelectorAll('[role=status]')].some((one) => /^Keeps k/.test(one.innerText) && one.innerText !== old), before);

  /* Prefer: the wish moves by its handle, the answer follows, and is accepted */
  await page.goto(at(explorer, 'prefer'));
  await ready(page, 'Accept and pin');
  const wish = page.getByRole('slider', { name: /^(loss at most|spread at most)/ }).last();
  await wish.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  await ready(page, 'Accept and pin');
  await page.getByRole('button', { name: 'Accept and pin' }).click();

  /* Compare: what is pinned, with the verdict in words */
  await page.goto(at(explorer, 'compare'));
  await page.getByText(/^(Publish |There is no best one|Rather not publish)/).first().waitFor({ timeout: 60000 });
  assert.ok((await page.getByRole('checkbox', { checked: true }).count()) >= 3);

  /* ... beside a file, whose rows are matched by its row map: person by person, too */
  await page.getByLabel('Path of a release').fill('other.csv');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('its rows are matched').selectOption('map');
  await page.getByLabel('Path of the row map of other.csv').fill('other.map');
  await page.getByLabel('Path of the row map of other.csv').blur();
  await page.getByRole('cell', { name: 'other.csv', exact: true }).waitFor({ timeout: 60000 });
  await page.getByRole('textbox', { name: 'Row', exact: true }).fill('7');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const person = page.getByRole('region', { name: 'Row 7' });
  await person.getByRole('columnheader', { name: /other\.csv$/ }).waitFor();
  const alike = person.getByRole('row', { name: /^looks like/ }).getByRole('cell');
  assert.match(await alike.last().innerText(), /people|suppressed/);
  assert.equal(await person.getByRole('row', { name: /^sex/ }).getByRole('cell').count(), await alike.count());
  assert.doesNotMatch(await person.innerText(), /P0\d{4}/);

  /* People: a stretch of rows beside the original, never an identifier */
  await page.goto(at(explorer, 'people'));
  await page.getByRole('heading', { name: 'The released table beside the original' }).waitFor();
  await page.getByRole('button', { name: /^Next/ }).click();
  const rows = page.getByRole('table').last();
  await rows.getByRole('cell').first().waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /P0\d{4}/);

  /* Records: levels for every record, with the risk that is left */
  await page.goto(at(explorer, 'records'));
  await page.getByText(/of \d[\d,]* people the least risk/).first().waitFor({ timeout: 120000 });

  /* Words that only the command uses are in titles and definitions, never alone in what is read */
  for (const view of ['front', 'prefer', 'people', 'compare']) {
    await page.goto(at(explorer, view));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(500);
    const read = await page.evaluate(() => {
      const main = document.querySelector('main').cloneNode(true);
      for (const one of main.querySelectorAll('code, pre, title, .tip, script, style, datalist')) one.remove();
      return main.textContent.replace(/\([^)]*\)/g, '');
    });
    for (const word of ['necd', 'nwp', 'glm', 'knee']) assert.doesNotMatch(read, new RegExp(`\\b${word}\\b`), `${view} says ${word}`);
  }

  /* Every picture is saved, every table too */
  await page.goto(at(explorer, 'people'));
  await page.getByRole('button', { name: /^Save “How many look alike”/ }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /SVG/ }).click();
  assert.match((await saved).suggestedFilename(), /\.svg$/);
  await page.goto(at(explorer, 'data'));
  await page.getByRole('button', { name: /^intervals/ }).first().click();
  const levels = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the hierarchy of age as CSV' }).click();
  assert.equal((await levels).suggestedFilename(), 'hierarchy-of-age.csv');

  /* Three objectives: a window on an axis leaves lines out, from either side, and in the picture below, too */
  await page.goto(at(explorer, 'front'));
  await page.getByRole('button', { name: 'one more' }).click();
  await page.getByRole('menuitem', { name: /^spread of class sizes/ }).click();
  const points = page.getByRole('status').filter({ hasText: /^\d+ of \d+ points?/ });
  await page.waitForFunction(() => [...document.querySelectorAll('[role=status]')].some((one) => /^[1-9]\d* of [1-9]\d* points?/.test(one.textContent.trim())), null, { timeout: 120000 });
  const all = Number(/of ([\d,]+) points?/.exec(await points.innerText())[1].replace(',', ''));
  const most = page.getByRole('slider', { name: 'people who look alike, at most' });
  await most.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('PageDown');
  await page.getByText(/points: people who look alike at most/).waitFor();
  const fewer = Number(/^(\d+) of/.exec(await points.innerText())[1]);
  assert.ok(fewer > 0 && fewer < all, `${fewer} of ${all}`);
  assert.ok((await page.locator('svg.plot .step.faint').count()) >= all - fewer, 'what is left out is faint in the other picture');
  await page.waitForTimeout(1000);
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.deepEqual(await coveredLabels(page), []);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  assert.deepEqual(page.problems, []);
  await explorer.stop();
});

test('every view, light and dark, wide and narrow: axe finds nothing, nothing overflows, nothing is logged', { skip }, async () => {
  const explorer = await start({ folder: planned(), operand: 'plan.yaml' });
  const first = await explorer.open();
  await first.goto(at(explorer, 'front'));
  await ready(first, 'Pin it');
  await first.getByRole('button', { name: 'Pin it' }).click();
  /* a second candidate, so that there is something to compare */
  const point = first.getByRole('button', { name: /^whole levels: k \d+,/ }).nth(6);
  await point.waitFor();
  await point.focus();
  await first.keyboard.press('Enter');
  await first.getByRole('dialog', { name: 'the chosen point' }).getByRole('button', { name: 'Pin it' }).click();
  await first.getByRole('button', { name: 'What it does to people' }).last().click();
  const shots = process.env.SHOTS;
  if (shots) mkdirSync(shots, { recursive: true });
  const context = first.context();
  /* Where not everything is tried (`make check` without EFFORT=1), what is dark is narrow as well. */
  const whole = Number(process.env.PV_EFFORT ?? 1) <= 1 || shots;
  for (const [dark, width] of whole ? [[false, 1280], [true, 1280], [false, 800], [false, 1920]] : [[false, 1920], [true, 800]]) {
    const page = await explorer.open({ context, at: at(explorer, 'data') });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => {
      globalThis.shifted = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (entry.hadRecentInput) continue;
          const what = entry.sources.map(({ node, previousRect: from, currentRect: to }) =>
            `${node?.nodeName?.toLowerCase()}.${node?.className?.baseVal ?? node?.className ?? ''} ${Math.round(from.y)}>${Math.round(to.y)}`);
          globalThis.shifted.push({ value: entry.value, what });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const view of views) {
      await page.goto(at(explorer, view));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(shots ? 6000 : 1500);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(overflow <= 0, `${view} at ${width}: ${overflow} pixels too wide`);
      assert.deepEqual(await overflows(page), [], `${view} at ${width}: out of its card`);
      assert.deepEqual(await coveredLabels(page), [], `${view} at ${width}: labels that cover each other`);
      assert.deepEqual(await axe(page), [], `${view}, ${dark ? 'dark' : 'light'}, ${width}`);
      const shifts = await page.evaluate(() => globalThis.shifted.splice(0));
      const shift = shifts.reduce((sum, { value }) => sum + value, 0);
      if (process.env.SHIFTS) console.log(view, width, shift.toFixed(4), JSON.stringify(shifts));
      assert.ok(shift < 0.1, `${view} at ${width}: what is seen jumps (${shift.toFixed(3)}): ${JSON.stringify(shifts)}`);
      if (shots) await page.screenshot({ path: join(shots, `${view}${dark ? '-dark' : ''}${width === 800 ? '-narrow' : width === 1920 ? '-wide' : ''}.png`) });
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  }
  await explorer.stop();
});

test('by touch: the wish, a slider and a picture are dragged', { skip }, async () => {
  const explorer = await start({ folder: planned(), operand: 'plan.yaml' });
  const context = await (await theBrowser()).newContext({ viewport: { width: 1280, height: 860 }, hasTouch: true });
  const page = await explorer.open({ context });
  const fingers = await context.newCDPSession(page);
  const touch = (type, ...points) => fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const middle = async (locator) => {
    await locator.scrollIntoViewIfNeeded();
    const box = await locator.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drag = async ([x, y], [dx, dy]) => {
    await touch('touchStart', [x, y]);
    for (let i = 1; i <= 10; i++) await touch('touchMove', [x + (dx * i) / 10, y + (dy * i) / 10]);
    await touch('touchEnd');
  };

  await page.goto(at(explorer, 'prefer'));
  await ready(page, 'Accept and pin');
  const wish = page.locator('[aria-roledescription="two-dimensional slider"]');
  const before = await wish.getAttribute('aria-valuetext');
  await drag(await middle(wish), [120, 60]);
  await page.waitForFunction((old) => document.querySelector('[aria-roledescription="two-dimensional slider"]').getAttribute('aria-valuetext') !== old, before);
  await ready(page, 'Accept and pin'); /* the answer to it */

  await page.goto(at(explorer, 'front'));
  await ready(page, 'Pin it');
  const k = page.getByRole('slider', { name: 'k', exact: true });
  const was = await k.inputValue();
  await k.scrollIntoViewIfNeeded();
  const box = await k.boundingBox();
  const thumb = [box.x + 8 + ((box.width - 16) * Number(was)) / 1000, box.y + box.height / 2];
  await drag(thumb, [80, 0]);
  assert.notEqual(await k.inputValue(), was, 'the slider follows the finger');

  /* two fingers on the picture: closer */
  const plot = page.locator('svg.plot').first();
  const [x, y] = await middle(plot);
  await touch('touchStart', [x - 30, y]);
  await touch('touchStart', [x - 30, y], [x + 30, y]);
  for (let i = 1; i <= 10; i++) await touch('touchMove', [x - 30 - 8 * i, y], [x + 30 + 8 * i, y]);
  await touch('touchEnd');
  await page.locator('svg.plot.zoomed').first().waitFor();
  assert.deepEqual(page.problems, []);
  await explorer.stop();
});

test('a data file that is changed is noticed, and read again', { skip }, async () => {
  const folder = planned(1000);
  const explorer = await start({ folder, operand: 'plan.yaml' });
  const page = await explorer.open();
  await page.getByText('1,000 rows').first().waitFor();
  const lines = readFileSync(join(folder, 'census.csv'), 'utf8').split('\n');
  writeFileSync(join(folder, 'census.csv'), lines.slice(0, 901).join('\n') + '\n');
  await page.getByText('census.csv has changed since it was read.').waitFor({ timeout: 30000 });
  await page.getByRole('button', { name: 'Read it again' }).click();
  await page.getByText('900 rows').first().waitFor();
  assert.equal(await page.getByText('has changed since it was read').count(), 0);
  await explorer.stop();
});

test('two pages on one server do not disturb each other', { skip }, async () => {
  const folder = planned();
  const explorer = await start({ folder, operand: 'plan.yaml' });
  const one = await explorer.open();
  const two = await explorer.open({ context: one.context(), at: at(explorer, 'front') });
  await one.getByRole('radiogroup', { name: 'Role of zip' }).waitFor();
  await two.getByText(/of the detail lost/).first().waitFor();
  await one.getByRole('radiogroup', { name: 'Role of household' }).getByRole('radio', { name: 'drop' }).click();
  await one.getByRole('button', { name: 'Write it to the plan' }).click();
  /* the other page sees the plan as it is now, and goes on */
  await two.waitForFunction(() => [...document.querySelectorAll('button')].some((button) => /^Undo: .*household/.test(button.getAttribute('aria-label') ?? '')));
  await ready(two, 'Pin it');
  await two.getByRole('button', { name: 'Pin it' }).click();
  await one.getByRole('heading', { name: 'Candidates' }).waitFor();
  await one.getByText(/^k=5, whole levels, best/).first().waitFor();
  assert.deepEqual(one.problems, []);
  assert.deepEqual(two.problems, []);
  await explorer.stop();
});

test('a page of another site can do nothing', { skip }, async () => {
  const folder = planned();
  const explorer = await start({ folder, operand: 'plan.yaml' });
  const own = await explorer.open();
  await own.getByRole('heading', { level: 1 }).waitFor();
  const target = new URL(explorer.address).origin;
  const plan = readFileSync(join(folder, 'plan.yaml'), 'utf8');
  const other = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>another site</title><body></body>'));
  await new Promise((listening) => other.listen(0, '127.0.0.1', listening));
  /* localhost is another site than 127.0.0.1, in the same browser, with the same cookies */
  const page = await explorer.open({ context: own.context(), at: `http://localhost:${other.address().port}/` });
  const tried = await page.evaluate(async (server) => {
    const results = {};
    const attempt = async (name, work) => {
      try {
        results[name] = await work();
      } catch {
        results[name] = 'refused';
      }
    };
    await attempt('read', async () => (await fetch(`${server}/api/state`, { credentials: 'include' })).text());
    await attempt('blind', async () => (await fetch(`${server}/api/state`, { credentials: 'include', mode: 'no-cors' })).type);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      await attempt(type, async () =>
        (await fetch(`${server}/api/plan/undo`, { method: 'POST', mode: type === 'application/json' ? 'cors' : 'no-cors', credentials: 'include', headers: { 'Content-Type': type }, body: '{"version":1}' })).type,
      );
    }
    await attempt('end', async () => (await fetch(`${server}/api/end`, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' })).type);
    await attempt('script', () => new Promise((done) => {
      const script = document.createElement('script');
      script.src = `${server}/app.js`;
      script.onload = () => done('loaded');
      script.onerror = () => done('refused');
      document.body.append(script);
    }));
    await attempt('frame', () => new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.src = `${server}/`;
      frame.onload = () => setTimeout(() => {
        let seen = 'nothing';
        try {
          seen = frame.contentDocument?.body?.innerText ?? 'nothing';
        } catch {
          /* as it should be */
        }
        done(seen === '' ? 'nothing' : seen);
      }, 300);
      document.body.append(frame);
    }));
    return results;
  }, target);
  assert.equal(tried.read, 'refused');
  assert.equal(tried['application/json'], 'refused');
  assert.equal(tried.script, 'refused');
  assert.equal(tried.frame, 'nothing');
  assert.equal(readFileSync(join(folder, 'plan.yaml'), 'utf8'), plan);
  assert.equal(explorer.child.exitCode, null, 'the server was not ended');
  await own.reload();
  await own.getByRole('heading', { level: 1 }).waitFor();
  other.close();
  await explorer.stop();
});

test('killed at any moment: no step is lost, no partial file is left', { skip }, async () => {
  const folder = planned();
  for (let round = 0; round < 3; round++) {
    const server = serve(folder, 'plan.yaml');
    const address = await server.address;
    const base = new URL(address).origin;
    const hello = await fetch(address, { redirect: 'manual' });
    const headers = { Cookie: hello.headers.get('set-cookie').split(';')[0], Origin: base, 'Content-Type': 'application/json' };
    const ask = async (path, body) => (await fetch(base + path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) })).json();
    let state = await ask('/api/state');
    while (state.study.state === 'opening') state = await ask(`/api/state?since=${state.state}`);
    assert.equal(state.candidates.length, round, 'candidates are there again');
    assert.ok(state.plan.history.length >= round, 'and so is the history');
    const change = await ask('/api/plan', { version: state.plan.version, what: `k = ${round + 2}`, edits: [{ path: ['require', 'k'], value: round + 2 }] });
    assert.equal(change.error ?? null, null);
    await ask('/api/candidates', { name: `round ${round}`, spec: { scheme: 'levels', levels: [4, 0, 5, 2, 1, 1, 2, 1, 3], require: 'k=2', suppression: '1%' } });
    void ask('/api/jobs', {
      kind: 'release', channel: 'r',
      params: { spec: { scheme: 'levels', levels: [4, 0, 5, 2, 1, 1, 2, 1, 3], require: 'k=2', suppression: '1%' }, output: `killed-${round}.csv` },
    }).catch(() => {});
    await new Promise((later) => setTimeout(later, 20 + 120 * round));
    server.child.kill('SIGKILL');
    await server.ended;
    const left = readdirSync(folder).filter((name) => name.startsWith('killed-') && name.endsWith('.csv'));
    for (const name of left) {
      const whole = await run(folder, 'check', name, '--quiet');
      assert.equal(whole.code, 0, `${name} is there, so it is whole, with its papers: ${whole.err}`);
    }
    assert.match(readFileSync(join(folder, 'plan.yaml'), 'utf8'), new RegExp(`k: ${round + 2}`));
  }
  rmSync(folder, { recursive: true, force: true });
});
