import { expect, test } from 'vitest';
import { settingsDiffer, settingsNamed } from './settings-named.ts';

test.each([
  ["The database flag 'frob_stats' should be off", ['frobstats']],
  ['Set the "frob stats" parameter of PostgreSQL', ['frobstats']],
  ['PostgreSQL flag frob_stats is not set to off', ['frobstats']],
  ['The flag is not set', []],
  ["The bucket 'frob-stats' has no logs", []],
])('%s', (title, names) => {
  expect(settingsNamed(title)).toEqual(names);
});

test('two names differ unless one is part of the other, and no name differs from nothing', () => {
  expect(settingsDiffer(['frobstats'], ['frobwaits'])).toBe(true);
  expect(settingsDiffer(['frobstats'], ['frob'])).toBe(false);
  expect(settingsDiffer(['frobstats'], [])).toBe(false);
});
