import { describe, expect, it } from 'vitest';
import { jsonNode } from '../../iac/read/code-node.ts';
import { allOf, anyOf, badAt, GOOD, missingAt, UNKNOWN } from './verdict.ts';

const node = jsonNode(1, { file: 'a.tf', line: 1, end_line: 1, text: '' }, true);
const wrong = badAt(node, 'a', 'a is 1');
const missing = missingAt(node, 'b');

describe('all', () => {
  it('is bad when one is, unknown when one is, and good otherwise', () => {
    expect(allOf([GOOD, UNKNOWN, wrong, missing])).toBe(wrong);
    expect(allOf([GOOD, UNKNOWN])).toBe(UNKNOWN);
    expect([allOf([GOOD]), allOf([])]).toEqual([GOOD, GOOD]);
  });
});

describe('any', () => {
  it('is good when one is, unknown when one may be, and bad otherwise', () => {
    expect(anyOf([wrong, UNKNOWN, GOOD])).toBe(GOOD);
    expect(anyOf([wrong, UNKNOWN])).toBe(UNKNOWN);
  });

  it('prefers existing code to something missing', () => {
    expect(anyOf([missing, wrong])).toBe(wrong);
    expect(anyOf([missing])).toBe(missing);
  });
});
