import { describe, expect, it } from 'vitest';
import { meetsThreshold } from './mean.ts';

describe('meetsThreshold', () => {
  it('does not let the last bit of a sum decide', () => {
    expect(0.1 + 0.7).toBeLessThan(0.8);
    expect(meetsThreshold(0.1 + 0.7, 0.8)).toBe(true);
  });

  it('sees a real difference', () => {
    expect(meetsThreshold(0.799999, 0.8)).toBe(false);
    expect(meetsThreshold(0.8, 0.8)).toBe(true);
    expect(meetsThreshold(Number.NaN, 0)).toBe(false);
  });
});
