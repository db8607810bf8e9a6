import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleRun } from '../../../../../test/sample-run.ts';
import { registerExtension } from '../../extension/load-extension.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { findSubject, pageAddress } from './find-subject.ts';
import type { ViewerDoor } from './viewer-door.ts';

let store: Store;

beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
});
afterEach(() => store.close());

/** A package that stores one thing. */
function doorOf(id: string): ViewerDoor {
  return {
    pages: { script: new URL('file:///pages.js') },
    addRoutes: () => {},
    subjects: ['tally'],
    find: async (_, words) =>
      words === 'latest' || id.startsWith(words)
        ? { id, name: `Tally ${id}`, href: `/tallies/${id}`, answers: async () => {} }
        : null,
  };
}

const hrefOf = async (words: string, id = 'k9') => (await findSubject(store, words, [doorOf(id)])).href;

test('the beginning of an id is enough, of a run or of what a package stores', async () => {
  await store.createRun(sampleRun({ run_id: 'm3aa' }));
  expect(await hrefOf('m3')).toBe('/runs/m3aa');
  expect(await hrefOf('k')).toBe('/tallies/k9');
});

test('`latest` is a run if there is one', async () => {
  expect(await hrefOf('latest')).toBe('/tallies/k9');
  await store.createRun(sampleRun({ run_id: 'm3aa' }));
  expect(await hrefOf('latest')).toBe('/runs/m3aa');
});

test('a beginning that fits two kinds or two runs is refused, and a whole id is not', async () => {
  await store.createRun(sampleRun({ run_id: 'k1' }));
  await expect(hrefOf('k')).rejects.toMatchObject({
    code: 'TARGET_AMBIGUOUS',
    message: 'Run k1 and Tally k9 begin with "k". Give more of the id.',
  });
  expect(await hrefOf('k9')).toBe('/tallies/k9');
  expect(await hrefOf('k1', 'k1-0001')).toBe('/runs/k1');
  await store.createRun(sampleRun({ run_id: 'k2' }));
  await expect(hrefOf('k', 'x')).rejects.toMatchObject({ code: 'RUN_AMBIGUOUS' });
});

test('an id that nothing has is refused', async () => {
  await store.createRun(sampleRun({ run_id: 'm3aa' }));
  await expect(hrefOf('nothing')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
});

test('the address of a run has the words of the user, and unknown words are refused with all kinds', async () => {
  const viewed = { store: async () => store };
  await store.createRun(sampleRun({ run_id: 'm3aa' }));
  expect(await pageAddress(viewed, 'm3')).toBe('#/runs/m3');
  expect(await pageAddress(viewed, 'latest')).toBe('#/runs/latest');
  expect(await pageAddress(viewed, undefined)).toBe('');
  registerExtension({ name: 'salvo-tally', doors: { viewer: async () => doorOf('k9') } });
  expect(await pageAddress(viewed, 'k')).toBe('#/tallies/k9');
  await expect(pageAddress(viewed, 'nothing')).rejects.toThrow(
    /^No run, .*tally has an id that begins with "nothing"\./,
  );
});
