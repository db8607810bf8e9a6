import { rename, utimes } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fingerprintOf } from '../../scripts/fingerprint.ts';
import { projectFixture } from '../project-fixture.ts';

test('a build is used again only for the same sources: their content and paths count, and no time', async () => {
  await using sources = await projectFixture({ 'src/a.ts': '1', 'src/b/data.json': '{}', 'package.json': '{}' });
  const fingerprint = () => fingerprintOf(sources.root, ['src', 'package.json', 'not-there']);
  const seen = [await fingerprint()];
  await utimes(sources.path('src/a.ts'), 1, 1);
  await sources.write('src/a.test.ts', 'test');
  await sources.write('docs/guide.md', 'text');
  expect(await fingerprint()).toBe(seen[0]);
  await sources.write('src/a.ts', '2');
  seen.push(await fingerprint());
  await sources.write('src/b/data.json', '[]');
  seen.push(await fingerprint());
  await sources.write('package.json', '[]');
  seen.push(await fingerprint());
  await sources.write('src/c.ts', '');
  seen.push(await fingerprint());
  await rename(sources.path('src/c.ts'), sources.path('src/d.ts'));
  seen.push(await fingerprint());
  await sources.remove('src/d.ts');
  expect(await fingerprint()).toBe(seen[3]);
  expect(new Set(seen).size).toBe(6);
});
