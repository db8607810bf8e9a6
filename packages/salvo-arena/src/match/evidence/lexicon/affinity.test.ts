import { expect, test } from 'vitest';
import { affinities } from './affinity.ts';
import type { Concept } from './compiled-lexicon.ts';

function concept(id: string, parent = -1, kin = 1): Concept {
  return { kind: 'aspect', id, says: id, yields: false, dimension: '', parent, kin, siblings: 0.5 };
}

const FAMILY = [concept('encryption'), concept('at rest', 0, 0.8), concept('own key', 1, 0.5), concept('logging')];

function affinity(a: number, b: number): number {
  return affinities(FAMILY, [])[a * FAMILY.length + b] ?? Number.NaN;
}

test('a concept is the same as itself', () => {
  expect(affinity(2, 2)).toBe(1);
});

test('a finding that is more precise than the vulnerability counts by their kinship', () => {
  expect(affinity(0, 1)).toBeCloseTo(0.8);
  expect(affinity(0, 2)).toBeCloseTo(0.4);
});

test('a finding that is more general counts for less', () => {
  expect(affinity(1, 0)).toBeLessThan(affinity(0, 1));
});

test('siblings count by what their parent says', () => {
  const siblings = [concept('logging'), concept('access logs', 0, 0.8), concept('flow logs', 0, 0.5)];
  expect(affinities(siblings, [])[1 * 3 + 2]).toBeCloseTo(0.8 * 0.5 * 0.5);
});

test('unrelated concepts have no affinity unless they are called near, which holds both ways', () => {
  expect(affinity(0, 3)).toBe(0);
  const table = affinities(FAMILY, [{ a: 3, b: 0, share: 0.6 }]);
  expect(table[3 * 4 + 0]).toBe(0.6);
  expect(table[0 * 4 + 3]).toBe(0.6);
});

test('a cycle of concepts ends', () => {
  expect(affinities([concept('a', 1), concept('b', 0)], [])).toHaveLength(4);
});
