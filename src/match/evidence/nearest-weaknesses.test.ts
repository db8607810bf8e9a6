import { expect, test } from 'vitest';
import { countWeaknesses } from '../../../scripts/matcher/count-weaknesses.ts';
import { createNearestWeaknesses, type LikelyWeaknesses, weaknessesInCommon } from './nearest-weaknesses.ts';

const weakness = (id: string, ...sentences: string[]) => ({
  id,
  sentences: sentences.map((sentence) => new Set(sentence.split(' '))),
});
const nearest = createNearestWeaknesses({
  ...countWeaknesses([
    weakness('frob-no-scheduler-logs', 'frob scheduler logs off', 'frob no scheduler logging'),
    weakness('frob-no-worker-logs', 'frob worker logs off', 'frob no worker logging'),
    weakness('frob-no-logs', 'frob logs off', 'frob logging missing'),
    weakness('frob-public', 'frob public', 'frob open to internet'),
  ]),
  part_of: [
    [0, 2],
    [1, 2],
  ],
});

function likely(text: string, below = ''): LikelyWeaknesses {
  const words = text.split(' ').map((word) => ({ text: word, synonyms: [] }));
  return nearest.likely(nearest.scoresOf(nearest.vectorOf({ words, concepts: [], below: below.split(' ') })));
}

test('texts in different words are alike if they are near the same weakness, and not if near different ones', () => {
  expect(weaknessesInCommon(likely('scheduler off'), likely('scheduler no'))).toBeGreaterThan(0.9);
  expect(weaknessesInCommon(likely('frob public'), likely('internet open'))).toBeGreaterThan(0.9);
  expect(weaknessesInCommon(likely('scheduler logs'), likely('worker logs'))).toBeLessThan(0.5);
  expect(weaknessesInCommon(likely('frob public'), likely('worker logging'))).toBeLessThan(0.1);
});

test('a weakness counts as its whole, and not as another part of it', () => {
  const [scheduler, worker, all] = [likely('scheduler logs off'), likely('worker logs off'), likely('logging missing')];
  expect(weaknessesInCommon(scheduler, all)).toBeGreaterThan(weaknessesInCommon(scheduler, worker));
  expect(weaknessesInCommon(all, scheduler)).toBe(weaknessesInCommon(scheduler, all));
});

test('the probabilities of a text add up to one; a text of unknown words is near nothing', () => {
  const total = [...likely('frob logs').roots.values()].reduce((sum, root) => sum + root * root, 0);
  expect(total).toBeCloseTo(1);
  expect(likely('quux')).toEqual({ roots: new Map(), wider: new Map() });
  expect(weaknessesInCommon(likely('quux'), likely('quux'))).toBe(0);
});

test('words below the headline count less than words in it', () => {
  const scheduler = likely('scheduler');
  const inHeadline = weaknessesInCommon(likely('public scheduler'), scheduler);
  expect(weaknessesInCommon(likely('public', 'scheduler'), scheduler)).toBeLessThan(inHeadline);
});
