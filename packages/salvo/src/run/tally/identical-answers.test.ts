import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdenticalAnswers } from './scenario-tally.ts';

function areIdentical(hashes: (string | null | undefined)[]): boolean {
  const answers = createIdenticalAnswers();
  for (const hash of hashes) answers.add(hash);
  return answers.areIdentical();
}

test.each([
  [[], false],
  [['a'], false],
  [['a', 'a'], true],
  [['a', 'a', 'a', 'b'], false],
  [[null, null], false],
  [['a', null], false],
  [[undefined, 'a', 'a'], false],
] as const)('%j: identical is %s', (hashes, expected) => {
  expect(areIdentical([...hashes])).toBe(expected);
});

test('the order of the trials does not matter', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', null), { maxLength: 6 }), (hashes) => {
      expect(areIdentical(hashes.toReversed())).toBe(areIdentical(hashes));
      expect(areIdentical(hashes)).toBe(
        hashes.length >= 2 && hashes.every((hash) => hash !== null && hash === hashes[0]),
      );
    }),
  );
});
