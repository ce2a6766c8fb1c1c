// A module of the page as Node can take it: compiled in memory, with what it imports.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

export async function load(path) {
  const made = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${path}`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'node20',
  });
  return import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString('base64')}`);
}
