import { expect, test } from 'vitest';
import { seededRandom } from '../../stats/seeded-random.ts';
import { crossFit } from './cross-fit.ts';

test('a judge whose scores are too high gets a higher threshold, which both halves agree on', () => {
  const random = seededRandom('cross fit');
  const items = Array.from({ length: 80 }, (_, index) => {
    const human = index % 2 === 0;
    return { human, score: human ? 0.85 + random() / 10 : 0.6 + random() / 10, cluster: `${index}` };
  });
  const fit = crossFit(items, { current: 0.5, seed: 0 });
  expect(fit?.thresholds.every((threshold) => threshold > 0.65 && threshold < 0.9)).toBe(true);
  expect(fit?.passed).toEqual(items.map(({ human }) => human));
});

test('scores that say nothing gain nothing: no item is judged by a threshold that it helped to choose', () => {
  const agreements = Array.from({ length: 40 }, (_, seed) => {
    const random = seededRandom('noise', seed);
    const items = Array.from({ length: 40 }, (__, index) => ({
      ...{ human: random() < 0.5, score: random(), cluster: `${index}` },
    }));
    const fit = crossFit(items, { current: 0.5, seed });
    return items.filter(({ human }, index) => fit?.passed[index] === human).length / items.length;
  });
  const average = agreements.reduce((sum, each) => sum + each, 0) / agreements.length;
  expect(average).toBeGreaterThan(0.42);
  expect(average).toBeLessThan(0.54);
});

test('answers of one case are in the same half', () => {
  const items = [true, false].flatMap((human) =>
    Array.from({ length: 4 }, (_, index) => ({ human, score: human ? 0.9 : 0.1, cluster: `${index}` })),
  );
  const shifted = items.map((item) => (item.cluster === '0' ? { ...item, score: item.score / 10 } : item));
  const fit = crossFit(shifted, { current: 0.5, seed: 0 });
  expect(fit?.thresholds).toHaveLength(2);
});

test('there is no threshold if a half has verdicts of one kind only', () => {
  expect(crossFit([], { current: 0.5, seed: 0 })).toBeNull();
  const items = Array.from({ length: 6 }, (_, index) => ({ human: true, score: index / 6, cluster: `${index}` }));
  expect(crossFit(items, { current: 0.5, seed: 0 })).toBeNull();
});
