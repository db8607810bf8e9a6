import { describe, expect, it } from 'vitest';
import { calibrationVerdict } from './calibration-verdict.ts';

const good = { n: 60, human_passed: 30, kappa: 0.8, kappa_ci: [0.62, 0.94] as [number, number] };

describe('calibrationVerdict', () => {
  it('is usable with a kappa of 0.6 that is surely above 0.2, on 20 items of both kinds', () => {
    expect(calibrationVerdict(good)).toEqual({
      verdict: 'usable',
      reason: 'kappa 0.80 (95% interval 0.62 to 0.94) on 60 items',
    });
    expect(calibrationVerdict({ n: 20, human_passed: 1, kappa: 0.6, kappa_ci: [0.21, 0.9] }).verdict).toBe('usable');
  });

  it('is no better than chance when chance could explain it', () => {
    expect(calibrationVerdict({ ...good, kappa: 0.3, kappa_ci: [0, 0.6] })).toEqual({
      verdict: 'no better than chance',
      reason: 'kappa 0.30 (95% interval 0.00 to 0.60) may be chance',
    });
    expect(calibrationVerdict({ n: 5, human_passed: 2, kappa: 0.6, kappa_ci: [-0.2, 1] })).toEqual({
      verdict: 'no better than chance',
      reason: 'kappa 0.60 (95% interval -0.20 to 1.00) may be chance, and 5 items are too few to show more',
    });
  });

  it.each([
    ['agreement is only fair', { ...good, kappa: 0.59 }, 'is below 0.60'],
    ['the interval reaches too low', { ...good, kappa_ci: [0.2, 0.95] as [number, number] }, 'as low as 0.20'],
    ['there are too few items', { ...good, n: 19, human_passed: 9 }, '19 items are too few: at least 20 are needed'],
    ['people passed everything', { ...good, human_passed: 60 }, 'whether it would recognise a failure'],
    ['people failed everything', { ...good, human_passed: 0 }, 'whether it would recognise a pass'],
    [
      'there is nothing to compare',
      { n: 0, human_passed: 0, kappa: null, kappa_ci: null },
      'nothing could be compared',
    ],
    ['kappa has no interval', { n: 2, human_passed: 1, kappa: 1, kappa_ci: null }, 'too few to tell it from chance'],
  ])('is weak when %s', (_, evidence, reason) => {
    const verdict = calibrationVerdict(evidence);
    expect(verdict.verdict).toBe('weak');
    expect(verdict.reason).toContain(reason);
  });
});
