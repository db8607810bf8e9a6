import { expect, test } from 'vitest';
import { matchesTags } from './matches-tags.ts';

test('a scenario without the wanted tag does not match, and every one matches when none is wanted', () => {
  expect(matchesTags(undefined, [])).toBe(true);
  expect(matchesTags(undefined, ['fast'])).toBe(false);
  expect(matchesTags(['slow'], ['fast'])).toBe(false);
});

test('all wanted tags have to be there', () => {
  expect(matchesTags(['fast', 'tier=1'], ['fast', 'tier=1'])).toBe(true);
  expect(matchesTags(['fast'], ['fast', 'tier=1'])).toBe(false);
});

test('an entry of a map is meant by its key, or by key=value', () => {
  const tags = { tier: 1, fast: true, flaky: false, team: 'a=b' };
  expect(matchesTags(tags, ['tier=1', 'fast', 'tier', 'team=a=b'])).toBe(true);
  expect(matchesTags(tags, ['tier=2'])).toBe(false);
  expect(matchesTags(tags, ['flaky'])).toBe(false);
  expect(matchesTags(tags, ['toString'])).toBe(false);
});
