import { describe, expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { calibrationTest } from './calibration-test.ts';
import type { Forecast } from './reliability.ts';

/** Forecasts of items whose true probability is known. */
function forecasts(say: (truth: number) => number, perCluster = 1): Forecast[] {
  const random = seededRandom('calibration test');
  return Array.from({ length: 200 }, (_, index) => {
    const truth = random();
    const probability = Math.min(1, Math.max(0, say(truth)));
    return { probability, isTrue: random() < truth, cluster: `case ${Math.floor(index / perCluster)}` };
  });
}

describe('calibrationTest', () => {
  test('finds nothing in probabilities that are right', () => {
    expect(
      calibrationTest(
        forecasts((truth) => truth),
        0.005,
      )?.p,
    ).toBeGreaterThan(0.05);
  });

  test.each([
    ['too sure', (truth: number) => truth + 0.4 * (truth - 0.5)],
    ['not sure enough', (truth: number) => 0.5 + 0.3 * (truth - 0.5)],
    ['too high', (truth: number) => Math.sqrt(truth)],
    ['too low', (truth: number) => truth ** 2],
  ])('says of probabilities that they are %s', (kind, say) => {
    expect(calibrationTest(forecasts(say), 0.005)).toEqual({ p: expect.closeTo(0, 2), kind });
  });

  test('items that are all copies of another are no evidence', () => {
    const once = forecasts((truth) => Math.sqrt(truth)).slice(0, 40);
    const copied = once.flatMap((each) => [each, each, each, each]);
    const [alone, together] = [once, copied].map((each) => calibrationTest(each, 0.005)?.p ?? 0);
    expect(together).toBeGreaterThan((alone ?? 1) / 3);
  });

  test('a share of all votes is no claim of certainty', () => {
    const votes = Array.from({ length: 60 }, (_, index) => ({
      ...{ probability: index % 2, isTrue: index % 20 === 0 ? index % 2 === 0 : index % 2 === 1, cluster: `${index}` },
    }));
    expect(calibrationTest(votes, 1 / 12)?.p).toBeGreaterThan(0.05);
    expect(calibrationTest(votes, 0.005)?.p).toBeLessThan(0.05);
  });

  test.each([
    ['no items', []],
    ['one cluster', forecasts((truth) => truth, 200)],
    ['one probability', forecasts(() => 0.5)],
  ])('%s: null', (_, given) => {
    expect(calibrationTest(given, 0.005)).toBeNull();
  });
});
