import { expect, test } from 'vitest';
import { trialSeed } from './trial-seed.ts';

const TRIAL = { seed: 7, scenario: 'refund', case: 'late', trialNumber: 3 };

test('a trial has the same seed in a run with the same --seed, and every other trial another', () => {
  expect(trialSeed({ ...TRIAL, id: 'another run', runId: 'b' })).toBe(trialSeed(TRIAL));
  const others = [{ seed: 8 }, { scenario: 'other' }, { case: 'early' }, { trialNumber: 4 }];
  const seeds = [TRIAL, ...others.map((change) => ({ ...TRIAL, ...change }))].map(trialSeed);
  expect(new Set(seeds).size).toBe(5);
  for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
});
