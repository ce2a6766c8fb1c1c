/* The real command on a folder of its own, and a real browser in front of it.

       const explorer = await start({ data: 'people.csv' });   // `paravent explore people.csv`
       const page = await explorer.open();                      // at its address
       ...
       await explorer.stop();

   PARAVENT is the command; CHROMIUM the browser, Debian's if it is not given. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
export const paravent = resolve(process.env.PARAVENT ?? join(here, '../../build/paravent'));
export const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/* Why nothing can be tried here; null = it can. */
export const missing = !existsSync(browserPath)
  ? `no browser at ${browserPath} (package chromium)`
  : !existsSync(paravent)
    ? `no command at ${paravent}`
    : null;

/* Nothing but the page is to be loaded, and nobody else is to be asked. */
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];

export function run(folder, ...words) {
  return new Promise((done) => {
    const child = spawn(paravent, words, { cwd: folder });
    let out = '';
    let err = '';
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (err += text));
    child.on('close', (code) => done({ code, out, err }));
  });
}

/* A shell line, as the page shows it. */
export function runLine(folder, line) {
  return new Promise((done) => {
    const child = spawn('bash', ['-c', line.replace(/^paravent /, `'${paravent}' `)], { cwd: folder });
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    child.on('close', (code) => done({ code, err }));
  });
}

export function folderOf(source) {
  const folder = mkdtempSync(join(tmpdir(), 'paravent-explorer-'));
  if (source !== undefined) cpSync(source, folder, { recursive: true });
  return folder;
}

/* The address that the terminal shows; the command runs until it is stopped. */
export function serve(folder, operand, ...options) {
  const child = spawn(paravent, ['explore', operand, ...options], { cwd: folder });
  let text = '';
  const ended = new Promise((done) => child.on('close', (code, signal) => done({ code, signal, text })));
  const address = new Promise((found, failed) => {
    const look = (piece) => {
      text += piece;
      const match = /http:\/\/\S+token=\S+/.exec(text);
      if (match) found(match[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void ended.then(() => failed(new Error(`it ended before it had an address: ${text}`)));
  });
  address.catch(() => {});
  return { child, ended, address, said: () => text };
}

let browser = null;
export async function theBrowser() {
  browser ??= await chromium.launch({ executablePath: browserPath, args: quiet });
  return browser;
}
export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

export async function start({ folder, operand, options = [] }) {
  const server = serve(folder, operand, ...options);
  const address = await server.address;
  const contexts = [];
  return {
    ...server,
    folder,
    address,
    async open({ width = 1280, height = 860, dark = false, at = address, context = null } = {}) {
      context ??= await (await theBrowser()).newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(20000);
      page.problems = [];
      page.on('pageerror', (error) => page.problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') page.problems.push(message.text());
      });
      await page.goto(at);
      return page;
    },
    async stop() {
      for (const context of contexts) await context.close();
      server.child.kill('SIGINT');
      const end = await server.ended;
      rmSync(folder, { recursive: true, force: true });
      return end;
    },
  };
}

/* What axe finds in the page as it is, one line each. */
export async function axe(page) {
  /* The page allows no inline script; what the test adds comes by the debugger, not by the page. */
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(axePath, 'utf8'));
  return page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary}`));
  });
}

/* What stands out of its card, or of the frame's parts, one line each: to the side, or below. What scrolls or is cut
   with an ellipsis by its own box does not. */
export function overflows(page) {
  return page.evaluate(() => {
    const cuts = (element) => ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX);
    const said = (element) => `${element.nodeName.toLowerCase()}.${String(element.className?.baseVal ?? element.className).replace(/ ?svelte-\w+/g, '')}`;
    const found = new Set();
    for (const card of document.querySelectorAll('main .card, main .panel, main .verdict, aside, header.top')) {
      const box = card.getBoundingClientRect();
      if (box.width === 0) continue;
      const look = getComputedStyle(card);
      const left = box.left + parseFloat(look.paddingLeft) - 1.5;
      const right = box.right - parseFloat(look.paddingRight) + 1.5;
      const bottom = box.bottom + 1;
      const walk = (element) => {
        const style = getComputedStyle(element);
        if (!element.checkVisibility() || style.visibility === 'hidden' || element.matches('.out-of-sight, [role=menu], [role=tooltip], dialog, title, clipPath, defs')) return;
        const at = element.getBoundingClientRect();
        const drawn = at.width > 0 && at.height > 0 && !(element instanceof SVGElement && !(element instanceof SVGTextElement) && element.nodeName !== 'svg');
        if (drawn && (at.left < left || at.right > right || (!cuts(card) && style.position !== 'sticky' && at.bottom > bottom))) {
          found.add(`${said(card)} “${(card.getAttribute('aria-label') ?? card.textContent.trim()).slice(0, 30)}”: ${said(element)} “${element.textContent.trim().slice(0, 30)}” ${Math.round(at.left - left)}, ${Math.round(right - at.right)}, ${Math.round(bottom - at.bottom)}`);
          return;
        }
        if (element !== card && cuts(element) && !(element instanceof SVGElement)) return;
        for (const child of element.children) walk(child);
      };
      for (const child of card.children) walk(child);
    }
    return [...found];
  });
}

/* Labels of a picture that cover each other, one line each. */
export function coveredLabels(page) {
  return page.evaluate(() => {
    const found = [];
    for (const picture of document.querySelectorAll('main svg.chart, main svg[role=img]')) {
      const texts = [...picture.querySelectorAll('text')]
        .filter((one) => one.textContent.trim() !== '' && getComputedStyle(one).visibility !== 'hidden')
        .map((one) => ({ text: one.textContent.trim(), box: one.getBoundingClientRect() }));
      for (const [i, a] of texts.entries()) {
        for (const b of texts.slice(i + 1)) {
          const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          /* the boxes of letters are taller than what is drawn */
          if (width > 1 && height > 4.5) found.push(`${picture.getAttribute('aria-label')?.slice(0, 40)}: “${a.text}” and “${b.text}” ${Math.round(width)}x${Math.round(height)}`);
        }
      }
    }
    return found;
  });
}
