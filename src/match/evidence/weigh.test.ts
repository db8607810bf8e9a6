import { expect, test } from 'vitest';
import type { Content } from './content.ts';
import { type Evidence, weigh } from './weigh.ts';

function evidence(content: Partial<Content> = {}, rest: Partial<Omit<Evidence, 'content'>> = {}): Evidence {
  return {
    content: {
      given: { aspects: 0.6, objects: 0.2, details: 0, words: 0 },
      most: { aspects: 0.6, objects: 0.2, details: 0, words: 0.2 },
      aspect: 1,
      object: 1,
      detailsDiffer: false,
      substance: true,
      ...content,
    },
    place: 'unknown',
    rules: 'unknown',
    contradiction: false,
    ...rest,
  };
}

const NOTHING = { aspects: 0, objects: 0, details: 0, words: 0 };

test('agreement on content is a match, and agreement on the place makes it better', () => {
  expect(weigh(evidence()).score).toBeCloseTo(0.8);
  expect(weigh(evidence({}, { place: 'part' })).score).toBeCloseTo(0.9);
  expect(weigh(evidence({}, { place: 'same' })).score).toBeCloseTo(0.95);
});

test.each([
  ['flaw', evidence({ aspect: 0.1 })],
  ['thing', evidence({ object: 0.1 })],
  ['details', evidence({ detailsDiffer: true })],
  ['substance', evidence({ substance: false })],
  ['related', evidence({ aspect: 0.4 })],
  ['place', evidence({}, { place: 'other' })],
  ['praise', evidence({}, { contradiction: true })],
] as const)('a difference (%s) keeps the score below a match', (limit, given) => {
  const weighed = weigh(given);
  expect(weighed.limit).toBe(limit);
  expect(weighed.score).toBeLessThan(0.4);
  expect(weighed.taken).toBeCloseTo(weighed.score - 0.8);
});

test('related flaws are not the same, even of one resource', () => {
  expect(weigh(evidence({ aspect: 0.4 }, { place: 'same' })).score).toBeLessThan(0.4);
});

test('the place alone is no evidence', () => {
  expect(weigh(evidence({ given: NOTHING }, { place: 'same' })).score).toBe(0);
});

test('rules of one weakness are a match whatever the words, but not at another place', () => {
  expect(weigh(evidence({ given: NOTHING, aspect: 0 }, { rules: 'same' })).score).toBeCloseTo(0.8);
  expect(weigh(evidence({}, { rules: 'same', place: 'other' })).score).toBeLessThan(0.4);
});

test('rules of different weaknesses reduce the score, less so when the words agree', () => {
  const given = { aspects: 0.4, objects: 0.2, details: 0, words: 0 };
  expect(weigh(evidence({ given }, { rules: 'different' })).score).toBeLessThan(0.4);
  const whole = { aspects: 0.7, objects: 0.3, details: 0, words: 0 };
  expect(weigh(evidence({ given: whole }, { rules: 'different' })).score).toBeGreaterThan(0.7);
});
