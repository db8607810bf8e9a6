import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fBeta, matchMetrics, severityWeightedRecall } from './match-metrics.ts';

const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, duplicates: 0, falseAlarmsByTwin: null };

describe('matchMetrics', () => {
  it('are the rates of the counts', () => {
    const metrics = matchMetrics({ ...counts, truePositives: 2, falsePositives: 2, falseNegatives: 6, duplicates: 1 });
    expect(metrics).toMatchObject({ precision: 0.5, recall: 0.25, evasionRate: 0.75, empty: false });
    expect(metrics.f1Score).toBeCloseTo(1 / 3, 12);
    expect(metrics.f2Score).toBeCloseTo(0.277_778, 6);
    expect(metrics.f05Score).toBeCloseTo(0.416_667, 6);
  });

  it('leave duplicates out of precisionWithoutDuplicates only', () => {
    const metrics = matchMetrics({ ...counts, truePositives: 2, falsePositives: 2, duplicates: 2 });
    expect(metrics).toMatchObject({ precision: 0.5, precisionWithoutDuplicates: 1 });
  });

  it('count only false alarms by the twin in precisionByTwin', () => {
    const metrics = matchMetrics({
      ...counts,
      truePositives: 3,
      falsePositives: 9,
      falseNegatives: 3,
      falseAlarmsByTwin: 1,
    });
    expect(metrics).toMatchObject({ precision: 0.25, precisionByTwin: 0.75, f1ByTwin: 0.6, precisionUsed: 'twin' });
    expect(matchMetrics(counts)).toMatchObject({ precisionByTwin: null, f1ByTwin: null, precisionUsed: 'classic' });
  });

  it('have a precision of 0 when there are no findings', () => {
    expect(matchMetrics({ ...counts, falseNegatives: 3 })).toMatchObject({
      precision: 0,
      precisionWithoutDuplicates: 0,
      recall: 0,
      f1Score: 0,
      evasionRate: 1,
      empty: false,
      intervals: { precision: null, recall: { low: 0 }, evasionRate: { high: 1 } },
    });
  });

  it('have a recall and an evasion rate of 0 when there was nothing to find', () => {
    expect(matchMetrics({ ...counts, falsePositives: 3 })).toMatchObject({
      precision: 0,
      recall: 0,
      evasionRate: 0,
      empty: false,
      intervals: { precision: { low: 0 }, recall: null, evasionRate: null },
    });
  });

  it('say that there was neither a vulnerability nor a finding', () => {
    expect(matchMetrics(counts)).toMatchObject({ empty: true, precision: 0, recall: 0, f1Score: 0, evasionRate: 0 });
  });
});

const rate = fc.double({ min: 0, max: 1, noNaN: true });

describe('fBeta', () => {
  it('with a beta of 1 is the harmonic mean', () => {
    expect(fBeta(0.5, 1, 1)).toBeCloseTo(2 / 3, 12);
  });

  it('favours recall above 1 and precision below', () => {
    expect(fBeta(0.5, 1, 2)).toBeCloseTo(5 / 6, 12);
    expect(fBeta(0.5, 1, 0.5)).toBeCloseTo(5 / 9, 12);
  });

  it('is 0 when precision, recall or both are 0', () => {
    expect([fBeta(0, 1, 1), fBeta(1, 0, 2), fBeta(0, 0, 0.5)]).toEqual([0, 0, 0]);
  });

  it('lies between the two', () => {
    fc.assert(
      fc.property(rate, rate, fc.double({ min: 0.1, max: 10, noNaN: true }), (precision, recall, beta) => {
        const value = fBeta(precision, recall, beta);
        expect(value).toBeGreaterThanOrEqual(Math.min(precision, recall) - 1e-9);
        expect(value).toBeLessThanOrEqual(Math.max(precision, recall) + 1e-9);
      }),
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a beta of %s', (beta) => {
    expect(() => fBeta(0.5, 0.5, beta)).toThrow(RangeError);
  });
});

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

  it('weighs a vulnerability without a severity as a medium one', () => {
    const high = { severity: 'high', found: true } as const;
    expect(severityWeightedRecall([high, { severity: null, found: false }])).toBe(0.6);
  });

  it('is plain recall when all severities are equal, even if all are informational', () => {
    const info = (found: boolean) => ({ severity: 'info' as const, found });
    expect(severityWeightedRecall([info(true), info(false), info(false), info(false)])).toBe(0.25);
  });

  it('is 0 without vulnerabilities', () => {
    expect(severityWeightedRecall([])).toBe(0);
  });
});
