import { expect, test } from 'vitest';
import { splitAsides } from './split-asides.ts';

test('a long remark in parentheses is no part of what a title says is wrong', () => {
  const reasons = 'fewer places to look at make it less likely that someone keeps excessive rights';
  expect(splitAsides(`Attach policies to groups (${reasons})`)).toEqual({
    title: 'Attach policies to groups  ',
    asides: reasons,
  });
});

test('a short one is', () => {
  const title = 'The volume uses no customer managed key (CMK)';
  expect(splitAsides(title)).toEqual({ title, asides: '' });
});

test('a title that is nothing but a remark stays as it is', () => {
  const title = '(the bucket that keeps the logs of the trail is not encrypted)';
  expect(splitAsides(title)).toEqual({ title, asides: '' });
});

test('parentheses that never close take no longer than others', () => {
  const title = '(a '.repeat(100_000);
  expect(splitAsides(title)).toEqual({ title, asides: '' });
});
