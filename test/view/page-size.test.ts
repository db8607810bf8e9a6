import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { builtPages } from '../built-package.ts';

const ASSETS = new URL('assets/', await builtPages());

it('has one script, of less than 250 kB when compressed', async () => {
  const scripts = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  expect(scripts).toHaveLength(1);
  expect(gzipSync(await readFile(new URL(scripts[0] ?? '', ASSETS))).length).toBeLessThan(250_000);
});
