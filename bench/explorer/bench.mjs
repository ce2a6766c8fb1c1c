/* The explorer against its targets: `node bench/explorer/bench.mjs WHAT PLAN [FILE]`, one "name value" line per figure.

       first PLAN           seconds from the command to the first picture in the browser; kilobytes of the page, compressed
       drag PLAN            milliseconds that a dragged demand, and a dragged wish, wait for their answer: the slowest of nine in ten
       cloud PLAN           frames a second while the cloud of all schemes is zoomed and dragged; how many there are; processor
                            milliseconds of the page for a frame, on all its threads: what is left to 20 is reserve.
                            With the census of the demo, diagnosis becomes a quasi-identifier: twice 62,208 schemes
       large PLAN FILE      seconds from the command to the first front of a large table

   PARAVENT and CHROMIUM as in tests/explorer/harness.mjs, whose packages it uses. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync, readdirSync, copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { closeBrowser, missing, start, theBrowser } from '../../tests/explorer/harness.mjs';

const [what, plan, file] = process.argv.slice(2);
if (missing !== null) {
  console.error(missing);
  process.exit(2);
}

/* What has the demo's diagnosis as one more quasi-identifier has over 100,000 schemes of levels. */
const largest = what === 'cloud' && /^ {2}diagnosis: +\{role: sensitive\}$/m.test(readFileSync(plan, 'utf8'));

/* The plan and what it names, in a folder of its own: the explorer keeps its session beside the plan. */
function copyOf(planPath, data) {
  const folder = mkdtempSync(join(tmpdir(), 'paravent-bench-'));
  for (const name of readdirSync(dirname(planPath))) {
    if (/\.(csv|yaml)$/.test(name) && (data === undefined || !readFileSync(planPath, 'utf8').includes(`data: ${name}`))) {
      copyFileSync(join(dirname(planPath), name), join(folder, name));
    }
  }
  if (data !== undefined) {
    const text = readFileSync(planPath, 'utf8').replace(/^data: .*/m, `data: ${resolve(data)}`);
    writeFileSync(join(folder, basename(planPath)), text);
  }
  if (largest) {
    const text = readFileSync(planPath, 'utf8').replace(/^( {2}diagnosis: +)\{role: sensitive\}$/m, '$1{role: quasi}');
    writeFileSync(join(folder, basename(planPath)), text);
  }
  return folder;
}

const seconds = () => performance.now() / 1000;
const quantile = (list, share) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)];
const say = (name, value) => console.log(`${name} ${value}`);

/* A client without a browser. */
async function client(address) {
  const base = new URL(address).origin;
  const answer = await fetch(address, { redirect: 'manual' });
  const cookie = answer.headers.get('set-cookie').split(';')[0];
  const headers = { Cookie: cookie, Origin: base, 'Content-Type': 'application/json' };
  const get = async (path) => (await fetch(base + path, { headers })).json();
  const post = async (path, body) => (await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  return {
    get,
    async opened() {
      let state = await get('/api/state');
      while (state.study.state === 'opening') state = await get(`/api/state?since=${state.state}`);
      if (state.study.state !== 'open') throw new Error(JSON.stringify(state.study.error));
      return state;
    },
    async run(kind, params, channel = kind) {
      let job = await post('/api/jobs', { kind, channel, params });
      while (job.state === 'waiting' || job.state === 'running') job = await get(`/api/jobs/${job.job}?since=${job.version}`);
      if (job.state !== 'done') throw new Error(`${kind}: ${JSON.stringify(job.error)}`);
      return job.result;
    },
  };
}

async function withExplorer(data, use) {
  const folder = copyOf(resolve(plan), data);
  const began = seconds();
  const explorer = await start({ folder, operand: basename(plan) });
  try {
    await use(explorer, began);
  } finally {
    await explorer.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function first() {
  await theBrowser();
  let best = Infinity;
  for (let i = 0; i < 5; i++) {
    await withExplorer(undefined, async (explorer, began) => {
      let bytes = 0;
      const page = await explorer.open({ at: 'about:blank' });
      page.on('response', async (answer) => {
        if (/\/(app\.js|app\.css|)$/.test(new URL(answer.url()).pathname)) bytes += Number(answer.headers()['content-length'] ?? 0);
      });
      await page.goto(explorer.address);
      await page.locator('figure svg, figure canvas').first().waitFor();
      best = Math.min(best, seconds() - began);
      if (i === 4) say('kilobytes', (bytes / 1000).toFixed(0));
    });
  }
  say('first_picture', best.toFixed(3));
}

async function drag() {
  await withExplorer(undefined, async (explorer) => {
    const server = await client(explorer.address);
    await server.opened();
    const demands = [];
    const wishes = [];
    for (let i = 0; i < 40; i++) {
      const began = seconds();
      await server.run('best', { require: `k=${2 + i * 3}`, suppression: '1%' });
      demands.push(1000 * (seconds() - began));
    }
    await server.run('prefer', { k: 5, wish: { bias: 0.3, loss: 0.5 }, prove: 2 });
    for (let i = 0; i < 40; i++) {
      const began = seconds();
      await server.run('prefer', { k: 5, wish: { bias: 0.05 + i * 0.01, loss: 0.6 - i * 0.01 } });
      wishes.push(1000 * (seconds() - began));
    }
    say('demand', quantile(demands, 0.9).toFixed(0));
    say('wish', quantile(wishes, 0.9).toFixed(0));
  });
}

/* Processor seconds that the browser's processes for pages have used: drawing, scripts and all their threads. */
async function spent() {
  const session = await (await theBrowser()).newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter((one) => one.type === 'renderer').reduce((sum, one) => sum + one.cpuTime, 0);
}

/* Frames a second while hands move, and processor milliseconds for each of them: these say what is in reserve, also on a
   machine that has other work. */
async function framesOf(page, hands) {
  const before = await spent();
  const frames = page.evaluate(
    () =>
      new Promise((done) => {
        let n = 0;
        const began = performance.now();
        const count = (now) => {
          n++;
          if (now - began < 3000) requestAnimationFrame(count);
          else done({ n, seconds: (now - began) / 1000 });
        };
        requestAnimationFrame(count);
      }),
  );
  await hands();
  const { n, seconds: took } = await frames;
  return { rate: n / took, cost: (1000 * ((await spent()) - before)) / n };
}

async function cloud() {
  await withExplorer(undefined, async (explorer) => {
    const page = await explorer.open({ at: 'about:blank' });
    await page.goto(explorer.address);
    await page.goto(`${new URL(explorer.address).origin}/#/front`);
    const canvas = page.locator('figure canvas').first();
    await canvas.waitFor();
    const points = page.locator('canvas[data-points]').first();
    const most = largest ? 100000 : 50000;
    await page.waitForFunction((n) => Number(document.querySelector('canvas[data-points]')?.getAttribute('data-points')) > n, most, { timeout: 180000 });
    /* other searches go on behind the picture: they are not what is measured */
    for (const stop of await page.getByRole('button', { name: 'Stop' }).all()) await stop.click({ timeout: 2000 }).catch(() => {});
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    const zoomed = await framesOf(page, async () => {
      for (let i = 0; i < 60; i++) {
        await page.mouse.wheel(0, i < 30 ? -40 : 40);
        await page.mouse.move(middle.x + i, middle.y);
        await page.waitForTimeout(40);
      }
    });
    await page.mouse.move(middle.x, middle.y);
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -200);
    await page.mouse.down();
    const dragged = await framesOf(page, async () => {
      for (let i = 0; i < 90; i++) {
        await page.mouse.move(middle.x + 150 * Math.sin(i / 8), middle.y + 80 * Math.sin(i / 5));
        await page.waitForTimeout(25);
      }
    });
    await page.mouse.up();
    say('frames', Math.min(zoomed.rate, dragged.rate).toFixed(1));
    say('frame_ms', Math.max(zoomed.cost, dragged.cost).toFixed(1));
    say('points', await points.getAttribute('data-points'));
  });
}

async function large() {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    await withExplorer(file, async (explorer, began) => {
      const server = await client(explorer.address);
      await server.opened();
      await server.run('command', { command: 'front', options: {}, operands: ['plan'] });
      best = Math.min(best, seconds() - began);
    });
  }
  say('large', best.toFixed(3));
}

await { first, drag, cloud, large }[what]();
await closeBrowser();
