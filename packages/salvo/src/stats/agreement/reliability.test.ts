import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { reliabilityOf } from './reliability.ts';

/** So many items with this probability, of which so many are true. */
function said(probability: number, { of, are }: { of: number; are: number }, name = String(probability)) {
  return Array.from({ length: of }, (_, index) => ({ probability, isTrue: index < are, cluster: `${name} ${index}` }));
}

test('few values are a bin each, and the errors are those of a calculator', () => {
  const found = reliabilityOf([...said(0.9, { of: 10, are: 6 }), ...said(0.2, { of: 30, are: 6 })]);
  expect(found?.bins.map(({ said: of, items, observed }) => [of, items, observed])).toEqual([
    [expect.closeTo(0.2), 30, 0.2],
    [expect.closeTo(0.9), 10, 0.6],
  ]);
  expect(found?.calibrationError).toBeCloseTo(0.25 * 0.3);
  expect(found?.brier).toBeCloseTo((6 * 0.01 + 4 * 0.81 + 6 * 0.64 + 24 * 0.04) / 40);
});

test('many values are five bins of about the same size, in order', () => {
  const found = reliabilityOf(
    Array.from({ length: 100 }, (_, index) => ({ probability: index / 100, isTrue: index > 50, cluster: `${index}` })),
  );
  expect(found?.bins.map(({ items }) => items)).toEqual([20, 20, 20, 20, 20]);
  expect(found?.bins.map(({ range }) => range[0])).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
});

test('a value that most items have is not cut in two', () => {
  const many = [
    ...said(1, { of: 60, are: 58 }),
    ...[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].flatMap((p) => said(p, { of: 2, are: 1 })),
  ];
  const bins = reliabilityOf(many)?.bins ?? [];
  expect(bins.filter(({ range }) => range[1] === 1)).toHaveLength(1);
  expect(bins.reduce((sum, { items }) => sum + items, 0)).toBe(74);
});

test('right probabilities have an error that chance explains: the interval begins at 0', () => {
  const found = reliabilityOf([...said(0.5, { of: 20, are: 12 }), ...said(0.9, { of: 20, are: 17 })]);
  expect(found?.calibrationErrorInterval[0]).toBe(0);
  expect(found?.calibrationErrorByChance).toBeGreaterThan(0.05);
});

test('probabilities that are far off have an interval above 0, and so has the bin', () => {
  const found = reliabilityOf([...said(0.95, { of: 60, are: 33 }), ...said(0.05, { of: 60, are: 3 })]);
  expect(found?.calibrationErrorInterval[0]).toBeGreaterThan(0.05);
  expect(found?.bins[1]?.jointInterval[1]).toBeLessThan(0.8);
  expect(found?.bins[1]?.jointInterval[1]).toBeGreaterThan(found?.bins[1]?.interval[1] ?? 1);
});

test('a bin of one case says nothing about others, and no items say nothing', () => {
  const alike = said(0.9, { of: 10, are: 1 }).map((each) => ({ ...each, cluster: 'only' }));
  expect(reliabilityOf(alike)).toMatchObject({ brierInterval: null, bins: [{ interval: [0, 1] }] });
  expect(reliabilityOf([])).toBeNull();
});

test('right probabilities are taken for wrong in 5% at most', () => {
  const random = seededRandom('reliability');
  const isWrong = Array.from({ length: 120 }, () => {
    const forecasts = Array.from({ length: 60 }, (_, index) => {
      const probability = random();
      return { probability, isTrue: random() < probability, cluster: `${index}` };
    });
    return (reliabilityOf(forecasts)?.calibrationErrorInterval[0] ?? 0) > 0;
  });
  // More than 14 of 120 would be chance in 0.1% if the rate were 5%.
  expect(isWrong.filter(Boolean).length).toBeLessThan(15);
});
