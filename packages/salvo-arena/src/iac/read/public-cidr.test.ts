import { expect, it } from 'vitest';
import { isOpenRange, isPublicCidr, replacePublicCidrs } from './public-cidr.ts';

it.each(['0.0.0.0/0', '::/0', '0.0.0.0/1', '128.0.0.0/1', '2000::/3', ' 0.0.0.0/0 '])('%s is public', (cidr) => {
  expect(isPublicCidr(cidr)).toBe(true);
});

it.each([
  '10.0.0.0/8',
  '3.0.0.0/5',
  '203.0.113.7/32',
  'fd00::/8',
  '0.0.0.0',
  '',
  'sg-0123',
  `\${var.cidr}`,
  '0.0.0.0/',
])('%s is not public', (cidr) => {
  expect(isPublicCidr(cidr)).toBe(false);
});

it('takes zeros without a length for the range that their author means, and no other address', () => {
  expect(['0.0.0.0', '::', '::0', '/0', '0.0.0.0/0', '::/0'].filter((range) => !isOpenRange(range))).toEqual([]);
  expect(['10.0.0.0', '::1', '', '0.0.0.0/32', 'sg-0'].filter(isOpenRange)).toEqual([]);
});

it('replaces public ranges in a text, and no others', () => {
  const text = 'open to 0.0.0.0/0, [::/0] and 128.0.0.0/1. Not 10.0.0.0/8, 1.2.3.4/32, a/1 or 0.0.0.0/0.5';
  expect(replacePublicCidrs(text, '*')).toBe('open to *, [*] and *. Not 10.0.0.0/8, 1.2.3.4/32, a/1 or 0.0.0.0/0.5');
});
