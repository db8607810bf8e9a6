import { expect, test } from 'vitest';
import { type BaselineDesign, type Look, looksFor } from './looks.ts';

const ALPHA = 0.05;

function looks(scenarios: readonly BaselineDesign[], planned: number, upTo = 10 * planned): Look[] {
  return [...looksFor(scenarios, planned, ALPHA).take(40)].filter(({ trials }) => trials <= upTo);
}

const cases = (count: number, trials: number) => new Array<number>(count).fill(trials);

test.each([
  [[cases(1, 20)], 100],
  [[cases(40, 3)], 8],
  [[cases(500, 1)], 1],
  [[cases(1, 1)], 4],
  [[cases(1, 3), cases(12, 2), cases(4, 7)], 6],
])('the looks of %j with %i trials share the error rate', (scenarios, planned) => {
  const found = looks(scenarios, planned);
  expect(found.reduce((sum, { alpha }) => sum + alpha, 0)).toBeLessThanOrEqual(ALPHA);
  expect(found.every(({ alpha }) => alpha > 0)).toBe(true);
});

test('nine tenths of the error rate are for the planned trials', () => {
  const planned = looks([cases(40, 3)], 8, 8);
  expect(planned.reduce((sum, { alpha }) => sum + alpha, 0)).toBeCloseTo(0.9 * ALPHA, 10);
  expect(planned.at(-1)).toMatchObject({ trials: 8, cases: null });
});

test('many cases are looked at while they have their first trial, once they could decide', () => {
  expect(looks([cases(40, 3)], 8, 1).map((look) => look.cases)).toEqual([20, null]);
  expect(looks([cases(9, 3)], 8).every((look) => look.cases === null)).toBe(true);
});

test('a look at which nothing could be decided leaves its part to the next', () => {
  // Five passes before and one or two failures now are luck in 1 of 6, or 21, such runs.
  expect(looks([cases(1, 5)], 32)[0]).toMatchObject({ trials: 4 });
});

test('nothing is looked at without a baseline', () => {
  expect(looks([], 8)).toEqual([]);
});
