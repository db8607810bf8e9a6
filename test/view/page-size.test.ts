import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { builtPages } from '../built-package.ts';

it('has one script, of less than 250 kB when compressed', async () => {
  const assets = new URL('assets/', await builtPages());
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  expect(scripts).toHaveLength(1);
  expect(gzipSync(await readFile(new URL(scripts[0] ?? '', assets))).length).toBeLessThan(250_000);
});
