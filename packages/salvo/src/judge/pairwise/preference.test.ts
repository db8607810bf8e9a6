import { describe, expect, test } from 'vitest';
import { bothOrders, majorityPreference, orderEffect, orderedPreference, turnedScores } from './preference.ts';

const criteria = [
  { name: 'kind', weight: 3 },
  { name: 'short', weight: 1 },
];
const scores = (kind: number, short: number) => ({
  kind: { score: kind, reasoning: '' },
  short: { score: short, reasoning: '' },
});

describe('a preference in one order', () => {
  test.each([
    [1, 0, 'win'],
    [0.5, 0.5, 'tie'],
    [0.4, 0.8, 'tie'],
    [0.25, 1, 'loss'],
    [0.51, 0.5, 'win'],
  ] as const)('kind %d and short %d are a %s by the weighted mean', (kind, short, preference) => {
    expect(orderedPreference(scores(kind, short), criteria)).toEqual({ preference });
  });

  test('a criterion that was left out prefers nothing', () => {
    expect(orderedPreference({ short: { score: 1, reasoning: '' } }, criteria).preference).toBe('win');
  });

  test('a decision model must find one answer more likely than all else', () => {
    const decided = (b: number, equal: number, a: number) => ({
      kind: {
        score: a + equal / 2,
        reasoning: '',
        probabilities: [
          { label: 'B', score: 0, probability: b },
          { label: 'equal', score: 0.5, probability: equal },
          { label: 'A', score: 1, probability: a },
        ],
      },
    });
    const [kind] = criteria.slice(0, 1);
    const only = kind ? [kind] : [];
    expect(orderedPreference(decided(0.1, 0.3, 0.6), only)).toMatchObject({ preference: 'win' });
    const unsure = orderedPreference(decided(0.2, 0.35, 0.45), only);
    expect(unsure.preference).toBe('tie');
    expect(unsure.shares?.win).toBeCloseTo(0.45);
    expect(unsure.shares?.tie).toBeCloseTo(0.35);
    const turned = orderedPreference(turnedScores(decided(0.1, 0.3, 0.6)), only);
    expect(turned).toMatchObject({ preference: 'loss' });
    expect(bothOrders(unsure, turned).shares?.win).toBeCloseTo(0.275);
  });
});

test('a preference that changes with the order is a tie', () => {
  const said = (preference: 'win' | 'tie' | 'loss') => ({ preference });
  expect(bothOrders(said('win'), said('win')).preference).toBe('win');
  expect(bothOrders(said('win'), said('loss')).preference).toBe('tie');
  expect(bothOrders(said('tie'), said('loss')).preference).toBe('tie');
});

test('more than half of the votes decide, by their weights', () => {
  const votes = (...preferences: ('win' | 'tie' | 'loss')[]) =>
    preferences.map((preference) => ({ preference, weight: 1 }));
  expect(majorityPreference(votes('win', 'win', 'loss'))).toBe('win');
  expect(majorityPreference(votes('win', 'tie', 'loss'))).toBe('tie');
  expect(majorityPreference(votes('win', 'loss'))).toBe('tie');
  expect(majorityPreference([{ preference: 'loss', weight: 3 }, ...votes('win', 'win')])).toBe('loss');
});

test('the effect of the order counts votes that could be read in both', () => {
  const votes = [
    { own_first: 'win', other_first: 'loss' },
    { own_first: 'win', other_first: 'win' },
    { own_first: 'loss', other_first: 'tie' },
    { own_first: 'win', other_first: null },
  ] as const;
  expect(orderEffect(votes)).toEqual({ votes: 3, changed: 2, first: 0.5 });
});
