import { expect, test } from 'vitest';
import { reasonKind } from './trial-failure.ts';

test.each([
  ['the answer does not contain "late": got "On Monday."', 'the answer does not contain "late": got "In May. \n(a)"'],
  ['response.n == 2: found 3; got 3', 'response.n == 2: found 3; got 4'],
  ['({ output }) => false gave false for "No"', '({ output }) => false gave false for "Never"'],
])('reasons that differ only in the answer are of one kind: %s', (one, other) => {
  expect(reasonKind(one)).toBe(reasonKind(other));
});

test('other reasons are of different kinds', () => {
  expect(reasonKind('the answer does not contain "a": got "b"')).not.toBe(
    reasonKind('the answer does not contain "c": got "b"'),
  );
});
