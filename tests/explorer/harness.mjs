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
