import { describe, expect, test } from 'vitest';
import { blueWithMode } from './blue-with-mode.ts';

describe('blueWithMode', () => {
  test.each([
    ['checkov+llm:m', undefined, 'checkov+llm:m'],
    ['checkov+llm:m', 'tools_only', 'checkov'],
    ['llm:m', 'tools_only', 'rules'],
    ['hybrid:checkov+llm:m', 'llm_only', 'llm:m'],
    ['llm:m', 'hybrid', 'hybrid:rules+llm:m'],
    ['trivy+llm:m', 'hybrid', 'hybrid:trivy+llm:m'],
    ['command:a+llm: {dir}', 'tools_only', 'command:a+llm: {dir}'],
  ] as const)('%j in mode %s is %j', (blue, mode, expected) => {
    expect(blueWithMode(blue, mode)).toBe(expected);
  });

  test.each(['llm_only', 'hybrid'] as const)('%s without a model is refused', (mode) => {
    expect(() => blueWithMode('rules', mode)).toThrow(/needs a model/);
  });
});
