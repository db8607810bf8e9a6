import { expect, test } from 'vitest';
import { sameTool } from './agent-call.ts';

test.each([
  ['refund', 'refund', true],
  ['mcp__shop__refund', 'refund', true],
  ['refund', 'functions.refund', true],
  ['shop:refund', 'refund', true],
  ['issue_refund', 'refund', false],
  ['mcp__shop__refund', 'mcp__web__refund', false],
  ['refund', '', false],
])('%s and %s are the same tool: %s', (one, other, same) => {
  expect(sameTool(one, other)).toBe(same);
  expect(sameTool(other, one)).toBe(same);
});
