import { describe, expect, it } from 'vitest';
import { severityWeightedRecall } from './severity-weighted-recall.ts';

describe('severityWeightedRecall', () => {
  it('counts a critical vulnerability four times a low one', () => {
    const [critical, low] = [{ severity: 'critical' } as const, { severity: 'low' } as const];
    expect(
      severityWeightedRecall([
        { ...critical, found: true },
        { ...low, found: false },
      ]),
    ).toBe(0.8);
    expect(
      severityWeightedRecall([
        { ...critical, found: false },
        { ...low, found: true },
      ]),
    ).toBe(0.2);
  });

  it('takes one that states no severity for a medium one', () => {
    const high = { severity: 'high', found: true } as const;
    expect(severityWeightedRecall([high, { severity: null, found: false }])).toBe(0.6);
  });

  it('is plain recall when all are alike, also when all are only informational', () => {
    const info = (found: boolean) => ({ severity: 'info' as const, found });
    expect(severityWeightedRecall([info(true), info(false), info(false), info(false)])).toBe(0.25);
  });

  it('of nothing is 0', () => {
    expect(severityWeightedRecall([])).toBe(0);
  });
});
