import { expect, test } from 'vitest';
import { claimHref, gameHref, gamesHref, scoreBlueHref } from './page-hrefs.ts';

test('an address names what its page shows', () => {
  expect(gameHref('e1', 'e1-0000001')).toBe('/experiments/e1/games/e1-0000001');
  expect(gamesHref('e1', { task: '' })).toBe('/experiments/e1/games');
  expect(claimHref(scoreBlueHref(1), { kind: 'flaw', index: 3 })).toBe('/score/1/flaw/3');
});
