import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { pairedRateDifference } from './paired-rates.ts';
import { mcnemarTest } from './paired-tests.ts';

function pairs({ both = 0, onlyFirst = 0, onlySecond = 0 }, clusterOf = (index: number) => `${index}`) {
  const items = [
    ...Array.from({ length: both }, () => ({ first: true, second: true })),
    ...Array.from({ length: onlyFirst }, () => ({ first: true, second: false })),
    ...Array.from({ length: onlySecond }, () => ({ first: false, second: true })),
  ];
  return items.map((item, index) => ({ ...item, cluster: clusterOf(index) }));
}
const difference = (items: ReturnType<typeof pairs>) => pairedRateDifference(items, seededRandom('paired rates'));

test('without cases it is the exact test of McNemar', () => {
  const found = difference(pairs({ both: 20, onlyFirst: 9, onlySecond: 1 }));
  expect(found?.difference).toBeCloseTo(8 / 30);
  expect(found?.p).toBeCloseTo(mcnemarTest({ onlyFirst: 9, onlySecond: 1 }));
  expect(found?.interval[0]).toBeGreaterThan(0);
});

test('raters that never differ may still differ elsewhere', () => {
  const found = difference(pairs({ both: 30 }));
  expect(found).toMatchObject({ difference: 0, p: 1 });
  expect(found?.interval[0]).toBeLessThan(-0.03);
  expect(found?.interval[1]).toBeGreaterThan(0.03);
});

test('the same differences of few cases say less', () => {
  const own = difference(pairs({ both: 20, onlyFirst: 12 }));
  const ofCases = difference(pairs({ both: 20, onlyFirst: 12 }, (index) => `${Math.floor(index / 4)}`));
  expect(own?.p).toBeLessThan(0.01);
  expect(ofCases?.p).toBeGreaterThan(0.05);
  expect(ofCases?.interval[0]).toBeLessThanOrEqual(0);
});

test('swapping the raters turns the difference round; no items have none', () => {
  const items = pairs({ both: 5, onlyFirst: 6, onlySecond: 2 });
  const back = difference(items.map(({ first, second, cluster }) => ({ first: second, second: first, cluster })));
  const there = difference(items);
  expect(back?.p).toBeCloseTo(there?.p ?? 0);
  expect(back?.interval[0]).toBeCloseTo(-(there?.interval[1] ?? 0));
  expect(difference([])).toBeNull();
});

test('raters that err alike in cases are found different in 5% at most, and the interval contains 0', () => {
  const random = seededRandom('equal raters');
  const found = Array.from({ length: 400 }, () => {
    const items = Array.from({ length: 15 }, (_, cluster) => {
      const [first, second] = [random(), random()];
      return [0, 1, 2].map(() => ({ first: random() < first, second: random() < second, cluster: `${cluster}` }));
    });
    return difference(items.flat());
  });
  // More than 34 of 400 would be chance in 0.1% if the rate were 5%.
  expect(found.filter((each) => each && each.p < 0.05).length).toBeLessThan(35);
  expect(found.filter((each) => each && (each.interval[0] > 0 || each.interval[1] < 0)).length).toBeLessThan(35);
});
