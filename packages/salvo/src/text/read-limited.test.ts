import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { readLimited, readLimitedSync } from './read-limited.ts';

const MEGABYTE = 1024 * 1024;

test('a file of exactly the limit is read, one byte more is not', async () => {
  await using fixture = await projectFixture({ a: 'x'.repeat(MEGABYTE), b: 'x'.repeat(MEGABYTE + 1) });
  expect(await readLimited(fixture.path('a'), { most: MEGABYTE })).toHaveLength(MEGABYTE);
  await expect(readLimited(fixture.path('b'), { most: MEGABYTE })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(readLimitedSync(fixture.path('a'), MEGABYTE)).toHaveLength(MEGABYTE);
  expect(readLimitedSync(fixture.path('b'), MEGABYTE)).toBeNull();
});

test('an empty file is empty', async () => {
  await using fixture = await projectFixture({ a: '' });
  expect(await readLimited(fixture.path('a'), { most: 1 })).toHaveLength(0);
  expect(readLimitedSync(fixture.path('a'), 1)).toHaveLength(0);
});

test.runIf(existsSync('/proc/self/status'))('a file that claims to be empty is read to its end', () => {
  expect(readLimitedSync('/proc/self/status', MEGABYTE)?.length).toBeGreaterThan(100);
});

test('bytes that no text has are refused, UTF-16 is not', async () => {
  await using fixture = await projectFixture();
  writeFileSync(fixture.path('binary'), Buffer.from('PK\u0003\u0004\0\0'));
  writeFileSync(fixture.path('utf16'), Buffer.from('\ufeff[]', 'utf16le'));
  await expect(readLimited(fixture.path('binary'), { most: 100 })).rejects.toMatchObject({ code: 'FILE_NOT_TEXT' });
  expect(await readLimited(fixture.path('utf16'), { most: 100 })).toHaveLength(6);
});

test('a sparse file of 1 TB is refused without being read', async () => {
  await using fixture = await projectFixture({ a: '' });
  truncateSync(fixture.path('a'), 2 ** 40);
  await expect(readLimited(fixture.path('a'), { most: MEGABYTE })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(readLimitedSync(fixture.path('a'), MEGABYTE)).toBeNull();
});

test('an aborted signal stops the reading with its reason', async () => {
  await using fixture = await projectFixture({ a: '[]' });
  const reason = new Error('enough');
  await expect(readLimited(fixture.path('a'), { most: 9, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
